#pragma once
// The first quadric of section 10: balls on a relative screw motion.

#include "collision/continuous/screw_motion/motion/screw_pieces.hpp"

namespace claybox::collision {

struct BallContact {
    bool hit = false;
    double time = 0;  ///< of the first contact, in [0, 1]; 0 if they overlap at the start
    Vec3d normal;     ///< unit, from A to B, in A's frame at t = 0; zero if the centres coincide
};

/// The first contact of a ball that rests and one that follows `path`. Exact up to rounding: all roots of the
/// squared distance are isolated by bounds of its derivatives.
BallContact first_ball_contact(const RelativePath& path, const WorldSphere& a, const WorldSphere& b);

}  // namespace claybox::collision
