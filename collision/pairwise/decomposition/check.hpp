#pragma once
// Checks before a decomposition: whether a closed mesh bounds a solid, and which of its polygons are
// reversed.

#include "collision/pairwise/decomposition/convex_decomposition.hpp"

namespace claybox::collision {

struct BoundedSolid {
    DecompositionRefusal refusal = DecompositionRefusal::none;
    std::vector<bool> reversed;  ///< per polygon: its front faces the inside of the solid
};

/// The solid is the set of points separated from infinity by an odd number of sheets of the surface, whatever
/// the orientation of the polygons. Refuses meshes that intersect themselves. Ignores triangles without area:
/// the closed triangles around them cover them. The mesh must be closed and manifold.
BoundedSolid bounded_solid(const Geometry& geometry);

}  // namespace claybox::collision
