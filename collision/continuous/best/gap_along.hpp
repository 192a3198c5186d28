#pragma once
// Steps of two moving convex bodies: the gap along a direction as a function of the time s after now, and the
// direction of contact of the features that are closest now.

#include "collision/continuous/best/moving_body.hpp"
#include "collision/continuous/best/placed_hull.hpp"

namespace claybox::collision {

/// One body now. `support` is where a climb starts.
struct AdvanceSide {
    AdvanceSide(const PairBody& body, const Motion& moves, const Vec3d& origin_w)
        : motion(body, moves, origin_w), hull(*body.shape->hull()) {}

    MovingBody motion;
    PlacedHull hull;  ///< positions are rho
    BodyAt at;
    std::uint32_t support = 0;

    void move_to(double t) {
        at = motion.at(t);
        hull.place(at.rho_from_local);
    }
    Vec3d rho() const { return hull.point(support); }
    Vec3d point(std::uint32_t v) const { return at.base + hull.point(v); }
    /// Moves the support to the vertex that is furthest along d.
    Vec3d furthest(const Vec3d& d) {
        support = hull.furthest(d, support);
        return rho();
    }
    /// The centre of a ball of `motion.radius()` around all vertices, in rho.
    Vec3d centre() const { return transform_point(at.rho_from_local, motion.centre()); }
};

/// The gap along a direction n that rests. Every value is a search for supports, so it is right up to
/// rounding.
class GapAlong {
  public:
    /// `n`: a unit vector from A towards B; the supports must be those along n. `clearance` is subtracted
    /// from the gap. Moves the supports.
    GapAlong(AdvanceSide& a, AdvanceSide& b, const Vec3d& n, double clearance)
        : a_(a),
          b_(b),
          n_(n),
          drift_(dot(n, b.motion.travel() - a.motion.travel())),
          top_(dot(n, a.rho())),
          bottom_(dot(n, b.rho())),
          between_(dot(n, b.at.base - a.at.base) - clearance) {}

    double now() const { return between_ + bottom_ - top_; }
    /// Its derivative now, for the supports along n.
    double slope() const {
        return drift_ + dot(cross(n_, b_.motion.spin()), b_.rho()) -
               dot(cross(n_, a_.motion.spin()), a_.rho());
    }
    /// The gap after s, and its derivative for the supports there. A body's height along n after a turn is
    /// its height along n turned back.
    double after(double s, double& slope) {
        double bottom = bottom_, top = top_;
        Vec3d rate;
        slope = drift_;
        if (b_.motion.turns()) {
            const Vec3d d = b_.motion.turned(n_, b_.motion.turn(-s), rate), rho = b_.furthest(-d);
            bottom = dot(d, rho);
            slope -= dot(rate, rho);
        }
        if (a_.motion.turns()) {
            const Vec3d d = a_.motion.turned(n_, a_.motion.turn(-s), rate), rho = a_.furthest(d);
            top = dot(d, rho);
            slope += dot(rate, rho);
        }
        return between_ + s * drift_ + bottom - top;
    }
    /// Above the second derivative of the distance of any two points along n, up to the time `limit`.
    double bend(double limit) const {
        return std::max(0.0, bend_of(b_, n_, limit) + bend_of(a_, -n_, limit)) * (1 + 1e-9);
    }

  private:
    /// A point bends towards the axis: by -angle^2 n.x, where x is its arm. The arm is known now, and turns.
    static double bend_of(const AdvanceSide& side, const Vec3d& n, double limit) {
        const MovingBody& motion = side.motion;
        if (!motion.turns()) return 0;
        const Vec3d across = n - dot(n, motion.axis()) * motion.axis(), middle = side.centre();
        const double angle = motion.angle(), turned = std::min(2.0, std::abs(angle) * limit);
        const double inward =
            length(across) * (motion.radius() + turned * motion.from_axis(middle)) - dot(across, middle);
        return angle * angle * inward;
    }

    AdvanceSide &a_, &b_;
    const Vec3d n_;
    const double drift_, top_, bottom_, between_;
};

/// Whether a function stays above zero between two places at distance `step`, where it is `low` and `high`.
/// Its second derivative is at most `bend`, so it is at least the chord minus bend s (step - s) / 2.
inline bool stays_positive(double low, double high, double bend, double step) {
    return low >= 0 && high >= 0 &&
           low + high + 2 * std::sqrt(low * high) >= 0.5 * bend * step * step * (1 + 1e-9);
}

/// A time up to which the gap is proven positive, at most `limit`; 0 if none was found. Newton's method
/// towards the first place where the gap is `aim`; a gap of up to twice that ends the search. `guess`: where
/// to begin, or 0.
inline double longest_step(GapAlong& gap, double limit, double aim, double guess) {
    constexpr int kRounds = 6;
    constexpr double kLeast = 0.05;  // of what can be tried: Newton's method from afar can land anywhere
    const double bend = gap.bend(limit);
    double low = 0, at_low = gap.now(), high = limit, slope = gap.slope();
    double next = guess > 0 ? guess : slope < 0 ? (aim - at_low) / slope : limit;
    for (int round = 0; round < kRounds; ++round) {
        if (!(next < high)) next = high < limit ? 0.5 * (low + high) : limit;
        const double value = gap.after(next, slope);
        if (stays_positive(at_low, value, bend, next - low)) {
            low = next;
            at_low = value;
            if (value <= 2 * aim || next == limit) break;
            next = slope < 0 ? next + (aim - value) / slope : high;
            continue;
        }
        if (value < 0) high = next;
        // A closing gap can be proven this far.
        const double far = std::min(low + std::sqrt(2 * at_low / bend), high);
        next = value < 0 && slope < 0 ? next + (aim - value) / slope : far;
        next = std::clamp(next, low + kLeast * (far - low), far);
    }
    return low;
}

/// The features of both bodies that are closest now: a vertex and a face, or two edges.
struct ClosestFeatures {
    Vec3d a, b;                   ///< rho of a vertex of each
    Vec3d edge[2];                ///< two edges span all possible planes of contact
    const MovingBody* motion[2];  ///< of the body of each edge
};

/// When and how features touch, up to the sign of the normal. Found by Newton's method, without proof.
struct Touch {
    double time = HUGE_VAL;  ///< infinite: not up to the limit
    Vec3d normal;
    double speed = 0;  ///< along the normal, in metres
};

/// The time is right within about `precise` metres of the motion.
inline Touch find_touch(const ClosestFeatures& f, const AdvanceSide& a, const AdvanceSide& b, double limit,
                        double precise) {
    constexpr int kRounds = 6;
    const Vec3d between = b.at.base - a.at.base, drift = b.motion.travel() - a.motion.travel();
    double s = 0;
    for (int round = 0; round < kRounds; ++round) {
        const Turn turns[2] = {a.motion.turn(s), b.motion.turn(s)};
        Vec3d rate_a, rate_b, rate_0, rate_1;
        const Vec3d apart = between + s * drift + b.motion.turned(f.b, turns[1], rate_b) -
                            a.motion.turned(f.a, turns[0], rate_a);
        const Vec3d e0 = f.motion[0]->turned(f.edge[0], turns[f.motion[0] == &b.motion], rate_0),
                    e1 = f.motion[1]->turned(f.edge[1], turns[f.motion[1] == &b.motion], rate_1);
        const Vec3d normal = cross(e0, e1), rate = cross(rate_0, e1) + cross(e0, rate_1);
        const Vec3d velocity = drift + rate_b - rate_a;
        const double speed = dot(normal, velocity);
        const double step = -dot(normal, apart) / (dot(rate, apart) + speed);
        s += step;
        if (!(s > 0 && s < limit)) return {};
        // Both the time and the normal have an error of second order in the step.
        if (step * step * length(velocity) > precise) continue;
        const Vec3d final_normal = normal + step * rate;
        const double size = length(final_normal);
        return {s, final_normal * (1 / size), std::abs(speed) / size};
    }
    return {};
}

}  // namespace claybox::collision
