#pragma once
// What the picture shows about the tool: where it works, where its symmetric copies work, and where it would
// work. Lengths in metres.

#include "app/potter/clay_surface.hpp"
#include "app/scenes/view.hpp"

#include <optional>
#include <span>

namespace claybox::app {

/// Centre and direction of a push, clay frame.
struct BrushMark {
    collision::Vec3f centre, along;
};

/// Draws rings of the brush radius and of half of it on the clay around marks[0], which is where the hand
/// works. The others are its symmetric copies: each gets a dot, and a thin ring if they are few.
void view_brush(std::span<const BrushMark> marks, const ClaySurface& clay, const collision::Pose& pose,
                double radius, SceneView& out);

/// Where a fingertip at `tip` (clay frame) is about to touch the clay; empty if the clay is further than
/// `reach` away.
std::optional<BrushMark> hover_mark(const ClaySurface& clay, const collision::Vec3d& tip, double reach);

/// Draws a faint ring where the hand is about to touch the clay.
void view_hover(const BrushMark& mark, const ClaySurface& clay, const collision::Pose& pose, double radius,
                SceneView& out);

/// Draws the outline of a vertical mirror plane through the axis. `normal`: of the plane, clay frame;
/// `height` and `radius`: of the clay.
void view_mirror_plane(const collision::Vec3d& normal, double height, double radius,
                       const collision::Pose& pose, SceneView& out);

/// Draws the wire that cuts the clay at a height. `radius`: largest distance of the clay from the axis.
void view_cut_height(double height, double radius, bool labels, SceneView& out);

}  // namespace claybox::app
