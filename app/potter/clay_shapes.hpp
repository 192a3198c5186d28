#pragma once
// What a lump of clay starts as: closed bodies of revolution on the plane y = 0, hollow ones with an inner
// wall.

#include "app/potter/lathe.hpp"

namespace claybox::app {

enum class ClayShape : unsigned char { pot, bowl, vase, cylinder, sphere };
inline constexpr int kClayShapeCount = 5;
inline constexpr const char* kClayShapeIds[kClayShapeCount] = {"pot", "bowl", "vase", "cylinder", "sphere"};

/// The closed profile from the axis below, up the outside, over the lip and down the inside back to the axis,
/// metres.
std::vector<ProfilePoint> clay_profile(ClayShape shape);

/// A mesh with about `polygons` polygons (100 to 1,000,000), nearly square ones. Pot, bowl and vase carry the
/// grooves of a thrown piece: helical, fading at foot and lip, with a slightly oval body.
collision::PolygonList make_clay(ClayShape shape, std::uint32_t polygons);

}  // namespace claybox::app
