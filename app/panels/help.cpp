#include "app/panels/help.hpp"

#include "engine/files/assets.hpp"
#include "engine/files/path_text.hpp"

#include <algorithm>

namespace claybox::app {
namespace {

constexpr const char* kControls = "help/controls.md";
constexpr const char* kHints = "help/hints.md";
constexpr std::size_t kMaxHelpLine = 400, kMaxHelpRows = 200, kMaxHint = 1000;  // longer: the file is damaged

std::string_view without_blanks(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r";
    const std::size_t begin = text.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

/// Calls `each(line, number)` for every line without its blanks; numbers count from 1.
template <class Function>
void for_each_line(std::string_view text, const Function& each) {
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        each(without_blanks(text.substr(0, end)), number);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

/// The parts between separators, without blanks.
std::vector<std::string> parts_of(std::string_view text, char separator) {
    std::vector<std::string> out;
    for (bool more = true; more;) {
        const std::size_t end = text.find(separator);
        more = end != std::string_view::npos;
        out.emplace_back(without_blanks(text.substr(0, end)));
        text.remove_prefix(more ? end + 1 : text.size());
    }
    return out;
}

std::string at_line(const std::string& file, std::size_t line, const std::string& problem) {
    return file + ":" + std::to_string(line) + ": " + problem;
}

/// The parsed asset. Reports its problems. Empty if it is missing or has no content.
template <class Entry>
std::vector<Entry> load_help(const char* name,
                             std::vector<Entry> (*parse)(std::string_view, const std::string&,
                                                         std::vector<std::string>&)) {
    std::string text, error;
    if (!engine::read_asset(name, text, error)) {
        engine::report_asset_problem(error);
        return {};
    }
    std::vector<std::string> problems;
    std::vector<Entry> out = parse(text, engine::text_of(engine::asset_folder() / name), problems);
    for (const std::string& problem : problems) engine::report_asset_problem(problem);
    return out;
}

std::string not_found(const char* name) {
    std::string message = "Help text not found: assets/";
    return message += name;
}

}  // namespace

std::vector<HelpRow> parse_help(std::string_view text, const std::string& file,
                                std::vector<std::string>& problems) {
    std::vector<HelpRow> out;
    std::size_t rows = 0;
    for_each_line(text, [&](std::string_view line, std::size_t number) {
        if (!line.starts_with('|')) return;
        if (++rows <= 2) return;  // the head and the rule below it
        if (rows > kMaxHelpRows) return;
        const std::vector<std::string> cells = parts_of(line.substr(0, kMaxHelpLine), '|');
        if (line.size() > kMaxHelpLine || cells.size() != 5 || cells[1].empty() || cells[2].empty() ||
            !cells[4].empty()) {
            problems.push_back(at_line(file, number, "expected | input | effect | devices |"));
            return;
        }
        HelpRow row{cells[1], cells[2], {}};
        if (!cells[3].empty()) row.devices = parts_of(cells[3], ',');
        for (const std::string& name : row.devices) {
            const auto declared = app_devices();
            const bool known =
                std::any_of(declared.begin(), declared.end(), [&](const auto& d) { return d.name == name; });
            if (!known) problems.push_back(at_line(file, number, "there is no device '" + name + "'"));
        }
        out.push_back(std::move(row));
    });
    if (out.empty())
        problems.push_back(file + ": found no rows, expected a table: | input | effect | devices |");
    return out;
}

std::vector<HelpRow> help_rows(const engine::LogicalDevices& devices) {
    static const std::vector<HelpRow> kRows = load_help(kControls, parse_help);
    if (kRows.empty()) return {{"Help", not_found(kControls), {}}};
    std::vector<HelpRow> out = kRows;
    for (HelpRow& row : out) {
        std::string now;
        bool changed = false;
        for (const std::string& name : row.devices) {
            const engine::LogicalDevice* device = devices.find(name);
            if (device == nullptr) continue;
            changed |= device->mapping != device->default_mapping;
            now += (now.empty() ? "" : ", ") + mapping_text(device->mapping);
        }
        if (changed) row.keys = now;
    }
    return out;
}

std::vector<HelpRow> scene_help_rows(const engine::LogicalDevices& devices, const SceneDescriptor& scene) {
    std::vector<HelpRow> out;
    for (const SceneKey& key : scene_keys(scene)) {
        if (key.kind == SceneKey::Kind::wheel) {
            out.push_back({"Shift+wheel", key.title, {}});
            continue;
        }
        const engine::LogicalDevice* device = devices.find(key.device);
        if (device == nullptr) continue;
        out.push_back({mapping_text(device->mapping), key.title, {key.device}});
    }
    return out;
}

std::vector<SceneHint> parse_hints(std::string_view text, const std::string& file,
                                   std::vector<std::string>& problems) {
    std::vector<SceneHint> out;
    for_each_line(text, [&](std::string_view line, std::size_t) {
        if (line.starts_with("## ")) {
            out.push_back({std::string(without_blanks(line.substr(3))), {}});
        } else if (!out.empty() && !line.empty()) {
            std::string& hint = out.back().text;
            hint += (hint.empty() ? "" : " ") + std::string(line);
        }
    });
    for (const SceneHint& hint : out)
        if (hint.text.empty() || hint.text.size() > kMaxHint)
            problems.push_back(file + ": the section '" + hint.scene.substr(0, 40) + "' has " +
                               std::to_string(hint.text.size()) + " bytes, expected 1 to 1000");
    std::erase_if(out, [](const SceneHint& hint) { return hint.text.size() > kMaxHint; });
    if (out.empty()) problems.push_back(file + ": found no hints, expected sections '## scene'");
    return out;
}

const std::string& scene_hint(std::string_view scene) {
    static const std::vector<SceneHint> kAll = load_help(kHints, parse_hints);
    static const std::string kNone, kMissing = not_found(kHints);
    if (kAll.empty()) return kMissing;
    const auto found =
        std::find_if(kAll.begin(), kAll.end(), [&](const SceneHint& h) { return h.scene == scene; });
    return found != kAll.end() ? found->text : kNone;
}

}  // namespace claybox::app
