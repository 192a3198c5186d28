#pragma once
// Support vertices of a hull under a float32 matrix, in double and in integers. Shared by the exact walks.

#include "collision/exact/solid_bounds.hpp"

namespace claybox::collision {

/// The exponent of a grid that contains the coordinates of all vertices.
int vertex_grid(const ConvexHull& hull);
/// An exact direction in double, scaled by a power of two to a magnitude of about 1.
Vec3<Approx> approximate(const Vec3<Integer>& n);
/// The vertex with the largest sense * s.g.v in double; the lowest index at ties.
std::uint32_t best_vertex(const SolidSide& side, const Functional& s, double sense);
/// The vertex with the largest sense * n.(M v) in exact arithmetic; the lowest index at ties. `s` is the
/// functional of approximate(n).
std::uint32_t exact_best_vertex(const SolidSide& side, const Functional& s, const Vec3<Integer>& n,
                                double sense);

}  // namespace claybox::collision
