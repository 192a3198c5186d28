#pragma once
// The motion of B relative to A as pieces, each close to one screw motion, in a frame whose y-axis is the
// axis of the screw.

#include "collision/continuous/query.hpp"
#include "collision/continuous/screw_motion/motion/relative_screw.hpp"
#include "collision/core/trig.hpp"

namespace claybox::collision {

/// A placement and its derivative: `rate(p)` is the velocity of the point that started at p.
struct MovingMap {
    RigidMap map, rate;
};

/// Where B's points go relative to A. A keeps its placement at t = 0: the result is B's motion followed by
/// the inverse of A's. World frame, metres.
class RelativePath {
  public:
    RelativePath(const PairBody& a, const Motion& motion_a, const PairBody& b, const Motion& motion_b);
    /// The screw motion from the start to the end of `path`, instead of the path itself: the assumption of
    /// the paper, section 4.
    static RelativePath single_screw(const RelativePath& path);
    /// A stays, and B follows one screw motion.
    static RelativePath of_screw(const Screw& screw);

    RigidMap at(double t) const;
    MovingMap moving_at(double t) const;
    /// The motion of A's points in the world.
    RigidMap map_of_a(double t) const;
    /// Whether the path is one screw motion for all t; then `screw()` is it.
    bool is_screw() const { return is_screw_; }
    const Screw& screw() const { return screw_; }
    /// Radians, for the whole path: an upper bound of the relative rotation between any two times, per time.
    double turn_rate() const;
    /// Upper bounds of the speed and acceleration that `at` gives to points within `reach` of `near_w`.
    double speed_bound(const Vec3d& near_w, double reach) const;
    double acceleration_bound(const Vec3d& near_w, double reach) const;

  private:
    /// x -> point + R(axis, angle t)(x - point) + t travel
    struct Part {
        Vec3d point, axis{0, 1, 0}, travel;
        double angle = 0;
        RigidMap at(double t) const;
        RigidMap rate(const RigidMap& at) const;
        bool is_still() const { return angle == 0 && travel == Vec3d{}; }
        bool is_screw() const;
        double reach(const Vec3d& near_w, double reach) const;
        double speed(double reach) const;
    };
    RelativePath() = default;
    static Part part_of(const PairBody& body, const Motion& motion);
    Part a_, b_;
    bool is_screw_ = true;
    bool a_moves_ = false;
    Screw screw_;  ///< if is_screw_
};

/// One piece of the motion: B's points during the time [start, start + duration], in the frame F of its
/// screw. F has the axis as y-axis; a piece without rotation has the direction of its translation as y-axis
/// and angle 0.
struct ScrewPiece {
    double start = 0, duration = 1;
    double angle = 0;  ///< radians, 0 .. pi/2
    double pitch = 0;  ///< metres along y
    RigidMap frame_from_world;
    RigidMap begin;  ///< B's placement relative to A at the start, world frame: at(start)
    /// Largest distance between the path and the screw for points of B, metres; 0 if the path is the screw.
    double deviation = 0;
    const RelativePath* path = nullptr;
    bool pure = true;       ///< the path is the screw
    bool compared = false;  ///< may_touch has seen the bounding spheres
    bool wraps = false;     ///< a body may cross the half-plane where azimuth jumps

    /// Where points of B, given at the start of the piece in F, are at tau in [0, 1].
    RigidMap at(double tau) const { return pure ? screw_at(tau) : path_at(tau); }
    MovingMap moving_at(double tau) const {
        if (!pure) return path_moving_at(tau);
        const RigidMap map = screw_at(tau);
        return {map, {angle * map.z, {}, -angle * map.x, {0, pitch, 0}}};
    }
    double time(double tau) const { return start + duration * tau; }

  private:
    RigidMap screw_at(double tau) const {
        RigidMap m;
        m.t.y = pitch * tau;
        if (angle == 0) return m;
        const SinCos turn = quick_sin_cos(angle * tau);
        m.x = {turn.cos, 0, turn.sin};
        m.z = {-turn.sin, 0, turn.cos};
        return m;
    }
    RigidMap path_at(double tau) const;
    MovingMap path_moving_at(double tau) const;
};

}  // namespace claybox::collision
