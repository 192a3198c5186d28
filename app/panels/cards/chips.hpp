#pragma once
// Placement of the scene's chips: near the point that they label, and off the bodies where possible.

#include "app/panels/model.hpp"

namespace claybox::app {

/// The area for the chips of one frame and what they should not cover.
struct ChipField {
    engine::Rect area;                ///< the free part of the window
    std::vector<engine::Rect> taken;  ///< other chips and the hint; grows by each chip that is placed
    std::span<const ScreenDisc> discs;
    float unit = 1;                        ///< pixels
    std::vector<ScreenDisc> near_discs{};  ///< those that the chip being placed can reach
};

/// Finds a place for a chip of this size that labels the point (x, y): near it, and over as little as
/// possible. `choice` is the place of the last frame or -1; it stays unless another place is clearly better.
engine::Rect place_chip(ChipField& field, float x, float y, float width, float height, int& choice);

}  // namespace claybox::app
