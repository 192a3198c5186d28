// Source: Zachmann, Exact and Fast Collision Detection (thesis, 1994), section 3.2.1, "returning after
//   pre-checks" (proposed there, not built).
// Idea: the pre-checks of edge_polygon without the final test. If the box of an edge overlaps the box of a
//   polygon, a collision is assumed.
// Preconditions: none.
// One-sided: if no boxes overlap, the bodies are certainly separated, since boxes are rounded outward.
//   Otherwise the answer is "undecided" (with exactness=fast: colliding).
// Complexity: O(n + f log f). No cache.

#include "collision/pairwise/edge_polygon/edge_polygon_search.hpp"

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
    static const PairAlgorithm algorithm{"edge_polygon_boxes",
                                         "Boxes of edges and polygons",
                                         "Zachmann, Exact and Fast Collision Detection, 1994, section 3.2.1",
                                         "Pre-checks only: separations are certain; assumes a collision if "
                                         "boxes of an edge and a polygon overlap.",
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
