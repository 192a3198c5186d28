// Source: Zachmann, Exact and Fast Collision Detection (thesis, 1994), section 3.2, "arbitrary objects".
// Idea: two surfaces meet if and only if an edge of one meets a polygon of the other, so all edges of A are
//   tested against the polygons of B and the reverse (one direction is not enough: figure 3.3). Pre-checks
//   first: polygons outside the other's box are left out in a collect phase, then edges outside that box,
//   then pairs whose own boxes miss.
// Preconditions: none; any polygons, open, non-manifold, degenerate, bent. A bent polygon is its fixed
//   triangulation, and its inner diagonals count as edges.
// Exact: boxes are rounded outward, so that pre-checks never lose a hit (which the thesis leaves open); an
//   edge meets a triangle by a filtered predicate. Touching counts.
// Corrected: the collect phase keeps polygons of B in the box of A (FIX-16), not in that of B itself.
// Complexity: O(n + e f) for e edges and f polygons that survive; the window along the longest axis makes it
//   near O(n + f log f) where they are spread. Caches nothing; all is computed from where the bodies are now.

#include "collision/pairwise/hit_receiver.hpp"

namespace claybox::collision {

namespace {

constexpr const char* kPrecheckNames[] = {"face_box", "object_box", "none"};
constexpr Parameter kParameters[] = {{"prechecks", "Pre-checks", ParameterKind::choice, 0, 0, 2, "",
                                      "Zachmann, thesis, table of 3.2.1",
                                      "What is asked before an edge is tested against a polygon: nothing, "
                                      "the other body's box, or each polygon's box too.",
                                      false, kPrecheckNames}};
constexpr const char* kCounters[] = {"edges tested",       "polygons collected", "box tests",
                                     "edge polygon tests", "exact tests",        "hits"};

// When inner diagonals are needed. Let f be a triangulated polygon and g a planar convex one, and let neither
// a boundary edge of f meet g nor one of g meet f. Over the triangulation of f, a disc whose vertices are all
// on its boundary, the height above g's plane is piecewise linear; a component of its zero set that maps into
// g stays away from f's boundary, so it contains no vertex and crosses each triangle from side to side. The
// triangles form a tree, so it would end at a boundary side: there is none. Two bent polygons, however, may
// cross in a loop that only their diagonals meet. Planar polygons that are not convex count as bent here,
// because their triangles might cover more than the polygon does.
MeshSearch mesh_search(const PairQuery& q) {
    const bool diagonals = needs_diagonals(q);
    return {{q.a.geometry, &q.a.world_from_body, diagonals},
            {q.b.geometry, &q.b.world_from_body, diagonals},
            static_cast<MeshPrechecks>(q.parameters.integer(0)),
            q.exactness == Exactness::fast,
            q.part,
            q.part_count,
            q.stop};
}

void query_edge_polygon(const PairQuery& query, PairCache&, PairResult& result, Trace* trace) {
    const MeshSearch search = mesh_search(query);
    MeshCounts counts;
    HitReceiver receiver{query, result, trace};
    const MeshEnd end = find_mesh_hits(
        search, *query.scratch, [&](const MeshHit& hit) { return receiver.take(hit); }, counts);
    receiver.finish();
    if (end == MeshEnd::stopped) {
        result.status = QueryStatus::stopped;
        result.verdict = Verdict::undecided;
    }
    result.rung = search.fast ? 1 : counts.exact != 0 ? 3 : 2;
    result.iterations = clamped(counts.tests);
    result.counters = {clamped(counts.edges), clamped(counts.polygons), clamped(counts.boxes),
                       clamped(counts.tests), clamped(counts.exact),    receiver.hits};
}

}  // namespace

const PairAlgorithm& describe_edge_polygon() {
    static const PairAlgorithm algorithm{
        "edge_polygon",
        "Edges against polygons",
        "Zachmann, Exact and Fast Collision Detection, 1994, section 3.2",
        "Tests every edge of one body against the polygons of the other, both ways, after box pre-checks.",
        Needs::any_polygons,
        kWantAllHits,
        Meaning::surface,
        true,
        Bias::none,
        true,
        kParameters,
        kCounters,
        nullptr,
        nullptr,
        nullptr,
        nullptr,
        query_edge_polygon};
    return algorithm;
}

}  // namespace claybox::collision
