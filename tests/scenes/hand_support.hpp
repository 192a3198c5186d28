#pragma once
// Hands for tests of grasping and of stopping at walls.

#include "app/session/session.hpp"
#include "engine/hand/hand_model.hpp"

namespace claybox::app {

/// A hand in rest orientation with its wrist at the given place.
inline HandInput hand(const collision::Vec3d& wrist, float pinch, float grip = 0) {
    engine::HandPose pose;
    pose.wrist = {wrist.x, wrist.y, wrist.z};
    pose.curl = {0.0f, 0.10f, 0.1f, 0.1f, 0.1f};
    pose = engine::with_grip(engine::with_pinch(pose, pinch), grip);
    return to_hand_input(engine::pose_hand(pose));
}

}  // namespace claybox::app
