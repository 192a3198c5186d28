#include "engine/input/sources/window_source.hpp"

#include <algorithm>

namespace claybox::engine {

namespace {

struct NamedKey {
    int key;
    std::string_view name;
};

constexpr int kFirstModifier = 340, kLastModifier = 347;  // left shift to right super

constexpr NamedKey kKeys[] = {
    {32, "space"},
    {39, "apostrophe"},
    {44, "comma"},
    {45, "minus"},
    {46, "period"},
    {47, "slash"},
    {59, "semicolon"},
    {61, "equal"},
    {91, "left_bracket"},
    {92, "backslash"},
    {93, "right_bracket"},
    {96, "grave"},
    {256, "escape"},
    {257, "enter"},
    {258, "tab"},
    {259, "backspace"},
    {260, "insert"},
    {261, "delete"},
    {262, "right"},
    {263, "left"},
    {264, "down"},
    {265, "up"},
    {266, "page_up"},
    {267, "page_down"},
    {268, "home"},
    {269, "end"},
    {280, "caps_lock"},
    {281, "scroll_lock"},
    {282, "num_lock"},
    {283, "print_screen"},
    {284, "pause"},
    {290, "f1"},
    {291, "f2"},
    {292, "f3"},
    {293, "f4"},
    {294, "f5"},
    {295, "f6"},
    {296, "f7"},
    {297, "f8"},
    {298, "f9"},
    {299, "f10"},
    {300, "f11"},
    {301, "f12"},
    {320, "keypad_0"},
    {321, "keypad_1"},
    {322, "keypad_2"},
    {323, "keypad_3"},
    {324, "keypad_4"},
    {325, "keypad_5"},
    {326, "keypad_6"},
    {327, "keypad_7"},
    {328, "keypad_8"},
    {329, "keypad_9"},
    {330, "keypad_decimal"},
    {331, "keypad_divide"},
    {332, "keypad_multiply"},
    {333, "keypad_subtract"},
    {334, "keypad_add"},
    {335, "keypad_enter"},
    {336, "keypad_equal"},
    {340, "left_shift"},
    {341, "left_control"},
    {342, "left_alt"},
    {343, "left_super"},
    {344, "right_shift"},
    {345, "right_control"},
    {346, "right_alt"},
    {347, "right_super"},
    {348, "menu"},
};
constexpr std::string_view kDigits = "0123456789", kLetters = "abcdefghijklmnopqrstuvwxyz";

enum MouseChannel : std::size_t { kX, kY, kPoint, kWheel, kLeft, kRight, kMiddle };

bool take_prefix(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

}  // namespace

std::string_view key_name(int key) {
    if (key >= '0' && key <= '9') return kDigits.substr(static_cast<std::size_t>(key - '0'), 1);
    if (key >= 'A' && key <= 'Z') return kLetters.substr(static_cast<std::size_t>(key - 'A'), 1);
    for (const NamedKey& named : kKeys)
        if (named.key == key) return named.name;
    return {};
}

int key_number(std::string_view name) {
    if (name.size() == 1 && name[0] >= '0' && name[0] <= '9') return name[0];
    if (name.size() == 1 && name[0] >= 'a' && name[0] <= 'z') return name[0] - 'a' + 'A';
    for (const NamedKey& named : kKeys)
        if (named.name == name) return named.key;
    return 0;
}

KeyboardSource::KeyboardSource() : InputSource("keyboard") {
    for (int key = 1; key < 512; ++key)
        if (!key_name(key).empty()) open(key_name(key));
}

std::optional<KeyboardSource::Combination> KeyboardSource::parse(std::string_view name) {
    Combination out;
    for (bool more = true; more;) {
        more = false;
        for (const auto& [prefix, flag] :
             {std::pair{"ctrl+", &out.control}, {"shift+", &out.shift}, {"alt+", &out.alt}}) {
            if (*flag || !take_prefix(name, prefix)) continue;
            *flag = more = true;
        }
    }
    out.key = key_number(name);
    return out.key != 0 ? std::optional(out) : std::nullopt;
}

std::optional<std::size_t> KeyboardSource::open(std::string_view name) {
    if (const auto known = InputSource::open(name)) return known;
    const auto parsed = parse(name);
    if (!parsed) return std::nullopt;
    combinations_.push_back(*parsed);
    return add(std::string(name), DeviceClass::button);
}

void KeyboardSource::feed(const WindowInput& input) {
    input_ = input;
    fed_ = true;
}

/// Whether a combination with more of the held modifiers was requested: the press belongs to that one.
bool KeyboardSource::means_another(const Combination& wanted, const KeyDown& press) const {
    if (!(press.shift && !wanted.shift) && !(input_.alt && !wanted.alt)) return false;
    return std::any_of(combinations_.begin(), combinations_.end(), [&](const Combination& other) {
        const bool same = other.key == wanted.key && other.control == wanted.control;
        const bool held = (press.shift || !other.shift) && (input_.alt || !other.alt);
        const bool narrower = other.shift >= wanted.shift && other.alt >= wanted.alt &&
                              (other.shift > wanted.shift || other.alt > wanted.alt);
        return same && held && narrower;
    });
}

int KeyboardSource::count(const Combination& wanted) const {
    int presses = 0;
    for (const KeyDown& press : input_.presses) {
        const bool modifier = press.key >= kFirstModifier && press.key <= kLastModifier;
        const bool control = modifier || press.control == wanted.control;
        const bool held = (!wanted.shift || press.shift) && (!wanted.alt || input_.alt);
        if (press.key != wanted.key || !control || !held) continue;
        presses += means_another(wanted, press) ? 0 : 1;
    }
    return presses;
}

void KeyboardSource::update(double) {
    if (!fed_) return invalidate_all();
    fed_ = false;
    for (std::size_t i = 0; i < channels_.size(); ++i) {
        Reading& now = channels_[i].now;
        const Combination& wanted = combinations_[i];
        now.presses = input_.typing || input_.presses.empty() ? 0 : count(wanted);
        const bool held = !input_.typing && input_.keys.test(static_cast<std::size_t>(wanted.key));
        now.down = now.presses > 0 || (now.down && held);
        now.valid = true;
    }
}

std::string KeyboardSource::state() const {
    return !channels_.empty() && channels_[0].now.valid ? "of the window" : "no window";
}

std::optional<std::string> KeyboardSource::moved_since(const std::vector<Reading>&,
                                                       DeviceClass wanted) const {
    if (wanted != DeviceClass::button && wanted != DeviceClass::choice) return std::nullopt;
    if (input_.typing || channels_.empty() || !channels_[0].now.valid) return std::nullopt;
    for (const KeyDown& press : input_.presses) {
        const bool modifier = press.key >= kFirstModifier && press.key <= kLastModifier;
        const std::string_view name = key_name(press.key);
        if (!modifier && !name.empty()) return (press.control ? "ctrl+" : "") + std::string(name);
    }
    return std::nullopt;
}

MouseSource::MouseSource() : InputSource("mouse") {
    add("x", DeviceClass::value);
    add("y", DeviceClass::value);
    add("point", DeviceClass::location);
    add("wheel", DeviceClass::value, true);
    add("left", DeviceClass::button);
    add("right", DeviceClass::button);
    add("middle", DeviceClass::button);
}

void MouseSource::feed(const WindowInput& input) {
    input_ = input;
    fed_ = true;
}

void MouseSource::update(double) {
    if (!fed_) return invalidate_all();
    fed_ = false;
    const double x = static_cast<double>(input_.x) / static_cast<double>(std::max(input_.width, 1.0f));
    const double y = static_cast<double>(input_.y) / static_cast<double>(std::max(input_.height, 1.0f));
    set_value(kX, x);
    set_value(kY, y);
    set_pose(kPoint, {x, y, 0}, {1, 0, 0, 0});
    set_value(kWheel, input_.over_panel ? 0 : static_cast<double>(input_.wheel));
    for (std::size_t b = 0; b < 3; ++b) {
        Reading& now = channels_[kLeft + b].now;
        const bool begins = input_.down[b] && !was_down_[b] && !input_.over_panel;
        set_button(kLeft + b, begins || (now.down && input_.down[b]));
        was_down_[b] = input_.down[b];
    }
}

std::string MouseSource::state() const {
    return channels_[kX].now.valid ? "of the window" : "no window";
}

}  // namespace claybox::engine
