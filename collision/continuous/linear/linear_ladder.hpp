#pragma once
// The exactness ladder of linear motions. Rung 1 is the algorithm's own cast, which hands over a claim. Rung
// 2 proves the claim in double, or searches for a better proof. Rung 3 decides in integers. All algorithms
// for linear motion share it, so all are equally exact.

#include "collision/continuous/linear/linear_pair.hpp"
#include "collision/core/trace.hpp"

namespace claybox::collision {

/// The result of rung 1 with its evidence. A wrong claim costs time, never a wrong answer.
struct CastClaim {
    enum class Kind : unsigned char {
        unknown,
        miss,   ///< `axis_w` separates at all times
        hit,    ///< the ray enters C through the triangle of three pairs
        start,  ///< four pairs surround the origin at t = 0
    };
    Kind kind = Kind::unknown;
    Vec3d axis_w;        ///< from A towards B; for a hit: the direction of contact
    VertexPair support;  ///< about along the axis
    VertexPair pairs[4];
    int count = 0;
    double time = 0;  ///< of a hit, as computed

    static CastClaim miss(const Vec3d& axis_w, VertexPair support);
};

/// Counters of the rungs above the algorithm's own.
struct CastCounts {
    std::uint32_t walk_iterations = 0;   ///< of walks in double (rung 2)
    std::uint32_t exact_iterations = 0;  ///< rung 3
};

/// The climb of one query up the ladder. Borrows everything.
class LinearLadder {
  public:
    LinearLadder(const ContinuousQuery& query, const LinearPair& pair, ContinuousResult& result, Trace* trace)
        : query_(query), pair_(pair), result_(result), trace_(trace) {}

    /// Turns the claim into the answer. With Exactness::fast the claim is the answer, on rung 1; an unknown
    /// claim is decided all the same. The claim is updated to the evidence of the answer, for a cache.
    void finish(CastClaim& claim);
    /// Whether the claim is the answer by a proof in double; then writes it.
    bool try_claim(CastClaim& claim);
    const CastCounts& counts() const { return counts_; }

  private:
    bool prove_miss(CastClaim& claim);
    bool prove_hit(CastClaim& claim);
    bool prove_start(const CastClaim& claim);
    bool search(CastClaim& claim);
    void decide_exactly(CastClaim& claim);
    void accept_fast(const CastClaim& claim);
    void write_miss();
    void write_start();
    void write_hit(double low, double high, const Vec3d& axis_w, const VertexPair* pairs,
                   const double* weights, int count);

    const ContinuousQuery& query_;
    const LinearPair& pair_;
    ContinuousResult& result_;
    Trace* trace_;
    CastCounts counts_;
};

}  // namespace claybox::collision
