#pragma once
// Finds the edges of two polygon meshes that intersect polygons of the other mesh: Zachmann's test of
// arbitrary objects (thesis, 3.2) with its pre-checks and an exact final test. The surface is the set of
// closed triangles of the fixed triangulation; a triangle without area is the segment or point that it spans.

#include "collision/core/function_ref.hpp"
#include "collision/core/trace.hpp"
#include "collision/geometry/shape.hpp"
#include "collision/jobs/stop_token.hpp"
#include "collision/pairwise/mesh/point_in_polygon.hpp"
#include "collision/pairwise/scratch.hpp"

namespace claybox::collision {

struct MeshSide {
    const Geometry* geometry = nullptr;
    const Matrix34f* world_from_local = nullptr;
    /// Inner diagonals of polygons count as edges. Needed only if bent polygons may intersect bent polygons:
    /// see the proof in edge_polygon.cpp.
    bool diagonals = true;
    /// For point-in-polygon tests: whether all polygons are convex, and the prepared tables (may be null).
    bool convex_polygons = false;
    const PolygonTables* tables = nullptr;
};

/// The checks before the test of an edge against a polygon. Each level includes the checks of the levels
/// below it.
enum class MeshPrechecks : unsigned char {
    face_collect,     ///< first removes polygons outside the other body's box
    face_box,         ///< the edge's box overlaps the polygon's box, which is computed on demand
    object_box,       ///< the edge is not beyond a side of the other body's box
    none,             ///< every edge against every polygon
    relaxed_collect,  ///< like face_collect, but collects only polygons with a vertex in the other body's
                      ///< box: misses hits, never invents any
};

/// An edge that intersects a polygon.
struct MeshHit {
    bool edge_of_b = false;
    std::uint32_t edge = kNoIndex;  ///< kNoIndex for an inner diagonal or a zero-length side
    std::uint32_t vertices[2] = {kNoIndex, kNoIndex};
    std::uint32_t polygon = kNoIndex;   ///< of the other mesh
    std::uint32_t triangle = kNoIndex;  ///< within its topology
    Vec3d point_w;                      ///< rounded
};

/// The share of one side's edges that a part processes: share k of m; nothing if m is 0.
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
    bool fast = false;                       ///< cases that double arithmetic cannot decide count as hits
    std::uint32_t part = 0, part_count = 1;  ///< as in PairQuery
    StopToken stop;
    /// Ends with `box_met` at the first edge and polygon that pass all pre-checks.
    bool prechecks_only = false;
    bool first_only = false;  ///< ends after the first hit, whatever `on_hit` returns
    /// Uses one of the thesis' point-in-polygon tests instead of testing triangles directly. With `fast` its
    /// answer is final. Otherwise a search for the first hit verifies its positive answers first, in exact
    /// arithmetic, and tests everything else only if none is confirmed. A search for all hits does not use
    /// it.
    PointInPolygon point_test = PointInPolygon::triangles;
    PolygonCounts* point_counts = nullptr;  ///< statistics of that test; may be null
    Trace* trace = nullptr;
};

struct MeshCounts {
    std::uint64_t edges = 0;     ///< that passed the object's box
    std::uint64_t polygons = 0;  ///< collected, of both bodies
    std::uint64_t boxes = 0;     ///< edge box against polygon box
    std::uint64_t tests = 0;     ///< edge against polygon
    std::uint64_t exact = 0;     ///< triangles decided in exact arithmetic
    std::uint64_t vertices = 0;  ///< transformed
    std::uint64_t refuted = 0;   ///< wrong answers of the point test, among those verified
};

enum class MeshEnd : unsigned char { complete, ended, stopped, box_met };

/// Calls `on_hit` once for every intersecting (edge, polygon), in an order that depends on the input alone.
/// `on_hit` returns false to end the search. All parts together find exactly the hits of the whole. Allocates
/// only if a search needs more scratch memory than every search before it.
MeshEnd find_mesh_hits(const MeshSearch& search, Scratch& scratch, FunctionRef<bool(const MeshHit&)> on_hit,
                       MeshCounts& counts);

}  // namespace claybox::collision
