#pragma once
// One frame of mouse and keys as the window saw them, after the panels took what is theirs.

#include <array>
#include <bitset>
#include <string>
#include <vector>

namespace claybox::engine {

/// Key numbers are GLFW's: printable keys are their upper-case ASCII letter.
namespace key {
inline constexpr int kEscape = 256, kEnter = 257, kTab = 258, kF1 = 290, kF12 = 301, kEqual = 61, kMinus = 45,
                     kPeriod = 46, kSpace = 32, kKeypadAdd = 334, kKeypadSubtract = 333;
}

struct KeyPress {
    int key = 0;
    bool control = false;  ///< Ctrl, or Cmd on a Mac
    bool shift = false;
};

/// The left button went down there, in pixels. A slow frame may bring several, and the mouse is elsewhere by
/// then.
struct Click {
    float x = 0, y = 0;
};

struct UiInput {
    float x = 0, y = 0;                                 ///< mouse, pixels from the top left
    float dx = 0, dy = 0;                               ///< since the last frame
    std::array<bool, 3> down{}, pressed{}, released{};  ///< left, right, middle
    float wheel = 0;
    bool shift = false, control = false, alt = false;
    bool over_panel = false;    ///< the mouse is on a panel or a panel holds it
    bool typing = false;        ///< a text field has the keyboard
    bool list_open = false;     ///< the list of a combo is open: Esc closes it
    std::vector<Click> clicks;  ///< since the last frame, also on panels
    std::vector<KeyPress> presses;
    std::vector<std::string> dropped;  ///< files that were dropped on the window
    std::bitset<512> keys;             ///< held down

    bool held(int k) const { return k >= 0 && k < 512 && keys[static_cast<std::size_t>(k)]; }
};

}  // namespace claybox::engine
