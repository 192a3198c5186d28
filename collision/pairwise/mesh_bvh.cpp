// Source: our own, of known parts. Trees of bounding volumes walked together: Gottschalk, Lin, Manocha,
//   OBBTree, 1996, and van den Bergen, Efficient Collision Detection of Complex Deformable Models using AABB
//   Trees, 1997; four children a node as in ray tracing.
// Idea: a volume is a disc around the mean normal cut with a box along the body's axes: the disc is as good
//   as an oriented box on smooth surfaces and costs a fifth, the box is good on fractal ones. One volume is
//   tested against four at once. Pairs of leaves are tested in float, four triangles at once, and what may
//   meet goes to the exact test of edges against triangles.
// Preconditions: none; any polygons, any matrices. A bent polygon is its fixed triangulation, and its inner
//   diagonals count as edges: see the proof in edge_polygon.cpp.
// Exact: volumes and what float tells of triangles are enlarged by proven bounds (mesh_bvh_probe.hpp,
//   mesh_bvh_leaf.cpp). Where matrices are so bad that nothing is proven (singular ones, say), all edges are
//   tested against all polygons as edge_polygon does. Touching counts.
// Complexity: about log n for surfaces near each other, n log n to build. Prepares a tree for each shape and
//   follows deformations by what they touch.
// In parts: each takes some pairs of volumes near the roots; but a query that remembers is a part of its own,
//   since what it remembers spares more than parts do.
// Caches: what met, or the front of the walk that found nothing (mesh_bvh_memory.hpp); the closest triangles.

#include "collision/pairwise/hit_receiver.hpp"
#include "collision/pairwise/prepared_bvh.hpp"
#include "collision/pairwise/surface_measure.hpp"
#include "collision/parts/mesh_bvh_search.hpp"
#include "collision/parts/mesh_bvh_show.hpp"

namespace claybox::collision {

const PairAlgorithm& describe_mesh_bvh();

namespace {

constexpr Parameter kParameters[] = {
    {"memory", "Remember the last query", ParameterKind::toggle, 1, 0, 1, "", "our own",
     "Asks what met last again before the trees are walked, and walks only where bodies that were apart "
     "have moved enough to meet."}};
constexpr const char* kCounters[] = {
    "volume tests", "leaf pairs", "triangle pairs", "edge polygon tests", "exact tests",
    "plain search", "hits"};

/// Without trees to walk: every edge against every polygon, after pre-checks.
MeshEnd search_plainly(const PairQuery& q, const PartShare& part, HitReceiver& receiver, BvhCounts& counts) {
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

/// What a pair remembers: where its surfaces were near, and where they met.
struct PairMemory {
    SurfaceMemory near;
    BvhMemory last;
};

std::size_t cache_bytes(const Shape&, const Shape&) {
    return sizeof(BvhFront);
}

/// Null where the pair was given no room.
BvhFront* front_room(const PairCache& cache) {
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
                           front_room(cache),
                           part.k,
                           part.m};
    if (trace != nullptr && search.a.tree != nullptr && search.b.tree != nullptr)
        show_bvh_walk(search.a, search.b, *trace);
    const bool walked = search.a.tree != nullptr && search.b.tree != nullptr &&
                        find_bvh_hits(
                            search, [&](const MeshHit& hit) { return receiver.take(hit); }, counts, end);
    if (!walked) end = search_plainly(query, part, receiver, counts);
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

/// Meshes of this many triangles are built by several workers.
constexpr std::size_t kWorthWorkers = 50000;
constexpr unsigned kWorkers = 4;

}  // namespace

std::shared_ptr<const Prepared> prepare_bvh(const Shape&, const Geometry& geometry) {
    const bool large = geometry.topology->triangles.size() >= kWorthWorkers;
    const auto executor = large ? make_thread_executor(kWorkers) : make_serial_executor();
    return std::make_shared<PreparedBvh>(geometry, *executor);
}

std::shared_ptr<const Prepared> update_bvh(std::shared_ptr<const Prepared> prepared, const Geometry& geometry,
                                           std::span<const std::uint32_t> touched) {
    if (prepared.use_count() != 1)
        prepared = std::make_shared<PreparedBvh>(static_cast<const PreparedBvh&>(*prepared));
    // Nobody else holds it, so nobody reads while it changes.
    auto& own = const_cast<PreparedBvh&>(static_cast<const PreparedBvh&>(*prepared));
    own.tree.update(geometry, touched);
    return prepared;
}

const PairAlgorithm& describe_mesh_bvh() {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm a{};
        a.id = "mesh_bvh";
        a.title = "Trees of four";
        a.source = "Our own; after Gottschalk et al. 1996 and van den Bergen 1997";
        a.summary =
            "Walks two trees of discs and boxes together and tests few triangles: the fastest for meshes.";
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
