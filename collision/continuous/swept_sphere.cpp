// Source: our own; the pieces are those of Ericson, Real-Time Collision Detection, 5.5.7, where they are
// intersected in floating point. Cost: constant per corner. No cache.
//
// Errors. Approx carries a bound of every rounding through sums, differences and products, so a sign that it
// calls certain is that of the exact polynomial. Its inputs are the given doubles, without error. Integers
// hold the doubles on the finest grid that any of them needs, so they are exact. The largest polynomial, q of
// the prism at a fraction, has degree 4 in q's coefficients, and these have degree 6.
//
// The time comes from plain doubles once the touched pieces are known. Let s bound the magnitudes. A
// coefficient of a piece's q is a polynomial of differences of coordinates, each off by 2^-53 s. Divided by
// the squared length that scales it, q is off by about 2^-48 s^2 wherever it is evaluated. The roots are
// computed without cancellation, so the exact q at the returned time is of that size: distance^2 - r^2 =
// (distance - r)(distance + r), and the distance is off by at most 2^-48 s^2 / r. The prism has the root of a
// linear function instead, without the last division. Tests check both bounds with 2^-44.

#include "collision/continuous/swept_sphere.hpp"

#include "collision/core/assert.hpp"
#include "collision/exact/number.hpp"
#include "collision/geometry/transform.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
namespace claybox::collision {

namespace {

/// The given numbers; for integer scalars on a common grid.
template <class S>
struct Given;
template <>
struct Given<double> {
    double number(double x) const { return x; }
};
template <>
struct Given<Approx> {
    Approx number(double x) const { return {x, 0}; }
};
template <>
struct Given<Integer> {
    int exponent = 0;
    Integer number(double x) const { return exact_number(x, exponent); }
};

/// A linear function of t, by its values at 0 and 1.
template <class S>
struct Line {
    S at0, at1;
};

/// t between 0 and 1 as a fraction with positive denominator.
template <class S>
struct Fraction {
    S above, below;
};

/// a t^2 + 2 b t + c, with a >= 0.
template <class S>
struct Quadratic {
    S a, b, c;
};

template <class S>
class Sweep {
  public:
    Sweep(const MovingBall& ball, std::span<const Vec3d> polygon, const Given<S>& given)
        : given_(given),
          polygon_(polygon),
          from_(point(ball.from)),
          to_(point(ball.to)),
          radius_(given.number(ball.radius)),
          is_stationary_(ball.from == ball.to) {
        // The plane of the first triangle with an area; all such triangles share it.
        for (std::size_t i = 1; i + 1 < polygon.size(); ++i) {
            const Vec3<S> first = corner(0);
            normal_ = cross(corner(i) - first, corner(i + 1) - first);
            if (is_nonzero(normal_)) break;
        }
    }

    std::size_t corners() const { return polygon_.size(); }
    const S& radius() const { return radius_; }
    bool is_stationary() const { return is_stationary_; }
    S normal_squared() const { return dot(normal_, normal_); }
    Line<S> height() const { return {dot(normal_, from_ - corner(0)), dot(normal_, to_ - corner(0))}; }

    /// Not negative on the inner side of the plane through edge i perpendicular to the polygon.
    Line<S> inside(std::size_t i) const {
        const Vec3<S> a = corner(i), inward = cross(normal_, corner(i + 1) - a);
        return {dot(inward, from_ - a), dot(inward, to_ - a)};
    }
    /// Position of the path along edge i, from the start of the edge and to its end.
    Line<S> after_start(std::size_t i) const {
        const Vec3<S> a = corner(i), along = corner(i + 1) - a;
        return {dot(along, from_ - a), dot(along, to_ - a)};
    }
    Line<S> before_end(std::size_t i) const {
        const Vec3<S> b = corner(i + 1), back = corner(i) - b;
        return {dot(back, from_ - b), dot(back, to_ - b)};
    }

    Quadratic<S> of_prism() const {
        const Line<S> h = height();
        const S rise = h.at1 - h.at0;
        return {rise * rise, h.at0 * rise, h.at0 * h.at0 - radius_ * radius_ * normal_squared()};
    }
    Quadratic<S> of_edge(std::size_t i) const {
        const Vec3<S> a = corner(i), along = corner(i + 1) - a;
        const Vec3<S> start = cross(from_ - a, along), path = cross(to_ - from_, along);
        return {dot(path, path), dot(start, path), dot(start, start) - radius_ * radius_ * dot(along, along)};
    }
    Quadratic<S> of_corner(std::size_t i) const {
        const Vec3<S> start = from_ - corner(i), path = to_ - from_;
        return {dot(path, path), dot(start, path), dot(start, start) - radius_ * radius_};
    }

  private:
    Vec3<S> point(const Vec3d& p) const {
        return {given_.number(p.x), given_.number(p.y), given_.number(p.z)};
    }
    Vec3<S> corner(std::size_t i) const { return point(polygon_[i % polygon_.size()]); }
    static bool is_nonzero(const Vec3<S>& v) {
        if constexpr (std::is_same_v<S, double>)
            return v != Vec3<S>{};
        else
            return certain_sign(v.x) != 0 || certain_sign(v.y) != 0 || certain_sign(v.z) != 0;
    }

    Given<S> given_;
    std::span<const Vec3d> polygon_;
    Vec3<S> from_, to_, normal_;
    S radius_;
    bool is_stationary_;
};

/// How the path relates to one piece.
struct PieceContact {
    bool touches = false;
    bool enters = false;  ///< it is not between the piece's ends at the start
    int first = 1;        ///< sign of q where it enters between the ends, else at the start
    bool falls = false;   ///< if `first` is zero: q does not grow there
};

/// Signs of one query. If a sign is not certain, the result is unknown.
template <class S>
class Decider {
  public:
    explicit Decider(bool is_stationary) : is_stationary_(is_stationary) {}

    bool unknown() const { return unknown_; }
    int sign(const S& x) {
        const int s = certain_sign(x);
        unknown_ |= s == kUnknownSign;
        return s;
    }
    /// Resets the range to the whole path.
    void start() {
        low_ = {S{0}, S{1}};
        high_ = {S{1}, S{1}};
        contact_ = {};
    }
    /// Restricts the range to where the line is not negative. False if nothing remains or a sign is unknown.
    bool clip(const Line<S>& line) {
        const int s0 = sign(line.at0), s1 = sign(line.at1);
        if (unknown_ || (s0 < 0 && s1 < 0)) return false;
        if (s0 >= 0 && s1 >= 0) return true;
        if (s0 < 0) {
            raise({-line.at0, line.at1 - line.at0});
        } else {
            const Fraction<S> end{line.at0, line.at0 - line.at1};
            if (sign(difference(high_, end)) > 0) high_ = end;
        }
        return sign(difference(high_, low_)) >= 0 && !unknown_;
    }
    /// Whether q reaches zero in the remaining range.
    PieceContact contact_with(const Quadratic<S>& q) {
        contact_.first = sign(at(q, low_));
        if (contact_.first == 0) contact_.falls = sign(slope(q, low_)) <= 0;
        contact_.touches = contact_.first <= 0 || (!is_stationary_ && sign(at(q, high_)) <= 0);
        if (contact_.touches || is_stationary_ || sign(slope(q, low_)) >= 0 || sign(slope(q, high_)) <= 0)
            return contact_;
        contact_.touches = sign(q.a * q.c - q.b * q.b) <= 0;
        return contact_;
    }

  private:
    void raise(const Fraction<S>& begin) {
        if (sign(difference(begin, low_)) > 0) low_ = begin;
        contact_.enters = true;
    }
    static S difference(const Fraction<S>& x, const Fraction<S>& y) {
        return x.above * y.below - y.above * x.below;
    }
    static S at(const Quadratic<S>& q, const Fraction<S>& t) {
        return q.a * t.above * t.above + (q.b + q.b) * t.above * t.below + q.c * t.below * t.below;
    }
    static S slope(const Quadratic<S>& q, const Fraction<S>& t) { return q.a * t.above + q.b * t.below; }

    Fraction<S> low_, high_;
    PieceContact contact_;
    bool is_stationary_, unknown_ = false;
};

/// The first t in [0, 1] with all lines not negative and q <= 0, for a piece that is known to be touched.
double entry(std::initializer_list<Line<double>> lines, const Quadratic<double>& q) {
    double low = 0, high = 1;
    for (const Line<double>& line : lines) {
        if (line.at0 < 0)
            low = std::max(low, line.at0 / (line.at0 - line.at1));
        else if (line.at1 < 0)
            high = std::min(high, line.at0 / (line.at0 - line.at1));
    }
    if (!(q.b < 0)) return std::min(low, 1.0);  // moves away from the piece's middle: touches from the start
    const double root = q.c / (std::sqrt(std::max(0.0, q.b * q.b - q.a * q.c)) - q.b);
    return std::clamp(std::min(std::max(root, low), high), 0.0, 1.0);
}

/// Entry time into the prism, not before the path is between the sides: it may enter at the height of the
/// radius without falling.
double entry_of_prism(const Sweep<double>& path) {
    const Line<double> h = path.height();
    const double top = path.radius() * std::sqrt(path.normal_squared());
    const double above = h.at0 < 0 ? -h.at0 - top : h.at0 - top;
    const double fall = h.at0 < 0 ? h.at1 - h.at0 : h.at0 - h.at1;
    double first = fall > 0 ? above / fall : 0;
    for (std::size_t i = 0; i < path.corners(); ++i) {
        const Line<double> side = path.inside(i);
        if (side.at0 < 0 && side.at1 > side.at0) first = std::max(first, side.at0 / (side.at0 - side.at1));
    }
    return std::clamp(first, 0.0, 1.0);
}

/// All pieces of one query.
template <class S>
class Query {
  public:
    Query(const Sweep<S>& path, const Sweep<double>& plain, SweptSide side)
        : path_(path), plain_(plain), height_(path.height()), side_(side), decider_(path.is_stationary()) {}

    /// False if a sign was not certain; `out` is then meaningless.
    bool answer(SweptContact& out) {
        const int area = decider_.sign(path_.normal_squared());
        const bool front = side_ == SweptSide::front;
        if (front && (area == 0 || decider_.sign(height_.at0) < 0)) return !decider_.unknown();
        if (area != 0) test_face(out);
        for (std::size_t i = 0; i < path_.corners() && !out.hit && !decider_.unknown(); ++i) test_rim(i);
        if (!out.hit && rim_.hit) out = rim_;
        if (front && out.hit && !out.at_start && decider_.sign(height_.at0 - height_.at1) <= 0) out = {};
        return !decider_.unknown();
    }

  private:
    bool begin() {
        decider_.start();
        return side_ == SweptSide::both || decider_.clip(height_);
    }
    void test_face(SweptContact& out) {
        if (!begin()) return;
        for (std::size_t i = 0; i < path_.corners(); ++i)
            if (!decider_.clip(path_.inside(i))) return;
        const PieceContact m = decider_.contact_with(path_.of_prism());
        // If the path enters between the sides already closer than the radius, it touched the rim before. The
        // same may hold if it enters at the radius while the height grows.
        const bool from_above = m.first > 0 || (m.first == 0 && m.falls);
        if (!m.touches || (m.enters && !from_above)) return;
        out = {true, !m.enters && m.first <= 0, SweptFeature::face, 0, false};
        if (!out.at_start) out.time = entry_of_prism(plain_);
    }
    void test_rim(std::size_t i) {
        if (begin() && decider_.clip(path_.after_start(i)) && decider_.clip(path_.before_end(i))) {
            const PieceContact m = decider_.contact_with(path_.of_edge(i));
            if (m.touches)
                take(m, SweptFeature::edge,
                     entry({plain_.after_start(i), plain_.before_end(i)}, plain_.of_edge(i)));
        }
        if (!begin()) return;
        const PieceContact m = decider_.contact_with(path_.of_corner(i));
        if (m.touches) take(m, SweptFeature::corner, entry({}, plain_.of_corner(i)));
    }
    void take(const PieceContact& m, SweptFeature feature, double time) {
        const bool at_start = !m.enters && m.first <= 0;
        if (at_start) time = 0;
        if (rim_.hit && (rim_.at_start || (time >= rim_.time && !at_start))) return;
        rim_ = {true, at_start, feature, time, false};
    }

    const Sweep<S>& path_;
    const Sweep<double>& plain_;
    Line<S> height_;
    SweptSide side_;
    Decider<S> decider_;
    SweptContact rim_;
};

template <class S>
bool answer(const MovingBall& ball, std::span<const Vec3d> polygon, SweptSide side, const Given<S>& given,
            SweptContact& out) {
    const Sweep<S> path(ball, polygon, given);
    const Sweep<double> plain(ball, polygon, {});
    return Query<S>(path, plain, side).answer(out);
}

bool is_usable(const Vec3d& p) {
    return std::abs(p.x) <= kMaxMagnitude && std::abs(p.y) <= kMaxMagnitude && std::abs(p.z) <= kMaxMagnitude;
}

bool is_usable(const MovingBall& ball, std::span<const Vec3d> polygon) {
    const bool good =
        ball.radius >= 0 && ball.radius <= kMaxMagnitude && is_usable(ball.from) && is_usable(ball.to);
    return good && polygon.size() >= 3 &&
           std::all_of(polygon.begin(), polygon.end(), [](const Vec3d& p) { return is_usable(p); });
}

/// True only if they are certainly apart: each side's sums are rounded once, and rounding is monotonic.
bool boxes_are_apart(const MovingBall& ball, std::span<const Vec3d> polygon) {
    const Vec3d low = min(ball.from, ball.to), high = max(ball.from, ball.to);
    Vec3d first = polygon[0], last = polygon[0];
    for (const Vec3d& p : polygon) first = min(first, p), last = max(last, p);
    for (std::size_t k = 0; k < 3; ++k)
        if (low[k] - ball.radius > last[k] || high[k] + ball.radius < first[k]) return true;
    return false;
}

SweptContact by_integers(const MovingBall& ball, std::span<const Vec3d> polygon, SweptSide side) {
    Given<Integer> given{std::min(grid_exponent(ball.radius), 0)};
    const auto refine = [&](const Vec3d& p) {
        for (std::size_t k = 0; k < 3; ++k) given.exponent = std::min(given.exponent, grid_exponent(p[k]));
    };
    refine(ball.from), refine(ball.to);
    for (const Vec3d& p : polygon) refine(p);
    SweptContact out;
    [[maybe_unused]] const bool certain = answer(ball, polygon, side, given, out);
    CLAYBOX_ASSERT(certain);
    out.by_integers = true;
    return out;
}

}  // namespace

SweptContact sweep_ball(const MovingBall& ball, std::span<const Vec3d> polygon, SweptSide side) {
    if (!is_usable(ball, polygon) || boxes_are_apart(ball, polygon)) return {};
    SweptContact out;
    return answer(ball, polygon, side, Given<Approx>{}, out) ? out : by_integers(ball, polygon, side);
}

SweptContact sweep_ball_exact(const MovingBall& ball, std::span<const Vec3d> polygon, SweptSide side) {
    return is_usable(ball, polygon) ? by_integers(ball, polygon, side) : SweptContact{};
}

}  // namespace claybox::collision
