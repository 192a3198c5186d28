// Fourier-Motzkin elimination.
//
// Source: Chong's notes on convexity-based methods, linear programming.
//
// Idea: the half-spaces of both bodies are a system of inequalities in x, y and z. A variable is eliminated
// by combining every half-space that bounds it from above with every half-space that bounds it from below.
// After two eliminations, bounds of the third variable remain; the bodies collide if the largest lower bound
// is at most the smallest upper bound. Substituting backwards, the middle of each remaining interval gives a
// common point. A contradiction, traced back to its half-spaces, gives a separating axis (Farkas).
//
// Preconditions: both shapes convex, of any dimension, with at most kMaxHalfSpaces each: m half-spaces become
// up to m^2/4 and then m^4/64. For demonstration, not for use.
// Exactness: by the ladder. If a matrix flattens a body, its half-spaces do not define it and the ladder
// decides.
// Complexity: O(m^4) time, O(m^2) memory. Caches nothing of its own.

#include "collision/pairwise/linear_programming/fourier_motzkin.hpp"

#include "collision/pairwise/linear_programming/half_space_claims.hpp"
#include "collision/pairwise/query_buffer.hpp"

#include <array>
#include <vector>

namespace claybox::collision {

const PairAlgorithm& describe_fourier_motzkin();

namespace {

enum CounterIndex : std::size_t {
    kHalfSpaces,
    kCombined,
    kLargest,
    kDoubleIterations,
    kExactIterations,
    kFromCache
};

enum ParameterIndex : std::size_t { kDropRedundant };

/// Limit for one body: a hull of 20 vertices. Two of them produce up to 1,300 and then 420,000 rows.
constexpr std::size_t kMaxHalfSpaces = 36;

bool fits(const Shape& a, const Shape& b) {
    return a.hull() != nullptr && b.hull() != nullptr && half_space_count(*a.hull()) <= kMaxHalfSpaces &&
           half_space_count(*b.hull()) <= kMaxHalfSpaces;
}

using Plot = std::vector<std::array<double, 2>>;

/// The part of a polygon where n0 x + n1 y <= d.
Plot cut(const Plot& polygon, double n0, double n1, double d) {
    Plot out;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const auto &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
        const double at_p = n0 * p[0] + n1 * p[1] - d, at_q = n0 * q[0] + n1 * q[1] - d;
        if (at_p <= 0) out.push_back(p);
        if ((at_p < 0 && at_q > 0) || (at_p > 0 && at_q < 0)) {
            const double t = at_p / (at_p - at_q);
            out.push_back({p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])});
        }
    }
    return out;
}

/// The system without its first unknown: its solutions are the shadow of the common part along that axis.
void trace_shadow(Trace& trace, const BodySystem& system, const Vec3d& origin_w,
                  std::span<const EliminatedRow<3>> rows, std::size_t k, const Coordinates<3>& x) {
    static constexpr const char* kRows[] = {"rows without x", "rows without y", "rows without z"};
    const std::size_t u = (k + 1) % 3, v = (k + 2) % 3;
    constexpr double kFar = 4;  // the bodies are inside the unit cube
    Plot shadow{{-kFar, -kFar}, {kFar, -kFar}, {kFar, kFar}, {-kFar, kFar}};
    for (const EliminatedRow<3>& row : rows)
        shadow = cut(shadow, row.half_space.n[u], row.half_space.n[v], row.half_space.d);
    trace.begin_iteration(2);
    trace.value(kRows[k], static_cast<double>(rows.size()));
    trace.value("corners of the shadow", static_cast<double>(shadow.size()));
    const auto at = [&](const std::array<double, 2>& p) {
        Coordinates<3> out = x;
        out[u] = p[0];
        out[v] = p[1];
        return system.point(out) + origin_w;
    };
    for (std::size_t i = 0; i < shadow.size(); ++i)
        trace.segment(at(shadow[i]), at(shadow[(i + 1) % shadow.size()]), "shadow of the common part");
}

void trace_elimination(Trace* trace, const PairQuery& q, const BodySystem& system,
                       const Elimination<3>& elimination, const EliminationAnswer<3>& answer,
                       const EliminationCounts& counts) {
    if (trace == nullptr) return;
    const Vec3d origin_w = cast<double>(q.a.world_from_body.translation());
    trace->begin_iteration(1);
    trace->value("half-spaces", static_cast<double>(system.rows().size()));
    for (std::size_t i = 0; i < system.rows().size(); ++i)
        if (system.rows().size() <= 40) trace_half_space(*trace, system, origin_w, i, answer.x);
    trace_shadow(*trace, system, origin_w, elimination.derived(), elimination.eliminated(), answer.x);
    trace->begin_iteration(3);
    trace->value("rows of the largest system", static_cast<double>(counts.largest));
    if (answer.feasible) return trace->point(system.point(answer.x) + origin_w, "common point");
    for (std::size_t i = 0; i < answer.conflict_count; ++i)
        trace_half_space(*trace, system, origin_w, answer.conflict[i].row, {});
}

SolidClaim eliminate(const PairQuery& q, PairResult& result, Trace* trace) {
    const SystemBody a = system_body(q.a), b = system_body(q.b);
    const std::size_t m = a.half_spaces.size() + b.half_spaces.size(), rows = Elimination<3>::row_capacity(m);
    constexpr std::size_t kAligned = 64;  // more than all alignments together
    QueryBuffer buffer(*q.scratch, m * sizeof(HalfSpace<3>) + rows * sizeof(Elimination<3>::Row) + kAligned);
    const Difference<double> difference = difference_of(q);
    const BodySystem system(a, b, difference, buffer.take<HalfSpace<3>>(m));
    EliminationCounts counts;
    Elimination<3> elimination(system.rows(), buffer.take<Elimination<3>::Row>(rows),
                               q.parameters.on(kDropRedundant), counts);
    const EliminationAnswer<3> answer = elimination.run();
    result.iterations = 1;
    result.counters[kHalfSpaces] = static_cast<std::uint32_t>(m);
    result.counters[kCombined] = static_cast<std::uint32_t>(counts.combined);
    result.counters[kLargest] = static_cast<std::uint32_t>(counts.largest);
    trace_elimination(trace, q, system, elimination, answer, counts);
    if (answer.feasible) return claim_common_point(system, answer.x);
    return claim_contradiction(system, {answer.conflict.data(), answer.conflict_count});
}

void query_fourier_motzkin(const PairQuery& q, PairCache& cache, PairResult& result, Trace* trace) {
    auto& memory =
        cache.as<LadderMemory>(&describe_fourier_motzkin(), q.a.geometry->content, q.b.geometry->content);
    SolidLadder ladder(q, memory, result, trace);
    if (!ladder.recall()) ladder.finish(eliminate(q, result, trace));
    write_counters(ladder.counts(), {kDoubleIterations, kExactIterations, kFromCache}, result);
}

constexpr Parameter kParameters[] = {
    {"drop_redundant", "Drop redundant rows", ParameterKind::toggle, 1, 0, 1, "", "Kohler 1967",
     "Skip combinations of rows that stem from four half-spaces: other rows already imply them."},
};
constexpr const char* kCounters[] = {"half-spaces",       "pairs combined",   "largest system",
                                     "double iterations", "exact iterations", "remembered decision"};

}  // namespace

const PairAlgorithm& describe_fourier_motzkin() {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm a{};
        a.id = "fourier_motzkin";
        a.title = "Fourier-Motzkin";
        a.source = "Chong, notes on convexity-based methods";
        a.summary =
            "Eliminates x, y and z from the half-spaces of both bodies. The system grows with the fourth "
            "power of their number, so it accepts only bodies of up to 36 faces each.";
        a.needs = Needs::convex;
        a.gives = kWantAxis;
        a.meaning = Meaning::solid;
        a.parameters = kParameters;
        a.counters = kCounters;
        a.prepare = prepare_half_spaces;
        a.needs_prepared = true;
        a.fits = fits;
        a.query = query_fourier_motzkin;
        return a;
    }();
    return algorithm;
}

}  // namespace claybox::collision
