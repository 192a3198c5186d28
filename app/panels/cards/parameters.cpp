#include "app/panels/cards/parameters.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace claybox::app {
namespace {

struct ShownUnit {
    const char* unit;
    double factor;
};

ShownUnit shown_unit(const collision::Parameter& p) {
    const std::string_view unit = p.unit;
    constexpr double kDegrees = 57.295779513082320877;
    if (unit == "m" && p.max <= 2) return {"mm", 1000};
    if (unit == "m/s" && p.max < 1) return {"mm/s", 1000};
    if (unit == "s" && p.max <= 1) return {"ms", 1000};
    if (unit == "rad") return {"°", kDegrees};
    if (unit == "rad/s") return {"°/s", kDegrees};
    if (unit.substr(0, 7) == "degrees") return {"°", 1};
    return {p.unit, 1};
}

int shown_decimals(double span) {
    if (span >= 50) return 0;
    if (span >= 5) return 1;
    if (span >= 0.5) return 2;
    return std::min(8, 2 + static_cast<int>(std::ceil(-std::log10(std::max(span, 1e-6)))));
}

/// "uv_sphere" as "UV sphere".
std::string readable(std::string_view id) {
    std::string name(id);
    std::replace(name.begin(), name.end(), '_', ' ');
    const auto capital = [](char& c) { c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; };
    if (!name.empty()) capital(name[0]);
    if (name.starts_with("Uv ")) capital(name[1]);
    return name;
}

bool choice_row(engine::Ui& ui, const collision::Parameter& p, std::size_t index_of_p,
                const ParameterKeys& keys, double& value) {
    std::vector<std::string> names;
    std::vector<engine::ComboItem> items;
    names.reserve(p.choices.size());
    const std::string help = keys.with_help(index_of_p, p.help);
    for (const char* choice : p.choices) {
        const std::string& name = names.emplace_back(readable(choice));
        items.push_back(
            {name.c_str(), keys.of_choice(index_of_p, items.size()), help.c_str(), p.source, true});
    }
    auto index = static_cast<std::size_t>(value);
    if (!engine::combo(ui, p.title, true, items, index)) return false;
    value = static_cast<double>(index);
    return true;
}

}  // namespace

const char* ParameterKeys::of_choice(std::size_t parameter, std::size_t choice) const {
    for (const Key& key : keys)
        if (key.parameter == parameter && key.choice == static_cast<int>(choice)) return key.name.c_str();
    return "";
}

std::string ParameterKeys::with_help(std::size_t parameter, const char* help) const {
    std::string names;
    for (const Key& key : keys)
        if (key.parameter == parameter && key.choice < 0) names += (names.empty() ? "" : ", ") + key.name;
    if (names.empty()) return help;
    return std::string(help) + (*help ? " " : "") + "Keys: " + names + ".";
}

engine::SliderSpec slider_spec(const collision::Parameter& p) {
    engine::SliderSpec spec;
    const ShownUnit shown = shown_unit(p);
    spec.label = p.title;
    spec.min = p.min;
    spec.max = p.max;
    spec.default_value = p.default_value;
    spec.integer = p.kind == collision::ParameterKind::integer;
    spec.logarithmic = p.logarithmic;
    spec.factor = shown.factor;
    spec.unit = shown.unit;
    // Logarithmic and very wide sliders must be readable near their lower end, too.
    spec.decimals = shown_decimals((p.logarithmic && p.min > 0 ? 100 * p.min : p.max - p.min) * shown.factor);
    // Percentages are whole numbers unless small ones matter.
    if (p.unit[0] == '%' && !p.logarithmic && p.max - p.min >= 10) spec.decimals = 0;
    if (p.min == 0 && p.default_value == 0 && p.max >= 500 && !spec.integer) spec.decimals = 2;
    // A default other than 0 must not be shown as 0.
    const double shown_default = std::abs(p.default_value * shown.factor);
    while (!spec.integer && shown_default > 0 && shown_default < std::pow(10.0, -spec.decimals) &&
           spec.decimals < 8)
        ++spec.decimals;
    spec.help = p.help;
    spec.source = p.source;
    return spec;
}

namespace {

/// The pictures of a choice, and their texts.
struct Pictures {
    std::vector<std::string> names, shortcuts;
    std::vector<engine::PaletteItem> items;

    Pictures(const collision::Parameter& parameter, std::size_t index, std::string_view icons,
             const ParameterKeys& keys) {
        names.reserve(parameter.choices.size());
        shortcuts.reserve(parameter.choices.size());
        for (const char* choice : parameter.choices) {
            const std::string_view key = keys.of_choice(index, items.size());
            shortcuts.emplace_back(key.empty() ? "" : "Key " + std::string(key));
            names.emplace_back(readable(choice));
            const auto icon = engine::icon_by_name(std::string(icons) + choice);
            items.push_back(
                {icon.value_or(engine::Icon::scene), names.back().c_str(), "", shortcuts.back().c_str()});
        }
    }
};

std::string picture_prefix(std::string_view scene, const collision::Parameter& p) {
    return std::string(scene) + "_" + p.id + "_";
}

bool has_pictures(const collision::Parameter& p, std::string_view prefix) {
    return std::all_of(p.choices.begin(), p.choices.end(), [&](const char* choice) {
        return engine::icon_by_name(std::string(prefix) + choice).has_value();
    });
}

/// A choice as pictures below its title.
bool pictures_row(engine::Ui& ui, const collision::Parameter& p, std::size_t index, std::string_view prefix,
                  const ParameterKeys& keys, double& value) {
    Pictures pictures(p, index, prefix, keys);
    for (engine::PaletteItem& item : pictures.items) item.help = p.help;
    const std::string help = keys.with_help(index, p.help);
    auto chosen = static_cast<std::size_t>(value);
    if (!engine::palette(ui, p.title, pictures.items, chosen, {4, true, help.c_str(), p.source}))
        return false;
    value = static_cast<double>(chosen);
    return true;
}

}  // namespace

bool palette_row(engine::Ui& ui, const collision::Parameter& parameter, std::size_t index,
                 std::string_view icons, std::span<const char* const> help, const ParameterKeys& keys,
                 double& value) {
    Pictures pictures(parameter, index, icons, keys);
    for (std::size_t i = 0; i < std::min(help.size(), pictures.items.size()); ++i)
        pictures.items[i].help = help[i];
    auto chosen = static_cast<std::size_t>(value);
    if (!engine::palette(ui, parameter.title, pictures.items, chosen)) return false;
    value = static_cast<double>(chosen);
    return true;
}

bool parameter_rows(engine::Ui& ui, std::span<const collision::Parameter> table,
                    collision::ParameterValues& values, std::size_t first, std::size_t end,
                    const ParameterKeys& keys, std::string_view scene) {
    bool changed = false;
    for (std::size_t i = first; i < end; ++i) {
        const collision::Parameter& p = table[i];
        bool hit = false;
        if (p.kind == collision::ParameterKind::toggle) {
            bool on = values.on(i);
            hit = engine::check_box(ui, p.title, on, keys.with_help(i, p.help).c_str());
            if (hit) values[i] = on ? 1 : 0;
        } else if (p.kind == collision::ParameterKind::choice) {
            const std::string icons = picture_prefix(scene, p);
            hit = !scene.empty() && has_pictures(p, icons) ? pictures_row(ui, p, i, icons, keys, values[i])
                                                           : choice_row(ui, p, i, keys, values[i]);
        } else {
            engine::SliderSpec spec = slider_spec(p);
            const std::string help = keys.with_help(i, p.help);
            spec.help = help.c_str();
            hit = engine::slider(ui, spec, values[i]);
        }
        changed |= hit;
    }
    return changed;
}

}  // namespace claybox::app
