#pragma once

#include "collision/geometry/hull/hull.hpp"

namespace claybox::collision {

/// Checks a hull against its input points, in exact arithmetic and independently of the code that builds
/// hulls:
/// - the vertices are input points;
/// - the faces are planar and strictly convex, and all edges are convex;
/// - the faces enclose one convex body and wind around it once;
/// - every input point is inside or on it;
/// - the neighbours of each vertex are the other ends of its edges.
/// So a vertex without a better neighbour is a support vertex. The error names the property that fails.
Status check_hull(const ConvexHull& hull, std::span<const Vec3f> input);

/// The same; `topology` gets the connectivity of the faces, which the check needs.
Status check_hull(const ConvexHull& hull, std::span<const Vec3f> input, Topology& topology);

}  // namespace claybox::collision
