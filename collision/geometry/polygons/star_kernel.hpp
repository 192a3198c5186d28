#pragma once
/// \file
/// Whether a solid is star-shaped.

#include "collision/geometry/classification.hpp"

namespace claybox::collision {

/// Whether one point inside sees the whole surface: the kernel, the set of points on or behind the planes of
/// all triangles, is not empty. Exact: a point found in double is checked with exact predicates; if that
/// fails, a linear program in rationals decides.
///
/// False if the surface is not closed, manifold, oriented and connected with one fan per vertex, or if it
/// winds around its kernel more than once. Assumes that a surface whose kernel has no interior does not
/// intersect itself. Meant for tools: expected linear in the number of triangles, but slow if rationals must
/// decide.
bool is_star_shaped(const Polyhedron& polyhedron, const Classification& classification);

}  // namespace claybox::collision
