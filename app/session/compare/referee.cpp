#include "app/session/compare/referee.hpp"

#include "collision/pairwise/registry.hpp"

namespace claybox::app {

using collision::PairQuery;
using collision::Verdict;

PairQuery query_of(const PairSubject& subject, collision::Scratch& scratch) {
    return collision::make_pair_query(*subject.a, subject.world_from_a, *subject.b, subject.world_from_b,
                                      scratch);
}

collision::ContinuousQuery motion_query_of(const PairSubject& subject, collision::Scratch& scratch) {
    return collision::make_continuous_query(*subject.a, subject.before_a, subject.motion_a, *subject.b,
                                            subject.before_b, subject.motion_b, scratch);
}

namespace {

/// The certified verdict of one algorithm about one meaning; undecided without a proof.
Verdict certified(const char* id, PairQuery query, collision::Meaning meaning) {
    const collision::PairAlgorithm* algorithm = collision::find_pair_algorithm(id);
    if (algorithm == nullptr || !collision::applicable(*algorithm, query.a, query.b))
        return Verdict::undecided;
    if (meaning == collision::Meaning::solid) query.wants |= collision::kWantSolid;
    collision::PairCache cache;
    const collision::PairResult result = collision::run_query(*algorithm, query, cache);
    const bool proved = result.status == collision::QueryStatus::done && result.meaning == meaning &&
                        collision::certify(query, result);
    return proved ? result.verdict : Verdict::undecided;
}

}  // namespace

Truth find_truth(const PairSubject& subject, collision::Scratch& scratch) {
    const PairQuery query = query_of(subject, scratch);
    const bool hulls = subject.a->hull() != nullptr && subject.b->hull() != nullptr;
    Truth truth;
    truth.solid = certified(hulls ? "lp_exact" : "edge_polygon", query, collision::Meaning::solid);
    truth.surface = certified("edge_polygon", query, collision::Meaning::surface);
    return truth;
}

Verdict find_motion_truth(const PairSubject& subject, collision::Scratch& scratch) {
    const collision::ContinuousAlgorithm* algorithm = collision::find_continuous_algorithm("best_continuous");
    const collision::ContinuousQuery query = motion_query_of(subject, scratch);
    if (algorithm == nullptr || !collision::applicable(*algorithm, query)) return Verdict::undecided;
    if (collision::promise_for(*algorithm, query) != collision::Promise::exact) return Verdict::undecided;
    collision::PairCache cache;
    const collision::ContinuousResult result = collision::run_continuous(*algorithm, query, cache);
    return result.status == collision::QueryStatus::done ? result.verdict : Verdict::undecided;
}

Standing standing_of(Verdict verdict, Verdict truth, const Promised& promised) {
    const bool one_sided = !promised.exact && promised.bias != collision::Bias::none;
    if (verdict == Verdict::undecided)
        return promised.exact && !promised.fast ? Standing::disagrees : Standing::undecided;
    if (truth == Verdict::undecided) return Standing::unchecked;
    if (verdict == truth) return Standing::agrees;
    if (promised.exact) return Standing::disagrees;
    // A one-sided algorithm errs to one side only; the other answers are certain.
    const Verdict may_err_to =
        promised.bias == collision::Bias::separated ? Verdict::separated : Verdict::colliding;
    return one_sided && verdict != may_err_to ? Standing::disagrees : Standing::approximate;
}

}  // namespace claybox::app
