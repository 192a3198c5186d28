// Source: Zachmann, Exact and Fast Collision Detection (thesis, 1994), sections 3.2, 3.3 and 7.3.3.
// Idea: two surfaces meet if and only if an edge of one meets a polygon of the other, so all edges of A are
//   tested against the polygons of B and the reverse (one direction is not enough: figure 3.3). Pre-checks
//   first: polygons outside the other's box are left out in a collect phase, then edges outside that box,
//   then pairs whose own boxes miss. Boxes and planes of polygons are computed when they are first needed.
// Preconditions: none; any polygons, open, non-manifold, degenerate, bent. A bent polygon is its fixed
//   triangulation, and its inner diagonals count as edges.
// Exact: boxes are rounded outward, so that pre-checks never lose a hit (which the thesis leaves open); an
//   edge is proved to be on one side of a polygon's plane, or meets a triangle by a filtered predicate.
//   Touching counts. The point-in-polygon tests of the thesis say where to look first; with exactness=fast
//   they have the last word.
// Corrected: the collect phase keeps polygons of B in the box of A (FIX-16), not in that of B itself; the
//   quotient of 7.3.3 (FIX-39); point tests: see point_in_polygon.hpp.
// Complexity: O(n + e f) for e edges and f polygons that survive; the window along the longest axis makes it
//   near O(n + f log f) where they are spread. Caches the edge and triangle that met last, which `last_first`
//   asks first (the thesis' future work, 10.2); all else is computed from where the bodies are now.

#include "collision/exact/edge_triangle.hpp"
#include "collision/pairwise/edge_polygon_search.hpp"

namespace claybox::collision {

const PairAlgorithm& describe_edge_polygon();

namespace {

constexpr const char* kPrecheckNames[] = {"face_collect", "face_box", "object_box", "none"};
constexpr Parameter kParameters[] = {
    {"prechecks", "Pre-checks", ParameterKind::choice, 0, 0, 3, "", "Zachmann, thesis, table of 3.2.1",
     "What is asked before an edge is tested against a polygon: nothing, the other body's box, the box of "
     "each polygon too, or polygons are collected by their boxes first.",
     false, kPrecheckNames},
    kPointTestParameter,
    {"last_first", "Last hit first", ParameterKind::toggle, 0, 0, 1, "", "Zachmann, thesis, 10.2",
     "Whether the edge and polygon that met in the pair's last query are asked first: where bodies move "
     "slowly they still meet."}};

/// Whether the edge and triangle that proved the last collision meet again; then it is all there is to tell.
bool meets_again(const PairQuery& query, const Certificate& last, PairResult& result) {
    if (last.kind != CertificateKind::edge_triangle) return false;
    const PairBody& of_edge = last.edge_of_b ? query.b : query.a;
    const PairBody& of_triangle = last.edge_of_b ? query.a : query.b;
    const auto& ends = of_edge.geometry->positions;
    const auto& corners = of_triangle.geometry->positions;
    const Triangle& t = of_triangle.geometry->topology->triangles[last.triangle];
    const Vec3f p = ends[last.pairs[0][0]], q = ends[last.pairs[0][1]];
    const EdgeTriangleMeeting meeting =
        meet({&of_edge.world_from_body, p, q}, {&of_triangle.world_from_body, corners[t.vertices[0]],
                                                corners[t.vertices[1]], corners[t.vertices[2]]});
    if (!meeting.hit) return false;
    const Matrix34d world = to_double(of_edge.world_from_body);
    const Vec3d p_w = transform_point(world, p);
    result.verdict = Verdict::colliding;
    result.certificate = last;
    result.certificate.point_w = p_w + meeting.t * (transform_point(world, q) - p_w);
    result.rung = 2;
    result.iterations = 1;
    result.counters[3] = result.counters[7] = 1;  // one test, one hit
    return true;
}

// When inner diagonals are needed. Let f be a triangulated polygon and g a planar convex one, and let neither
// a boundary edge of f meet g nor one of g meet f. Over the triangulation of f, a disc whose vertices are all
// on its boundary, the height above g's plane is piecewise linear; a component of its zero set that maps into
// g stays away from f's boundary, so it contains no vertex and crosses each triangle from side to side. The
// triangles form a tree, so it would end at a boundary side: there is none. Two bent polygons, however, may
// cross in a loop that only their diagonals meet. Planar polygons that are not convex count as bent here,
// because their triangles might cover more than the polygon does.
void query_edge_polygon(const PairQuery& query, PairCache& cache, PairResult& result, Trace* trace) {
    const bool remember = query.parameters.integer(2) != 0 && query.part_count == 1;
    Certificate* const last =
        remember ? &cache.as<Certificate>(&describe_edge_polygon(), query.a.geometry->content,
                                          query.b.geometry->content)
                 : nullptr;
    if (last && !(query.wants & kWantAllHits) && meets_again(query, *last, result)) return;
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
