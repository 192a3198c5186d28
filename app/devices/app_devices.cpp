#include "app/devices/app_devices.hpp"

#include "app/devices/sources.hpp"
#include "app/devices/valid_lines.hpp"
#include "app/scenes/scene.hpp"
#include "engine/files/assets.hpp"
#include "engine/files/path_text.hpp"

#include <algorithm>
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
    {kButton, "step_back", "One step back", KeyAction::step_back},
    {kButton, "return_to_now", "Return from the past to now", KeyAction::return_to_now},
    {kButton, "restart", "Restart the scene", KeyAction::restart},
    {kButton, "undo", "Undo", KeyAction::undo},
    {kButton, "redo", "Redo", KeyAction::redo},
    {kButton, "add_body", "Add a body", KeyAction::add_body},
    {kButton, "duplicate_body", "Duplicate the selected body", KeyAction::duplicate_body},
    {kButton, "delete_body", "Delete the selected body", KeyAction::delete_body},
    {kButton, "probe", "Probe on or off", KeyAction::probe},
    {kButton, "next_body", "Select the next body", KeyAction::next_body},
    {kButton, "body_before", "Select the body before", KeyAction::body_before},
    {kButton, "next_partner", "Test against the next body", KeyAction::next_partner},
    {kButton, "partner_before", "Test against the body before", KeyAction::partner_before},
    {kButton, "ask_all", "Ask all algorithms about the pair", KeyAction::ask_all},
    {kButton, "save_pair", "Save the pair", KeyAction::save_pair},
    {kButton, "keep_run", "Keep this run to compare", KeyAction::keep_run},
    {kButton, "export_times", "Export the frames", KeyAction::export_times},
    {kButton, "headset", "Headset on or off", KeyAction::headset},
    {kButton, "recentre", "Recentre the headset or a tracked hand", KeyAction::recentre},
    {kButton, "theme", "Light or dark theme", KeyAction::theme},
    {kButton, "hide", "Hide or show the panels", KeyAction::hide},
    {kButton, "scale_up", "Larger panels", KeyAction::scale_up},
    {kButton, "scale_down", "Smaller panels", KeyAction::scale_down},
    {kButton, "scale_reset", "Panels in normal size", KeyAction::scale_reset},
    {kButton, "screenshot", "Save a screenshot", KeyAction::screenshot},
    {kButton, "find", "Find scenes, lessons and commands", KeyAction::find},
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
    {kValue, "body_x", "Move the body right"},
    {kValue, "body_y", "Move the body up"},
    {kValue, "body_away", "Move the body away"},
    {kValue, "body_turn_x", "Turn the body"},
    {kValue, "body_turn_y", "Tilt the body"},
    {kValue, "turn_x", "Turn the view"},
    {kValue, "turn_y", "Tilt the view"},
    {kValue, "zoom", "Zoom"},
    {kValue, "pressure_left", "Pressure of the left hand"},
    {kValue, "pressure_right", "Pressure of the right hand"},
    {kHand, "left", "Left hand"},
    {kHand, "right", "Right hand"},
};

/// The keys of all scenes, as devices of their scene.
std::vector<engine::DeviceDeclaration> scene_devices() {
    std::vector<engine::DeviceDeclaration> out;
    for (const SceneDescriptor* scene : scenes())
        for (const SceneKey& key : scene_keys(*scene))
            if (key.kind != SceneKey::Kind::wheel)
                out.push_back({kButton, key.device, key.title, key.mapping, scene->id});
    return out;
}

/// All devices. The mappings of the program's own devices come from the default map.
std::vector<engine::DeviceDeclaration> declarations() {
    std::vector<engine::DeviceDeclaration> out;
    for (const AppDevice& device : kDevices) {
        // A damaged map must not take away the key that ends the program.
        const char* const fallback = device.action == KeyAction::quit ? "keyboard.ctrl+q" : "none";
        out.push_back({device.type, device.name, device.title, fallback});
    }
    const auto keys = scene_devices();
    out.insert(out.end(), keys.begin(), keys.end());
    return out;
}

struct KeySign {
    std::string_view name, sign;
};
constexpr KeySign kSigns[] = {{"left_bracket", "["},
                              {"right_bracket", "]"},
                              {"minus", "-"},
                              {"equal", "="},
                              {"comma", ","},
                              {"period", "."},
                              {"slash", "/"},
                              {"backslash", "\\"},
                              {"semicolon", ";"},
                              {"apostrophe", "'"},
                              {"grave", "`"},
                              {"keypad_add", "Keypad +"},
                              {"keypad_subtract", "Keypad -"},
                              {"left_control", "Ctrl"},
                              {"right_control", "Ctrl"}};

/// "ctrl+page_up" as "Ctrl+Page up", "left_bracket" as "[".
std::string key_text(std::string_view name) {
    std::string out(name);
    const std::size_t last = out.rfind('+') + 1;  // 0 without a plus
    for (const KeySign& key : kSigns)
        if (out.substr(last) == key.name) out.replace(last, std::string::npos, key.sign);
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
    const std::vector<engine::DeviceDeclaration> declared = declarations();
    Sources sources;
    engine::LogicalDevices checker(declared, sources.all());
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
    for (const engine::DeviceDeclaration& device : declared) {
        const auto line = by_name(device.name);
        const bool expected = *device.scope == '\0';  // scenes bring their own default mappings
        if (expected && line == lines.end())
            missing += (missing.empty() ? "" : ", ") + std::string(device.name);
        out.mappings.push_back(line == lines.end() ? device.mapping : line->mapping);
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
        DefaultMap map = read_default_map(text, engine::text_of(engine::asset_folder() / kName));
        for (const std::string& problem : map.problems)
            if (found) engine::report_asset_problem(problem);
        return map;
    }();
    static const auto kDeclarations = [] {
        std::vector<engine::DeviceDeclaration> out = declarations();
        for (std::size_t i = 0; i < out.size(); ++i) out[i].mapping = kMap.mappings[i].c_str();
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
    std::string last;  // left and right Ctrl have one name
    for (const engine::MapTerm& term : terms) {
        std::string text = ref_text(term.first);
        if (term.join != engine::MapJoin::none) text += join_word(term.join) + ref_text(term.second);
        if (text != last) out += (out.empty() ? "" : " or ") + text;
        last = std::move(text);
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
