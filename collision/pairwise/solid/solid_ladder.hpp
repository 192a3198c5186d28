#pragma once
// The exactness ladder of all exact algorithms for convex solids. Rung 1 is the algorithm's own kernel, which
// hands over a claim. Rung 2 proves the claim in double or searches for a better proof in double. Rung 3
// decides in integers. All algorithms share this code, so all are equally exact.

#include "collision/exact/solid.hpp"
#include "collision/pairwise/query.hpp"
#include "collision/pairwise/solid/relative_placement.hpp"

namespace claybox::collision {

/// The result of rung 1, with its evidence. If the evidence does not prove the verdict it serves as a hint:
/// wrong claims cost time, never a wrong answer. Vertices are indices into the hulls.
struct SolidClaim {
    Verdict verdict = Verdict::undecided;
    Vec3d axis_w;  ///< if separated: from A towards B, any length
    /// starting points of the support searches along the axis (A) and against it (B)
    std::uint32_t support_a = 0, support_b = 0;
    /// If colliding: four pairs whose differences surround the origin. Otherwise: where to start the search
    /// for them.
    VertexPair pairs[4] = {};
    int pair_count = 0;
    /// The algorithm stopped at its own limit; the exact rung then decides immediately.
    bool limited = false;

    static SolidClaim separated(const Vec3d& axis_w, std::uint32_t support_a, std::uint32_t support_b);
    static SolidClaim surrounded(const VertexPair (&pairs)[4]);
    /// Adds a starting point for the search for a proof, if there is space.
    void add_hint(VertexPair pair) {
        if (pair_count < 4) pairs[pair_count++] = pair;
    }
};

/// The pair's memory of its last answer: the start of the next query, and the exact rung's decision while
/// nothing moves. A member of the algorithm's own memory; leaves 64 bytes of the PairCache.
struct LadderMemory {
    RelativePlacement placement;  ///< the placement for which `decided` is valid
    Vec3d axis_w;                 ///< axis of the last separation, any length
    VertexPair pairs[4] = {};     ///< of the last proof or the last simplex
    std::uint32_t support_a = 0, support_b = 0;
    std::uint8_t pair_count = 0;
    Verdict last = Verdict::undecided;
    CertificateKind kind = CertificateKind::none;
    bool decided = false;  ///< whether the exact rung decided

    /// The axis in float, with largest component about 1.
    Vec3f axis() const;
    /// Whether all remembered vertices exist in these hulls.
    bool usable(const ConvexHull& a, const ConvexHull& b) const;
};

/// Work of the rungs above the algorithm's own, for counters.
struct LadderCounts {
    std::uint32_t walk_iterations = 0;  ///< of the walk in double that searches for a proof (rung 2)
    std::uint32_t walk_supports = 0;
    std::uint32_t exact_iterations = 0;  ///< rung 3
    bool from_memory = false;            ///< rung 3's decision was remembered from an earlier query
};

/// The algorithm's counters for the work of the higher rungs, as indices into PairResult::counters.
struct LadderCounters {
    std::size_t double_iterations, exact_iterations, from_memory;
};
void write_counters(const LadderCounts& counts, const LadderCounters& where, PairResult& result);

/// The climb of one query up the ladder. Borrows everything.
class SolidLadder {
  public:
    SolidLadder(const PairQuery& query, LadderMemory& memory, PairResult& result, Trace* trace);

    /// Call first. Answers from the memory of the exact rung if the relative placement is unchanged. True if
    /// that answered the query.
    bool recall();
    /// Call last. Turns the claim into the query's answer and stores it. With Exactness::fast the claim is
    /// the answer, on rung 1. Otherwise the claim is proved in double; if that fails, a walk in double
    /// started from the claim searches for a proof; if that fails, integer arithmetic decides. An exact query
    /// is never left undecided.
    void finish(SolidClaim claim);
    /// Replaces finish() in one-sided algorithms: rung 2 proves the claim, or the query stays undecided. With
    /// Exactness::fast the claim is the answer.
    void finish_if_proven(SolidClaim claim);

    const SolidSide& a() const { return a_; }
    const SolidSide& b() const { return b_; }
    const LadderCounts& counts() const { return counts_; }

  private:
    bool proves(SolidClaim& claim) const;
    bool try_claim(SolidClaim& claim);
    SolidClaim search(const SolidClaim& claim);
    void decide_exactly(const SolidClaim& claim);
    void accept(const SolidClaim& claim);
    void recall_certificate() const;
    void remember(const SolidClaim& claim);

    const PairQuery& query_;
    LadderMemory& memory_;
    PairResult& result_;
    Trace* trace_;
    SolidSide a_, b_;
    LadderCounts counts_;
};

}  // namespace claybox::collision
