#pragma once

#include "collision/geometry/hull.hpp"

namespace claybox::collision {

/// Checks a hull against the points that it was made of, in exact arithmetic and without any of the code that
/// makes hulls: its vertices are input points; its faces are planar, strictly convex, and meet in ridges;
/// they enclose one convex body, once around; every input point lies inside or on it; the neighbours of each
/// vertex are those that its edges name. Then a vertex that no neighbour beats is the support. The error says
/// what does not hold.
Status check_hull(const ConvexHull& hull, std::span<const Vec3f> input);

}  // namespace claybox::collision
