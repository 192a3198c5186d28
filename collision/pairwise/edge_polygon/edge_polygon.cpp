// Source: Zachmann, Exact and Fast Collision Detection (thesis, 1994), sections 3.2, 3.3 and 7.3.3.
// Idea: two surfaces intersect if and only if an edge of one intersects a polygon of the other. All edges of
//   A are tested against the polygons of B, and vice versa (one direction is not enough: figure 3.3).
//   Pre-checks come first: a collect phase removes polygons outside the other body's box, then edges outside
//   that box, then pairs whose own boxes are apart. Boxes and planes of polygons are computed on demand.
// Preconditions: none; any polygons, open, non-manifold, degenerate, bent. A bent polygon is its fixed
//   triangulation, and its inner diagonals count as edges.
// Exact: boxes are rounded outward, so pre-checks never lose a hit (the thesis leaves this open). An edge is
//   proven to be on one side of a polygon's plane, or tested against triangles by a filtered predicate.
//   Touching counts. The point-in-polygon tests of the thesis only choose what to test first; with
//   exactness=fast they decide.
// Corrected: the collect phase keeps polygons of B in the box of A (FIX-16), not in B's own box; the quotient
//   of 7.3.3 (FIX-39); point tests: see point_in_polygon.hpp.
// Complexity: O(n + e f) for e edges and f polygons that survive. The window along the longest axis makes it
//   nearly O(n + f log f) if they are spread out.
// Cache: the edge and triangle of the last hit, which `last_first` tests first (the thesis' future work,
//   10.2).

#include "collision/exact/edge_triangle.hpp"
#include "collision/pairwise/edge_polygon/edge_polygon_search.hpp"

namespace claybox::collision {

const PairAlgorithm& describe_edge_polygon();

namespace {

constexpr const char* kPrecheckNames[] = {"face_collect", "face_box", "object_box", "none"};
constexpr Parameter kParameters[] = {
    {"prechecks", "Pre-checks", ParameterKind::choice, 0, 0, 3, "", "Zachmann, thesis, table of 3.2.1",
     "Checks before an edge is tested against a polygon: none, the other body's box, also the box of "
     "each polygon, or collecting polygons by their boxes first.",
     false, kPrecheckNames},
    kPointTestParameter,
    {"last_first", "Last hit first", ParameterKind::toggle, 0, 0, 1, "", "Zachmann, thesis, 10.2",
     "Tests the edge and polygon of the pair's last hit first. Slow bodies usually still intersect "
     "there."}};

/// Tests the edge and triangle that proved the last collision. If they intersect again, the result is
/// complete.
bool still_hits(const PairQuery& query, const Certificate& last, PairResult& result) {
    if (last.kind != CertificateKind::edge_triangle) return false;
    const PairBody& of_edge = last.edge_of_b ? query.b : query.a;
    const PairBody& of_triangle = last.edge_of_b ? query.a : query.b;
    const auto& ends = of_edge.geometry->positions;
    const auto& corners = of_triangle.geometry->positions;
    const Triangle& t = of_triangle.geometry->topology->triangles[last.triangle];
    const Vec3f p = ends[last.pairs[0][0]], q = ends[last.pairs[0][1]];
    const EdgeTriangleIntersection intersection =
        intersect({&of_edge.world_from_body, p, q}, {&of_triangle.world_from_body, corners[t.vertices[0]],
                                                     corners[t.vertices[1]], corners[t.vertices[2]]});
    if (!intersection.hit) return false;
    const Matrix34d world = to_double(of_edge.world_from_body);
    const Vec3d p_w = transform_point(world, p);
    result.verdict = Verdict::colliding;
    result.certificate = last;
    result.certificate.point_w = p_w + intersection.t * (transform_point(world, q) - p_w);
    result.rung = 2;
    result.iterations = 1;
    result.counters[3] = result.counters[7] = 1;  // one test, one hit
    return true;
}

// When inner diagonals are needed. Let f be a triangulated polygon and g a planar convex one, such that no
// boundary edge of f intersects g and no edge of g intersects f. The triangulation of f is a disc with all
// vertices on its boundary; the height above g's plane is piecewise linear on it. A component of the zero set
// of this height that maps into g stays away from f's boundary. It contains no vertex and crosses each
// triangle from side to side. The triangles form a tree, so the component would end at a boundary side: a
// contradiction. Two bent polygons, however, may intersect in a loop that only their diagonals intersect.
// Planar non-convex polygons count as bent here, because their triangles might cover more than the polygon.
void query_edge_polygon(const PairQuery& query, PairCache& cache, PairResult& result, Trace* trace) {
    const bool remember = query.parameters.integer(2) != 0 && query.part_count == 1;
    Certificate* const last =
        remember ? &cache.as<Certificate>(&describe_edge_polygon(), query.a.geometry->content,
                                          query.b.geometry->content)
                 : nullptr;
    if (last && !(query.wants & kWantAllHits) && still_hits(query, *last, result)) return;
    MeshSearch search =
        edge_polygon_search(query, static_cast<MeshPrechecks>(query.parameters.integer(0)), trace);
    search.point_test = static_cast<PointInPolygon>(query.parameters.integer(1));
    run_edge_polygon(query, search, result);
    if (last) *last = result.certificate;
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
        kEdgePolygonCounters,
        prepare_polygons,
        update_polygons,
        nullptr,
        nullptr,
        query_edge_polygon};
    return algorithm;
}

}  // namespace claybox::collision
