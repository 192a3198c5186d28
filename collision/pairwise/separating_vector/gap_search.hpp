#pragma once
// Searches for a plane that separates all vertices of one body from all of the other. Fast if the bodies are
// apart; finds nothing if they are not or no plane is found soon. For any bodies, convex or not; a result is
// certain. The module races it against exact algorithms (Zachmann, thesis, 6.5, with incremental separating
// planes; this search is Chung and Wang's, which needs fewer rounds and no step size).

#include "collision/geometry/shape.hpp"
#include "collision/geometry/transform.hpp"
#include "collision/jobs/stop_token.hpp"

namespace claybox::collision {

struct GapBody {
    const Geometry* geometry = nullptr;
    const Matrix34f* world_from_body = nullptr;
};

/// The last separating axis of a pair; the next search starts with it.
struct GapMemory {
    Vec3d axis_w;  ///< of length 1, from A to B; zero before the first separation
};

struct GapResult {
    bool found = false;  ///< proved: all of A is strictly below all of B along the axis
    Vec3d axis_w;
    std::uint32_t rounds = 0;  ///< passes over all vertices of both bodies
};

inline constexpr std::uint32_t kMaxGapRounds = 18;

/// Stops with nothing found if `stop` is set; checked once per round. At most kMaxGapRounds rounds of
/// O(vertices). Allocates nothing.
GapResult search_gap(const GapBody& a, const GapBody& b, StopToken stop, GapMemory& memory);

}  // namespace claybox::collision
