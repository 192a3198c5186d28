#pragma once
// Represents the solid inside a closed mesh as a union of convex parts: the cells of a binary space
// partition. Its planes pass through vertices of the mesh, so every cut is exact (points.hpp).
//
// A part is known by hulls of float32 points: an outer hull that contains it, and inner hulls inside the
// solid, both proven without rounding. If all corners of a part are float32, one hull is enough and the part
// is `exact`. The union of the outer hulls contains the solid.

#include "collision/geometry/shape.hpp"

namespace claybox::collision {

/// Limits of a decomposition, and the tolerated deviation of a part from convexity.
struct DecompositionRules {
    /// Parts may deviate from convex ones by this fraction of the mesh's size, so that dents from rounded
    /// coordinates are not cut. Parts that are convex in exact arithmetic stay exact.
    double tolerance = 0x1p-20;
    std::uint32_t max_parts = 2000;
    std::uint32_t max_points = 400000;  ///< vertices and cuts
    bool merge = true;                  ///< merge neighbours whose union is convex
};

struct ConvexPart {
    ShapePtr outer;
    /// Inside the solid. {outer} for an exact part, otherwise usually slightly smaller than the part, or
    /// empty.
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
    std::uint32_t cells = 0;    ///< inside the solid, before merging
    std::uint32_t notches = 0;  ///< edges that turn inward by more than the tolerance
};

/// Whether a shape may be decomposable, judging by its classification.
bool may_be_decomposed(const Classification& classification);

/// Decomposes the solid bounded by the fixed triangulation of the mesh. Deterministic. For preparation: takes
/// milliseconds per hundred triangles.
ConvexDecomposition decompose(const Geometry& geometry, const Classification& classification,
                              const DecompositionRules& rules = {});

}  // namespace claybox::collision
