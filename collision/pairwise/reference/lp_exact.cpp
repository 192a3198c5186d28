// A linear program in exact arithmetic.
//
// Source: the primal model (8) of "A Linear Programming Solution for Exact Collision Detection" with u = -c,
// in exact arithmetic, as a reference for all algorithms that decide solids. Termination: Bland, New finite
// pivoting rules for the simplex method, 1977.
//
// Idea: shoot a ray from the origin along one point of the difference A - B. The least multiple of that point
// still in the difference is a linear program with four equations. If the multiple is 0 or less, the origin
// is in the difference and the solids share a point. Otherwise the facet that is hit yields the separating
// plane.
//
// Preconditions: both shapes convex, of any dimension; any finite matrices, singular ones included.
// Exactness: every sign is exact; the parameter chooses whether doubles with a proved error bound may decide
// it. Shares neither steps nor simplex with gjk or the exact rung. Touching collides.
// Complexity: O(vertices) per pivot, 5 to 30 pivots for usual pairs. Caches nothing.

#include "collision/exact/solid_lp.hpp"
#include "collision/pairwise/registry.hpp"

namespace claybox::collision {

namespace {

enum ParameterIndex : std::size_t { kArithmetic, kPricing };
enum CounterIndex : std::size_t { kPivots, kDegenerate, kBland, kExactSigns };

constexpr const char* kArithmeticChoices[] = {"filtered", "rational"};
constexpr const char* kPricingChoices[] = {"steepest", "first"};
constexpr Parameter kParameters[] = {
    {"arithmetic", "Arithmetic", ParameterKind::choice, 0, 0, 1, "", "ours: the same answer, faster",
     "Filtered: doubles with a proved error bound decide where they can. Rational: integers decide every "
     "sign.",
     false, kArithmeticChoices},
    {"pricing", "Pricing", ParameterKind::choice, 0, 0, 1, "", "Dantzig 1951; Bland 1977",
     "The vertex pair that enters: the one furthest before the plane, with Bland's rule where that might "
     "cycle, or always the first.",
     false, kPricingChoices}};
constexpr const char* kCounters[] = {"pivots", "degenerate pivots", "pivots by Bland's rule",
                                     "signs from integers"};

LpRules rules_of(const PairQuery& q) {
    LpRules out;
    out.pricing = q.parameters.integer(kPricing) == 1 ? LpPricing::bland : LpPricing::steepest;
    if (q.exactness == Exactness::fast)
        out.arithmetic = LpArithmetic::rounded;
    else if (q.parameters.integer(kArithmetic) == 1)
        out.arithmetic = LpArithmetic::rational;
    return out;
}

Verdict verdict_of(LpDecision::Answer answer) {
    switch (answer) {
        case LpDecision::Answer::separated:
            return Verdict::separated;
        case LpDecision::Answer::colliding:
            return Verdict::colliding;
        case LpDecision::Answer::none:
            break;
    }
    return Verdict::undecided;
}

void query_lp(const PairQuery& q, PairCache&, PairResult& result, Trace* trace) {
    const SolidSide a{q.a.shape->hull(), &q.a.world_from_body, &q.a.geometry->box};
    const SolidSide b{q.b.shape->hull(), &q.b.world_from_body, &q.b.geometry->box};
    const LpDecision decision = decide_solid_lp(a, b, rules_of(q), trace);
    result.verdict = verdict_of(decision.answer);
    result.certificate = decision.certificate;
    result.rung = q.exactness == Exactness::fast ? 1 : decision.exact_signs == 0 ? 2 : 3;
    result.iterations = decision.pivots;
    result.counters[kPivots] = decision.pivots;
    result.counters[kDegenerate] = decision.degenerate_pivots;
    result.counters[kBland] = decision.bland_pivots;
    result.counters[kExactSigns] = decision.exact_signs;
}

}  // namespace

const PairAlgorithm& describe_lp_exact() {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm a{};
        a.id = "lp_exact";
        a.title = "Exact linear program";
        a.source = "A Linear Programming Solution for Exact Collision Detection, model (8); Bland 1977";
        a.summary = "Solves the linear program of a separating plane in exact arithmetic: a slow reference.";
        a.needs = Needs::convex;
        a.gives = kWantAxis;
        a.meaning = Meaning::solid;
        a.parameters = kParameters;
        a.counters = kCounters;
        a.query = query_lp;
        return a;
    }();
    return algorithm;
}

}  // namespace claybox::collision
