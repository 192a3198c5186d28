#pragma once
// Shades of the bodies of a full cage.

#include "app/scenes/view.hpp"

namespace claybox::app {

/// How a body of the cage shows its hits. All values from 0 to 1.
struct HitLook {
    float tint = 0, edge_tint = 0;  ///< share of the collision colour on the body and on its edges
    float flash = 0;
};

/// One of the looks in cage_looks(). Flash has seven steps, and the edges lose their colour in as many steps
/// as a fade has frames. A red body with red edges, after two hits, has only two steps of flash and one of
/// edges.
std::uint8_t cage_shade(const HitLook& hit, unsigned colour);

/// For SceneView::looks.
std::span<const Drawable> cage_looks();

}  // namespace claybox::app
