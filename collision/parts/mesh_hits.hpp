#pragma once
// Which edges of two polygon meshes meet which polygons of the other: Zachmann's test of arbitrary objects
// (thesis, 3.2) with its pre-checks, on exact leaves. What meets is the surface: the closed triangles of the
// fixed triangulation, those without area as the segments or points that they span.

#include "collision/core/function_ref.hpp"
#include "collision/geometry/shape.hpp"
#include "collision/jobs/stop_token.hpp"
#include "collision/parts/scratch.hpp"

namespace claybox::collision {

struct MeshSide {
    const Geometry* geometry = nullptr;
    const Matrix34f* world_from_local = nullptr;
    /// Inner diagonals of polygons count as edges. Needed only where bent polygons may meet bent polygons:
    /// see the proof in edge_polygon.cpp.
    bool diagonals = true;
};

enum class MeshPrechecks : unsigned char {
    face_box,    ///< polygons that miss the other body's box are left out, edges meet the box of each polygon
                 ///< first
    object_box,  ///< only edges that miss the other body's box are left out
    none,        ///< every edge against every triangle
};

/// An edge that meets a polygon.
struct MeshHit {
    bool edge_of_b = false;
    std::uint32_t edge = kNoIndex;  ///< kNoIndex for an inner diagonal or a side without length
    std::uint32_t vertices[2] = {kNoIndex, kNoIndex};
    std::uint32_t polygon = kNoIndex;   ///< of the other mesh
    std::uint32_t triangle = kNoIndex;  ///< within its topology
    Vec3d point_w;                      ///< rounded
};

struct MeshSearch {
    MeshSide a, b;
    MeshPrechecks prechecks = MeshPrechecks::face_box;
    bool fast = false;  ///< what double arithmetic cannot tell from a hit counts as one
    std::uint32_t part = 0, part_count = 1;
    StopToken stop;
};

struct MeshCounts {
    std::uint64_t edges = 0;     ///< that passed the object's box
    std::uint64_t polygons = 0;  ///< collected, of both
    std::uint64_t boxes = 0;     ///< edge box against polygon box
    std::uint64_t tests = 0;     ///< edge against triangle
    std::uint64_t exact = 0;     ///< of these, decided in exact arithmetic
};

enum class MeshEnd : unsigned char { complete, ended, stopped };

/// Calls `on_hit` for every (edge, polygon) that meets, once, in an order that depends on the input alone; it
/// returns false to end the search. The union of all parts is the whole. Allocates only when a search needs
/// more scratch than every one before it.
MeshEnd find_mesh_hits(const MeshSearch& search, Scratch& scratch, FunctionRef<bool(const MeshHit&)> on_hit,
                       MeshCounts& counts);

}  // namespace claybox::collision
