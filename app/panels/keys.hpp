#pragma once
// Every key of the window in one table: the loop obeys it and the help overlay draws it.

#include <span>

namespace claybox::app {

enum class KeyAction : unsigned char {
    none,
    help,
    hide,
    pause,
    step,
    restart,
    hand,
    fly,
    frame_scene,
    theme,
    scale_up,
    scale_down,
    scale_reset,
    screenshot,
    cancel,
    quit,
    undo
};

struct KeyBinding {
    KeyAction action;
    int key;  ///< engine::key; 0 for rows that only explain
    bool control;
    const char* keys;  ///< as people read it
    const char* effect;
};

std::span<const KeyBinding> key_bindings();

/// What a press means, or none.
KeyAction find_key_action(int key, bool control);

}  // namespace claybox::app
