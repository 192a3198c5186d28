#pragma once
// Shared by the algorithms that test edges against polygons: one exact, two one-sided.

#include "collision/pairwise/mesh/hit_receiver.hpp"
#include "collision/pairwise/mesh/point_in_polygon.hpp"

namespace claybox::collision {

inline constexpr const char* kPointTestNames[] = {"triangles", "one_shot",  "angle_sum",
                                                  "wedge",     "fibonacci", "box_tree"};
inline constexpr Parameter kPointTestParameter = {
    "point_in_polygon",
    "Point in polygon",
    ParameterKind::choice,
    0,
    0,
    5,
    "",
    "ours: exact test directly; the others: Zachmann, thesis, 3.2.2 (one_shot) and 3.3",
    "The first test of an edge that crosses a polygon's plane. Exact queries verify its positive answers "
    "first; fast queries trust it.",
    false,
    kPointTestNames};

inline constexpr const char* kEdgePolygonCounters[] = {
    "edges tested", "polygons collected",   "box tests",           "edge polygon tests",
    "exact tests",  "vertices transformed", "wrong point answers", "hits"};

/// Prepared tables for wedges and box trees of polygons with many vertices.
struct PreparedPolygons final : Prepared {
    explicit PreparedPolygons(const Geometry& geometry) : tables(geometry) {}
    std::size_t memory_bytes() const override { return tables.memory_bytes(); }
    PolygonTables tables;
};

inline std::shared_ptr<const Prepared> prepare_polygons(const Shape&, const Geometry& geometry) {
    return std::make_shared<PreparedPolygons>(geometry);
}

/// Rebuilds everything if a polygon in the tables changed; most meshes have none.
inline std::shared_ptr<const Prepared> update_polygons(std::shared_ptr<const Prepared> prepared,
                                                       const Geometry& geometry,
                                                       std::span<const std::uint32_t> touched) {
    const PolygonTables& tables = static_cast<const PreparedPolygons&>(*prepared).tables;
    const bool changed = std::any_of(touched.begin(), touched.end(),
                                     [&](std::uint32_t p) { return tables.find(p) != nullptr; });
    return changed ? std::make_shared<PreparedPolygons>(geometry) : prepared;
}

inline MeshSide mesh_side(const PairBody& body, bool diagonals) {
    const auto* prepared = static_cast<const PreparedPolygons*>(body.prepared);
    return {body.geometry, &body.world_from_body, diagonals,
            body.shape->classification().convex_polygons && !body.deformed(),
            prepared == nullptr ? nullptr : &prepared->tables};
}

inline MeshSearch edge_polygon_search(const PairQuery& q, MeshPrechecks prechecks, Trace* trace) {
    MeshSearch out;
    const bool diagonals = needs_diagonals(q);
    out.a = mesh_side(q.a, diagonals);
    out.b = mesh_side(q.b, diagonals);
    out.prechecks = prechecks;
    out.fast = q.exactness == Exactness::fast;
    out.part = q.part;
    out.part_count = q.part_count;
    out.stop = q.stop;
    out.first_only = (q.wants & kWantAllHits) == 0;
    out.trace = trace;
    return out;
}

/// Runs a search and fills in the result. The verdict is that of a complete search.
inline MeshEnd run_edge_polygon(const PairQuery& query, const MeshSearch& search, PairResult& result) {
    MeshCounts counts;
    HitReceiver receiver{query, result};
    const MeshEnd end = find_mesh_hits(
        search, *query.scratch, [&](const MeshHit& hit) { return receiver.take(hit); }, counts);
    receiver.finish();
    if (end == MeshEnd::stopped) {
        result.status = QueryStatus::stopped;
        result.verdict = Verdict::undecided;
    }
    result.rung = search.fast ? 1 : counts.exact != 0 ? 3 : 2;
    result.iterations = clamped(counts.tests);
    result.counters = {
        clamped(counts.edges), clamped(counts.polygons), clamped(counts.boxes),   clamped(counts.tests),
        clamped(counts.exact), clamped(counts.vertices), clamped(counts.refuted), receiver.hits};
    return end;
}

}  // namespace claybox::collision
