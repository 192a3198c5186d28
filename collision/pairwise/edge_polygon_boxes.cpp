// Source: Zachmann, Exact and Fast Collision Detection (thesis, 1994), section 3.2.1, "returning after
//   pre-checks" (proposed there, not built).
// Idea: as edge_polygon up to the test of an edge against a polygon itself, which is left out: where the box
//   of an edge meets that of a polygon, a collision is supposed.
// Preconditions: none.
// One-sided: where no boxes meet, nothing does, and that is certain, since boxes are rounded outward; else it
//   is undecided (with exactness=fast: colliding).
// Complexity: O(n + f log f). Caches nothing.

#include "collision/pairwise/edge_polygon_search.hpp"

namespace claybox::collision {

namespace {

void query_boxes(const PairQuery& query, PairCache&, PairResult& result, Trace* trace) {
    MeshSearch search = edge_polygon_search(query, MeshPrechecks::face_collect, trace);
    search.prechecks_only = true;
    if (run_edge_polygon(query, search, result) != MeshEnd::box_met) return;
    result.verdict = search.fast ? Verdict::colliding : Verdict::undecided;
    result.rung = 1;
}

}  // namespace

const PairAlgorithm& describe_edge_polygon_boxes() {
    static const PairAlgorithm algorithm{
        "edge_polygon_boxes",
        "Boxes of edges and polygons",
        "Zachmann, Exact and Fast Collision Detection, 1994, section 3.2.1",
        "Pre-checks alone: certain of gaps, and supposes a collision where an edge's box meets a polygon's.",
        Needs::any_polygons,
        kWantVerdict,
        Meaning::surface,
        false,
        Bias::colliding,
        false,
        {},
        kEdgePolygonCounters,
        nullptr,
        nullptr,
        nullptr,
        nullptr,
        query_boxes};
    return algorithm;
}

}  // namespace claybox::collision
