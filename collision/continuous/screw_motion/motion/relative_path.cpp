// The derivatives behind the bounds. With A's rotation R, its centre c(t) = point + t travel and B's point
// b(t), the relative position is R^T (b - c). Its velocity is R^T (b' - c' - w x (b - c)) and its
// acceleration R^T (b'' - 2 w x (b' - c') + w x (w x (b - c))), where w is A's constant angular velocity.

#include "collision/continuous/screw_motion/motion/relative_path.hpp"

#include "collision/core/trig.hpp"

#include <cmath>

namespace claybox::collision {

RigidMap RelativePath::Part::at(double t) const {
    const SinCos turn = sin_cos(angle * t), half = sin_cos(angle * t / 2);
    const double s = turn.sin, c = turn.cos, k = 2 * half.sin * half.sin;
    const Vec3d& u = axis;
    RigidMap m{{c + k * u.x * u.x, k * u.x * u.y - s * u.z, k * u.x * u.z + s * u.y},
               {k * u.y * u.x + s * u.z, c + k * u.y * u.y, k * u.y * u.z - s * u.x},
               {k * u.z * u.x - s * u.y, k * u.z * u.y + s * u.x, c + k * u.z * u.z},
               {}};
    m.t = point - m.turn(point) + t * travel;
    return m;
}

/// The derivative: the turned points revolve about the point of the axis as it flies.
RigidMap RelativePath::Part::rate(const RigidMap& m) const {
    const Vec3d w = angle * axis;
    RigidMap r;
    r.x = w.y * m.z - w.z * m.y;  // rows of [w]x times the linear part
    r.y = w.z * m.x - w.x * m.z;
    r.z = w.x * m.y - w.y * m.x;
    r.t = travel - r.turn(point);
    return r;
}

bool RelativePath::Part::is_screw() const {
    return angle == 0 || length(cross(axis, travel)) <= 1e-13 * (length(travel) + 1e-300);
}

double RelativePath::Part::reach(const Vec3d& near_w, double radius) const {
    return length(near_w - point) + radius + length(travel);
}

double RelativePath::Part::speed(double reach) const {
    return std::fabs(angle) * reach + length(travel);
}

RelativePath::Part RelativePath::part_of(const PairBody& body, const Motion& motion) {
    Part part;
    if (motion.kind == Motion::Kind::linear) part.travel = displacement(body.world_from_body, motion);
    if (motion.kind == Motion::Kind::screw) {
        part.point = motion.point_w;
        part.axis = normalized(motion.axis_w, Vec3d{0, 1, 0});
        part.angle = motion.angle;
        part.travel = motion.travel_w;
    }
    return part;
}

RelativePath::RelativePath(const PairBody& a, const Motion& motion_a, const PairBody& b,
                           const Motion& motion_b) {
    a_ = part_of(a, motion_a);
    b_ = part_of(b, motion_b);
    a_moves_ = !a_.is_still();
    const auto screw = [](const Part& part, double sign) {
        const double along = dot(part.travel, part.axis);
        if (part.angle == 0)
            return Screw{{}, normalized(part.travel, Vec3d{0, 1, 0}) * sign, 0, length(part.travel)};
        const double turn = part.angle * sign;
        return turn < 0 ? Screw{part.point, -part.axis, -turn, -along * sign}
                        : Screw{part.point, part.axis, turn, along * sign};
    };
    if (!a_moves_ && b_.is_screw()) {
        screw_ = screw(b_, 1);
    } else if (b_.is_still() && a_.is_screw()) {
        screw_ = screw(a_, -1);
    } else if (a_.angle == 0 && b_.angle == 0) {
        Part both;
        both.travel = b_.travel - a_.travel;
        screw_ = screw(both, 1);
    } else {
        is_screw_ = false;
    }
}

RelativePath RelativePath::single_screw(const RelativePath& path) {
    RelativePath out = path;
    out.screw_ = path.is_screw_ ? path.screw_ : screw_of(path.at(1));
    out.is_screw_ = true;
    return out;
}

RelativePath RelativePath::of_screw(const Screw& screw) {
    RelativePath out;
    out.screw_ = screw;
    return out;
}

RigidMap RelativePath::at(double t) const {
    if (t == 0) return {};
    if (is_screw_) return screw_map(screw_, t);
    return inverse(a_.at(t)) * b_.at(t);
}

MovingMap RelativePath::moving_at(double t) const {
    if (is_screw_) {
        Part part;
        part.point = screw_.point, part.axis = screw_.axis, part.angle = screw_.angle;
        part.travel = screw_.pitch * screw_.axis;
        const RigidMap map = part.at(t);
        return {map, part.rate(map)};
    }
    const RigidMap a = a_.at(t), b = b_.at(t), back = inverse(a), map = back * b;
    // The derivative of back(b(p)) is back's turn of b's velocity minus the velocity of A's point there.
    const RigidMap rate_a = a_.rate(a) * map, rate_b = b_.rate(b);
    RigidMap difference{rate_b.x - rate_a.x, rate_b.y - rate_a.y, rate_b.z - rate_a.z, rate_b.t - rate_a.t};
    RigidMap turn = back;
    turn.t = {};
    return {map, turn * difference};
}

RigidMap RelativePath::map_of_a(double t) const {
    return a_moves_ ? a_.at(t) : RigidMap{};
}

double RelativePath::turn_rate() const {
    return is_screw_ ? screw_.angle : std::fabs(a_.angle) + std::fabs(b_.angle);
}

double RelativePath::speed_bound(const Vec3d& near_w, double reach) const {
    const double reach_b = b_.reach(near_w, reach), speed_b = b_.speed(reach_b);
    return speed_b + a_.speed(a_.reach(near_w, reach) + speed_b);
}

double RelativePath::acceleration_bound(const Vec3d& near_w, double reach) const {
    const double reach_b = b_.reach(near_w, reach), speed_b = b_.speed(reach_b), turn = std::fabs(a_.angle);
    const double reach_a = a_.reach(near_w, reach) + speed_b;
    return b_.angle * b_.angle * reach_b + 2 * turn * (speed_b + length(a_.travel)) + turn * turn * reach_a;
}

RigidMap ScrewPiece::path_at(double tau) const {
    const RigidMap step = path->at(time(tau)) * inverse(begin);
    return frame_from_world * step * inverse(frame_from_world);
}

MovingMap ScrewPiece::path_moving_at(double tau) const {
    const MovingMap moving = path->moving_at(time(tau));
    const RigidMap to_start = inverse(begin) * inverse(frame_from_world);
    RigidMap turn = frame_from_world;
    turn.t = {};
    RigidMap rate = turn * moving.rate * to_start;
    rate = {duration * rate.x, duration * rate.y, duration * rate.z, duration * rate.t};
    return {frame_from_world * moving.map * to_start, rate};
}

}  // namespace claybox::collision
