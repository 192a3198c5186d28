#pragma once
// The last step of a convex decomposition: merges parts whose union is convex and creates a shape for each
// part.

#include "collision/pairwise/decomposition/convex_decomposition.hpp"

namespace claybox::collision {

struct DecomposedPart {
    std::vector<Vec3f> outer;               ///< their hull contains the part
    std::vector<std::vector<Vec3f>> inner;  ///< their hulls are inside the solid; unused if exact
    bool exact = false;                     ///< the hull of `outer` is the part
};

/// Merges two parts if their hull is larger than both by at most `tolerance` metres times its area. The hull
/// contains both, so the union of outer hulls still contains the solid. A union of exact parts is exact if
/// the volumes add up without rounding. Empty if a coordinate leaves the range of shapes.
std::vector<ConvexPart> shape_parts(std::vector<DecomposedPart> parts, double tolerance, bool merge);

}  // namespace claybox::collision
