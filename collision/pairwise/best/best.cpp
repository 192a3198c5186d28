// Ours: the default for convex pairs.
//
// Idea: usually the last answer, or one good guess, still answers the query. These tests come first and are
// cheap:
//   - the four vertex pairs that surrounded the origin;
//   - the axis that separated the bodies;
//   - the axis that separates two ellipsoids of the bodies' extents. It is as good as the remembered axis
//   when that axis is losing its gap, and usually sufficient for a new pair.
// All are proved immediately in float, by bounds that hold for any matrices (quick_proof.hpp). Direction
// tables bound the bodies' extents and find their supports in time independent of the number of vertices
// (support_table.hpp). If no proof succeeds, the GJK walk continues from the remembered pairs, and each of
// its directions may be proved as well. A result that float cannot prove goes to the shared exactness ladder.
//
// Preconditions: both shapes convex, of any dimension; any finite matrices, singular ones included.
// Exactness: every verdict is proved in float or decided by the ladder. Queries with distance, depth or a
// margin are proved in double first, because the measurement continues from there. With Exactness::fast the
// signs computed in float are the answer, and the same shortcuts are tried first.
// Complexity: O(1) per step if `prepare` built tables (O(n) memory, about 60 bytes per vertex); otherwise
// hill climbing. Cache: the axis or the pairs, and the ladder's decision while nothing moves.

#include "collision/pairwise/best/float_simplex.hpp"
#include "collision/pairwise/best/quick_proof.hpp"
#include "collision/pairwise/registry.hpp"
#include "collision/pairwise/solid/solid_measure.hpp"
#include "collision/pairwise/support/support.hpp"

#include <limits>
#include <span>

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

constexpr char kOwner = 0;
/// Almost every walk needs fewer searches.
constexpr std::uint32_t kQuickSearches = 12;

/// The part of the last answer to prove first.
enum class Hot : std::uint8_t {
    nothing,  ///< new pair
    axis,     ///< the axis that separated
    pairs,    ///< the four pairs that surrounded the origin
    ladder,   ///< the ladder's memory
};

/// Members that a query reads first come first.
struct Memory {
    float x = 1, y = 0, z = 0;  ///< the axis of the last separation, largest component from 1/2 to 1
    Hot hot = Hot::nothing;
    float gap = 0;   ///< the gap proved along that axis
    float drop = 0;  ///< decaying maximum of the gap's decrease per query
    LadderMemory ladder;

    Float4 axis() const { return Float4{x, y, z, 0}; }
    void set_axis(Float4 a) {
        x = a[0];
        y = a[1];
        z = a[2];
    }
};

struct PreparedBest : Prepared {
    SupportTable table;
    std::size_t memory_bytes() const override { return sizeof *this + table.memory_bytes(); }
};

std::shared_ptr<const Prepared> prepare_best(const Shape& shape, const Geometry&) {
    if (shape.hull() == nullptr) return nullptr;
    auto out = std::make_shared<PreparedBest>();
    if (!out->table.make(*shape.hull())) return nullptr;
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

    static constexpr bool kBounds = false;
    using Step = QuickProof::Step;
    Step search(Float4 n4) {
        const Vec3f n{n4[0], n4[1], n4[2]};
        Step s{climb(a_, transpose_vector(world_from_a_, n), start_a_),
               climb(b_, transpose_vector(world_from_b_, -n), start_b_), 0};
        s.gap = dot(n, apart_) - s.a.height - s.b.height;
        return s;
    }
    Float4 guess() const { return Float4{}; }
    Float4 vertex_a(std::uint32_t v) const { return Float4{a_.x[v], a_.y[v], a_.z[v], 0}; }
    Float4 vertex_b(std::uint32_t v) const { return Float4{b_.x[v], b_.y[v], b_.z[v], 0}; }
    Float4 position_a(const Step& s) const { return vertex_a(s.a.vertex); }
    Float4 position_b(const Step& s) const { return vertex_b(s.b.vertex); }
    bool proves_separation(const Step&) const { return false; }
    bool proves_collision(const Points4&) const { return false; }

  private:
    static SupportTable::Found climb(const ConvexHull& hull, const Vec3f& d, std::uint32_t& start) {
        start = support_vertex(hull, d, start, SupportMethod::automatic);
        return {dot(d, hull.vertex(start)), 0, start, nullptr};
    }

    const ConvexHull &a_, &b_;
    const Matrix34f &world_from_a_, &world_from_b_;
    Vec3f apart_;
    std::uint32_t start_a_ = 0, start_b_ = 0;
};

/// Scales the largest component to 1/2..1 by a power of two, so no digit changes. False if there is no
/// direction.
bool scale_down(Float4& d) {
    const Float4 largest = largest4(abs4(d));
    d = d * scale_below_one4(largest);
    return largest[0] > 0x1p-100f && largest[0] < 0x1p100f;
}

Vec3d axis_of(Float4 d) {
    return {d[0], d[1], d[2]};
}

bool is_fast(const PairQuery& q) {
    return q.exactness == Exactness::fast;
}

enum class End : unsigned char {
    unknown,     ///< rounding or the limit ended the walk
    separated,   ///< `direction` separates, as computed
    surrounded,  ///< the simplex surrounds the origin, as computed
};

struct Walk {
    FloatSimplex simplex;
    Float4 direction{};          ///< from A to B; the last lane is 0
    std::uint32_t a = 0, b = 0;  ///< supports along the direction
    std::uint32_t searches = 0;
    End end = End::unknown;
    bool proven = false;
};

Vec3d point_w(const PairBody& body, std::uint32_t vertex) {
    return transform_point(to_double(body.world_from_body), body.shape->hull()->vertex(vertex));
}

void trace_pairs(const PairQuery& q, std::span<const VertexPair> pairs, Trace& trace) {
    for (const VertexPair& p : pairs) trace.segment(point_w(q.a, p.a), point_w(q.b, p.b), "simplex");
    Vec3d corner[4];
    for (std::size_t i = 0; i < pairs.size(); ++i)
        corner[i] = point_w(q.a, pairs[i].a) - point_w(q.b, pairs[i].b);
    trace.space(TraceSpace::difference);
    trace_simplex_of(trace, {corner, pairs.size()}, "simplex");
    trace.space(TraceSpace::world);
}

/// Traces the result of a support search.
void trace_step(const PairQuery& q, Float4 direction, const VertexPair& supports, float gap, Trace& trace) {
    const Vec3d axis = axis_of(direction), support_w = point_w(q.a, supports.a);
    trace.point(support_w, "support of A");
    trace.point(point_w(q.b, supports.b), "support of B");
    trace.plane(axis, dot(axis, support_w), support_w, "supporting plane");
    trace.value("gap along the axis (m)", static_cast<double>(gap) / length(axis));
    const Vec3d w = support_w - point_w(q.b, supports.b);
    trace.space(TraceSpace::difference);
    trace.plane(axis, dot(axis, w), w, "supporting plane");
    trace.segment({}, (0.5 * length(w) / length(axis)) * axis, "search direction");
    trace.point(w, "support");
    trace.space(TraceSpace::world);
}

/// The first direction without a memory. Its largest component is from 1/2 to 1.
template <class Search>
Float4 first_direction(const PairQuery& q, const Search& search) {
    Float4 out = search.guess();
    if (scale_down(out)) [[likely]]
        return out;
    const auto centre = [](const PairBody& body) {
        const Vec3f& c = body.shape->hull()->interior;
        return Float4{c.x, c.y, c.z, 0};
    };
    const WorldDifference difference(q.a.world_from_body, q.b.world_from_body);
    out = -difference(centre(q.a), centre(q.b));
    return scale_down(out) ? out : Float4{1, 0, 0, 0};
}

/// The walk of one query, with either kind of search.
template <class Search>
class Kernel {
  public:
    /// `trace_offset`: iterations already traced for this query.
    Kernel(const PairQuery& query, Search& search, Trace* trace, std::uint32_t trace_offset = 0)
        : query_(query),
          search_(search),
          trace_(trace),
          trace_offset_(trace_offset),
          difference_(query.a.world_from_body, query.b.world_from_body),
          fast_(is_fast(query)) {}

    /// Starts from `memory`, or from a guess if it is null.
    const Walk& run(const Memory* memory) {
        if (memory != nullptr && memory->ladder.last == Verdict::colliding) resume(memory->ladder);
        if (walk_.simplex.count() == 0) {
            const bool axis = memory != nullptr && memory->ladder.last == Verdict::separated;
            walk_.direction = axis ? memory->axis() : first_direction(query_, search_);
            if (step() && axis) resume(memory->ladder);
        }
        walk_on();
        return walk_;
    }
    /// Starts with an axis, then the remembered pairs; `memory` may be null.
    const Walk& run_along(Float4 axis, const LadderMemory* memory) {
        walk_.direction = axis;
        if (step() && memory != nullptr) resume(*memory);
        walk_on();
        return walk_;
    }
    /// Starts with four pairs and their differences.
    const Walk& run_from(const Points4& differences, const VertexPair (&pairs)[4]) {
        walk_.simplex.set(differences, pairs);
        walk_on();
        return walk_;
    }

  private:
    /// Searches along the direction. The result replaces `corner` or, for -1, becomes a new corner. False if
    /// that ends the walk.
    bool step(int corner = -1) {
        ++walk_.searches;
        trace_simplex();
        if (try_bound(corner)) return walk_.end == End::unknown;
        return add_support(search_.search(walk_.direction), corner);
    }

    /// With tables: the bound may prove a separation. If not, its vertices are good enough to continue the
    /// walk until they bring no progress. True if no support search is needed.
    bool try_bound(int corner) {
        if constexpr (Search::kBounds) {
            if (search_.scans()) return false;
            const auto bound = search_.bound(walk_.direction);
            const VertexPair pair{bound.a->vertex(), bound.b->vertex()};
            trace_step(pair, bound.gap);
            if (bound.proven || (fast_ && bound.gap > 0)) {
                walk_.a = pair.a;
                walk_.b = pair.b;
                walk_.end = End::separated;
                walk_.proven = bound.proven;
                return true;
            }
            if (!fine_ && !walk_.simplex.contains(pair)) {
                add(load4(bound.a->at), load4(bound.b->at), pair, corner);
                return true;
            }
        }
        fine_ = true;
        return false;
    }

    void add(Float4 at_a, Float4 at_b, const VertexPair& pair, int corner) {
        const Float4 point = difference_(at_a, at_b);
        if (corner < 0)
            walk_.simplex.add(point, pair);
        else
            walk_.simplex.replace(corner, point, pair);
    }

    /// Adds the support point to the simplex. False if that ends the walk.
    bool add_support(const typename Search::Step& s, int corner) {
        walk_.a = s.a.vertex;
        walk_.b = s.b.vertex;
        trace_step({s.a.vertex, s.b.vertex}, s.gap);
        if (s.gap > 0) {
            walk_.end = End::separated;
            walk_.proven = search_.proves_separation(s);
            return false;
        }
        const VertexPair pair{s.a.vertex, s.b.vertex};
        if (walk_.simplex.contains(pair)) return false;  // rounding: the walk cycles
        add(search_.position_a(s), search_.position_b(s), pair, corner);
        return true;
    }

    void resume(const LadderMemory& m) {
        for (int i = 0; i < m.pair_count && walk_.simplex.count() < 4; ++i) {
            const VertexPair& p = m.pairs[i];
            if (!walk_.simplex.contains(p))
                walk_.simplex.add(difference_(search_.vertex_a(p.a), search_.vertex_b(p.b)), p);
        }
    }

    void walk_on() {
        if (walk_.end == End::separated) return;
        const auto limit = static_cast<std::uint32_t>(query_.parameters.integer(kIterationLimit));
        float last = std::numeric_limits<float>::infinity();
        while (true) {
            // The quick step does not check progress, so its use is limited.
            const bool quick = walk_.searches < kQuickSearches;
            fine_ |= !quick;
            FloatSimplex::Facing facing;
            if (quick && walk_.simplex.count() == 4) facing = walk_.simplex.facing();
            if (facing.surrounded) return surround();
            Float4 direction = facing.outward;
            if (facing.opposite < 0) [[unlikely]] {
                const FloatSimplex::Nearest nearest = walk_.simplex.reduce();
                if (walk_.simplex.count() == 4) return surround();
                if (!(nearest.norm < last)) {
                    if (fine_) return;  // the rest is rounding
                    fine_ = true;
                }
                last = nearest.norm;
                direction = -nearest.towards;
            }
            if (walk_.searches >= limit || !scale_down(direction)) return;
            walk_.direction = direction;
            if (!step(facing.opposite)) return;
        }
    }

    void surround() {
        walk_.end = End::surrounded;
        walk_.proven = search_.proves_collision(walk_.simplex.points());
    }

    void trace_simplex() const {
        if (trace_ == nullptr) return;
        trace_->begin_iteration(static_cast<int>(trace_offset_ + walk_.searches));
        trace_pairs(query_, {walk_.simplex.pairs(), static_cast<std::size_t>(walk_.simplex.count())},
                    *trace_);
    }
    void trace_step(const VertexPair& supports, float gap) const {
        if (trace_ != nullptr) collision::trace_step(query_, walk_.direction, supports, gap, *trace_);
    }

    const PairQuery& query_;
    Search& search_;
    Trace* trace_;
    std::uint32_t trace_offset_;
    WorldDifference difference_;
    Walk walk_;
    const bool fast_;    ///< a sign computed in float is an answer
    bool fine_ = false;  ///< true: search for exact supports; false: use the vertices of the bounds
};

/// The rung of an answer without the ladder: fast queries promise no proof.
std::uint8_t rung_of(const PairQuery& q) {
    return is_fast(q) ? 1 : 2;
}

/// Answers with an axis that is proved, or good enough for a fast query.
void accept_axis(const PairQuery& q, Float4 axis, std::uint32_t a, std::uint32_t b, bool proven,
                 PairResult& result) {
    Certificate& c = result.certificate;
    result.rung = rung_of(q);
    result.counters[kQuickProofs] = proven ? 1 : 0;
    result.verdict = Verdict::separated;
    c.kind = CertificateKind::separating_axis;
    c.axis_w = axis_of(axis);
    c.support_a = a;
    c.support_b = b;
}

/// The same for four pairs.
void accept_pairs(const PairQuery& q, const VertexPair (&pairs)[4], bool proven, PairResult& result) {
    Certificate& c = result.certificate;
    result.rung = rung_of(q);
    result.counters[kQuickProofs] = proven ? 1 : 0;
    result.verdict = Verdict::colliding;
    c.kind = CertificateKind::surrounded_origin;
    c.pair_count = 4;
    for (int i = 0; i < 4; ++i) {
        c.pairs[i][0] = pairs[i].a;
        c.pairs[i][1] = pairs[i].b;
    }
}

/// Answers with the end of a walk and stores it in the memory.
void accept(const PairQuery& q, const Walk& walk, Memory& memory, PairResult& result) {
    LadderMemory& m = memory.ladder;
    const bool apart = walk.end == End::separated;
    if (apart)
        accept_axis(q, walk.direction, walk.a, walk.b, walk.proven, result);
    else
        accept_pairs(q, walk.simplex.pairs(), walk.proven, result);
    memory.hot = apart ? Hot::axis : Hot::pairs;
    m.decided = false;
    m.last = result.verdict;
    m.kind = result.certificate.kind;
    if (walk.simplex.count() > 0) {
        m.pair_count = static_cast<std::uint8_t>(walk.simplex.count());
        for (int i = 0; i < 4; ++i) m.pairs[i] = walk.simplex.pairs()[i];
    }
    if (!apart) return;
    memory.set_axis(walk.direction);
    memory.gap = 0;  // no estimate: a walk ends with the first axis that separates
    m.axis_w = result.certificate.axis_w;
    m.support_a = walk.a;
    m.support_b = walk.b;
}

SolidClaim claim_of(const Walk& walk, const PairQuery& q) {
    SolidClaim out;
    if (walk.end == End::separated) out.verdict = Verdict::separated;
    if (walk.end == End::surrounded) out.verdict = Verdict::colliding;
    const auto limit = static_cast<std::uint32_t>(q.parameters.integer(kIterationLimit));
    out.limited = walk.end == End::unknown && walk.searches >= limit;
    out.axis_w = axis_of(walk.direction);
    out.support_a = walk.a;
    out.support_b = walk.b;
    for (int i = 0; i < walk.simplex.count(); ++i) out.add_hint(walk.simplex.pairs()[i]);
    return out;
}

/// Whether the query requests no measurement, so that a verdict ends it.
bool verdict_only(const PairQuery& q) {
    return (q.wants & (kWantDistance | kWantDepth)) == 0 && !(q.margin > 0);
}

/// Whether the end of the walk is an answer without the ladder.
bool is_answer(const Walk& walk, const PairQuery& q) {
    return walk.proven || (is_fast(q) && walk.end != End::unknown);
}

/// Adds the ladder's counts and everything requested in addition to the verdict.
void finish(const PairQuery& q, SolidLadder& ladder, Memory& memory, PairResult& result, Trace* trace) {
    const LadderCounts& higher = ladder.counts();
    result.iterations += higher.walk_iterations;
    const auto expansions = static_cast<std::uint32_t>(q.parameters.integer(kExpansionLimit));
    const MeasureCounts measured = measure_solids(q, memory.ladder, expansions, result, trace);
    result.counters[kSearches] += higher.walk_supports + measured.walk_supports;
    write_counters(higher, {kDoubleIterations, kExactIterations, kFromCache}, result);
    result.counters[kDoubleIterations] += measured.walk_iterations;
    result.counters[kExpansions] = measured.expansions;
}

/// Chooses what to prove first in the next query from the ladder's memory.
void set_hot(Memory& memory) {
    const LadderMemory& m = memory.ladder;
    const Vec3f found = m.axis();
    Float4 axis{found.x, found.y, found.z, 0};
    if (m.last == Verdict::separated) {
        memory.set_axis(scale_down(axis) ? axis : Float4{1, 0, 0, 0});
        memory.gap = 0;
    }
    memory.hot = m.decided                                           ? Hot::ladder
                 : m.last == Verdict::separated                      ? Hot::axis
                 : m.last == Verdict::colliding && m.pair_count == 4 ? Hot::pairs
                                                                     : Hot::ladder;
}

void finish_walk(const PairQuery& q, const Walk& walk, Memory& memory, PairResult& result, Trace* trace) {
    result.iterations += walk.searches;
    result.counters[kSearches] = result.iterations;
    if (verdict_only(q) && is_answer(walk, q)) return accept(q, walk, memory, result);
    SolidLadder ladder(q, memory.ladder, result, trace);
    ladder.finish(claim_of(walk, q));
    set_hot(memory);
    finish(q, ladder, memory, result, trace);
}

/// The general path: cold pairs, distances, depths, margins.
template <class Search>
void walk_and_finish(const PairQuery& q, Search& search, Memory& memory, PairResult& result, Trace* trace) {
    SolidLadder ladder(q, memory.ladder, result, trace);
    if (ladder.recall()) return finish(q, ladder, memory, result, trace);
    const bool warm =
        q.parameters.on(kWarmStart) && memory.ladder.usable(*q.a.shape->hull(), *q.b.shape->hull());
    Kernel<Search> kernel(q, search, trace);
    finish_walk(q, kernel.run(warm ? &memory : nullptr), memory, result, trace);
}

/// The hot path: tries to prove the remembered answer or a guess.
class Shortcut {
  public:
    Shortcut(const PairQuery& q, QuickProof& search, Memory& memory, PairResult& result, Trace* trace)
        : query_(q), search_(search), memory_(memory), result_(result), trace_(trace) {}

    void run() {
        if (memory_.hot == Hot::pairs) return prove_pairs();
        const bool known = memory_.hot == Hot::axis;
        if (known && memory_.gap > memory_.drop && along(memory_.axis())) return;
        const Float4 guess = first_direction(query_, search_);
        if (along(guess)) return;
        Kernel<QuickProof> kernel(query_, search_, trace_, result_.iterations);
        const Walk& walk =
            known ? kernel.run_along(memory_.axis(), usable()) : kernel.run_along(guess, nullptr);
        finish_walk(query_, walk, memory_, result_, trace_);
    }

  private:
    const LadderMemory* usable() const {
        const LadderMemory& m = memory_.ladder;
        return m.usable(search_.hull_a(), search_.hull_b()) ? &m : nullptr;
    }

    bool along(Float4 axis) {
        ++result_.iterations;
        const QuickProof::Bound bound = search_.bound(axis);
        if (trace_ != nullptr) {
            trace_->begin_iteration(static_cast<int>(result_.iterations));
            trace_step(query_, axis, {bound.a->vertex(), bound.b->vertex()}, bound.gap, *trace_);
        }
        if (!bound.proven && !(is_fast(query_) && bound.gap > 0)) return false;
        result_.counters[kSearches] = result_.iterations;
        memory_.drop = std::max(memory_.gap - bound.gap, 0.5f * memory_.drop);
        memory_.gap = bound.gap;
        memory_.set_axis(axis);
        memory_.hot = Hot::axis;
        memory_.ladder.last = Verdict::separated;
        memory_.ladder.kind = CertificateKind::separating_axis;
        accept_axis(query_, axis, bound.a->vertex(), bound.b->vertex(), bound.proven, result_);
        return true;
    }

    void prove_pairs() {
        const LadderMemory* const m = usable();
        if (m == nullptr) return walk_and_finish(query_, search_, memory_, result_, trace_);
        if (trace_ != nullptr) {
            trace_->begin_iteration(0);
            trace_pairs(query_, m->pairs, *trace_);
        }
        const Points4 differences = search_.differences(m->pairs);
        if (search_.proves_collision(differences)) return accept_pairs(query_, m->pairs, true, result_);
        if (along(memory_.axis())) return;  // after a bounce the bodies return to where they were
        Kernel<QuickProof> kernel(query_, search_, trace_, result_.iterations);
        finish_walk(query_, kernel.run_from(differences, m->pairs), memory_, result_, trace_);
    }

    const PairQuery& query_;
    QuickProof& search_;
    Memory& memory_;
    PairResult& result_;
    Trace* trace_;
};

void query_tables(const PairQuery& q, QuickProof& search, Memory& memory, PairResult& result, Trace* trace) {
    if (verdict_only(q) && q.parameters.on(kWarmStart) && memory.hot != Hot::ladder) [[likely]]
        return Shortcut(q, search, memory, result, trace).run();
    walk_and_finish(q, search, memory, result, trace);
}

void query_best(const PairQuery& q, PairCache& cache, PairResult& result, Trace* trace) {
    // The tag is a constant of this file, because naming the descriptor costs more.
    auto& memory = cache.as<Memory>(&kOwner, q.a.geometry->content, q.b.geometry->content);
    const auto* a = static_cast<const PreparedBest*>(q.a.prepared);
    const auto* b = static_cast<const PreparedBest*>(q.b.prepared);
    if (a != nullptr && b != nullptr && q.parameters.on(kTable)) [[likely]] {
        QuickProof search(a->table, q.a.world_from_body, b->table, q.b.world_from_body);
        query_tables(q, search, memory, result, trace);
    } else {
        ClimbingSearch search(q);
        walk_and_finish(q, search, memory, result, trace);
    }
}

constexpr Parameter kParameters[] = {
    {"iteration_limit", "Iteration limit", ParameterKind::integer, 32, 1, 1000, "",
     "ours: coherent queries need 1 or 2",
     "A search that reaches the limit decides nothing; exact arithmetic then decides."},
    {"warm_start", "Warm start", ParameterKind::toggle, 1, 0, 1, "", "ours: coherence",
     "Start from the axis and the vertex pairs of the pair's last query."},
    {"table", "Support table", ParameterKind::toggle, 1, 0, 1, "", "ours: faster",
     "Look up the furthest vertices by direction. If off, climb or scan, and leave all proofs to "
     "double and exact arithmetic."},
    kDepthExpansions,
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
        a.summary = "The default. Proves the last answer again; if that fails, runs GJK with support tables.";
        a.needs = Needs::convex;
        a.gives = kWantDistance | kWantDepth | kWantAxis;
        a.meaning = Meaning::solid;
        a.parameters = kParameters;
        a.counters = kCounters;
        a.prepare = prepare_best;
        a.prepares_for_many = true;
        a.query = query_best;
        return a;
    }();
    return algorithm;
}

}  // namespace claybox::collision
