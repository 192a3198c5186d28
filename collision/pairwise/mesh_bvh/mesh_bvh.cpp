// Source: our own, from known parts. Traversal of two bounding-volume hierarchies: Gottschalk, Lin, Manocha,
//   OBBTree, 1996, and van den Bergen, Efficient Collision Detection of Complex Deformable Models using AABB
//   Trees, 1997. Four children per node as in ray tracing.
// Idea: a volume is a disc around the mean normal intersected with a box along the body's axes. On smooth
//   surfaces the disc is as good as an oriented box and costs a fifth; on fractal surfaces the box is good.
//   One volume is tested against four at once. Pairs of leaves are tested in float, four triangles at once;
//   the remaining pairs go to the exact test of edges against triangles.
// Preconditions: none; any polygons, any matrices. A bent polygon is its fixed triangulation, and its inner
//   diagonals count as edges: see the proof in edge_polygon.cpp.
// Exact: volumes and float tests of triangles are enlarged by proven bounds (bvh/bvh_probe.hpp,
//   leaf_test.cpp). For matrices where nothing can be proven (for example singular ones), all edges are
//   tested against all polygons as in edge_polygon. Touching counts.
// Complexity: about log n for surfaces near each other, n log n to build. Prepares a tree for each shape;
//   deformations cost in proportion to the touched triangles.
// Parts: each part processes some pairs of volumes near the roots. A query with memory is one part, since the
//   memory saves more than parts do.
// Cache: the last hit, or the front of the last separated traversal (pair_memory.hpp); the closest triangles.

#include "collision/pairwise/bvh/prepared_bvh.hpp"
#include "collision/pairwise/mesh/hit_receiver.hpp"
#include "collision/pairwise/mesh/surface_measure.hpp"
#include "collision/pairwise/mesh_bvh/search.hpp"
#include "collision/pairwise/mesh_bvh/trace_walk.hpp"

namespace claybox::collision {

const PairAlgorithm& describe_mesh_bvh();

namespace {

constexpr Parameter kParameters[] = {
    {"memory", "Remember the last query", ParameterKind::toggle, 1, 0, 1, "",
     "ours: bodies that hardly move keep most of the traversal",
     "Tests the last hit first. After a separation, searches only where the bodies have moved enough to "
     "touch."}};
constexpr const char* kCounters[] = {
    "volume tests",   "leaf pairs", "triangle pairs", "edge polygon tests", "exact tests",
    "plain searches", "hits"};

/// For bodies without usable trees: every edge against every polygon, after pre-checks.
MeshEnd search_without_trees(const PairQuery& q, const PartShare& part, HitReceiver& receiver,
                             BvhCounts& counts) {
    const bool diagonals = needs_diagonals(q);
    const MeshSearch search{{q.a.geometry, &q.a.world_from_body, diagonals},
                            {q.b.geometry, &q.b.world_from_body, diagonals},
                            MeshPrechecks::face_box,
                            q.exactness == Exactness::fast,
                            part.k,
                            part.m,
                            q.stop};
    MeshCounts plain;
    const MeshEnd end = find_mesh_hits(
        search, *q.scratch, [&](const MeshHit& hit) { return receiver.take(hit); }, plain);
    counts.tests = plain.tests;
    counts.exact = plain.exact;
    return end;
}

/// What a pair remembers: the closest triangles, and the last hit or front.
struct PairMemory {
    SurfaceMemory near;
    BvhMemory last;
};

std::size_t cache_bytes(const Shape&, const Shape&) {
    return sizeof(BvhFront);
}

/// Null if the pair has no pool memory.
BvhFront* front_storage(const PairCache& cache) {
    return cache.pool().size() < sizeof(BvhFront) ? nullptr
                                                  : reinterpret_cast<BvhFront*>(cache.pool().data());
}

void query_mesh_bvh(const PairQuery& query, PairCache& cache, PairResult& result, Trace* trace) {
    HitReceiver receiver{query, result, trace};
    BvhCounts counts;
    MeshEnd end = MeshEnd::complete;
    auto& memory =
        cache.as<PairMemory>(&describe_mesh_bvh(), query.a.geometry->content, query.b.geometry->content);
    const bool remembers = query.parameters.integer(0) != 0 && (query.wants & kWantAllHits) == 0;
    if (remembers && query.part != 0) return receiver.finish();
    const PartShare part = remembers ? PartShare{} : PartShare{query.part, query.part_count};
    const BvhSearch search{{bvh_of(query.a), query.a.geometry, &query.a.world_from_body},
                           {bvh_of(query.b), query.b.geometry, &query.b.world_from_body},
                           needs_diagonals(query),
                           query.exactness == Exactness::fast,
                           query.stop,
                           remembers ? &memory.last : nullptr,
                           front_storage(cache),
                           part.k,
                           part.m};
    if (trace != nullptr && search.a.tree != nullptr && search.b.tree != nullptr)
        trace_bvh_walk(search.a, search.b, *trace);
    const bool walked = search.a.tree != nullptr && search.b.tree != nullptr &&
                        find_bvh_hits(
                            search, [&](const MeshHit& hit) { return receiver.take(hit); }, counts, end);
    if (!walked) end = search_without_trees(query, part, receiver, counts);
    receiver.finish();
    if (end == MeshEnd::stopped) {
        result.status = QueryStatus::stopped;
        result.verdict = Verdict::undecided;
    }
    result.rung = counts.exact != 0 ? 3 : counts.tests != 0 && query.exactness == Exactness::exact ? 2 : 1;
    result.iterations = clamped(counts.steps);
    result.counters = {clamped(counts.steps), clamped(counts.leaves), clamped(counts.pairs),
                       clamped(counts.tests), clamped(counts.exact),  walked ? 0u : 1u,
                       receiver.hits};
    if (!wants_measure(query, result)) return;
    measure_surfaces(query, memory.near, result, trace);
}

}  // namespace

const PairAlgorithm& describe_mesh_bvh() {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm a{};
        a.id = "mesh_bvh";
        a.title = "BVH of discs and boxes";
        a.source = "ours, after Gottschalk et al. 1996 and van den Bergen 1997";
        a.summary =
            "Traverses two hierarchies of discs and boxes together and tests few triangles: the fastest for "
            "meshes.";
        a.gives = kWantAllHits | kWantDistance;
        a.splittable = true;
        a.meaning = Meaning::surface;
        a.parameters = kParameters;
        a.counters = kCounters;
        a.cache_bytes = cache_bytes;
        a.prepare = prepare_bvh;
        a.update = update_bvh;
        a.query = query_mesh_bvh;
        return a;
    }();
    return algorithm;
}

}  // namespace claybox::collision
