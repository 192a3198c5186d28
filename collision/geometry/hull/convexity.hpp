#pragma once

#include "collision/geometry/polyhedron.hpp"

namespace claybox::collision {

/// Whether a surface bounds its convex hull. Exact. The caller must ensure that it is closed, manifold,
/// oriented, connected, of genus 0, with one fan around every vertex.
bool bounds_its_hull(const Polyhedron& polyhedron);

/// The winding number of a closed surface around `centre`, up to rounding: the solid angle of all triangles
/// over 4 pi.
double winding_number(const Polyhedron& polyhedron, const Vec3d& centre);

}  // namespace claybox::collision
