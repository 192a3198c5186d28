// Gilbert-Johnson-Keerthi.
//
// Source: Gilbert, Johnson, Keerthi, A fast procedure for computing the distance between complex objects in
// three-dimensional space, 1988; Chong's notes on convexity-based methods, GJK, Johnson and hill climbing;
// as options Montanari, Petrinic, Barbieri 2017 (signed volumes) and Montaut and others 2022 (momentum).
//
// Idea: two convex solids share a point if and only if their difference A - B contains the origin. A simplex
// of at most four points of the difference walks towards the origin. Each step takes the simplex's point
// nearest to the origin, finds the support point in the opposite direction, and reduces the simplex. If even
// the support point does not pass the origin, the direction is a separating axis. If four points surround the
// origin, the solids collide.
//
// Preconditions: both shapes convex, of any dimension; any finite matrices, singular ones included.
// Exactness: the certificate of the float walk is proved in double. If that fails, the walk continues in
// double; a case still undecided is decided in exact arithmetic. A walk that reaches its iteration limit
// decides nothing. With a safety margin, the comparison of distance and margin is as accurate as the
// distance: about 1e-12 of the bodies' size.
// Complexity: O(support) per iteration; O(1) iterations if the poses changed little since the last query.
// Cache: the last axis, its support vertices, the last simplex, and the exact rung's decision for the same
// relative placement. Prepared data: links to far vertices; for large hulls a table of directions, from which
// a search in float takes a step or two.

#include "collision/pairwise/gjk/gjk_walk.hpp"
#include "collision/pairwise/registry.hpp"
#include "collision/pairwise/solid/solid_measure.hpp"

#include <optional>

namespace claybox::collision {

const PairAlgorithm& describe_gjk();

namespace {

enum ParameterIndex : std::size_t {
    kIterationLimit,
    kSupport,
    kWarmStart,
    kEarlyExit,
    kExpansionLimit,
    kSubAlgorithm,
    kFarNeighbours,
    kMomentum
};
enum CounterIndex : std::size_t {
    kFloatIterations,
    kDoubleIterations,
    kExactIterations,
    kSupports,
    kFromCache,
    kExpansions
};

/// Data for every parameter value, because parameters change while queries run.
struct PreparedGjk final : Prepared {
    explicit PreparedGjk(const ConvexHull& hull) : far(make_far_neighbours(hull)) {
        if (QuickClimb::suits(hull)) quick.emplace(hull);
    }
    std::size_t memory_bytes() const override {
        return sizeof *this + far.memory_bytes() + (quick ? quick->memory_bytes() : 0);
    }
    FarNeighbours far;
    std::optional<QuickClimb> quick;
};

/// The values of SupportMethod, and ours.
enum class Search : unsigned char { automatic, scan, climb, quick_climb };

std::shared_ptr<const Prepared> prepare_gjk(const Shape& shape, const Geometry&) {
    if (shape.hull() == nullptr) return nullptr;
    return std::make_shared<PreparedGjk>(*shape.hull());
}

WalkFrames<float> make_frames(const PairQuery& q) {
    const auto search = Search(q.parameters.integer(kSupport));
    const auto aids = [&](const Prepared* prepared) {
        SupportAids out;
        const auto* given = static_cast<const PreparedGjk*>(prepared);
        if (given == nullptr) return out;
        if (q.parameters.on(kFarNeighbours)) out.far = &given->far;
        const bool quick = search == Search::automatic || search == Search::quick_climb;
        if (quick && given->quick) out.quick = &*given->quick;
        return out;
    };
    const auto method =
        search == Search::quick_climb ? SupportMethod::automatic : static_cast<SupportMethod>(search);
    return {make_difference<float>(*q.a.shape->hull(), q.a.world_from_body, *q.b.shape->hull(),
                                   q.b.world_from_body),
            method, aids(q.a.prepared), aids(q.b.prepared)};
}

/// Warm start from the last query: first its axis, which usually still separates, then its simplex. True if
/// one of them answers the query.
bool resume_from_memory(const LadderMemory& memory, const WalkFrames<float>& f, const WalkSettings& settings,
                        Walk<float>& walk) {
    walk.a = memory.support_a;
    walk.b = memory.support_b;
    if (memory.last == Verdict::separated) {
        walk.direction = memory.axis();
        float reach;
        const SimplexPoint<float> w = walk_step(f, walk, settings, reach);
        if (reach < 0 && settings.early_exit) {
            walk.end = WalkEnd::separated;
            return true;
        }
        walk.simplex.add(w);
    }
    if (!resume_walk(f, {memory.pairs, memory.pair_count}, walk, settings.sub_algorithm)) return false;
    trace_simplex(f, walk, settings);
    return true;
}

/// Rung 1.
Walk<float> walk_in_float(const PairQuery& q, const LadderMemory& memory, const WalkSettings& settings) {
    const WalkFrames<float> f = make_frames(q);
    Walk<float> walk;
    if (q.parameters.on(kWarmStart) && memory.usable(*f.a, *f.b)) {
        if (resume_from_memory(memory, f, settings, walk)) return walk;
    } else {
        walk.direction = transform_point(f.about_a_from_b, f.b->interior) -
                         transform_point(f.about_a_from_a, f.a->interior);
    }
    walk.end = walk_to_origin(f, walk, settings);
    return walk;
}

SolidClaim claim_of(const Walk<float>& walk, const PairQuery& q, const WalkSettings& settings) {
    SolidClaim out;
    if (walk.end == WalkEnd::separated) out.verdict = Verdict::separated;
    if (walk.end == WalkEnd::surrounded) out.verdict = Verdict::colliding;
    if (walk.end == WalkEnd::touching && q.exactness == Exactness::fast) out.verdict = Verdict::colliding;
    out.limited = walk.end == WalkEnd::unfinished && walk.iterations >= settings.limit;
    out.axis_w = cast<double>(walk.direction);
    out.support_a = walk.a;
    out.support_b = walk.b;
    out.pair_count = static_cast<int>(pairs_of(walk.simplex, out.pairs));
    return out;
}

void query_gjk(const PairQuery& q, PairCache& cache, PairResult& result, Trace* trace) {
    auto& memory = cache.as<LadderMemory>(&describe_gjk(), q.a.geometry->content, q.b.geometry->content);
    SolidLadder ladder(q, memory, result, trace);
    if (!ladder.recall()) {
        const WalkSettings settings{static_cast<std::uint32_t>(q.parameters.integer(kIterationLimit)),
                                    q.parameters.on(kEarlyExit),
                                    cast<double>(q.a.world_from_body.translation()),
                                    trace,
                                    0,
                                    SubAlgorithm(q.parameters.integer(kSubAlgorithm)),
                                    q.parameters.on(kMomentum)};
        const Walk<float> walk = walk_in_float(q, memory, settings);
        result.iterations = walk.iterations;
        result.counters[kFloatIterations] = walk.iterations;
        result.counters[kSupports] = walk.supports;
        ladder.finish(claim_of(walk, q, settings));
    }
    const LadderCounts& higher = ladder.counts();
    result.iterations += higher.walk_iterations;
    const MeasureCounts measured = measure_solids(
        q, memory, static_cast<std::uint32_t>(q.parameters.integer(kExpansionLimit)), result, trace);
    write_counters(higher, {kDoubleIterations, kExactIterations, kFromCache}, result);
    result.counters[kDoubleIterations] += measured.walk_iterations;
    result.counters[kSupports] += higher.walk_supports + measured.walk_supports;
    result.counters[kExpansions] = measured.expansions;
}

constexpr const char* kSubChoices[] = {"regions", "johnson", "signed_volumes"};
constexpr const char* kSupportChoices[] = {"automatic", "scan", "climb", "quick_climb"};
constexpr Parameter kParameters[] = {
    {"iteration_limit", "Iteration limit", ParameterKind::integer, 64, 1, 1000, "",
     "ours: coherent queries need 1 to 3, the hardest of the ground truth 16",
     "A search that reaches the limit decides nothing; double or exact arithmetic then decides."},
    {"support", "Support search", ParameterKind::choice, 0, 0, 3, "",
     "Chong, hill climbing; ours: scan, quick climb",
     "Method of the support search: scan all vertices, climb from the last vertex, climb from a table of "
     "directions (quick_climb: hulls of 192 vertices and more), or choose by hull size.",
     false, kSupportChoices},
    {"warm_start", "Warm start", ParameterKind::toggle, 1, 0, 1, "", "ours: coherence",
     "Start from the axis and the simplex of the pair's last query."},
    {"early_exit", "Stop at the first axis", ParameterKind::toggle, 1, 0, 1, "", "Chong, GJK step 6",
     "Stop at the first separating axis. If off, walk on to the shortest distance."},
    kDepthExpansions,
    {"sub_algorithm", "Sub-algorithm", ParameterKind::choice, 0, 0, 2, "",
     "ours: regions; Gilbert, Johnson, Keerthi: Johnson; Montanari 2017: signed volumes",
     "Uses the sides of the simplex's faces, the determinants of its 15 subsets, or ratios of volumes.",
     false, kSubChoices},
    {"far_neighbours", "Artificial neighbours", ParameterKind::toggle, 1, 0, 1, "",
     "Chong, hill climbing; on: a cold query of 2000 vertices took a tenth of the time",
     "Climb first over links to vertices several steps away. Helps when a climb starts far from its goal."},
    {"momentum", "Nesterov momentum", ParameterKind::toggle, 0, 0, 1, "",
     "Montaut 2022; off by default: coherent queries end before it helps",
     "Blend each direction with the previous ones until that no longer helps."},
};
constexpr const char* kCounters[] = {"float iterations", "double iterations",   "exact iterations",
                                     "support searches", "remembered decision", "depth expansions"};

}  // namespace

const PairAlgorithm& describe_gjk() {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm a{};
        a.id = "gjk";
        a.title = "Gilbert-Johnson-Keerthi";
        a.source = "Gilbert, Johnson, Keerthi 1988; Chong, notes on convexity-based methods, GJK";
        a.summary = "Moves a simplex of the Minkowski difference towards the origin.";
        a.needs = Needs::convex;
        a.gives = kWantDistance | kWantDepth | kWantAxis;
        a.meaning = Meaning::solid;
        a.parameters = kParameters;
        a.counters = kCounters;
        a.prepare = prepare_gjk;
        a.query = query_gjk;
        return a;
    }();
    return algorithm;
}

}  // namespace claybox::collision
