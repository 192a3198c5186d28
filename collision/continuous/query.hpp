#pragma once

#include "collision/pairwise/query.hpp"

namespace claybox::collision {

/// The motion of one body during t in [0, 1].
struct Motion {
    enum class Kind : unsigned char { fixed, linear, screw };
    Kind kind = Kind::fixed;
    Matrix34f world_from_body_0;  ///< at t = 0
    Vec3d translation_w;          ///< linear: total displacement in metres
    Screw screw;                  ///< screw: total motion, applied to world points
};

/// A pair query with motions instead of fixed poses.
struct ContinuousQuery {
    PairQuery pair;  ///< matrices at t = 0
    Motion motion_a, motion_b;
    double tolerance = 1e-6;  ///< width of the interval that brackets the time of impact
};

struct ContinuousResult {
    PairResult pair;       ///< verdict colliding when there is contact at any t
    double time_low = 0;   ///< no contact before this time
    double time_high = 1;  ///< contact at this time, if colliding
    Vec3d normal_w;        ///< from A to B at contact
};

}  // namespace claybox::collision
