#pragma once
// Random pairs of convex point sets near contact. A pair depends only on the seed and its number.

#include "collision/core/random.hpp"
#include "collision/geometry/shape.hpp"
#include "collision/pairwise/scratch.hpp"

#include <cstdint>
#include <vector>

namespace claybox::test {

/// A convex shape with its original points, including inner points and duplicates.
struct PointShape {
    std::vector<collision::Vec3f> points;
    collision::ShapePtr shape;
    bool on_grid = false;  ///< coordinates are small multiples of 1/8
};

/// A random ellipsoid, rod, plate, flat set, segment, point or box with 1 to `max_points` points, some
/// duplicated. Every other shape is on a grid.
PointShape random_point_shape(collision::Random& random, std::uint32_t max_points);

struct NearPair {
    const PointShape* a = nullptr;
    const PointShape* b = nullptr;
    collision::Matrix34f world_from_a, world_from_b;
    collision::Matrix34f earlier_b;  ///< close to world_from_b, to warm the cache
};

/// A pair in one of these placements: a gap or penetration of 10^-1 to 10^-8 of the size; a mirror image that
/// touches exactly; two grid shapes with coinciding features. The placement may be off by one ulp, or tilted
/// by less than double resolves.
NearPair random_near_pair(collision::Random& random, const std::vector<PointShape>& shapes,
                          collision::Scratch& scratch);

}  // namespace claybox::test
