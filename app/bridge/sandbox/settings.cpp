#include "app/bridge/sandbox/settings.hpp"

#include "app/scenes/shared/choices.hpp"
#include "engine/files/paths.hpp"
#include "engine/files/read_file.hpp"
#include "engine/files/write_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>

namespace claybox::app {
namespace {

using nlohmann::json;

constexpr std::uintmax_t kMaxBytes = 1 << 20;

template <class T>
void take(const json& object, const char* name, T& value) {
    if (object.contains(name)) value = object.at(name).get<T>();
}

/// A side of the window in pixels. Clamps before the cast: a number outside int has no int.
void take_side(const json& object, const char* name, double min, int& side) {
    double value = side;
    take(object, name, value);
    side = static_cast<int>(std::clamp(value, min, 16384.0));
}

/// A value of program_parameters(), clamped to its range.
void take_program(const json& object, const char* name, program_choice::Index choice, double& value) {
    take(object, name, value);
    const collision::Parameter& p = program_parameters()[choice];
    value = std::clamp(value, p.min, p.max);
}

void parse(const json& object, Settings& s) {
    if (!object.is_object()) throw std::runtime_error("expected a JSON object with settings");
    take(object, "scene", s.scene);
    take(object, "algorithm", s.algorithm);
    take(object, "broad_phase", s.broad_phase);
    std::string theme = "light";
    take(object, "theme", theme);
    s.dark = theme == "dark";
    take(object, "sound", s.sound);
    take(object, "haptics", s.haptics);
    take(object, "seated", s.seated);
    take_program(object, "hand_filter", program_choice::hand_filter, s.hand_filter);
    take_program(object, "stroke_lead", program_choice::stroke_lead, s.stroke_lead);
    double pressure = 0;
    take_program(object, "pressure_from", program_choice::pressure_from, pressure);
    s.pressure_from = static_cast<int>(pressure);
    take(object, "scale", s.scale);
    take_side(object, "width", 320, s.width);
    take_side(object, "height", 240, s.height);
    take(object, "hints_seen", s.hints_seen);
    s.scale = s.scale >= 0.5 && s.scale <= 3 ? s.scale : 0;
}

}  // namespace

std::filesystem::path settings_file() {
    const std::filesystem::path folder = engine::config_folder();
    return folder.empty() ? folder : folder / "settings.json";
}

bool load_settings(const std::filesystem::path& file, Settings& settings, std::string& error) {
    settings = {};
    std::error_code code;
    if (file.empty() || !std::filesystem::exists(file, code)) return true;
    std::string text, problem;
    try {
        if (!engine::read_file(file, kMaxBytes, text, problem)) throw std::runtime_error(problem);
        Settings read;
        parse(json::parse(text), read);
        settings = read;
        return true;
    } catch (const std::exception& e) {
        std::string reason = e.what();
        if (reason.starts_with("[json")) reason.erase(0, reason.find("] ") + 2);
        std::replace(reason.begin(), reason.end(), '\n', ' ');
        error = file.string() + ": " + reason + "; using the default settings";
        return false;
    }
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

bool save_settings(const std::filesystem::path& file, const Settings& s, std::string& error) {
    if (file.empty()) return true;
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
    return engine::write_file_atomically(file, object.dump(2) + "\n", error);
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
