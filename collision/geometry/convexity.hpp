#pragma once

#include "collision/geometry/polyhedron.hpp"

namespace claybox::collision {

/// Whether a closed, manifold, oriented, connected surface of genus 0 with one fan around every vertex (all
/// of which the caller has seen to) bounds its convex hull. Exact.
bool bounds_its_hull(const Polyhedron& polyhedron);

/// The solid angle of all triangles from `centre`, over 4 pi: how often a closed surface winds around it, up
/// to rounding.
double winding_number(const Polyhedron& polyhedron, const Vec3d& centre);

}  // namespace claybox::collision
