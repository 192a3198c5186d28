#pragma once
// Which edges of two polygon meshes meet which polygons of the other: Zachmann's test of arbitrary objects
// (thesis, 3.2) with its pre-checks, on exact leaves. What meets is the surface: the closed triangles of the
// fixed triangulation, those without area as the segments or points that they span.

#include "collision/core/function_ref.hpp"
#include "collision/core/trace.hpp"
#include "collision/geometry/shape.hpp"
#include "collision/jobs/stop_token.hpp"
#include "collision/parts/point_in_polygon.hpp"
#include "collision/parts/scratch.hpp"

namespace claybox::collision {

struct MeshSide {
    const Geometry* geometry = nullptr;
    const Matrix34f* world_from_local = nullptr;
    /// Inner diagonals of polygons count as edges. Needed only where bent polygons may meet bent polygons:
    /// see the proof in edge_polygon.cpp.
    bool diagonals = true;
    /// For tests of points in polygons: all polygons are convex, and what is prepared (may be null).
    bool convex_polygons = false;
    const PolygonTables* tables = nullptr;
};

/// What is asked before an edge is tested against a polygon; each has the checks of those below it.
enum class MeshPrechecks : unsigned char {
    face_collect,     ///< first, polygons that miss the other body's box are left out
    face_box,         ///< the edge's box meets the polygon's, which is computed when it is first needed
    object_box,       ///< the edge is not beyond a side of the other body's box
    none,             ///< every edge against every polygon
    relaxed_collect,  ///< as face_collect, but a polygon is only found when one of its vertices is in the
                      ///< other body's box: hits are missed, none is invented
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

/// What a part takes of the edges of one side: share k of m, none where m is 0.
struct PartShare {
    std::uint32_t k = 0, m = 1;
};
inline PartShare part_share(std::uint32_t part, std::uint32_t part_count, bool edges_of_b) {
    if (part_count % 2 != 0) return {part, part_count};
    const std::uint32_t half = part_count / 2;
    return (part >= half) == edges_of_b ? PartShare{part % half, half} : PartShare{0, 0};
}

struct MeshSearch {
    MeshSide a, b;
    MeshPrechecks prechecks = MeshPrechecks::face_collect;
    bool fast = false;                       ///< what double arithmetic cannot tell from a hit counts as one
    std::uint32_t part = 0, part_count = 1;  ///< as in PairQuery
    StopToken stop;
    /// Ends with `box_met` at the first edge and polygon that pass all pre-checks.
    bool prechecks_only = false;
    bool first_only = false;  ///< ends with its first hit, whatever `on_hit` returns
    /// The thesis' test of where an edge meets a polygon, instead of triangles at once. With `fast` its word
    /// counts. Else a search for the first hit looks at what it claims first, in exact arithmetic, and at all
    /// the rest when that was nothing; a search for all hits does without it.
    PointInPolygon point_test = PointInPolygon::triangles;
    PolygonCounts* point_counts = nullptr;  ///< statistics of that test, when wanted
    Trace* trace = nullptr;
};

struct MeshCounts {
    std::uint64_t edges = 0;     ///< that passed the object's box
    std::uint64_t polygons = 0;  ///< collected, of both
    std::uint64_t boxes = 0;     ///< edge box against polygon box
    std::uint64_t tests = 0;     ///< edge against polygon
    std::uint64_t exact = 0;     ///< triangles decided in exact arithmetic
    std::uint64_t vertices = 0;  ///< transformed
    std::uint64_t refuted = 0;   ///< words of the point test that were wrong, as far as it was looked at
};

enum class MeshEnd : unsigned char { complete, ended, stopped, box_met };

/// Calls `on_hit` for every (edge, polygon) that meets, once, in an order that depends on the input alone; it
/// returns false to end the search. The union of all parts is the whole. Allocates only when a search needs
/// more scratch than every one before it.
MeshEnd find_mesh_hits(const MeshSearch& search, Scratch& scratch, FunctionRef<bool(const MeshHit&)> on_hit,
                       MeshCounts& counts);

}  // namespace claybox::collision
