#include "app/devices/app_devices.hpp"

#include "app/devices/sources.hpp"
#include "app/devices/valid_lines.hpp"
#include "engine/files/assets.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>

namespace claybox::app {

using engine::DeviceClass;

namespace {

struct AppDevice {
    DeviceClass type;
    const char* name;
    const char* title;
    KeyAction action = KeyAction::none;
};

constexpr DeviceClass kButton = DeviceClass::button, kValue = DeviceClass::value, kHand = DeviceClass::hand;

constexpr AppDevice kDevices[] = {
    {kButton, "take_hand", "Hand on or off", KeyAction::hand},
    {kButton, "fly", "Fly or orbit", KeyAction::fly},
    {kButton, "frame_scene", "Show the whole scene", KeyAction::frame_scene},
    {kButton, "pause", "Pause or resume", KeyAction::pause},
    {kButton, "step", "One step", KeyAction::step},
    {kButton, "restart", "Restart the scene", KeyAction::restart},
    {kButton, "undo", "Undo", KeyAction::undo},
    {kButton, "redo", "Redo", KeyAction::redo},
    {kButton, "headset", "Headset on or off", KeyAction::headset},
    {kButton, "recentre", "Recentre the headset or a tracked hand", KeyAction::recentre},
    {kButton, "theme", "Light or dark theme", KeyAction::theme},
    {kButton, "hide", "Hide or show the panels", KeyAction::hide},
    {kButton, "scale_up", "Larger panels", KeyAction::scale_up},
    {kButton, "scale_down", "Smaller panels", KeyAction::scale_down},
    {kButton, "scale_reset", "Panels in normal size", KeyAction::scale_reset},
    {kButton, "screenshot", "Save a screenshot", KeyAction::screenshot},
    {kButton, "help", "Help", KeyAction::help},
    {kButton, "cancel", "Close the help or deselect", KeyAction::cancel},
    {kButton, "quit", "Quit", KeyAction::quit},
    {kButton, "curl_thumb", "Curl the thumb"},
    {kButton, "curl_index", "Curl the forefinger"},
    {kButton, "curl_middle", "Curl the middle finger"},
    {kButton, "curl_ring", "Curl the ring finger"},
    {kButton, "curl_little", "Curl the little finger"},
    {kValue, "fly_x", "Fly right"},
    {kValue, "fly_y", "Fly up"},
    {kValue, "fly_z", "Fly forward"},
    {kValue, "turn_x", "Turn the view"},
    {kValue, "turn_y", "Tilt the view"},
    {kValue, "zoom", "Zoom"},
    {kHand, "left", "Left hand"},
    {kHand, "right", "Right hand"},
};

/// "ctrl+page_up" as "Ctrl+Page up".
std::string key_text(std::string_view name) {
    std::string out(name);
    bool start = true;
    for (char& c : out) {
        if (start && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
        start = c == '+';
        if (c == '_') c = ' ';
    }
    return out;
}

std::string ref_text(const engine::MapRef& ref) {
    if (ref.logical) return "@" + ref.text;
    const std::size_t dot = ref.text.find('.');
    const std::string source = ref.text.substr(0, dot), channel = ref.text.substr(dot + 1);
    if (source == "keyboard") return key_text(channel);
    std::string out = source + " " + channel;
    std::replace(out.begin(), out.end(), '_', ' ');
    return out;
}

std::string number_text(double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", number == 0 ? 0.0 : number);
    return text;
}

const char* join_word(engine::MapJoin join) {
    switch (join) {
        case engine::MapJoin::plus:
            return " plus ";
        case engine::MapJoin::minus:
            return " minus ";
        default:
            return " with ";
    }
}

}  // namespace

DefaultMap read_default_map(std::string text, const std::string& file) {
    DefaultMap out;
    std::vector<engine::DeviceDeclaration> unmapped;
    for (const AppDevice& device : kDevices)
        unmapped.push_back({device.type, device.name, device.title, "none"});
    Sources sources;
    engine::LogicalDevices checker(unmapped, sources.all());
    std::vector<UnusedLine> unused;
    std::vector<engine::MapLine> lines;
    std::string errors, error, missing;
    std::size_t number = 0;
    const bool is_map = load_valid_lines(checker, text, file, unused, errors);
    std::istringstream each(errors);
    while (std::getline(each, error)) out.problems.push_back(error);
    if (is_map) engine::parse_map(text, lines, number, error);
    const auto by_name = [&](std::string_view name) {
        return std::find_if(lines.begin(), lines.end(),
                            [&](const engine::MapLine& l) { return l.name == name; });
    };
    for (const AppDevice& device : kDevices) {
        const auto line = by_name(device.name);
        if (line == lines.end()) missing += (missing.empty() ? "" : ", ") + std::string(device.name);
        // A damaged map must not take away the key that ends the program.
        const char* const fallback = device.action == KeyAction::quit ? "keyboard.ctrl+q" : "none";
        out.mappings.push_back(line == lines.end() ? fallback : line->mapping);
    }
    for (const engine::MapLine& line : lines)
        if (checker.find(line.name)->default_mapping.empty())
            out.problems.push_back(file + ":" + std::to_string(line.number) + ": there is no device '" +
                                   line.name + "'");
    if (is_map && !missing.empty()) out.problems.push_back(file + ": expected lines for " + missing);
    return out;
}

std::span<const engine::DeviceDeclaration> app_devices() {
    static const DefaultMap kMap = [] {
        constexpr const char* kName = "devices/default.map";
        std::string text, error;
        const bool found = engine::read_asset(kName, text, error);
        if (!found) engine::report_asset_problem(error);
        DefaultMap map = read_default_map(text, (engine::asset_folder() / kName).string());
        for (const std::string& problem : map.problems)
            if (found) engine::report_asset_problem(problem);
        return map;
    }();
    static const auto kDeclarations = [] {
        std::array<engine::DeviceDeclaration, std::size(kDevices)> out;
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = {kDevices[i].type, kDevices[i].name, kDevices[i].title, kMap.mappings[i].c_str()};
        return out;
    }();
    return kDeclarations;
}

KeyAction action_of(std::size_t device) {
    return device < std::size(kDevices) ? kDevices[device].action : KeyAction::none;
}

std::string mapping_text(std::string_view mapping) {
    std::vector<engine::MapTerm> terms;
    std::string error, out;
    if (!engine::parse_mapping(mapping, terms, error) || terms.empty()) return "–";
    for (const engine::MapTerm& term : terms) {
        out += (out.empty() ? "" : " or ") + ref_text(term.first);
        if (term.join != engine::MapJoin::none) out += join_word(term.join) + ref_text(term.second);
    }
    return out;
}

std::string first_key(const engine::LogicalDevices* devices, std::string_view name) {
    std::string_view mapping;
    for (const engine::DeviceDeclaration& device : app_devices())
        if (name == device.name) mapping = device.mapping;
    if (const engine::LogicalDevice* device = devices != nullptr ? devices->find(name) : nullptr)
        mapping = device->mapping;
    return mapping_text(mapping.substr(0, mapping.find('|')));
}

std::string reading_text(DeviceClass type, const engine::Reading& r) {
    if (!r.valid) return "inactive";
    const auto three = [](double x, double y, double z) {
        return number_text(x) + " " + number_text(y) + " " + number_text(z);
    };
    switch (type) {
        case DeviceClass::button:
            return r.down ? "down" : "up";
        case DeviceClass::choice:
            return std::to_string(r.choice);
        case DeviceClass::value:
            return number_text(r.number);
        case DeviceClass::location:
        case DeviceClass::space:
            return three(r.position.x, r.position.y, r.position.z);
        case DeviceClass::orientation:
            return three(r.rotation.x, r.rotation.y, r.rotation.z);
        case DeviceClass::hand:
            return "active";
    }
    return {};
}

}  // namespace claybox::app
