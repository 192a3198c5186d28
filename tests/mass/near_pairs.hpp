#pragma once
// Random pairs of convex point sets near contact, the same for the same seed and number.

#include "collision/core/random.hpp"
#include "collision/geometry/shape.hpp"
#include "collision/parts/scratch.hpp"

#include <cstdint>
#include <vector>

namespace claybox::test {

/// A shape with the points it was made of: inner ones, duplicates and all.
struct PointShape {
    std::vector<collision::Vec3f> points;
    collision::ShapePtr shape;
    bool on_grid = false;  ///< coordinates are small multiples of 1/8
};

/// Ellipsoids, rods, plates, flat sets, segments, points, duplicates and boxes of 1 to `most` points; every
/// other one on a grid.
PointShape random_point_shape(collision::Random& random, std::uint32_t most);

struct NearPair {
    const PointShape* a = nullptr;
    const PointShape* b = nullptr;
    collision::Matrix34f world_from_a, world_from_b;
    collision::Matrix34f earlier_b;  ///< near the other, for a cache that is warm from another placement
};

/// One of: gap or penetration of 10^-1 to 10^-8 of the size; a mirror image that touches exactly; a grid
/// shape shifted to ties; each possibly one unit of the last place off, or tilted by less than double can
/// tell.
NearPair random_near_pair(collision::Random& random, const std::vector<PointShape>& shapes,
                          collision::Scratch& scratch);

}  // namespace claybox::test
