#pragma once
// Places for the chips of the scene: beside what they speak of, off the bodies where there is room.

#include "app/panels/model.hpp"

namespace claybox::app {

/// Where the chips of one picture may stand and what they must not cover.
struct ChipField {
    engine::Rect area;                ///< the free part of the window
    std::vector<engine::Rect> taken;  ///< other chips and the hint; grows by each chip that is placed
    std::span<const ScreenDisc> discs;
    float unit = 1;  ///< pixels
};

/// A place of this size for a chip that speaks of (x, y): near, and over as little as possible. `choice` is
/// the place of the last picture or -1; it is kept unless another one is clearly better.
engine::Rect place_chip(ChipField& field, float x, float y, float width, float height, int& choice);

}  // namespace claybox::app
