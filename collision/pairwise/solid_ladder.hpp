#pragma once
// The ladder of exactness that every exact algorithm for convex solids climbs: rung 1 hands over a claim,
// rung 2 proves it in double or looks for a better proof there, rung 3 decides in integers. One place, so
// that no algorithm can be less right than another.

#include "collision/exact/solid.hpp"
#include "collision/pairwise/query.hpp"
#include "collision/parts/relative_placement.hpp"

namespace claybox::collision {

/// What rung 1 believes and what is to prove it. Everything is a hint where it does not prove: wrong claims
/// cost time, never a wrong answer. Vertices are indices of the hulls.
struct SolidClaim {
    Verdict verdict = Verdict::undecided;
    Vec3d axis_w;                                ///< separated: from A towards B, any length
    std::uint32_t support_a = 0, support_b = 0;  ///< furthest along the axis, of B against it; where to start
    /// Colliding: four pairs whose differences surround the origin. Otherwise: where to look for them.
    VertexPair pairs[4] = {};
    int pair_count = 0;
    /// The algorithm's own limit ended it: the exact rung decides at once.
    bool limited = false;

    static SolidClaim separated(const Vec3d& axis_w, std::uint32_t support_a, std::uint32_t support_b);
    static SolidClaim surrounded(const VertexPair (&pairs)[4]);
    /// One more place to look for a proof, when there is room.
    void add_hint(VertexPair pair) {
        if (pair_count < 4) pairs[pair_count++] = pair;
    }
};

/// What a pair remembers of its last answer: where the next query starts, and what the exact rung decided
/// while nothing moves. An algorithm's memory holds it as a member; 64 bytes of a PairCache are left beside.
struct LadderMemory {
    RelativePlacement placement;  ///< under which `decided` holds
    Vec3d axis_w;                 ///< of the last separation, any length
    VertexPair pairs[4] = {};     ///< of the last proof or of the last simplex
    std::uint32_t support_a = 0, support_b = 0;
    std::uint8_t pair_count = 0;
    Verdict last = Verdict::undecided;
    CertificateKind kind = CertificateKind::none;
    bool decided = false;  ///< by the exact rung

    /// The axis as float, largest component about 1.
    Vec3f axis() const;
    /// Whether all remembered vertices exist in these hulls.
    bool usable(const ConvexHull& a, const ConvexHull& b) const;
};

/// What the rungs above an algorithm's own did, for counters.
struct LadderCounts {
    std::uint32_t walk_iterations = 0;  ///< of the walk in double that looks for a proof (rung 2)
    std::uint32_t walk_supports = 0;
    std::uint32_t exact_iterations = 0;  ///< rung 3
    bool from_memory = false;            ///< rung 3's decision of an earlier query
};

/// Which counters of an algorithm tell what the rungs above its own did.
struct LadderCounters {
    std::size_t double_iterations, exact_iterations, from_memory;
};
void write_counters(const LadderCounts& counts, const LadderCounters& where, PairResult& result);

/// One query's way up. Borrows everything.
class SolidLadder {
  public:
    SolidLadder(const PairQuery& query, LadderMemory& memory, PairResult& result, Trace* trace);

    /// First: answers from the memory of the exact rung while nothing has moved against the other. True when
    /// that was the answer.
    bool recall();
    /// Last: turns the claim into the query's answer. With Exactness::fast the claim is the answer, on rung
    /// 1. Else it is proven in double; or a walk in double, started from the claim, finds what can be proven;
    /// or integers decide. Never leaves a query undecided that is to be exact. Remembers the answer.
    void finish(SolidClaim claim);
    /// For one-sided algorithms, in place of finish(): rung 2 proves the claim, or the query stays undecided.
    /// With Exactness::fast the claim is the answer.
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
