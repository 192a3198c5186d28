#pragma once
// A body during a query of conservative advancement, in double: where it is at t, and how far its points can
// move along a direction after that.

#include "collision/continuous/query.hpp"
#include "collision/core/trig.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

/// A body at one time. A local point x is at base + rho, with rho = m x + offset relative to a point of the
/// axis, which moves with the travel. Coordinates are relative to the query's origin.
struct BodyAt {
    Matrix34d rho_from_local;
    Vec3d base;

    Vec3d point(const Vec3d& local) const { return base + transform_point(rho_from_local, local); }
};

struct Turn {
    double sine = 0, cosine = 1;
};

class MovingBody {
  public:
    /// `origin_w`: subtracted from all coordinates, for precision far from the world's origin.
    MovingBody(const PairBody& body, const Motion& motion, const Vec3d& origin_w);

    BodyAt at(double t) const;
    bool turns() const { return angle_ != 0; }
    bool rests() const { return angle_ == 0 && travel_ == Vec3d{}; }
    double angle() const { return angle_; }
    const Vec3d& axis() const { return axis_; }
    const Vec3d& spin() const { return spin_; }
    const Vec3d& travel() const { return travel_; }
    /// Above the distance of every point of the body from the axis point, at all times.
    double reach() const { return reach_; }
    /// A ball around the body: its centre in local coordinates, and its radius in metres.
    const Vec3d& centre() const { return centre_; }
    double radius() const { return radius_; }
    /// A bound of the length of a unit vector under the body's matrix.
    double stretch() const { return stretch_; }
    /// Above the magnitude of every coordinate that enters a result.
    double size() const { return size_; }

    /// Along a fixed direction n, a point at rho moves by n.(x(t + s) - x(t)) = s (n.travel + rho.turn) + r,
    /// with turn = turn_along(n) and |r| <= 1/2 bend |n| s^2.
    Vec3d turn_along(const Vec3d& n) const { return cross(n, spin_); }
    /// The turn during s.
    Turn turn(double s) const {
        if (angle_ == 0) return {};
        const SinCos turn = quick_sin_cos(angle_ * s);
        return {turn.sin, turn.cos};
    }
    /// v turned, and the derivative of that by the time.
    Vec3d turned(const Vec3d& v, const Turn& turn, Vec3d& rate) const {
        rate = {};
        if (angle_ == 0) return v;
        const Vec3d along = dot(v, axis_) * axis_, across = v - along, side = cross(axis_, v);
        rate = angle_ * (turn.cosine * side - turn.sine * across);
        return along + turn.cosine * across + turn.sine * side;
    }
    /// For points within `radius` of the axis.
    double bend(double radius) const { return angle_ * angle_ * radius; }
    /// The distance of a point from the axis.
    double from_axis(const Vec3d& rho) const { return length(cross(axis_, rho)); }

  private:
    std::array<Vec3d, 3> linear_;  ///< rows of the matrix
    Vec3d offset_;                 ///< rho of the body's origin at t = 0
    Vec3d pivot_, axis_, spin_, travel_;
    Vec3d centre_;
    double angle_ = 0, reach_ = 0, size_ = 0, stretch_ = 1, radius_ = 0;
};

/// The root in s of gap + slope s - bend s^2 / 2, the first one that is not negative; infinity if there is
/// none. gap >= 0, bend >= 0.
inline double first_root(double gap, double slope, double bend) {
    const double root = std::sqrt(slope * slope + 2 * bend * gap);
    const double below = root - slope;
    return below > 0 ? 2 * gap / below : HUGE_VAL;
}

/// The longest safe step, at most `limit`: the gap stays above zero. `gap_after(s)` is a lower bound of the
/// gap after s if nothing bends: concave in s, gap_after(0) = gap > 0. `bend` bounds its bending and `slope`
/// is about its derivative at 0. Chords of a concave function lie below it, so every step is safe.
template <class GapAfter>
double safe_step(double gap, double slope, double bend, double limit, const GapAfter& gap_after) {
    double high = std::min(first_root(gap, slope, bend), limit);
    double low = 0, at_low = gap;
    for (int round = 0; round < 3; ++round) {
        const double at_high = gap_after(high) - 0.5 * bend * high * high;
        if (at_high >= 0) return high;
        const double chord = low + (high - low) * (at_low / (at_low - at_high));
        if (!(chord > low)) break;
        low = chord;
        if (round == 2) break;
        at_low = gap_after(low) - 0.5 * bend * low * low;
        constexpr double kGoodEnough = 0.25;  // of the gap: the next step starts with a new direction anyway
        if (!(at_low > kGoodEnough * gap)) break;
    }
    return low;
}

}  // namespace claybox::collision
