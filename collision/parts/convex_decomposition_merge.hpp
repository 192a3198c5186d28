#pragma once
// The last step of a convex decomposition: parts whose union is convex become one, and all become shapes.

#include "collision/parts/convex_decomposition.hpp"

namespace claybox::collision {

struct DecomposedPart {
    std::vector<Vec3f> outer;               ///< their hull contains the part
    std::vector<std::vector<Vec3f>> inner;  ///< their hulls lie in the solid; not used where exact
    bool exact = false;                     ///< the hull of `outer` is the part
};

/// Two parts become one where their hull is larger than both by no more than `tolerance` metres times its
/// area. It contains both, so that the union of outer hulls still contains the solid. One made of exact parts
/// is exact when the volumes add up without rounding. Empty when a coordinate leaves the range of shapes.
std::vector<ConvexPart> shape_parts(std::vector<DecomposedPart> parts, double tolerance, bool merge);

}  // namespace claybox::collision
