#pragma once
// The generators behind make_primitive. Each mesh fits a ball of `radius` around the origin and has the
// reachable polygon count nearest to `target_count`. Convex primitives are exactly convex, after rounding to
// float.

#include "collision/geometry/polyhedron.hpp"

#include <cstdint>

namespace claybox::collision::generators {

// flat_generators.cpp: faces stay exactly planar, because all coordinates are multiples of one number with
// few bits.
PolygonList box(std::uint32_t target_count, double radius);
PolygonList tetrahedron(std::uint32_t target_count, double radius);
PolygonList tetra_flake(std::uint32_t target_count, double radius);
/// The hull, with `target_count` vertices, of random points on an ellipsoid. `half_axes` are relative to
/// `radius`.
PolygonList hull_of_samples(std::uint32_t target_count, double radius, const Vec3d& half_axes,
                            std::uint64_t seed);

// round_generators.cpp: surfaces of revolution about the Y axis.
PolygonList uv_sphere(std::uint32_t target_count, double radius);
PolygonList cylinder(std::uint32_t target_count, double radius);
PolygonList cone(std::uint32_t target_count, double radius);
PolygonList torus(std::uint32_t target_count, double radius);
PolygonList hyperboloid(std::uint32_t target_count, double radius);

/// Coordinates are scaled by this, so that rounding cannot move a vertex out of the ball.
inline constexpr double kFit = 1.0 - 0x1p-20;

}  // namespace claybox::collision::generators
