// Source: our own. Linear motion of convex bodies: a cast of the relative motion's ray against the Minkowski
//   difference (best/linear_cast.cpp), as in van den Bergen, Ray casting against general convex objects,
//   2004, but by portals.
// Preconditions: none for this part beyond convex bodies; any float32 matrices.
// Exactness: every verdict is proven in double, or decided in integers. The time has an error below 2^-34,
//   from the bracket [time_low, time_high]; where double cannot bracket it that tightly, for example at a
//   grazing contact, it comes from integers. Touching counts. With Exactness::fast the cast is the answer.
// Complexity: about eight support searches. Cache: the axis of the last miss, or the last portal.

#include "collision/continuous/best/linear_cast.hpp"
#include "collision/continuous/registry.hpp"

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
constexpr const char* kCounters[] = {"support searches", "double iterations", "exact iterations",
                                     "from cache"};

/// What a pair remembers.
struct Memory {
    CastClaim::Kind last = CastClaim::Kind::unknown;
    Vec3d axis_w;
    VertexPair support;
    VertexPair portal[3];
};

void remember(const CastClaim& claim, Memory& memory) {
    memory.last = claim.kind;
    memory.axis_w = claim.axis_w;
    memory.support = claim.support;
    std::copy_n(claim.pairs, 3, memory.portal);
    if (claim.kind == CastClaim::Kind::hit && claim.count != 3) memory.last = CastClaim::Kind::unknown;
}

void query_linear(const ContinuousQuery& query, PairCache& cache, ContinuousResult& result, Trace* trace) {
    Memory& memory = cache.as<Memory>(&describe_best_continuous(), query.pair.a.geometry->content,
                                      query.pair.b.geometry->content);
    const bool warm = query.pair.parameters.on(kWarmStart);
    const LinearPair pair(query);
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

}  // namespace

const ContinuousAlgorithm& describe_best_continuous() {
    static const ContinuousAlgorithm algorithm = [] {
        ContinuousAlgorithm a{};
        a.id = "best_continuous";
        a.title = "Best continuous";
        a.source = "ours, after van den Bergen 2004 and Snethen 2008";
        a.summary = "Exact first contact of convex bodies in linear motion: the default.";
        a.parameters = kParameters;
        a.counters = kCounters;
        a.query = query_linear;
        return a;
    }();
    return algorithm;
}

}  // namespace claybox::collision
