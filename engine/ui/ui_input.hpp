#pragma once
// One frame of mouse and keyboard input, after the panels.

#include <array>
#include <bitset>
#include <string>
#include <vector>

namespace claybox::engine {

/// Key numbers are GLFW's; printable keys have their upper-case ASCII code.
namespace key {
inline constexpr int kEscape = 256, kEnter = 257, kTab = 258, kRight = 262, kLeft = 263, kDown = 264,
                     kUp = 265, kPageUp = 266, kPageDown = 267, kKeypadEnter = 335, kF1 = 290, kF6 = 295,
                     kF12 = 301, kEqual = 61, kMinus = 45, kPeriod = 46, kSpace = 32, kKeypadAdd = 334,
                     kKeypadSubtract = 333;
}

struct KeyPress {
    int key = 0;
    bool control = false;  ///< Ctrl, or Cmd on a Mac
    bool shift = false;
};

/// A press of the left button, in pixels. A slow frame may contain several, and the mouse may have moved on.
struct Click {
    float x = 0, y = 0;
};

struct UiInput {
    float x = 0, y = 0;                                 ///< mouse, pixels from the top left
    float dx = 0, dy = 0;                               ///< since the last frame
    std::array<bool, 3> down{}, pressed{}, released{};  ///< left, right, middle
    float wheel = 0;
    bool shift = false, control = false, alt = false;
    bool over_panel = false;    ///< the mouse is on a panel, or a panel has captured it
    bool typing = false;        ///< a text field or the panels have the keyboard
    bool list_open = false;     ///< a combo's list is open; Esc closes it
    std::vector<Click> clicks;  ///< since the last frame, including clicks on panels
    std::vector<KeyPress> presses;
    std::vector<std::string> dropped;  ///< files dropped on the window
    std::bitset<512> keys;             ///< held down

    bool held(int k) const { return k >= 0 && k < 512 && keys[static_cast<std::size_t>(k)]; }
};

}  // namespace claybox::engine
