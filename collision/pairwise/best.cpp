// Ours: the default for convex pairs.
//
// Idea: most queries are answered by what answered them last time, so that is asked first and must be cheap:
// the four vertex pairs that surrounded the origin, or the axis that separated. Both are proven on the spot,
// in float, by bounds that hold for any matrices (parts/quick_proof.hpp). Support searches look into a table
// of directions and cost the same for every number of vertices (parts/support_table.hpp). Where the memory
// does not prove, Gilbert, Johnson and Keerthi's walk goes on from the remembered pairs, and each of its
// directions is one more chance for a proof. What it believes but float cannot prove climbs the shared
// ladder.
//
// Preconditions: both shapes convex, of any dimension; any finite matrices, singular ones included.
// Exact: a verdict leaves this file only with a proof in float or by the ladder. A query that also wants
// distance or depth, or has a margin, is proven in double first, because measuring goes on from there. With
// Exactness::fast signs are believed as float has them.
// Complexity: O(1) a step where `prepare` made tables (O(n) memory, about 230 bytes a vertex); else hill
// climbing. Caches: the axis or the pairs, and the ladder's decision while nothing moves.

#include "collision/pairwise/registry.hpp"
#include "collision/pairwise/solid_measure.hpp"
#include "collision/parts/quick_proof.hpp"
#include "collision/parts/simplex.hpp"
#include "collision/parts/support.hpp"

#include <limits>

namespace claybox::collision {

const PairAlgorithm& describe_best();

namespace {

enum ParameterIndex : std::size_t { kIterationLimit, kWarmStart, kTable, kExpansionLimit };
enum CounterIndex : std::size_t {
    kSearches,
    kQuickProofs,
    kDoubleIterations,
    kExactIterations,
    kFromCache,
    kExpansions
};

/// Shorter than this part of the simplex's extent, the way to the origin is rounding only.
constexpr float kNothingLeft = 0x1p-20f;

struct Memory {
    LadderMemory ladder;
    Vec3f axis;  ///< of the last separation, largest component 1
};

struct PreparedBest : Prepared {
    std::unique_ptr<const SupportTable> table;
    std::size_t memory_bytes() const override { return sizeof *this + table->memory_bytes(); }
};

std::shared_ptr<const Prepared> prepare_best(const Shape& shape, const Geometry&) {
    if (shape.hull() == nullptr) return nullptr;
    auto out = std::make_shared<PreparedBest>();
    out->table = SupportTable::make(*shape.hull());
    if (out->table == nullptr) return nullptr;
    return out;
}

/// Support searches of a pair without tables. Proves nothing.
class ClimbingSearch {
  public:
    explicit ClimbingSearch(const PairQuery& q)
        : a_(*q.a.shape->hull()),
          b_(*q.b.shape->hull()),
          world_from_a_(q.a.world_from_body),
          world_from_b_(q.b.world_from_body),
          apart_(world_from_b_.translation() - world_from_a_.translation()) {}

    using Step = QuickProof::Step;
    Step search(const Vec3f& n) {
        Step s{climb(a_, transpose_vector(world_from_a_, n), start_a_),
               climb(b_, transpose_vector(world_from_b_, -n), start_b_), 0};
        s.gap = dot(n, apart_) - s.a.height - s.b.height;
        return s;
    }
    Vec3f difference(Float4 a, Float4 b) const {
        return transform_vector(world_from_a_, Vec3f{a[0], a[1], a[2]}) -
               transform_vector(world_from_b_, Vec3f{b[0], b[1], b[2]}) - apart_;
    }
    Vec3f difference(const VertexPair& p) const { return difference(position(a_, p.a), position(b_, p.b)); }
    bool proves_separation(const Step&) const { return false; }
    bool proves_collision(const VertexPair (&)[4]) const { return false; }

  private:
    static Float4 position(const ConvexHull& hull, std::uint32_t v) {
        return Float4{hull.x[v], hull.y[v], hull.z[v], 0};
    }
    static SupportTable::Found climb(const ConvexHull& hull, const Vec3f& d, std::uint32_t& start) {
        start = support_vertex(hull, d, start, SupportMethod::automatic);
        return {position(hull, start), dot(d, hull.vertex(start)), start, 0};
    }

    const ConvexHull &a_, &b_;
    const Matrix34f &world_from_a_, &world_from_b_;
    Vec3f apart_;
    std::uint32_t start_a_ = 0, start_b_ = 0;
};

/// Largest component 1; false where there is no direction.
bool scale_to_one(Vec3f& d) {
    const float largest = std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)});
    if (!(largest > 0x1p-100f && largest < 0x1p100f)) return false;
    d = d * (1 / largest);
    // 1 / largest is rounded, and the bounds of the proofs ask for at most 1.
    d = {std::clamp(d.x, -1.0f, 1.0f), std::clamp(d.y, -1.0f, 1.0f), std::clamp(d.z, -1.0f, 1.0f)};
    return true;
}

enum class End : unsigned char {
    unknown,     ///< rounding or the limit ended the walk
    separated,   ///< `direction` seems to separate
    surrounded,  ///< the simplex seems to surround the origin
    apart,       ///< `direction` is proven to separate
    colliding,   ///< the memory's pairs are proven to surround the origin
};

struct Walk {
    Simplex<float> simplex;
    Vec3f direction;
    std::uint32_t a = 0, b = 0;  ///< supports along it
    std::uint32_t searches = 0;
    End end = End::unknown;
};

/// One query's rung 1, with either kind of search.
template <class Search>
class Kernel {
  public:
    Kernel(const PairQuery& query, Search search, Trace* trace)
        : query_(query), search_(search), trace_(trace) {}

    /// Asks the memory, then walks.
    Walk run(const Memory& memory, bool warm) {
        const LadderMemory& m = memory.ladder;
        warm = warm && m.usable(*query_.a.shape->hull(), *query_.b.shape->hull());
        if (warm && m.last == Verdict::colliding) {
            if (m.pair_count == 4 && search_.proves_collision(m.pairs)) return proven_by_memory(m);
            resume(m);
        }
        if (walk_.simplex.count == 0) {
            const bool axis = warm && m.last == Verdict::separated;
            walk_.direction = axis ? memory.axis : between_centres();
            if (!step()) return walk_;
            if (axis) resume(m);
        }
        walk_on();
        return walk_;
    }

  private:
    Walk proven_by_memory(const LadderMemory& m) {
        walk_.end = End::colliding;
        if (trace_ == nullptr) return walk_;
        resume(m);
        tell_simplex();
        return walk_;
    }

    Vec3f between_centres() const {
        const Vec3f a = query_.a.shape->hull()->interior, b = query_.b.shape->hull()->interior;
        Vec3f out = -search_.difference(Float4{a.x, a.y, a.z, 0}, Float4{b.x, b.y, b.z, 0});
        if (!scale_to_one(out)) out = {1, 0, 0};
        return out;
    }

    /// Searches along the direction and adds what it finds to the simplex; false when that ends the walk.
    bool step() {
        ++walk_.searches;
        tell_simplex();
        const auto s = search_.search(walk_.direction);
        walk_.a = s.a.vertex;
        walk_.b = s.b.vertex;
        tell_step(s);
        if (search_.proves_separation(s))
            walk_.end = End::apart;
        else if (s.gap > 0)
            walk_.end = End::separated;
        if (walk_.end != End::unknown) return false;
        const SimplexPoint<float> p{search_.difference(s.a.position, s.b.position), walk_.a, walk_.b};
        if (walk_.simplex.holds(p)) return false;  // rounding goes round in circles
        walk_.simplex.add(p);
        return true;
    }

    void resume(const LadderMemory& m) {
        for (int i = 0; i < m.pair_count && walk_.simplex.count < 4; ++i) {
            const SimplexPoint<float> p{search_.difference(m.pairs[i]), m.pairs[i].a, m.pairs[i].b};
            if (!walk_.simplex.holds(p)) walk_.simplex.add(p);
        }
    }

    void walk_on() {
        const auto limit = static_cast<std::uint32_t>(query_.parameters.integer(kIterationLimit));
        float last = std::numeric_limits<float>::infinity();
        while (walk_.simplex.count > 0) {
            const Vec3f nearest = reduce_to_nearest(walk_.simplex);
            const float norm = length_squared(nearest);
            if (walk_.simplex.count == 4) {
                walk_.end = End::surrounded;
                return;
            }
            if (!(norm < last)) return;  // what is left is rounding
            if (walk_.searches >= limit || !leads_on(nearest) || !step()) return;
            last = norm;
        }
    }

    /// Turns the direction to the origin.
    bool leads_on(const Vec3f& nearest) {
        float extent = 0;
        for (int i = 0; i < walk_.simplex.count; ++i) {
            const Vec3f& w = walk_.simplex.point[i].w;
            extent = std::max({extent, std::abs(w.x), std::abs(w.y), std::abs(w.z)});
        }
        Vec3f d = -nearest;
        const float left = std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)});
        if (!(left > kNothingLeft * extent) || !scale_to_one(d)) return false;
        walk_.direction = d;
        return true;
    }

    void tell_simplex() const {
        if (trace_ == nullptr) return;
        trace_->begin_iteration(static_cast<int>(walk_.searches));
        for (int i = 0; i < walk_.simplex.count; ++i) {
            const SimplexPoint<float>& p = walk_.simplex.point[i];
            trace_->segment(point_w(query_.a, p.a), point_w(query_.b, p.b), "simplex");
        }
    }
    void tell_step(const QuickProof::Step& s) const {
        if (trace_ == nullptr) return;
        const Vec3d axis = cast<double>(walk_.direction), support_w = point_w(query_.a, s.a.vertex);
        trace_->point(support_w, "support of A");
        trace_->point(point_w(query_.b, s.b.vertex), "support of B");
        trace_->plane(axis, dot(axis, support_w), support_w, "supporting plane");
        trace_->value("gap along the axis (m)", static_cast<double>(s.gap) / length(axis));
    }
    static Vec3d point_w(const PairBody& body, std::uint32_t vertex) {
        return transform_point(to_double(body.world_from_body), body.shape->hull()->vertex(vertex));
    }

    const PairQuery& query_;
    Search search_;
    Trace* trace_;
    Walk walk_;
};

/// Answers and remembers without the ladder.
void accept(const Walk& walk, Memory& memory, PairResult& result) {
    LadderMemory& m = memory.ladder;
    Certificate& c = result.certificate;
    result.rung = 2;
    result.counters[kQuickProofs] = 1;
    if (walk.end == End::colliding) {
        result.verdict = Verdict::colliding;
        c.kind = CertificateKind::surrounded_origin;
        c.pair_count = 4;
        for (int i = 0; i < 4; ++i) {
            c.pairs[i][0] = m.pairs[i].a;
            c.pairs[i][1] = m.pairs[i].b;
        }
        return;
    }
    result.verdict = m.last = Verdict::separated;
    c.kind = m.kind = CertificateKind::separating_axis;
    c.axis_w = m.axis_w = cast<double>(walk.direction);
    c.support_a = m.support_a = walk.a;
    c.support_b = m.support_b = walk.b;
    m.decided = false;
    memory.axis = walk.direction;
    if (walk.simplex.count == 0) return;
    m.pair_count = static_cast<std::uint8_t>(walk.simplex.count);
    for (int i = 0; i < walk.simplex.count; ++i)
        m.pairs[i] = {walk.simplex.point[i].a, walk.simplex.point[i].b};
}

SolidClaim claim_of(const Walk& walk, const PairQuery& q) {
    SolidClaim out;
    if (walk.end == End::separated || walk.end == End::apart) out.verdict = Verdict::separated;
    if (walk.end == End::surrounded) out.verdict = Verdict::colliding;
    const auto limit = static_cast<std::uint32_t>(q.parameters.integer(kIterationLimit));
    out.limited = walk.end == End::unknown && walk.searches >= limit;
    out.axis_w = cast<double>(walk.direction);
    out.support_a = walk.a;
    out.support_b = walk.b;
    for (int i = 0; i < walk.simplex.count; ++i)
        out.add_hint({walk.simplex.point[i].a, walk.simplex.point[i].b});
    return out;
}

/// Whether nothing but the verdict is asked for.
bool verdict_only(const PairQuery& q) {
    return q.exactness == Exactness::exact && (q.wants & (kWantDistance | kWantDepth)) == 0 &&
           !(q.margin > 0);
}

template <class Search>
void answer(const PairQuery& q, Search search, Memory& memory, PairResult& result, Trace* trace) {
    SolidLadder ladder(q, memory.ladder, result, trace);
    if (!ladder.recall()) {
        const Walk walk = Kernel<Search>(q, search, trace).run(memory, q.parameters.on(kWarmStart));
        result.iterations = result.counters[kSearches] = walk.searches;
        if ((walk.end == End::apart || walk.end == End::colliding) && verdict_only(q))
            return accept(walk, memory, result);
        ladder.finish(walk.end == End::colliding ? SolidClaim::surrounded(memory.ladder.pairs)
                                                 : claim_of(walk, q));
        memory.axis = memory.ladder.axis();
        if (!scale_to_one(memory.axis)) memory.axis = {1, 0, 0};
    }
    const LadderCounts& higher = ladder.counts();
    result.iterations += higher.walk_iterations;
    const auto expansions = static_cast<std::uint32_t>(q.parameters.integer(kExpansionLimit));
    const MeasureCounts measured = measure_solids(q, memory.ladder, expansions, result, trace);
    result.counters[kSearches] += higher.walk_supports + measured.walk_supports;
    result.counters[kDoubleIterations] = higher.walk_iterations + measured.walk_iterations;
    result.counters[kExactIterations] = higher.exact_iterations;
    result.counters[kFromCache] = higher.from_memory ? 1 : 0;
    result.counters[kExpansions] = measured.expansions;
}

void query_best(const PairQuery& q, PairCache& cache, PairResult& result, Trace* trace) {
    auto& memory = cache.as<Memory>(&describe_best(), q.a.geometry->content, q.b.geometry->content);
    const auto* a = static_cast<const PreparedBest*>(q.a.prepared);
    const auto* b = static_cast<const PreparedBest*>(q.b.prepared);
    if (a != nullptr && b != nullptr && q.parameters.on(kTable))
        answer(q, QuickProof(*a->table, q.a.world_from_body, *b->table, q.b.world_from_body), memory, result,
               trace);
    else
        answer(q, ClimbingSearch(q), memory, result, trace);
}

constexpr Parameter kParameters[] = {
    {"iteration_limit", "Iteration limit", ParameterKind::integer, 32, 1, 1000, "",
     "ours: coherent queries need 1 or 2",
     "A walk that reaches the limit decides nothing; the exact rung of the ladder does."},
    {"warm_start", "Warm start", ParameterKind::toggle, 1, 0, 1, "", "ours: coherence",
     "Start from the axis and the vertex pairs of the last query of the same pair."},
    {"table", "Support table", ParameterKind::toggle, 1, 0, 1, "", "ours",
     "Look the furthest vertices up by direction; when off, climb or scan, and leave all proofs to the "
     "ladder."},
    {"expansion_limit", "Depth expansions", ParameterKind::integer, 2000, 1, 2000, "",
     "ours: the hardest of the ground truth needs 65",
     "Where the search for the depth ends at the latest; the depth is then enough, but perhaps not the "
     "least."},
};
constexpr const char* kCounters[] = {"support searches", "proven in float",     "double iterations",
                                     "exact iterations", "remembered decision", "depth expansions"};

}  // namespace

const PairAlgorithm& describe_best() {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm a{};
        a.id = "best";
        a.title = "Best";
        a.source = "ours: GJK with support tables and proofs in float";
        a.summary = "Proves the last answer again, else walks with table look-ups; the default.";
        a.needs = Needs::convex;
        a.gives = kWantDistance | kWantDepth | kWantAxis;
        a.meaning = Meaning::solid;
        a.parameters = kParameters;
        a.counters = kCounters;
        a.prepare = prepare_best;
        a.query = query_best;
        return a;
    }();
    return algorithm;
}

}  // namespace claybox::collision
