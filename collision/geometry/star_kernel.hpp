#pragma once

#include "collision/geometry/classification.hpp"

namespace claybox::collision {

/// Whether all of a closed surface can be seen from one point: its kernel, the points on or behind the planes
/// of all its triangles, is not empty. Exact: a point found in double is checked with exact predicates, and
/// where none is found a linear program in rationals decides. False for what is not closed, manifold,
/// oriented and connected with simple fans, and for a surface that winds around its kernel more than once;
/// that a surface with a kernel without inside does not cross itself is taken for granted. For tools: linear
/// in the triangles, but slow where rationals decide late.
bool is_star_shaped(const Polyhedron& polyhedron, const Classification& classification);

}  // namespace claybox::collision
