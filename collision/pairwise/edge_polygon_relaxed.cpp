// Source: Zachmann, Exact and Fast Collision Detection (thesis, 1994), section 3.2.1, "allowing the algorithm
//   to miss a collision".
// Idea: as edge_polygon, but the collect phase goes over vertices: a polygon is looked at only when one of
//   its vertices is in the other body's box, so that no box of a polygon is computed in vain. Good for many
//   small polygons, blind to a needle through a large face.
// Preconditions: closed and manifold (so that the polygons around a vertex are all there is to it).
// One-sided: a collision it finds is proved as edge_polygon proves it; where it finds none it is undecided
//   (with exactness=fast: separated).
// Complexity: O(n + f log f). Caches nothing.

#include "collision/pairwise/edge_polygon_search.hpp"

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
    static const PairAlgorithm algorithm{
        "edge_polygon_relaxed",
        "Edges against polygons, relaxed",
        "Zachmann, Exact and Fast Collision Detection, 1994, section 3.2.1",
        "Looks only at polygons with a vertex in the other body's box: certain of collisions, may miss some.",
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
