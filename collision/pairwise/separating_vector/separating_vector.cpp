// The separating vector algorithm.
//
// Source: Chung and Wang, Quick collision detection of polytopes in virtual environments, 1996; with FIX-1
// (the pseudo-code's braces, Lemmas 3 and 4, the first w) and FIX-4 (the sign, as Chong prints it).
//
// Idea: for a vector S find the vertex p of A furthest along it and the vertex q of B furthest against it. If
// S.(q - p) >= 0, S separates. Otherwise reflect S in the plane perpendicular to q - p, which brings it
// nearer to every separating vector. Also keep a vector w with all q - p so far on its side: if none exists,
// the bodies collide; if a pair comes back, continue from w. The kernel is separating_vector.hpp.
//
// Preconditions: both shapes convex, of any dimension; any finite matrices, singular ones included.
// Exactness: the ladder proves S and its supports, or the four pairs that surround the origin, in double; if
// that fails, it searches in double; if that fails, it decides in integers. The kernel alone treats touching
// as separated; the ladder does not.
// Complexity: O((search + k) k) for k steps; k is 1 while bodies move little. Cache: S, p and q of the last
// separation; ours: the four pairs of the last collision; stamps of visited pairs, at most 4 KiB per pair of
// bodies. If the pairs exceed the scratch memory, the search ends undecided and the ladder decides.

#include "collision/pairwise/separating_vector/separating_vector.hpp"

#include "collision/core/trig.hpp"
#include "collision/pairwise/dobkin_kirkpatrick/dk_hierarchy.hpp"
#include "collision/pairwise/registry.hpp"
#include "collision/pairwise/separating_vector/direction_table.hpp"
#include "collision/pairwise/separating_vector/visited_pairs.hpp"
#include "collision/pairwise/solid/solid_ladder.hpp"
#include "collision/pairwise/support/difference.hpp"
#include "collision/pairwise/support/hill_climb.hpp"
#include "collision/pairwise/support/quick_climb.hpp"
#include "collision/pairwise/support/support.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace claybox::collision {

const PairAlgorithm& describe_separating_vector();

namespace {

enum ParameterIndex : std::size_t { kTable, kSupport, kWarmStart, kRecallCollision };
enum CounterIndex : std::size_t {
    kSteps,
    kReoccurrences,
    kLemmaExits,
    kVisited,
    kTransformed,
    kWalkIterations,
    kExactIterations,
    kRemembered
};

using Visited = VisitedPairs<std::uint16_t>;

/// Capacity of the scratch for visited pairs, 20 bytes each. The hardest of 10^6 random pairs visited far
/// fewer (docs/measurements/convex.md).
constexpr std::size_t kMaxRays = 2048;

/// Building the hierarchy of 2000 vertices takes about 25 ms. Much larger hulls do without it, because only
/// one parameter choice uses it.
constexpr std::uint32_t kMaxHierarchyVertices = 4096;

struct TableSize {
    std::uint32_t rows, columns;
};
constexpr TableSize kTableSizes[] = {{4, 8}, {8, 16}, {16, 32}};

/// Data for every parameter value, because parameters change while queries run: tables of all sizes, together
/// 2.6 KiB; for hulls too large to scan the hierarchy of section 5 and our quick climb.
struct PreparedVector final : Prepared {
    explicit PreparedVector(const ConvexHull& hull) {
        for (const TableSize& size : kTableSizes) table.emplace_back(hull, size.rows, size.columns);
        if (hull.vertex_count > kScanLimit && hull.vertex_count <= kMaxHierarchyVertices)
            hierarchy.emplace(hull);
        if (QuickClimb::suits(hull)) quick.emplace(hull);
    }
    std::size_t memory_bytes() const override {
        std::size_t sum = sizeof *this + table.capacity() * sizeof(DirectionTable);
        for (const DirectionTable& t : table) sum += t.memory_bytes();
        return sum + (hierarchy ? hierarchy->memory_bytes() : 0) + (quick ? quick->memory_bytes() : 0);
    }
    std::vector<DirectionTable> table;
    std::optional<DkHierarchy> hierarchy;
    std::optional<QuickClimb> quick;
};

std::shared_ptr<const Prepared> prepare_vector(const Shape& shape, const Geometry&) {
    if (shape.hull() == nullptr) return nullptr;  // outside the domain
    return std::make_shared<const PreparedVector>(*shape.hull());
}

std::size_t visited_bytes(const Shape& a, const Shape& b) {
    if (a.hull() == nullptr || b.hull() == nullptr) return 0;
    return sizeof(Visited::Slot) * Visited::slots_for(a.hull()->vertex_count, b.hull()->vertex_count);
}

/// The memory of a pair.
struct Memory {
    LadderMemory ladder;
    Vec3f s;  ///< of length 1: the last separation, kept during a collision; zero before the first separation
    std::uint16_t stamp;  ///< of the visited pairs
};

/// One body of the support searches.
struct Side {
    const ConvexHull& hull;
    const DirectionTable* table;   ///< null: none
    const DkHierarchy* hierarchy;  ///< null: none
    const QuickClimb* quick;       ///< null: none
};

enum class Search : unsigned char { automatic, scan, climb, hierarchy, quick_climb };

/// Finds supports in the bodies' own frames: only directions and found vertices are transformed.
struct Supports {
    Difference<float> frames;
    Side a, b;
    Search search;
    bool use_table;  ///< start from the table: the current vertex is not from a similar direction
    std::uint32_t visited = 0, transformed = 0;

    std::uint32_t find(const Side& side, const Vec3f& d, std::uint32_t start) {
        const ConvexHull& hull = side.hull;
        const bool few = hull.vertex_count <= kScanLimit;
        const auto count = [&](std::uint32_t evaluated) { visited += evaluated; };
        if (side.quick != nullptr && (search == Search::automatic || search == Search::quick_climb))
            return side.quick->furthest(d, count);
        if (search == Search::scan || (search == Search::automatic && few)) {
            visited += hull.vertex_count;
            return support_vertex(hull, d, start, SupportMethod::scan);
        }
        if (search == Search::hierarchy && side.hierarchy != nullptr) {
            const DkHierarchy::Found found = side.hierarchy->descend(d);
            visited += found.visited;
            // then climb, because the descent may end early by rounding
            start = side.hierarchy->vertex(found.rank);
        } else if (use_table && side.table != nullptr) {
            const std::uint32_t from_table = side.table->vertex(d);
            if (value_along(hull, d, from_table) > value_along(hull, d, start)) start = from_table;
        }
        return hill_climb(hull, d, start, count);
    }
    Vec3f operator()(const Vec3f& s, VertexPair& pair) {
        pair.a = find(a, transpose_vector(frames.about_a_from_a, s), pair.a);
        pair.b = find(b, transpose_vector(frames.about_a_from_b, -s), pair.b);
        use_table = true;
        return m(pair);
    }
    /// q - p.
    Vec3f m(const VertexPair& pair) {
        transformed += 2;
        return frames.point_b(pair.b) - frames.point_a(pair.a);
    }
};

/// Traces every iteration: S with its supports, the difference A - B, and the rays on the sphere of
/// directions.
struct StepTrace {
    Trace* trace;
    Vec3d origin_w;
    const Difference<float>& frames;
    std::span<const VisitedRay<float>> rays;

    void operator()(const VectorStep<float>& step) const {
        if (trace != nullptr) trace_step(step);
    }
    /// Traces that the pairs of the last collision still surround the origin.
    void trace_recall(std::size_t count) const {
        if (trace == nullptr) return;
        trace->begin_iteration(0);
        trace->space(TraceSpace::difference);
        for (const VisitedRay<float>& ray : rays.first(count))
            trace->segment({}, difference(ray.pair), "visited p - q");
        trace->space(TraceSpace::directions);
        for (const VisitedRay<float>& ray : rays.first(count)) trace->point(cast<double>(ray.r), "r");
        trace->space(TraceSpace::world);
    }
    void trace_step(const VectorStep<float>& step) const {
        const Vec3d s = cast<double>(step.s), p = cast<double>(frames.point_a(step.pair.a)) + origin_w;
        const Vec3d q = cast<double>(frames.point_b(step.pair.b)) + origin_w;
        trace->begin_iteration(static_cast<int>(step.number));
        trace->point(p, "p, support of A");
        trace->point(q, "q, support of B");
        trace->segment(p, q, "q - p");
        trace->plane(s, 0.5 * dot(s, p + q), 0.5 * (p + q), "candidate plane across S");
        trace->value("S.(q - p) (m)", static_cast<double>(step.gap));
        trace_difference(step, s);
        trace_directions(step, s);
    }
    Vec3d difference(const VertexPair& pair) const {
        return cast<double>(frames.point_a(pair.a)) - cast<double>(frames.point_b(pair.b));
    }
    void trace_difference(const VectorStep<float>& step, const Vec3d& s) const {
        trace->space(TraceSpace::difference);
        const Vec3d w = difference(step.pair);
        trace->plane(s, dot(s, w), w, "supporting plane");
        trace->segment({}, (0.5 * length(w)) * s, "S");
        for (const VisitedRay<float>& ray : rays.first(step.rays))
            trace->segment({}, difference(ray.pair), "visited p - q");
        trace->point(w, "p - q");
        trace->space(TraceSpace::world);
    }
    /// FindSeparatePlane on the sphere of directions: every r cuts off the half behind its great circle. The
    /// directions that remain are a spherical polygon. w is in it; without a polygon the bodies collide.
    void trace_directions(const VectorStep<float>& step, const Vec3d& s) const {
        trace->space(TraceSpace::directions);
        const std::span<const VisitedRay<float>> visited = rays.first(step.rays);
        std::size_t sides = 0;
        for (const VisitedRay<float>& ray : visited) sides += trace_side(visited, cast<double>(ray.r));
        for (const VisitedRay<float>& ray : visited) trace->point(cast<double>(ray.r), "r");
        if (step.move != VectorMove::surrounded && step.rays > 0) trace->point(cast<double>(step.w), "w");
        trace->point(s, "S");
        trace->value("sides of the spherical polygon", static_cast<double>(sides));
        trace->space(TraceSpace::world);
    }
    /// The side of the spherical polygon on the great circle of r. 0 if the other rays leave nothing of it.
    std::size_t trace_side(std::span<const VisitedRay<float>> visited, const Vec3d& r) const {
        const Vec3d u = unit(cross(r, std::abs(r.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}));
        const Vec3d v = cross(r, u);
        double low = -kPi, high = kPi, middle = 0;  // angles on the circle, relative to `middle`
        for (const VisitedRay<float>& other : visited) {
            const Vec3d t = cast<double>(other.r);
            const double x = dot(t, u), y = dot(t, v);
            if (!(x * x + y * y > 1e-12)) continue;  // r itself, or its opposite
            const double at = arc_tangent(y, x), half = 0.5 * kPi;
            if (high - low > 1.5 * kPi) {
                middle = at;
                low = -half;
                high = half;
                continue;
            }
            const double off = std::remainder(at - middle, 2 * kPi);
            low = std::max(low, off - half);
            high = std::min(high, off + half);
        }
        if (!(high > low)) return 0;
        const auto at = [&](double angle) {
            const SinCos turn = sin_cos(middle + angle);
            return turn.cos * u + turn.sin * v;
        };
        const int pieces = std::max(1, static_cast<int>((high - low) * 10));
        for (int i = 0; i < pieces; ++i)
            trace->segment(at(low + (high - low) * i / pieces), at(low + (high - low) * (i + 1) / pieces),
                           "spherical polygon");
        return 1;
    }
};

/// Sets up the search: from the last answer, otherwise from the centroids.
struct SearchStart {
    const PairQuery& query;
    Memory& memory;
    Supports& supports;
    Visited& visited;
    std::span<VisitedRay<float>> rays;

    VectorStart<float> start(bool& surrounded, RayRing& ring) {
        const LadderMemory& last = memory.ladder;
        VectorStart<float> out;
        out.s = Vec3f{1, 0, 0};
        supports.use_table = true;
        const bool warm = query.parameters.on(kWarmStart) && last.usable(supports.a.hull, supports.b.hull);
        if (warm) {
            out.pair = {last.support_a, last.support_b};
            const Vec3f s = memory.s;
            if (s != Vec3f{}) {
                supports.use_table = false;
                out.s = s;
            }
            const bool recall = last.last == Verdict::colliding && query.parameters.on(kRecallCollision);
            if (recall && last.pair_count > 1) surrounded = !recall_rays(out, ring);
            if (s != Vec3f{} || out.rays > 0) return out;
        }
        const Vec3f between = transform_point(supports.frames.about_a_from_b, supports.b.hull.interior) -
                              transform_point(supports.frames.about_a_from_a, supports.a.hull.interior);
        const Vec3f s = unit(between);
        if (s != Vec3f{}) out.s = s;  // otherwise the centroids coincide and any direction will do
        return out;
    }
    /// Starts with the pairs that surrounded the origin in the last query. False if they still do; otherwise
    /// `out` has a w to start with.
    bool recall_rays(VectorStart<float>& out, RayRing& ring) {
        visited.begin();
        for (int i = 0; i < memory.ladder.pair_count; ++i) {
            const VertexPair pair = memory.ladder.pairs[i];
            const Vec3f r = unit(supports.m(pair));
            // Another rung may have stored a pair twice.
            const bool again = visited.seen(pair, out.rays, [&](std::size_t v) { return rays[v].pair; });
            if (again || r == Vec3f{} || out.rays == rays.size()) continue;
            const std::span<const VisitedRay<float>> before = rays.first(out.rays);
            const bool one_side = keep_on_one_side<SolidSpace>(before, r, out.w, ring);
            visited.enter(pair, out.rays);
            rays[out.rays++] = {r, pair};
            if (!one_side) return false;
        }
        if (out.rays > 0 && memory.s == Vec3f{}) out.s = out.w;
        return true;
    }
};

/// The four rays that surround the origin: the ring and the newest ray.
SolidClaim claim_surrounded(std::span<const VisitedRay<float>> rays, const RayRing& ring) {
    const VertexPair pairs[4] = {rays[ring.ray[0]].pair, rays[ring.ray[1]].pair, rays[ring.ray[2]].pair,
                                 rays.back().pair};
    return SolidClaim::surrounded(pairs);
}

/// The search's answer, with hints for the case that it cannot be proved.
SolidClaim claim_of(const VectorAnswer<float>& answer, std::span<const VisitedRay<float>> rays,
                    Exactness exactness) {
    const VectorStep<float>& last = answer.last;
    SolidClaim out;
    if (last.move == VectorMove::surrounded) {
        out = claim_surrounded(rays, answer.ring);
    } else {
        // Closed bodies that touch collide, unlike in the paper's kernel.
        const bool touching = last.gap == 0 && exactness == Exactness::fast;
        if (last.move != VectorMove::rays_full)
            out.verdict = touching ? Verdict::colliding : Verdict::separated;
        out.axis_w = cast<double>(last.s);
        out.add_hint(last.pair);
        if (!rays.empty() && last.move == VectorMove::separates) out.add_hint(rays.back().pair);
    }
    out.support_a = last.pair.a;
    out.support_b = last.pair.b;
    return out;
}

Side side_of(const PairBody& body, int table) {
    Side out{*body.shape->hull(), nullptr, nullptr, nullptr};
    const auto* prepared = static_cast<const PreparedVector*>(body.prepared);
    if (prepared == nullptr) return out;
    if (table > 0) out.table = &prepared->table[static_cast<std::size_t>(table) - 1];
    if (prepared->hierarchy) out.hierarchy = &*prepared->hierarchy;
    if (prepared->quick) out.quick = &*prepared->quick;
    return out;
}

Visited visited_of(const PairQuery& q, PairCache& cache, Memory& memory) {
    const std::uint32_t a = q.a.shape->hull()->vertex_count, b = q.b.shape->hull()->vertex_count;
    const std::size_t slots = Visited::slots_for(a, b);
    const bool given = cache.pool().size() >= slots * sizeof(Visited::Slot);
    auto* first = reinterpret_cast<Visited::Slot*>(cache.pool().data());
    return Visited({first, given ? slots : 0}, memory.stamp, a, b);
}

/// Rung 1.
SolidClaim search(const PairQuery& q, PairCache& cache, Memory& memory, PairResult& result, Trace* trace) {
    const int table = q.parameters.integer(kTable);
    const Side a = side_of(q.a, table), b = side_of(q.b, table);
    Supports supports{make_difference<float>(a.hull, q.a.world_from_body, b.hull, q.b.world_from_body), a, b,
                      Search(q.parameters.integer(kSupport)), true};
    Visited visited = visited_of(q, cache, memory);
    const std::size_t mark = q.scratch->used();
    const auto rays = q.scratch->take_growing<VisitedRay<float>>(kMaxRays);
    bool surrounded = false;
    VectorAnswer<float> answer;
    const VectorStart<float> start =
        SearchStart{q, memory, supports, visited, rays}.start(surrounded, answer.ring);
    const StepTrace step_trace{trace, cast<double>(q.a.world_from_body.translation()), supports.frames, rays};
    SolidClaim claim;
    if (surrounded) {
        step_trace.trace_recall(start.rays);
        claim = claim_surrounded(rays.first(start.rays), answer.ring);
        claim.support_a = start.pair.a;
        claim.support_b = start.pair.b;
    } else {
        answer = search_separating_vector<SolidSpace>(start, rays, visited, supports, step_trace);
        claim = claim_of(answer, rays.first(answer.last.rays), q.exactness);
    }
    q.scratch->reset_to(mark);
    const VectorMove end = answer.last.move;
    result.iterations = answer.last.number;
    result.counters[kSteps] = answer.last.number;
    result.counters[kReoccurrences] = answer.reoccurrences;
    result.counters[kLemmaExits] = end == VectorMove::repeats || end == VectorMove::plane_holds ? 1 : 0;
    result.counters[kVisited] = supports.visited;
    result.counters[kTransformed] = supports.transformed;
    return claim;
}

void query_separating_vector(const PairQuery& q, PairCache& cache, PairResult& result, Trace* trace) {
    Memory& memory =
        cache.as<Memory>(&describe_separating_vector(), q.a.geometry->content, q.b.geometry->content);
    SolidLadder ladder(q, memory.ladder, result, trace);
    if (!ladder.recall()) {
        const SolidClaim claim = search(q, cache, memory, result, trace);
        ladder.finish(claim);
        if (result.verdict == Verdict::separated) {
            const Vec3d& axis = result.certificate.axis_w;
            memory.s = axis == claim.axis_w ? cast<float>(axis) : unit(memory.ladder.axis());
        }
    }
    result.iterations += ladder.counts().walk_iterations;
    write_counters(ladder.counts(), {kWalkIterations, kExactIterations, kRemembered}, result);
}

constexpr const char* kTableChoices[] = {"none", "4x8", "8x16", "16x32"};
constexpr const char* kSupportChoices[] = {"automatic", "scan", "climb", "hierarchy", "quick_climb"};
constexpr Parameter kParameters[] = {
    {"table", "Direction table", ParameterKind::choice, 2, 0, 3, "", "Chung and Wang, section 2.4: 8x16",
     "Where a climb starts after a change of direction: at the best vertex of the direction's cell, or at "
     "the last vertex.",
     false, kTableChoices},
    {"support", "Support search", ParameterKind::choice, 0, 0, 4, "",
     "Chung and Wang: climb (section 2.3) or hierarchy (section 5); ours: scan, quick climb",
     "Method of the support search: scan all vertices, climb from vertex to vertex, descend the "
     "Dobkin-Kirkpatrick hierarchy (hulls of 257 to 4096 vertices), climb from a fine table of directions "
     "(quick_climb: hulls of 192 vertices and more), or choose by hull size.",
     false, kSupportChoices},
    {"warm_start", "Warm start", ParameterKind::toggle, 1, 0, 1, "", "Chung and Wang, section 2.2",
     "Start from the vector and the vertices of the pair's last query."},
    {"recall_collision", "Recall collisions", ParameterKind::toggle, 1, 0, 1, "",
     "ours: the paper remembers separations only",
     "Start with the four vertex pairs that proved the last collision. While they still do, no search is "
     "needed."},
};
constexpr const char* kCounters[] = {"steps",
                                     "revisited pairs",
                                     "ends by Lemma 3 or 4",
                                     "vertices visited",
                                     "vertices transformed",
                                     "iterations of the search in double",
                                     "exact iterations",
                                     "remembered decision"};

}  // namespace

const PairAlgorithm& describe_separating_vector() {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm a{};
        a.id = "separating_vector";
        a.title = "Separating vector";
        a.source = "Chung and Wang, Quick collision detection of polytopes in virtual environments, 1996";
        a.summary = "Reflects a vector at the furthest vertices until it separates or no vector can.";
        a.needs = Needs::convex;
        a.gives = kWantAxis;
        a.meaning = Meaning::solid;
        a.parameters = kParameters;
        a.counters = kCounters;
        a.prepare = prepare_vector;
        a.cache_bytes = visited_bytes;
        a.query = query_separating_vector;
        return a;
    }();
    return algorithm;
}

}  // namespace claybox::collision
