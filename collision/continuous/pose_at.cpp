#include "collision/continuous/pose_at.hpp"

namespace claybox::collision {

Pose pose_at(const Pose& from, const Motion& motion, double t) {
    if (motion.kind == Motion::Kind::fixed || t == 0) return from;
    if (motion.kind == Motion::Kind::linear) {
        // The motion runs between rounded matrices, the pose between doubles: they differ by the rounding.
        const Vec3d way = displacement(to_matrix(from), motion);
        return {from.rotation, from.translation + t * way};
    }
    const Quat turn = axis_angle(motion.axis_w, t * motion.angle);
    return {normalized(turn * from.rotation),
            motion.point_w + rotate(turn, from.translation - motion.point_w) + t * motion.travel_w};
}

}  // namespace claybox::collision
