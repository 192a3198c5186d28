#pragma once
// Shades of the bodies of a crowd: a look and a step of the palette in one byte.

#include "app/scenes/view.hpp"

namespace claybox::app {

inline constexpr unsigned kMaxLooks = 256 / kPaletteSize;

constexpr std::uint8_t shade_of(unsigned look, unsigned colour) {
    return static_cast<std::uint8_t>(look * kPaletteSize + colour);
}

/// For SceneView::looks: each of the looks (at most kMaxLooks) in each colour, at shade_of().
std::vector<Drawable> in_all_colours(std::span<const Drawable> looks);

/// Bodies that glow after a hit: look number i has the share i / (kHeatSteps - 1) of the collision colour.
inline constexpr unsigned kHeatSteps = kMaxLooks;
std::uint8_t heat_shade(float heat, unsigned colour);  ///< heat from 0 to 1
std::span<const Drawable> heat_looks();

}  // namespace claybox::app
