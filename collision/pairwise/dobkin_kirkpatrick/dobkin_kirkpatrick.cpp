// Dobkin and Kirkpatrick: simultaneous descent of two hierarchies.
//
// Source: Dobkin, Kirkpatrick, A linear algorithm for determining the separation of convex polyhedra, 1985;
// Chong's notes, hierarchical polyhedron representations; Zachmann 1994, section 2.1.
//
// Idea: each body has a sequence of ever coarser polytopes inside it, down to a simplex. A plane that
// separates two coarse polytopes is found in constant time. On the next finer level the plane still
// separates, unless one of the few vertices that the level adds next to its supports is beyond it (lemma 5 of
// Chung and Wang); such vertices correct the plane. The plane on the finest level separates the bodies. If
// coarse polytopes collide, the bodies collide.
//
// Ours: the correction of a plane. The papers compute the new separating slab in the pyramid of the added
// vertex. We keep the simplex of the difference nearest to the plane (Gilbert, Johnson, Keerthi); its
// supports on a level come from a descent from the top. Levels are numbered as in FIX-3: 0 is the full hull.
//
// Preconditions: both shapes convex, of any dimension; any finite matrices, singular ones included.
// Exactness: by the ladder.
// Complexity: O(log n + log m) vertices per plane if degrees are bounded, and a few planes more than one per
// level. Preparation costs about four times the hull. Cache: the last answer.

#include "collision/core/assert.hpp"
#include "collision/geometry/hull/hull.hpp"
#include "collision/pairwise/dobkin_kirkpatrick/dk_hierarchy.hpp"
#include "collision/pairwise/gjk/gjk_walk.hpp"
#include "collision/pairwise/registry.hpp"
#include "collision/pairwise/solid/solid_measure.hpp"

namespace claybox::collision {

const PairAlgorithm& describe_dobkin_kirkpatrick();

namespace {

enum ParameterIndex : std::size_t { kIterationLimit, kByLevel, kWarmStart, kExpansionLimit };
enum CounterIndex : std::size_t {
    kLevels,
    kPlanes,
    kLooked,
    kDoubleIterations,
    kExactIterations,
    kFromCache,
    kExpansions
};

struct DkPrepared final : Prepared {
    explicit DkPrepared(const ConvexHull& hull) : hierarchy(hull) {}
    std::size_t memory_bytes() const override { return hierarchy.memory_bytes(); }

    DkHierarchy hierarchy;
};

std::shared_ptr<const Prepared> prepare_dk(const Shape& shape, const Geometry&) {
    if (shape.hull() == nullptr) return nullptr;
    return std::make_shared<DkPrepared>(*shape.hull());
}

const DkHierarchy& hierarchy_of(const PairBody& body) {
    CLAYBOX_ASSERT(body.prepared != nullptr);
    return static_cast<const DkPrepared*>(body.prepared)->hierarchy;
}

/// The position of one body in its hierarchy.
struct Side {
    explicit Side(const DkHierarchy& hierarchy) : h(hierarchy), level(hierarchy.level_count() - 1) {}

    const DkHierarchy& h;
    std::uint32_t level;  ///< stays at the last level while the other hierarchy is deeper
    std::uint32_t rank = 0, visited = 0;
    Vec3f direction;  ///< the plane's outward normal, in the body's own frame

    std::uint32_t vertex() const { return h.vertex(rank); }
    /// Finds the support along a new direction, from the top.
    void find(const Vec3f& d) {
        direction = d;
        const auto found = h.descend(d, level);
        rank = found.rank;
        visited += found.visited;
    }
    /// Finds the support of the next finer level. True if it differs.
    bool refine() {
        const auto found = h.refine(rank, direction, --level);
        const bool moved = found.rank != rank;
        rank = found.rank;
        visited += found.visited;
        return moved;
    }
};

/// The descent of one query. The simplex may contain vertices of any level. Direction and supports belong to
/// the current levels of both sides.
class Descent {
  public:
    Descent(const PairQuery& q, const LadderMemory& memory, Trace* trace)
        : query_(q),
          memory_(memory),
          frames_{make_difference<float>(*q.a.shape->hull(), q.a.world_from_body, *q.b.shape->hull(),
                                         q.b.world_from_body)},
          settings_{static_cast<std::uint32_t>(q.parameters.integer(kIterationLimit)), true,
                    cast<double>(q.a.world_from_body.translation()), trace},
          a_(hierarchy_of(q.a)),
          b_(hierarchy_of(q.b)) {}

    SolidClaim run();
    void count(PairResult& result) const;

  private:
    bool start();
    bool correct_plane();
    bool update_direction();
    bool find_supports();
    bool refine_supports(std::uint32_t level);
    bool supports_are_beyond();
    // Not inline: they would take registers and stack from the descent.
    [[gnu::noinline]] void trace_plane(const SimplexPoint<float>& w) const;
    [[gnu::noinline]] void trace_level(const Side& side, const PairBody& body, const char* label) const;
    SolidClaim claim() const;

    const PairQuery& query_;
    const LadderMemory& memory_;
    WalkFrames<float> frames_;
    WalkSettings settings_;
    Side a_, b_;
    Walk<float> walk_;
    std::uint32_t levels_ = 0;
};

/// Starts from the last answer, if any. True if its vertices surround the origin again.
bool Descent::start() {
    walk_.direction = transform_point(frames_.about_a_from_b, frames_.b->interior) -
                      transform_point(frames_.about_a_from_a, frames_.a->interior);
    if (!query_.parameters.on(kWarmStart) || !memory_.usable(*frames_.a, *frames_.b)) return false;
    if (memory_.last == Verdict::separated) {
        walk_.direction = memory_.axis();
        return false;
    }
    if (!resume_walk(frames_, {memory_.pairs, memory_.pair_count}, walk_)) return false;
    trace_simplex(frames_, walk_, settings_);
    return true;
}

/// Whether the supports of the current levels are beyond the plane, i.e. the direction does not separate
/// these levels.
bool Descent::supports_are_beyond() {
    const SimplexPoint<float> w = frames_.difference(a_.vertex(), b_.vertex());
    if (settings_.trace != nullptr) trace_plane(w);
    return !(dot(walk_.direction, w.w) < 0);
}

/// Finds the supports of the current levels along a new direction. True if they are beyond the plane.
bool Descent::find_supports() {
    walk_.direction = with_largest_one(walk_.direction);
    a_.find(transpose_vector(frames_.about_a_from_a, walk_.direction));
    b_.find(transpose_vector(frames_.about_a_from_b, -walk_.direction));
    ++walk_.iterations;
    return supports_are_beyond();
}

/// Tests the same plane on the next finer levels. Only vertices that they add next to the supports can be
/// beyond it.
bool Descent::refine_supports(std::uint32_t level) {
    const bool moved_a = level < a_.level && a_.refine(), moved_b = level < b_.level && b_.refine();
    return (moved_a || moved_b || settings_.trace != nullptr) && supports_are_beyond();
}

/// Computes the walk's next direction from the supports beyond the last plane. False if the walk is over.
bool Descent::update_direction() {
    const SimplexPoint<float> w = frames_.difference(a_.vertex(), b_.vertex());
    Simplex<float> next = walk_.simplex;
    if (next.contains(w)) return false;
    next.add(w);
    const Vec3f nearest = reduce_to_nearest(next);
    if (next.count == 4) {
        walk_.simplex = next;
        walk_.end = WalkEnd::surrounded;
        return false;
    }
    const float norm = length_squared(nearest);
    if (walk_.simplex.count > 0 && !(norm < length_squared(walk_.nearest))) return false;
    float extent = 0;
    for (int i = 0; i < next.count; ++i) extent = std::max(extent, length_squared(next.point[i].w));
    walk_.simplex = next;
    walk_.nearest = nearest;
    constexpr float kZeroDistance = walk_detail::kZeroDistance<float>;
    if (!(norm > kZeroDistance * kZeroDistance * extent)) {
        walk_.end = WalkEnd::touching;
        return false;
    }
    walk_.direction = -nearest;
    return true;
}

/// True if a plane separates the current levels; false ends the descent.
bool Descent::correct_plane() {
    while (update_direction()) {
        if (walk_.iterations >= settings_.limit) return false;
        if (!find_supports()) return true;
    }
    return false;
}

SolidClaim Descent::run() {
    if (start()) return claim();
    std::uint32_t level = std::max(a_.level, b_.level);
    if (!query_.parameters.on(kByLevel)) level = a_.level = b_.level = 0;
    levels_ = 1;
    bool apart = !find_supports() || correct_plane();
    while (apart && level-- > 0) {
        ++levels_;
        apart = !refine_supports(level) || correct_plane();
    }
    if (apart) walk_.end = WalkEnd::separated;
    return claim();
}

SolidClaim Descent::claim() const {
    SolidClaim out;
    const bool fast = query_.exactness == Exactness::fast;
    if (walk_.end == WalkEnd::separated) out.verdict = Verdict::separated;
    if (walk_.end == WalkEnd::surrounded || (walk_.end == WalkEnd::touching && fast))
        out.verdict = Verdict::colliding;
    out.limited = walk_.end == WalkEnd::unfinished && walk_.iterations >= settings_.limit;
    out.axis_w = cast<double>(walk_.direction);
    out.support_a = a_.vertex();
    out.support_b = b_.vertex();
    out.pair_count = static_cast<int>(pairs_of(walk_.simplex, out.pairs));
    return out;
}

void Descent::trace_plane(const SimplexPoint<float>& w) const {
    Walk<float> now = walk_;
    now.a = w.a;
    now.b = w.b;
    now.iterations = walk_.iterations + levels_ - 1;  // one iteration per plane and per level
    trace_simplex(frames_, now, settings_);
    settings_.trace->value("level of A", a_.level);
    settings_.trace->value("level of B", b_.level);
    trace_level(a_, query_.a, "level of A");
    trace_level(b_, query_.b, "level of B");
    walk_detail::trace_support(frames_, now, settings_, dot(walk_.direction, w.w));
}

/// The polytope of the side's level, drawn around the coarser one inside it.
void Descent::trace_level(const Side& side, const PairBody& body, const char* label) const {
    constexpr std::uint32_t kMaxTraced = 2000;  // vertices; more edges could not be told apart
    const std::uint32_t count = side.h.level_size(side.level);
    if (count > kMaxTraced) return;
    std::vector<Vec3f> points(count);
    for (std::uint32_t rank = 0; rank < count; ++rank) points[rank] = side.h.position(rank);
    const Result<ConvexHull> hull = convex_hull(points);
    if (!hull.ok()) return;
    const Matrix34d m = to_double(body.world_from_body);
    const ConvexHull& level = hull.value();
    for (std::uint32_t v = 0; v < level.vertex_count; ++v)
        for (std::uint32_t i = level.neighbour_begin[v]; i < level.neighbour_begin[v + 1]; ++i)
            if (level.neighbours[i] > v)
                settings_.trace->segment(transform_point(m, level.vertex(v)),
                                         transform_point(m, level.vertex(level.neighbours[i])), label);
}

void Descent::count(PairResult& result) const {
    result.iterations = walk_.iterations + std::max(levels_, 1u) - 1;
    result.counters[kLevels] = levels_;
    result.counters[kPlanes] = walk_.iterations;
    result.counters[kLooked] = a_.visited + b_.visited;
}

void query_dk(const PairQuery& q, PairCache& cache, PairResult& result, Trace* trace) {
    auto& memory =
        cache.as<LadderMemory>(&describe_dobkin_kirkpatrick(), q.a.geometry->content, q.b.geometry->content);
    SolidLadder ladder(q, memory, result, trace);
    if (!ladder.recall()) {
        Descent descent(q, memory, trace);
        const SolidClaim claim = descent.run();
        descent.count(result);
        ladder.finish(claim);
    }
    const LadderCounts& higher = ladder.counts();
    result.iterations += higher.walk_iterations;
    const MeasureCounts measured = measure_solids(
        q, memory, static_cast<std::uint32_t>(q.parameters.integer(kExpansionLimit)), result, trace);
    write_counters(higher, {kDoubleIterations, kExactIterations, kFromCache}, result);
    result.counters[kDoubleIterations] += measured.walk_iterations;
    result.counters[kExpansions] = measured.expansions;
}

constexpr Parameter kParameters[] = {
    {"iteration_limit", "Plane limit", ParameterKind::integer, 64, 1, 1000, "", "ours: as the other walks",
     "A descent that needs more planes decides nothing; exact arithmetic then decides."},
    {"by_level", "Level by level", ParameterKind::toggle, 1, 0, 1, "", "Dobkin, Kirkpatrick 1985",
     "Correct the plane on every level, from the coarsest. If off, the hierarchies only find the supports "
     "of the full bodies."},
    {"warm_start", "Warm start", ParameterKind::toggle, 1, 0, 1, "", "ours: coherence",
     "Start from the plane or the simplex of the pair's last query."},
    kDepthExpansions,
};
constexpr const char* kCounters[] = {
    "levels",          "planes", "vertices", "double iterations", "exact iterations", "remembered decision",
    "depth expansions"};

}  // namespace

const PairAlgorithm& describe_dobkin_kirkpatrick() {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm a{};
        a.id = "dobkin_kirkpatrick";
        a.title = "Dobkin-Kirkpatrick";
        a.source = "Dobkin, Kirkpatrick 1985; Chong, notes on convexity-based methods; Zachmann, 2.1";
        a.summary = "Separates coarse polytopes inside both bodies and corrects the plane level by level.";
        a.needs = Needs::convex;
        a.gives = kWantDistance | kWantDepth | kWantAxis;
        a.meaning = Meaning::solid;
        a.parameters = kParameters;
        a.counters = kCounters;
        a.prepare = prepare_dk;
        a.needs_prepared = true;
        a.query = query_dk;
        return a;
    }();
    return algorithm;
}

}  // namespace claybox::collision
