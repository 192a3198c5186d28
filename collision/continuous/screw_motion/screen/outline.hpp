#pragma once
// Where parts of edges and faces lie on the screen, before anything is drawn.

#include "collision/continuous/screw_motion/screen/screen_types.hpp"

namespace claybox::collision {

/// Projects the ends of side.edges. Needs projected vertices.
void project_ends(const ScrewPiece& piece, const ScreenSettings& settings, SideScreen& side);

/// Fills side.boxes and side.face_boxes, and the times and bends of side.edges. Needs projected ends. A short
/// edge has a bound of its curve from its length; other edges are measured at their middle, like those that
/// are drawn; edges near the axis have the bounds of interval arithmetic.
void outline_parts(const ScrewPiece& piece, const ScreenSettings& settings, SideScreen& side);

}  // namespace claybox::collision
