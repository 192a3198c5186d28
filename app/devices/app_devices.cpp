#include "app/devices/app_devices.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

namespace claybox::app {

using engine::DeviceClass;

namespace {

struct AppDevice {
    engine::DeviceDeclaration declaration;
    KeyAction action = KeyAction::none;
};

constexpr DeviceClass kButton = DeviceClass::button, kValue = DeviceClass::value, kHand = DeviceClass::hand;

constexpr AppDevice kDevices[] = {
    {{kButton, "take_hand", "Take or leave the hand", "keyboard.h | gamepad.y"}, KeyAction::hand},
    {{kButton, "fly", "Fly or orbit", "keyboard.g | gamepad.left_thumb"}, KeyAction::fly},
    {{kButton, "frame_scene", "See the whole scene", "keyboard.f | gamepad.right_thumb"},
     KeyAction::frame_scene},
    {{kButton, "pause", "Pause and go on", "keyboard.space | keyboard.p | gamepad.start"}, KeyAction::pause},
    {{kButton, "step", "One frame", "keyboard.o | keyboard.period | gamepad.right_bumper"}, KeyAction::step},
    {{kButton, "restart", "Start the scene again", "keyboard.r | gamepad.back"}, KeyAction::restart},
    {{kButton, "undo", "Undo", "keyboard.ctrl+z | gamepad.x"}, KeyAction::undo},
    {{kButton, "headset", "Into the headset and out", "keyboard.v"}, KeyAction::headset},
    {{kButton, "recentre", "Recentre in the headset, or a tracked hand", "keyboard.c"}, KeyAction::recentre},
    {{kButton, "theme", "Light or dark", "keyboard.t"}, KeyAction::theme},
    {{kButton, "hide", "Hide the panels", "keyboard.tab | gamepad.left_bumper"}, KeyAction::hide},
    {{kButton, "scale_up", "Larger panels", "keyboard.ctrl+equal | keyboard.ctrl+keypad_add"},
     KeyAction::scale_up},
    {{kButton, "scale_down", "Smaller panels", "keyboard.ctrl+minus | keyboard.ctrl+keypad_subtract"},
     KeyAction::scale_down},
    {{kButton, "scale_reset", "Normal panels", "keyboard.ctrl+0"}, KeyAction::scale_reset},
    {{kButton, "screenshot", "Save a picture", "keyboard.f12"}, KeyAction::screenshot},
    {{kButton, "help", "Help", "keyboard.f1 | gamepad.guide"}, KeyAction::help},
    {{kButton, "cancel", "Close or select nothing", "keyboard.escape | gamepad.b"}, KeyAction::cancel},
    {{kButton, "quit", "Quit", "keyboard.ctrl+q"}, KeyAction::quit},
    {{kButton, "curl_thumb", "Curl the thumb", "keyboard.1"}},
    {{kButton, "curl_index", "Curl the forefinger", "keyboard.2"}},
    {{kButton, "curl_middle", "Curl the middle finger", "keyboard.3"}},
    {{kButton, "curl_ring", "Curl the ring finger", "keyboard.4"}},
    {{kButton, "curl_little", "Curl the little finger", "keyboard.5"}},
    {{kValue, "fly_x", "Fly right", "keyboard.d minus keyboard.a | gamepad.left_x deadzone 0.15"}},
    {{kValue, "fly_y", "Fly up",
      "keyboard.e minus keyboard.q | gamepad.right_trigger minus gamepad.left_trigger"}},
    {{kValue, "fly_z", "Fly forward", "keyboard.w minus keyboard.s | gamepad.left_y invert deadzone 0.15"}},
    // Pixels of a drag a frame, and notches of a wheel.
    {{kValue, "turn_x", "Turn the view",
      "gamepad.right_x deadzone 0.15 rate 500 | spacemouse.ry deadzone 0.1 rate 500"}},
    {{kValue, "turn_y", "Tilt the view",
      "gamepad.right_y deadzone 0.15 rate 500 | spacemouse.rx deadzone 0.1 rate 500"}},
    {{kValue, "zoom", "Zoom", "gamepad.up minus gamepad.down rate 6 | spacemouse.z deadzone 0.1 rate -6"}},
    {{kHand, "left", "Left hand", "xr.left | controller.left | network.left | track.left"}},
    {{kHand, "right", "Right hand", "xr.right | controller.right | network.right | track.right"}},
};

/// Help: up to two devices, the words for their keys as they come, and what they do. Rows without a device
/// explain.
struct Explained {
    const char* device = nullptr;
    const char* second = nullptr;
    const char* keys;
    const char* effect;
};

constexpr Explained kHelp[] = {
    {nullptr, nullptr, "Left drag", "Turn the view; with the hand: poke and press (Alt turns)"},
    {nullptr, nullptr, "Right or middle drag", "Turn the view; with the hand the right button grips"},
    {nullptr, nullptr, "Shift+drag", "Shift the view"},
    {nullptr, nullptr, "Wheel", "Zoom; with the hand: nearer and further (Ctrl zooms)"},
    {nullptr, nullptr, "Click, Shift+click", "Select a body, and a second one"},
    {nullptr, nullptr, "Drop of mesh files", "They fly in the cage: OBJ, STL, PLY or OFF"},
    {"curl_thumb", "curl_little", "1 to 5", "Curl thumb to little finger"},
    {"take_hand", nullptr, "H", "Take or leave the hand"},
    {"fly", nullptr, "G", "Fly: W A S D, E and Q move the camera, a drag turns it"},
    {"frame_scene", nullptr, "F", "See the whole scene again"},
    {"pause", nullptr, "Space or P", "Pause and go on"},
    {"step", nullptr, "O or .", "One frame while paused"},
    {"restart", nullptr, "R", "Start the scene again"},
    {"undo", nullptr, "Ctrl+Z", "Undo, where the scene can"},
    {"headset", "recentre", "V, C", "Into the headset and out; recentre in it, or a tracked hand"},
    {"theme", nullptr, "T", "Light or dark"},
    {"hide", nullptr, "Tab", "Hide and show the panels"},
    {"scale_up", "scale_down", "Ctrl and + or −", "Larger or smaller panels"},
    {"scale_reset", nullptr, "Ctrl+0", "Panels in normal size"},
    {"screenshot", nullptr, "F12", "Save a picture of the window"},
    {"help", nullptr, "F1", "This help"},
    {"cancel", nullptr, "Esc", "Close the help, select nothing"},
    {nullptr, nullptr, "On a slider", "Ctrl+click to type, double click for the default"},
    {"quit", nullptr, "Ctrl+Q", "Quit"},
};

/// "ctrl+page_up" as "Ctrl+Page up".
std::string key_words(std::string_view name) {
    std::string out(name);
    bool start = true;
    for (char& c : out) {
        if (start && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
        start = c == '+';
        if (c == '_') c = ' ';
    }
    return out;
}

std::string ref_words(const engine::MapRef& ref) {
    if (ref.logical) return "@" + ref.text;
    const std::size_t dot = ref.text.find('.');
    const std::string source = ref.text.substr(0, dot), channel = ref.text.substr(dot + 1);
    if (source == "keyboard") return key_words(channel);
    std::string out = source + " " + channel;
    std::replace(out.begin(), out.end(), '_', ' ');
    return out;
}

std::string number_words(double number) {
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

std::span<const engine::DeviceDeclaration> app_devices() {
    static const auto kDeclarations = [] {
        std::array<engine::DeviceDeclaration, std::size(kDevices)> out;
        std::transform(std::begin(kDevices), std::end(kDevices), out.begin(),
                       [](const AppDevice& device) { return device.declaration; });
        return out;
    }();
    return kDeclarations;
}

KeyAction action_of(std::size_t device) {
    return device < std::size(kDevices) ? kDevices[device].action : KeyAction::none;
}

std::string mapping_words(std::string_view mapping) {
    std::vector<engine::MapTerm> terms;
    std::string error, out;
    if (!engine::parse_mapping(mapping, terms, error) || terms.empty()) return "–";
    for (const engine::MapTerm& term : terms) {
        out += (out.empty() ? "" : " or ") + ref_words(term.first);
        if (term.join != engine::MapJoin::none) out += join_word(term.join) + ref_words(term.second);
    }
    return out;
}

std::string first_key(const engine::LogicalDevices* devices, std::string_view name) {
    std::string_view mapping;
    for (const AppDevice& device : kDevices)
        if (name == device.declaration.name) mapping = device.declaration.mapping;
    if (const engine::LogicalDevice* device = devices != nullptr ? devices->find(name) : nullptr)
        mapping = device->mapping;
    return mapping_words(mapping.substr(0, mapping.find('|')));
}

std::vector<HelpRow> help_rows(const engine::LogicalDevices& devices) {
    std::vector<HelpRow> out;
    for (const Explained& row : kHelp) {
        HelpRow shown{row.keys, row.effect};
        std::string now;
        bool changed = false;
        for (const char* name : {row.device, row.second}) {
            const engine::LogicalDevice* device = name != nullptr ? devices.find(name) : nullptr;
            if (device == nullptr) continue;
            changed |= device->mapping != device->default_mapping;
            now += (now.empty() ? "" : ", ") + mapping_words(device->mapping);
        }
        if (changed) shown.keys = now;
        out.push_back(std::move(shown));
    }
    return out;
}

std::string reading_words(DeviceClass type, const engine::Reading& r) {
    if (!r.valid) return "not there";
    const auto three = [](double x, double y, double z) {
        return number_words(x) + " " + number_words(y) + " " + number_words(z);
    };
    switch (type) {
        case DeviceClass::button:
            return r.down ? "down" : "up";
        case DeviceClass::choice:
            return std::to_string(r.choice);
        case DeviceClass::value:
            return number_words(r.number);
        case DeviceClass::location:
        case DeviceClass::space:
            return three(r.position.x, r.position.y, r.position.z);
        case DeviceClass::orientation:
            return three(r.rotation.x, r.rotation.y, r.rotation.z);
        case DeviceClass::hand:
            return "there";
    }
    return {};
}

}  // namespace claybox::app
