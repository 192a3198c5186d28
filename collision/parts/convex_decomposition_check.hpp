#pragma once
// Whether a closed mesh bounds a solid, and which of its polygons are seen from inside: what a decomposition
// must know before it cuts.

#include "collision/parts/convex_decomposition.hpp"

namespace claybox::collision {

struct BoundedSolid {
    DecompositionRefusal refusal = DecompositionRefusal::none;
    std::vector<bool> reversed;  ///< by polygon: its front looks into the solid
};

/// The solid is what an odd number of sheets of the surface separates from infinity, however the polygons are
/// turned. Refuses meshes that cut themselves. Triangles without area are left out: the closed triangles
/// around them cover them. The mesh must be closed and manifold.
BoundedSolid bounded_solid(const Geometry& geometry);

}  // namespace claybox::collision
