// Source: our own. Linear motion of convex bodies: a cast of the relative motion's ray against the Minkowski
//   difference (linear_cast.cpp). Other motions of convex bodies: conservative advancement by GJK
//   (advance_convex.cpp). Meshes: conservative advancement of pairs of volumes and triangles
//   (advance_meshes.cpp).
// Preconditions: none; any float32 matrices.
// Exactness: linear motion of convex bodies: every verdict is proven in double, or decided in integers. The
//   time has an error below 2^-34, from the bracket [time_low, time_high]; where double cannot bracket it
//   that tightly, for example at a grazing contact, it comes from integers. Touching counts. With
//   Exactness::fast the cast is the answer. All other queries are right up to the tolerance: every step is
//   proven free of contact, and a hit is two points that are at most the tolerance apart.
// Complexity: linear motion about eight support searches; advancement a few steps, each a distance of convex
//   bodies, or for meshes a few dozen pairs of volumes and a few pairs of triangles.
// Cache: linear motion: the axis of the last miss, or the last triangle. Advancement: the start of the walk.

#include "collision/continuous/best/advance.hpp"
#include "collision/continuous/best/linear_cast.hpp"
#include "collision/pairwise/bvh/prepared_bvh.hpp"

#include <algorithm>

namespace claybox::collision {

const ContinuousAlgorithm& describe_best_continuous();

namespace {

enum ParameterIndex : std::size_t { kWarmStart };
enum CounterIndex : std::size_t { kSearches, kWalkIterations, kExactIterations, kFromCache };

constexpr Parameter kParameters[] = {
    {"warm_start", "Warm start", ParameterKind::toggle, 1, 0, 1, "",
     "ours: the same axis or triangle often answers the next query of a pair",
     "Starts with the axis or the triangle that answered the pair's last query."}};
constexpr const char* kCounters[] = {
    "support searches", "double iterations", "exact iterations", "from cache", "steps",
    "volume pairs",     "triangle pairs"};

/// What a pair remembers.
struct Memory {
    CastClaim::Kind last = CastClaim::Kind::unknown;
    Vec3d axis_w;
    VertexPair support;
    VertexPair portal[3];
    AdvanceMemory advance;
};

bool is_convex(const PairBody& body) {
    return body.shape->hull() != nullptr && !body.deformed();
}

std::shared_ptr<const Prepared> prepare(const Shape& shape, const Geometry& geometry) {
    const auto out = make_prepared_bvh(geometry);
    const ConvexHull* const hull = shape.hull();
    if (hull != nullptr && QuickClimb::suits(*hull)) out->climb = std::make_shared<QuickClimb>(*hull);
    return out;
}

void remember(const CastClaim& claim, Memory& memory) {
    memory.last = claim.kind;
    memory.axis_w = claim.axis_w;
    memory.support = claim.support;
    std::copy_n(claim.pairs, 3, memory.portal);
    if (claim.kind == CastClaim::Kind::hit && claim.count != 3) memory.last = CastClaim::Kind::unknown;
}

void cast(const ContinuousQuery& query, Memory& memory, ContinuousResult& result, Trace* trace) {
    const bool warm = query.pair.parameters.on(kWarmStart);
    const LinearPair pair(query, quick_climb_of(query.pair.a), quick_climb_of(query.pair.b));
    LinearLadder ladder(query, pair, result, trace);
    CastClaim claim;
    bool answered = false;
    if (warm && memory.last == CastClaim::Kind::miss) {
        claim = CastClaim::miss(memory.axis_w, memory.support);
        answered = ladder.try_claim(claim);
    }
    result.counters[kFromCache] = answered ? 1 : 0;
    if (!answered) {
        const bool has_portal = warm && memory.last == CastClaim::Kind::hit;
        claim = cast_linear(pair, has_portal ? memory.portal : nullptr, result.iterations, trace);
        ladder.finish(claim);
    }
    remember(claim, memory);
    result.counters[kSearches] = result.iterations;
    result.counters[kWalkIterations] = ladder.counts().walk_iterations;
    result.counters[kExactIterations] = ladder.counts().exact_iterations;
}

void query_best(const ContinuousQuery& query, PairCache& cache, ContinuousResult& result, Trace* trace) {
    if (!is_convex(query.pair.a) || !is_convex(query.pair.b)) return advance_meshes(query, result, trace);
    Memory& memory = cache.as<Memory>(&describe_best_continuous(), query.pair.a.geometry->content,
                                      query.pair.b.geometry->content);
    const bool turns =
        query.motion_a.kind == Motion::Kind::screw || query.motion_b.kind == Motion::Kind::screw;
    if (!turns) return cast(query, memory, result, trace);
    if (!query.pair.parameters.on(kWarmStart)) memory.advance = {};
    advance_convex(query, memory.advance, result, trace);
}

}  // namespace

const ContinuousAlgorithm& describe_best_continuous() {
    static const ContinuousAlgorithm algorithm = [] {
        ContinuousAlgorithm a{};
        a.id = "best_continuous";
        a.title = "Best continuous";
        a.source = "ours, after van den Bergen 2004, Snethen 2008 and Tang et al. 2009";
        a.summary =
            "First contact of any bodies and motions: exact for convex bodies in linear motion, else up to "
            "the "
            "tolerance.";
        a.needs = Needs::any_polygons;
        a.motions = kAnyMotion;
        a.prepare = prepare;
        a.update = update_bvh;
        a.parameters = kParameters;
        a.counters = kCounters;
        a.query = query_best;
        return a;
    }();
    return algorithm;
}

}  // namespace claybox::collision
