// Source: Zachmann, Exact and Fast Collision Detection (thesis, 1994), section 3.2.1, "allowing the algorithm
//   to miss a collision".
// Idea: as edge_polygon, but the collect phase iterates over vertices. A polygon is tested only if one of its
//   vertices is in the other body's box, so no polygon box is computed in vain. Good for many small polygons;
//   misses a needle through a large face.
// Preconditions: closed and manifold (so that the polygons around a vertex are complete).
// One-sided: collisions are proven as in edge_polygon. If it finds none, the answer is "undecided" (with
//   exactness=fast: separated).
// Complexity: O(n + f log f). No cache.

#include "collision/pairwise/edge_polygon/edge_polygon_search.hpp"

namespace claybox::collision {

namespace {

constexpr Parameter kParameters[] = {kPointTestParameter};

void query_relaxed(const PairQuery& query, PairCache&, PairResult& result, Trace* trace) {
    MeshSearch search = edge_polygon_search(query, MeshPrechecks::relaxed_collect, trace);
    search.point_test = static_cast<PointInPolygon>(query.parameters.integer(0));
    run_edge_polygon(query, search, result);
    if (result.verdict != Verdict::separated || search.fast) return;
    result.verdict = Verdict::undecided;
    result.rung = 1;
}

}  // namespace

const PairAlgorithm& describe_edge_polygon_relaxed() {
    static const PairAlgorithm algorithm{"edge_polygon_relaxed",
                                         "Edges against polygons, relaxed",
                                         "Zachmann, Exact and Fast Collision Detection, 1994, section 3.2.1",
                                         "Tests only polygons with a vertex in the other body's box: "
                                         "collisions are certain, some may be missed.",
                                         Needs::closed,
                                         kWantVerdict,
                                         Meaning::surface,
                                         false,
                                         Bias::separated,
                                         false,
                                         kParameters,
                                         kEdgePolygonCounters,
                                         prepare_polygons,
                                         update_polygons,
                                         nullptr,
                                         nullptr,
                                         query_relaxed};
    return algorithm;
}

}  // namespace claybox::collision
