#pragma once
// The walk of Gilbert, Johnson and Keerthi in double over the swept difference, the hull of C and C moved by
// the relative displacement; or over C alone.

#include "collision/continuous/linear/linear_pair.hpp"
#include "collision/core/trace.hpp"

namespace claybox::collision {

struct SweptWalk {
    Verdict verdict = Verdict::undecided;  ///< as computed; undecided: stopped by rounding
    Vec3d axis_w;                          ///< from A towards B; separates if the verdict is separated
    VertexPair support;                    ///< the supporting vertices along the axis
    int count = 0;
    VertexPair pairs[4];  ///< the last simplex
    unsigned ends = 0;    ///< bit i: pair i is taken at t = 1
    std::uint32_t iterations = 0;
};

/// `axis_w`: where to start, from A towards B; zero: from the middle of C.
SweptWalk walk_swept(const LinearPair& pair, bool swept, const Vec3d& axis_w, Trace* trace);

}  // namespace claybox::collision
