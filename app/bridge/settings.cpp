#include "app/bridge/settings.hpp"

#include "engine/platform/paths.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace claybox::app {
namespace {

using nlohmann::json;

constexpr std::uintmax_t kLargest = 1 << 20;

template <class T>
void take(const json& object, const char* name, T& value) {
    if (object.contains(name)) value = object.at(name).get<T>();
}

void parse(const json& object, Settings& s) {
    if (!object.is_object()) throw std::runtime_error("it holds no settings");
    take(object, "scene", s.scene);
    take(object, "algorithm", s.algorithm);
    take(object, "broad_phase", s.broad_phase);
    std::string theme = "light";
    take(object, "theme", theme);
    s.dark = theme == "dark";
    take(object, "sound", s.sound);
    take(object, "haptics", s.haptics);
    take(object, "seated", s.seated);
    take(object, "scale", s.scale);
    take(object, "width", s.width);
    take(object, "height", s.height);
    take(object, "hints_seen", s.hints_seen);
    s.width = std::clamp(s.width, 320, 16384);
    s.height = std::clamp(s.height, 240, 16384);
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
    const std::uintmax_t size = std::filesystem::file_size(file, code);
    std::ifstream in(file, std::ios::binary);
    std::stringstream text;
    if (!code && size <= kLargest) text << in.rdbuf();
    try {
        if (code || !in || size > kLargest) throw std::runtime_error("it cannot be read");
        Settings read;
        parse(json::parse(text.str()), read);
        settings = read;
        return true;
    } catch (const std::exception& e) {
        std::string reason = e.what();
        if (reason.starts_with("[json")) reason.erase(0, reason.find("] ") + 2);
        std::replace(reason.begin(), reason.end(), '\n', ' ');
        error = file.string() + ": " + reason + "; starting with the defaults";
        return false;
    }
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
                         {"scale", s.scale},
                         {"width", s.width},
                         {"height", s.height},
                         {"hints_seen", s.hints_seen}};
    return engine::write_file_atomically(file, object.dump(2) + "\n", error);
}

}  // namespace claybox::app
