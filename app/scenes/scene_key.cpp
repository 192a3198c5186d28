#include "app/scenes/scene_key.hpp"

#include "app/scenes/scene.hpp"
#include "collision/core/elementary.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <sstream>

namespace claybox::app {

using collision::Parameter;
using collision::ParameterKind;
using Kind = SceneKey::Kind;

namespace {

const Parameter* parameter_of(const SceneKey& key, const SceneDescriptor& scene) {
    const std::size_t index = collision::find_parameter(scene.parameters, key.target);
    return index < scene.parameters.size() ? &scene.parameters[index] : nullptr;
}

bool is_number(const Parameter& p) {
    return p.kind == ParameterKind::real || p.kind == ParameterKind::integer;
}

std::optional<double> number_of(std::string_view text) {
    double out = 0;
    const char* const end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, out);
    const bool good = error == std::errc{} && last == end && std::isfinite(out);
    return good ? std::optional(out) : std::nullopt;
}

std::optional<double> choice_of(const Parameter& p, std::string_view name) {
    const auto found = std::find(p.choices.begin(), p.choices.end(), name);
    if (p.kind != ParameterKind::choice || found == p.choices.end()) return std::nullopt;
    return static_cast<double>(found - p.choices.begin());
}

/// The choice that the pairs "a b, c d" exchange with `now`; without `now`, any choice of a known pair. Pairs
/// with an unknown name do not count.
std::optional<double> partner_of(const Parameter& p, const char* pairs, std::optional<double> now) {
    std::string text(pairs), first, second;
    std::replace(text.begin(), text.end(), ',', ' ');
    for (std::istringstream words(text); words >> first >> second;) {
        const auto a = choice_of(p, first), b = choice_of(p, second);
        if (!a || !b) continue;
        if (!now || *now == *a) return b;
        if (*now == *b) return a;
    }
    return std::nullopt;
}

std::optional<double> value_of(const Parameter& p, const char* text) {
    if (p.kind == ParameterKind::choice) return choice_of(p, text);
    const auto value = collision::parse_parameter(p, text);
    return value.ok() ? std::optional(value.value()) : std::nullopt;
}

std::optional<double> next_value(const SceneKey& key, const Parameter& p, double now, double count) {
    const std::optional<double> number = number_of(key.value);
    switch (key.kind) {
        case Kind::set:
            return value_of(p, key.value);
        case Kind::swap:
            return partner_of(p, key.value, now);
        case Kind::add:
            return now + *number * count;
        case Kind::scale:
        case Kind::wheel:
            return now * collision::power(*number, count);
        case Kind::toggle:
            if (p.kind == ParameterKind::toggle) return now != 0 ? 0 : 1;
            return std::fmod(now + 1, static_cast<double>(p.choices.size()));
        case Kind::action:
            break;
    }
    return std::nullopt;
}

}  // namespace

bool is_known(const SceneKey& key, const SceneDescriptor& scene) {
    if (key.kind == Kind::action) return requested_action(key, scene).has_value();
    const Parameter* const p = parameter_of(key, scene);
    if (p == nullptr) return false;
    const std::optional<double> number = number_of(key.value);
    switch (key.kind) {
        case Kind::set:
            return value_of(*p, key.value).has_value();
        case Kind::swap:
            return partner_of(*p, key.value, std::nullopt).has_value();
        case Kind::add:
            return is_number(*p) && number;
        case Kind::scale:
        case Kind::wheel:
            return is_number(*p) && number && *number > 0;
        case Kind::toggle:
            return p->kind == ParameterKind::toggle ||
                   (p->kind == ParameterKind::choice && !p->choices.empty());
        case Kind::action:
            break;
    }
    return false;
}

std::vector<SceneKey> scene_keys(const SceneDescriptor& scene) {
    std::vector<SceneKey> out;
    for (const SceneKey& key : scene.keys)
        if (is_known(key, scene)) out.push_back(key);
    return out;
}

std::optional<ParameterChange> change_of(const SceneKey& key, const SceneDescriptor& scene,
                                         const collision::ParameterValues& now, double count) {
    if (key.kind == Kind::action || !is_known(key, scene)) return std::nullopt;
    const std::size_t index = collision::find_parameter(scene.parameters, key.target);
    const Parameter& p = scene.parameters[index];
    std::optional<double> value = next_value(key, p, now[index], count);
    if (!value) return std::nullopt;
    if (is_number(p)) {
        value = std::clamp(*value, p.min, p.max);
        if (p.kind == ParameterKind::integer) value = std::round(*value);
    }
    if (!std::isfinite(*value) || *value == now[index]) return std::nullopt;
    return ParameterChange{index, *value};
}

std::optional<std::uint32_t> requested_action(const SceneKey& key, const SceneDescriptor& scene) {
    const auto found = std::find(scene.actions.begin(), scene.actions.end(), std::string_view(key.target));
    if (key.kind != Kind::action || found == scene.actions.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - scene.actions.begin());
}

std::string value_sentence(const Parameter& p, double value) {
    const std::string title = p.title;
    const auto choice = static_cast<std::size_t>(value);
    if (p.kind == ParameterKind::choice && choice < p.choices.size()) {
        std::string name = p.choices[choice];
        std::replace(name.begin(), name.end(), '_', ' ');
        return title + ": " + name;
    }
    if (p.kind == ParameterKind::toggle) return title + (value != 0 ? ": on" : ": off");
    char number[32];
    std::snprintf(number, sizeof number, "%.3g", value);
    return title + ": " + number + (*p.unit ? " " : "") + p.unit;
}

}  // namespace claybox::app
