#pragma once
// The verdict of exact arithmetic about a pair, with a proof that does not trust the algorithm that found it.

#include "app/session/compare/pair_subject.hpp"
#include "collision/continuous/registry.hpp"

namespace claybox::app {

/// Undecided: there is no proved verdict, for example about the inside of a mesh that has none.
struct Truth {
    collision::Verdict solid = collision::Verdict::undecided;
    collision::Verdict surface = collision::Verdict::undecided;

    collision::Verdict of(collision::Meaning meaning) const {
        return meaning == collision::Meaning::solid ? solid : surface;
    }
};

/// Convex solids: the exact linear program. Other solids and all surfaces: every edge against every polygon.
/// Each verdict is certified again (collision::certify).
Truth find_truth(const PairSubject& subject, collision::Scratch& scratch);

/// Of the motions: the exact algorithm for convex bodies that move straight. Undecided for other motions.
collision::Verdict find_motion_truth(const PairSubject& subject, collision::Scratch& scratch);

/// A query about the subject.
collision::PairQuery query_of(const PairSubject& subject, collision::Scratch& scratch);
collision::ContinuousQuery motion_query_of(const PairSubject& subject, collision::Scratch& scratch);

/// How an answer relates to exact arithmetic.
enum class Standing : unsigned char {
    agrees,
    disagrees,    ///< an algorithm that must be right is wrong
    approximate,  ///< an approximate or one-sided algorithm errs in a way that it may
    undecided,    ///< a one-sided or fast algorithm leaves the pair undecided, as it may
    unchecked,    ///< exact arithmetic has no verdict to compare with
    no_answer,    ///< the algorithm does not accept the pair
};

/// What an algorithm promises about its answers.
struct Promised {
    bool exact = true;
    collision::Bias bias = collision::Bias::none;  ///< of an algorithm that is not exact
    bool fast = false;                             ///< without exact arithmetic: may leave a pair undecided
};
Standing standing_of(collision::Verdict verdict, collision::Verdict truth, const Promised& promised);

}  // namespace claybox::app
