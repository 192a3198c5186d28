// Cost: about as much as one projection per edge.

#include "collision/continuous/screw_motion/screen/outline.hpp"

#include "collision/continuous/screw_motion/screen/projector.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

/// Largest turn about the axis, in radians, of an edge whose middle measures its deviation.
constexpr double kWidestEdge = 0.6;
/// Largest deviation of an edge, relative to its length, that the bound from its length may have.
constexpr double kLoosest = 0.15;

struct Interval {
    double low, high;
    static Interval of(double x, double y) { return {std::min(x, y), std::max(x, y)}; }
};
Interval operator+(const Interval& x, const Interval& y) {
    return {x.low + y.low, x.high + y.high};
}
Interval operator-(const Interval& x, const Interval& y) {
    return {x.low - y.high, x.high - y.low};
}
Interval operator*(const Interval& x, const Interval& y) {
    const double a = x.low * y.low, b = x.low * y.high, c = x.high * y.low, d = x.high * y.high;
    return {std::min(std::min(a, b), std::min(c, d)), std::max(std::max(a, b), std::max(c, d))};
}

template <class Real>
class Outliner {
  public:
    Outliner(const ScrewPiece& piece, const ScreenSettings& settings, SideScreen& side)
        : side_(side),
          project_(piece),
          angle_(piece.angle),
          pitch_(piece.pitch),
          error_(settings.time_error) {}

    void ends() {
        for (SubEdge& e : side_.edges) {
            const ProjectedEnd p = end(e.first, e.p, e.q, e.shift), q = end(e.last, e.q, e.p, e.shift);
            e.r0 = p.screen.r, e.h0 = p.screen.h, e.t0 = p.screen.t, e.phi0 = p.phi;
            e.r1 = q.screen.r, e.h1 = q.screen.h, e.t1 = q.screen.t, e.phi1 = q.phi;
        }
    }

    void boxes() {
        side_.boxes.resize(side_.edges.size());
        side_.face_boxes.assign(side_.mesh->face_count(), ScreenBox{});
        for (std::size_t i = 0; i < side_.edges.size(); ++i) {
            SubEdge& e = side_.edges[i];
            e.bend = 1e300;
            ScreenBox& box = side_.boxes[i];  // filled in place: copies of fresh numbers are slow
            find_box(e, box);
            e.t_low = box.t_low - error_, e.t_high = box.t_high + error_;
            if (e.left != kNoIndex) side_.face_boxes[e.left].add(box);
            if (e.right != kNoIndex) side_.face_boxes[e.right].add(box);
        }
    }

  private:
    ProjectedEnd end(std::uint32_t vertex, const Vec3d& p, const Vec3d& q, double shift) const {
        if (vertex == kNoIndex || shift != 0 || p.x == 0) return project_.end(p, q, shift);
        const SideScreen::Projected& known = side_.projected[vertex];
        return {p, known.phi, known.screen};
    }
    double flow_speed(double r) const { return std::sqrt(pitch_ * pitch_ + angle_ * angle_ * r * r); }

    static void around(const SubEdge& e, double dr, double dh, double dt, ScreenBox& box) {
        box.r_low = std::min(e.r0, e.r1) - dr, box.r_high = std::max(e.r0, e.r1) + dr;
        box.h_low = std::min(e.h0, e.h1) - dh, box.h_high = std::max(e.h0, e.h1) + dh;
        box.t_low = std::min(e.t0, e.t1) - dt, box.t_high = std::max(e.t0, e.t1) + dt;
    }
    void find_box(SubEdge& e, ScreenBox& box) const {
        if (project_.translates()) {
            e.bend = 0;
            return around(e, 0, 0, 0, box);
        }
        const double r = std::min(e.r0, e.r1), squared = length_squared(e.q - e.p);
        // The bound of Drawer::is_straight.
        if (squared < 0.25 * r * r) {
            const double azimuth = std::max(std::fabs(e.phi0), std::fabs(e.phi1));
            const double high = std::max(std::fabs(e.p.y), std::fabs(e.q.y));
            const double deviation = squared * (azimuth + 6 + 2 * high / r) / (8 * r);
            if (deviation * deviation < kLoosest * kLoosest * squared) {
                e.bend = 2 * deviation;
                return around(e, deviation, deviation, 2 * deviation / flow_speed(r), box);
            }
        }
        if (squared < r * r && std::fabs(e.phi0 - e.phi1) < kWidestEdge) {
            const Vec3d middle = 0.5 * (e.p + e.q);
            const ScreenPoint m = project_.screen(project_.place(middle, middle, e.shift));
            const double dr = 1.5 * std::fabs(m.r - 0.5 * (e.r0 + e.r1)),
                         dh = 1.5 * std::fabs(m.h - 0.5 * (e.h0 + e.h1));
            e.bend = dr + dh;
            return around(e, dr, dh, 1.5 * std::fabs(m.t - 0.5 * (e.t0 + e.t1)), box);
        }
        near_axis(e, box);
    }

    /// h = y a - phi b and t = y c + phi d, where a, b, c and d are monotonic in r.
    void near_axis(const SubEdge& e, ScreenBox& box) const {
        const double dx = e.q.x - e.p.x, dz = e.q.z - e.p.z;
        const double to_foot = -(e.p.x * dx + e.p.z * dz), squared = dx * dx + dz * dz;
        double nearest = std::min(e.r0, e.r1);
        if (to_foot > 0 && to_foot < squared) {
            const double across = e.p.x * dz - e.p.z * dx;
            nearest = std::min(nearest, std::fabs(across) / std::sqrt(squared) * (1 - 1e-6));
        }
        const Interval r{nearest, std::max(e.r0, e.r1)};
        const double slow = flow_speed(r.low), fast = flow_speed(r.high);
        box = {r.low, r.high, -1e300, 1e300, -1e300, 1e300};
        // Beyond half a turn, the edge passes through the axis.
        if (!(slow > 0) || std::fabs(e.phi0 - e.phi1) > 3) return;
        const Interval y = Interval::of(e.p.y, e.q.y), phi = Interval::of(e.phi0, e.phi1);
        const double turn_low = r.low * angle_, turn_high = r.high * angle_;
        const Interval a{turn_low / slow, turn_high / fast};
        const Interval b = Interval::of(r.low * pitch_ / slow, r.high * pitch_ / fast);
        const Interval c = Interval::of(pitch_ / (slow * slow), pitch_ / (fast * fast));
        const Interval d{r.low * turn_low / (slow * slow), r.high * turn_high / (fast * fast)};
        const Interval h = y * a - phi * b, t = y * c + phi * d;
        box.h_low = h.low, box.h_high = h.high, box.t_low = t.low, box.t_high = t.high;
    }

    SideScreen& side_;
    Projector<Real> project_;
    double angle_, pitch_, error_;
};

template <class Use>
void with_precision(const ScrewPiece& piece, const ScreenSettings& settings, SideScreen& side, Use&& use) {
    if (settings.single)
        use(Outliner<float>(piece, settings, side));
    else
        use(Outliner<double>(piece, settings, side));
}

}  // namespace

void project_ends(const ScrewPiece& piece, const ScreenSettings& settings, SideScreen& side) {
    with_precision(piece, settings, side, [](auto&& outliner) { outliner.ends(); });
}

void outline_parts(const ScrewPiece& piece, const ScreenSettings& settings, SideScreen& side) {
    with_precision(piece, settings, side, [](auto&& outliner) { outliner.boxes(); });
}

}  // namespace claybox::collision
