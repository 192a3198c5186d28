#pragma once
/// \file
/// Points and segments for algorithms that test surfaces.

#include "collision/geometry/shape.hpp"

namespace claybox::collision {

/// The same shape with at least one polygon: a point or a segment becomes a triangle without area, which has
/// no hull. Any thread.
ShapePtr with_polygons(const ShapePtr& shape);

}  // namespace claybox::collision
