#pragma once

#include "collision/geometry/shape.hpp"

namespace claybox::app {

/// A car of 16 vertices, 26 edges and 12 faces, as in Buss's table: a side view of eight corners, drawn out
/// to a width. It heads to +x and stands on y = 0; its centre of mass is about the origin. Not convex.
/// `length` and `width` in metres.
collision::Result<collision::ShapePtr> make_car_shape(double length, double width);

}  // namespace claybox::app
