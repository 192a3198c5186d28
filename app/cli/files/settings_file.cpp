#include "app/cli/files/settings_file.hpp"

#include "app/scenes/shared/choices.hpp"
#include "app/session/strict_json.hpp"
#include "engine/files/path_text.hpp"
#include "engine/files/paths.hpp"
#include "engine/files/read_file.hpp"
#include "engine/files/write_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace claybox::app {
namespace {

using nlohmann::json;

constexpr std::uintmax_t kMaxBytes = 1 << 20;

/// Reads members of one JSON object. The first member of another type becomes the error.
class Members {
  public:
    explicit Members(const json& object) : object_(object) {}
    const std::string& error() const { return error_; }

    void take(const char* name, bool& value) {
        if (const json* member = find(name, "true or false", &json::is_boolean)) value = member->get<bool>();
    }
    void take(const char* name, double& value) {
        if (const json* member = find(name, "a number", &json::is_number)) value = member->get<double>();
    }
    void take(const char* name, std::string& value) {
        if (const json* member = find(name, "a string", &json::is_string)) value = member->get<std::string>();
    }
    void take(const char* name, std::set<std::string>& value) {
        const json* member = find(name, "a list of strings", &json::is_array);
        if (member == nullptr) return;
        value.clear();
        for (const json& item : *member) {
            if (!item.is_string()) return fail(name, "a list of strings", item);
            value.insert(item.get<std::string>());
        }
    }

  private:
    using Is = bool (json::*)() const noexcept;

    const json* find(const char* name, const char* expected, Is is) {
        const auto member = object_.find(name);
        if (member == object_.end()) return nullptr;
        if (((*member).*is)()) return &*member;
        fail(name, expected, *member);
        return nullptr;
    }
    void fail(const char* name, const char* expected, const json& found) {
        if (error_.empty())
            error_ = std::string("\"") + name + "\": expected " + expected + ", found " + found.type_name();
    }

    const json& object_;
    std::string error_;
};

/// A side of the window in pixels. Clamps before the cast: a number outside int has no int.
void take_side(Members& members, const char* name, double min, int& side) {
    double value = side;
    members.take(name, value);
    side = static_cast<int>(std::clamp(value, min, 16384.0));
}

/// A value of program_parameters(), clamped to its range.
void take_program(Members& members, const char* name, program_choice::Index choice, double& value) {
    members.take(name, value);
    const collision::Parameter& p = program_parameters()[choice];
    value = std::clamp(value, p.min, p.max);
}

void take_all(Members& members, Settings& s) {
    members.take("scene", s.scene);
    members.take("algorithm", s.algorithm);
    members.take("broad_phase", s.broad_phase);
    std::string theme = "light";
    members.take("theme", theme);
    s.dark = theme == "dark";
    members.take("sound", s.sound);
    members.take("haptics", s.haptics);
    members.take("seated", s.seated);
    take_program(members, "hand_filter", program_choice::hand_filter, s.hand_filter);
    take_program(members, "stroke_lead", program_choice::stroke_lead, s.stroke_lead);
    double pressure = 0;
    take_program(members, "pressure_from", program_choice::pressure_from, pressure);
    s.pressure_from = static_cast<int>(pressure);
    members.take("scale", s.scale);
    s.scale = s.scale >= 0.5 && s.scale <= 3 ? s.scale : 0;
    take_side(members, "width", 320, s.width);
    take_side(members, "height", 240, s.height);
    members.take("hints_seen", s.hints_seen);
}

}  // namespace

std::filesystem::path settings_file() {
    const std::filesystem::path folder = engine::config_folder();
    return folder.empty() ? folder : folder / "settings.json";
}

collision::Result<Settings> read_settings_text(std::string_view text) {
    const collision::Result<json> parsed = parse_strict_json(text);
    if (!parsed) return parsed.error();
    if (!parsed.value().is_object())
        return collision::Error{
            std::string("expected an object with settings, found ") + parsed.value().type_name(), "", 0};
    Settings settings;
    Members members(parsed.value());
    take_all(members, settings);
    if (!members.error().empty()) return collision::Error{members.error(), "", 0};
    return settings;
}

std::string settings_text(const Settings& s) {
    const json object = {{"scene", s.scene},
                         {"algorithm", s.algorithm},
                         {"broad_phase", s.broad_phase},
                         {"theme", s.dark ? "dark" : "light"},
                         {"sound", s.sound},
                         {"haptics", s.haptics},
                         {"seated", s.seated},
                         {"hand_filter", s.hand_filter},
                         {"stroke_lead", s.stroke_lead},
                         {"pressure_from", s.pressure_from},
                         {"scale", s.scale},
                         {"width", s.width},
                         {"height", s.height},
                         {"hints_seen", s.hints_seen}};
    return object.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

bool load_settings(const std::filesystem::path& file, Settings& settings, std::string& error) {
    settings = {};
    std::error_code code;
    if (file.empty() || !std::filesystem::exists(file, code)) return true;
    const auto use_defaults = [&](const std::string& problem) {
        error = engine::text_of(file) + ": " + problem + "; using the default settings";
        return false;
    };
    std::string text, problem;
    if (!engine::read_file(file, kMaxBytes, text, problem)) return use_defaults(problem);
    const collision::Result<Settings> read = read_settings_text(text);
    if (!read) return use_defaults(read.error().text());
    settings = read.value();
    return true;
}

std::filesystem::path set_aside(const std::filesystem::path& file) {
    constexpr int kMaxKept = 1000;
    std::error_code code;
    if (!std::filesystem::is_regular_file(file, code)) return {};
    for (int number = 1; number <= kMaxKept; ++number) {
        std::filesystem::path renamed = file;
        renamed += number == 1 ? ".unread" : ".unread-" + std::to_string(number);
        if (std::filesystem::exists(std::filesystem::symlink_status(renamed, code))) continue;
        std::filesystem::rename(file, renamed, code);
        return code ? std::filesystem::path() : renamed;
    }
    return {};
}

bool save_settings(const std::filesystem::path& file, const Settings& settings, std::string& error) {
    return file.empty() || engine::write_file_atomically(file, settings_text(settings), error);
}

std::string SettingsKeeper::keep(const Settings& current, double now, bool at_once) {
    constexpr double kSaveEvery = 2;  // seconds
    if (!at_once && now < next_) return {};
    next_ = now + kSaveEvery;
    if (current == saved_) return {};
    std::string error;
    if (save_settings(file_, current, error)) {
        saved_ = current;
        return {};
    }
    return std::exchange(reported_, true) ? std::string() : "cannot save settings: " + error;
}

}  // namespace claybox::app
