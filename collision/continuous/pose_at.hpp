#pragma once

#include "collision/continuous/query.hpp"

namespace claybox::collision {

/// The pose at t in [0, 1] of a body that starts at `from` (world frame, with the matrix to_matrix(from)) and
/// follows `motion`, rounded.
Pose pose_at(const Pose& from, const Motion& motion, double t);

}  // namespace claybox::collision
