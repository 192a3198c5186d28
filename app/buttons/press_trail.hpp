#pragma once
// How deep a button was in the last seconds, for a curve.

#include "app/buttons/press.hpp"

#include <string>
#include <vector>

namespace claybox::app {

/// The picture of a press: depths of one button, oldest first, and the limits of the rules. Metres, seconds.
struct PressCurve {
    std::string title;  ///< of the button
    std::span<const float> depths;
    double interval = 0;  ///< between two depths
    double travel = 0, fires_at = 0, releases_at = 0;
};

/// Depths of the button that was touched last.
class PressTrail {
  public:
    /// Call it once per step, with the board after settle(). `fires(b)`: whether button b counts.
    template <class Fires>
    void add(const PressBoard& board, const Fires& fires) {
        for (std::uint32_t b = 0; b < board.size(); ++b)
            if (board.holder(b) != 0xffffffffu && fires(b)) button_ = b;
        if (depths_.size() >= kSteps) depths_.erase(depths_.begin());
        depths_.push_back(button_ < board.size() ? static_cast<float>(board.travel(button_)) : 0);
    }
    /// The button, or the number of buttons or more while none was touched.
    std::uint32_t button() const { return button_; }
    std::span<const float> depths() const { return depths_; }

  private:
    static constexpr std::size_t kSteps = 120;
    std::uint32_t button_ = 0xffffffffu;
    std::vector<float> depths_;
};

}  // namespace claybox::app
