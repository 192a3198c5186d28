#pragma once
// Whether a plane has all vertices of one body on one side and all of the other beyond it: quick where bodies
// are apart, silent where they are not or no plane is found soon. Any bodies, convex or not; what it tells is
// certain. The module races it against exact algorithms (Zachmann, thesis, 6.5, which takes its incremental
// separating planes for that; the search here is Chung and Wang's, which needs fewer rounds and no step
// size).

#include "collision/geometry/shape.hpp"
#include "collision/geometry/transform.hpp"
#include "collision/jobs/stop_token.hpp"

namespace claybox::collision {

struct GapBody {
    const Geometry* geometry = nullptr;
    const Matrix34f* world_from_body = nullptr;
};

/// The axis that separated a pair last; the next search begins with it.
struct GapMemory {
    Vec3d axis_w;  ///< of length 1, from A to B; zero before the first
};

struct GapResult {
    bool found = false;  ///< proven: all of A is strictly below all of B along the axis
    Vec3d axis_w;
    std::uint32_t rounds = 0;  ///< looks at all vertices of both
};

inline constexpr std::uint32_t kMostGapRounds = 18;

/// Ends early, with nothing found, when `stop` is set: looked at once a round. O(vertices) a round, at most
/// kMostGapRounds of them. Nothing is allocated.
GapResult search_gap(const GapBody& a, const GapBody& b, StopToken stop, GapMemory& memory);

}  // namespace claybox::collision
