#include "app/panels/keys.hpp"

#include "engine/ui/ui_input.hpp"

namespace claybox::app {

namespace key = engine::key;

std::span<const KeyBinding> key_bindings() {
    static constexpr KeyBinding kBindings[] = {
        {KeyAction::none, 0, false, "Left drag", "Turn the view; with the hand: poke and press (Alt turns)"},
        {KeyAction::none, 0, false, "Right or middle drag",
         "Turn the view; with the hand the right button grips"},
        {KeyAction::none, 0, false, "Shift+drag", "Shift the view"},
        {KeyAction::none, 0, false, "Wheel", "Zoom; with the hand: nearer and further (Ctrl zooms)"},
        {KeyAction::none, 0, false, "Click, Shift+click", "Select a body, and a second one"},
        {KeyAction::none, 0, false, "Drop of mesh files", "They fly in the cage: OBJ, STL, PLY or OFF"},
        {KeyAction::none, 0, false, "1 to 5", "Curl thumb to little finger"},
        {KeyAction::hand, 'H', false, "H", "Take or leave the hand"},
        {KeyAction::fly, 'G', false, "G", "Fly: W A S D, E and Q move the camera, a drag turns it"},
        {KeyAction::frame_scene, 'F', false, "F", "See the whole scene again"},
        {KeyAction::pause, key::kSpace, false, "Space or P", "Pause and go on"},
        {KeyAction::pause, 'P', false, nullptr, nullptr},
        {KeyAction::step, 'O', false, "O or .", "One frame while paused"},
        {KeyAction::step, key::kPeriod, false, nullptr, nullptr},
        {KeyAction::restart, 'R', false, "R", "Start the scene again"},
        {KeyAction::undo, 'Z', true, "Ctrl+Z", "Undo, where the scene can"},
        {KeyAction::theme, 'T', false, "T", "Light or dark"},
        {KeyAction::hide, key::kTab, false, "Tab", "Hide and show the panels"},
        {KeyAction::scale_up, key::kEqual, true, "Ctrl and + or −", "Larger or smaller panels"},
        {KeyAction::scale_up, key::kKeypadAdd, true, nullptr, nullptr},
        {KeyAction::scale_down, key::kMinus, true, nullptr, nullptr},
        {KeyAction::scale_down, key::kKeypadSubtract, true, nullptr, nullptr},
        {KeyAction::scale_reset, '0', true, "Ctrl+0", "Panels in normal size"},
        {KeyAction::screenshot, key::kF12, false, "F12", "Save a picture of the window"},
        {KeyAction::help, key::kF1, false, "F1", "This help"},
        {KeyAction::cancel, key::kEscape, false, "Esc", "Close the help, select nothing"},
        {KeyAction::none, 0, false, "On a slider", "Ctrl+click to type, double click for the default"},
        {KeyAction::quit, 'Q', true, "Ctrl+Q", "Quit"},
    };
    return kBindings;
}

KeyAction find_key_action(int pressed, bool control) {
    for (const KeyBinding& b : key_bindings())
        if (b.key != 0 && b.key == pressed && b.control == control) return b.action;
    return KeyAction::none;
}

}  // namespace claybox::app
