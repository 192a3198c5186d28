#pragma once
// The makers behind make_primitive. Each fits a ball of `radius` about the origin and takes the reachable
// polygon count nearest to `wish`; those that are convex by name are so exactly, after rounding to float.

#include "collision/geometry/polyhedron.hpp"

#include <cstdint>

namespace claybox::collision::generators {

// flat_generators.cpp: sides of one plane stay exactly in one plane, because all coordinates are multiples of
// one number of few bits.
PolygonList box(std::uint32_t wish, double radius);
PolygonList tetrahedron(std::uint32_t wish, double radius);
PolygonList tetra_flake(std::uint32_t wish, double radius);
/// The hull of random points on an ellipsoid with these half axes (relative to radius), with `wish` vertices.
PolygonList hull_of_samples(std::uint32_t wish, double radius, const Vec3d& half_axes, std::uint64_t seed);

// round_generators.cpp: surfaces of revolution about the Y axis.
PolygonList uv_sphere(std::uint32_t wish, double radius);
PolygonList cylinder(std::uint32_t wish, double radius);
PolygonList cone(std::uint32_t wish, double radius);
PolygonList torus(std::uint32_t wish, double radius);
PolygonList hyperboloid(std::uint32_t wish, double radius);

/// Coordinates computed for a ball of radius 1 are shrunk by this, so that rounding cannot leave it.
inline constexpr double kFit = 1.0 - 0x1p-20;

}  // namespace claybox::collision::generators
