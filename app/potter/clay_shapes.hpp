#pragma once
// Start shapes of the clay: closed bodies of revolution on the plane y = 0. Hollow ones have an inner wall.

#include "app/potter/lathe.hpp"

namespace claybox::app {

enum class ClayShape : unsigned char { pot, bowl, vase, cylinder, sphere };
inline constexpr int kClayShapeCount = 5;
inline constexpr const char* kClayShapeIds[kClayShapeCount] = {"pot", "bowl", "vase", "cylinder", "sphere"};

/// Closed profile in metres: from the axis at the bottom, up the outside, over the lip, and down the inside
/// back to the axis.
std::vector<ProfilePoint> clay_profile(ClayShape shape);

/// A mesh with about `polygons` nearly square polygons (100 to 1,000,000). Pot, bowl and vase have the
/// helical grooves of a thrown piece, which fade at foot and lip, and are slightly oval.
collision::PolygonList make_clay(ClayShape shape, std::uint32_t polygons);

}  // namespace claybox::app
