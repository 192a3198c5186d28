#pragma once
// The solid within a closed mesh as a union of convex parts: cells of a binary space partition whose planes
// pass through vertices of the mesh, so that every cut is exact (parts/convex_decomposition_points.hpp).
//
// A part is known by hulls of float32 points: an outer one that contains it, and inner ones that the solid
// contains, both proven without rounding. Where all corners of a part are float32 they are one hull, and the
// part is `exact`. The union of the outer hulls contains the solid.

#include "collision/geometry/shape.hpp"

namespace claybox::collision {

/// What a decomposition may take, and how bent a part may be.
struct DecompositionRules {
    /// Parts may differ from convex ones by this much of the mesh's size: the dents of meshes whose
    /// coordinates were rounded must not be cut. Parts that are convex in exact arithmetic stay exact.
    double tolerance = 0x1p-20;
    std::uint32_t most_parts = 2000;
    std::uint32_t most_points = 400000;  ///< vertices and cuts
    bool merge = true;                   ///< neighbours whose union is convex become one part
};

struct ConvexPart {
    ShapePtr outer;
    /// Within the solid; {outer} of an exact part, else often a little less than the part, or none.
    std::vector<ShapePtr> inner;
    bool exact = false;
    double volume = 0;  ///< of outer, cubic metres, rounded
};

/// Why a mesh has no decomposition.
enum class DecompositionRefusal : unsigned char {
    none,
    not_closed,   ///< or not manifold
    cuts_itself,  ///< two triangles share more than their common vertices
    no_inside,    ///< a shell has no volume, or only one side
    too_large,    ///< more cuts than the rules allow
};
const char* to_string(DecompositionRefusal refusal);

struct ConvexDecomposition {
    DecompositionRefusal refusal = DecompositionRefusal::none;
    std::vector<ConvexPart> parts;
    std::uint32_t cells = 0;    ///< within the solid, before merging
    std::uint32_t notches = 0;  ///< edges that turn inward by more than the tolerance
};

/// A shape that may be decomposed, as far as its classification tells.
bool may_be_decomposed(const Classification& classification);

/// Decomposes the solid that the fixed triangulation of the mesh bounds. Deterministic. For preparation:
/// takes milliseconds a hundred triangles.
ConvexDecomposition decompose(const Geometry& geometry, const Classification& classification,
                              const DecompositionRules& rules = {});

}  // namespace claybox::collision
