#pragma once
// Keyboard and mouse, fed with the window's input of one frame.

#include "engine/input/input_source.hpp"

#include <array>
#include <bitset>

namespace claybox::engine {

/// A key press. Numbers are GLFW's.
struct KeyDown {
    int key = 0;
    bool control = false, shift = false;
};

struct WindowInput {
    float x = 0, y = 0;           ///< mouse, pixels from the top left
    float width = 1, height = 1;  ///< window size, pixels
    float wheel = 0;              ///< notches
    std::array<bool, 3> down{};   ///< left, right, middle
    bool alt = false;
    bool over_panel = false;       ///< wheel and presses belong to the panel
    bool typing = false;           ///< a text field has the keyboard
    std::vector<KeyDown> presses;  ///< since the last frame; a key may go down and up within one
    std::bitset<512> keys;         ///< held down
};

/// "a", "f1", "space"; empty for numbers without a name.
std::string_view key_name(int key);
/// 0 for an unknown name.
int key_number(std::string_view name);

/// A channel per key, plus combinations created on request: "ctrl+z". A key without "ctrl" means the key
/// without Ctrl; "shift" and "alt" matter only when named: "ctrl+z" is also pressed with Shift, until
/// "ctrl+shift+z" is requested. A key stays down until released, even if Ctrl changes meanwhile.
class KeyboardSource final : public InputSource {
  public:
    KeyboardSource();
    void feed(const WindowInput& input);
    void update(double now) override;
    std::optional<std::size_t> open(std::string_view name) override;
    std::string state() const override;
    std::optional<std::string> moved_since(const std::vector<Reading>& then,
                                           DeviceClass wanted) const override;

  private:
    struct Combination {
        int key = 0;
        bool control = false, shift = false, alt = false;
    };
    static std::optional<Combination> parse(std::string_view name);
    bool means_another(const Combination& wanted, const KeyDown& press) const;
    int count(const Combination& wanted) const;

    std::vector<Combination> combinations_;  ///< by channel
    WindowInput input_;
    bool fed_ = false;
};

/// x and y as shares of the window from the top left, as values and as the location "point"; wheel; buttons
/// pressed over the scene.
class MouseSource final : public InputSource {
  public:
    MouseSource();
    void feed(const WindowInput& input);
    void update(double now) override;
    std::string state() const override;

  private:
    WindowInput input_;
    bool fed_ = false;
    std::array<bool, 3> was_down_{};
};

}  // namespace claybox::engine
