// Rung 3 for the time of impact of linear motions.
//
// Idea: let C be the set of all a - b at t = 0 and r the negative of the relative displacement. The bodies
// touch at t if and only if t r lies in C. Projected along r, C becomes a convex polygon P around the origin
// o, and the wanted t is the height of the lower surface of C above o. A triangle of points of C whose
// projection contains o is a portal. If no point of C is below its plane, the plane gives t; else the lowest
// point replaces one of its corners, and the height above o decreases. So no portal repeats, and the search
// ends at the exact plane.
//
// Degenerate positions. If o is on an edge of a portal, the height need not decrease. Therefore all
// orientations use o + e m1 + e^2 m2 with an infinitesimal e > 0, where m1 points to the inside of P and m2
// is independent of m1 and r. That point is inside P and on no line through two points. Heights of the lower
// surface are continuous on P, so the plane of the last portal gives the height above o as well. If C is flat
// in a direction, so that P would have no inside, C is extended by +-w perpendicular to it and to r; this
// changes nothing in the plane of C.
//
// Start. A point v0 inside P and two points x, y on the two sides of the line from v0 to o' define an edge.
// While o' is beyond it, the farthest point beyond the edge replaces x or y. The edge moves outward along the
// line each time, so this ends with a portal (v0, x, y).
//
// Coordinates are integers on a common grid, tripled so that v0, the mean of three points, is one too.

#include "collision/exact/swept_impact.hpp"

#include "collision/exact/solid_support.hpp"

#include <algorithm>
#include <array>

namespace claybox::collision {

namespace {

using Vec = Vec3<Integer>;

Integer det(const Vec& u, const Vec& v, const Vec& w) {
    return dot(u, cross(v, w));
}
bool is_zero(const Vec& v) {
    return v.x.is_zero() && v.y.is_zero() && v.z.is_zero();
}

class ImpactProblem {
  public:
    ImpactProblem(const SolidSide& a, const SolidSide& b, const SolidSweep& sweep) : a_(a), b_(b) {
        Matrix34f end_a = *a.world_from_hull, end_b = *b.world_from_hull;
        for (std::size_t r = 0; r < 3; ++r) {
            end_a.m[4 * r + 3] = sweep.a_end[r];
            end_b.m[4 * r + 3] = sweep.b_end[r];
        }
        grid_ = kNoExponent;
        for (const SolidSide* side : {&a, &b}) {
            const MatrixGrid m = grid_of(*side->world_from_hull);
            grid_ = std::min({grid_, m.translation, m.linear + vertex_grid(*side->hull)});
        }
        grid_ = std::min({grid_, grid_of(end_a).translation, grid_of(end_b).translation});
        if (grid_ > 1000) grid_ = 0;
        const auto place = [&](const Matrix34f& m) { return exact_point(m, {}, grid_); };
        ray_ = (place(end_b) - place(*b.world_from_hull)) - (place(end_a) - place(*a.world_from_hull));
        ray_ = ray_ * Integer(3);
    }

    SweptImpact find(std::span<const VertexPair> hint);

  private:
    struct Point {
        VertexPair pair;
        bool is_middle = false;  ///< v0: the mean of the base points
        Vec c;
    };

    Vec difference(VertexPair p) const {
        return (exact_point(*a_.world_from_hull, a_.hull->vertex(p.a), grid_) -
                exact_point(*b_.world_from_hull, b_.hull->vertex(p.b), grid_)) *
               Integer(3);
    }
    Point make_point(VertexPair p) const { return {p, false, difference(p)}; }

    void find_base();
    void set_perturbation();
    int orient(const Vec& x, const Vec& y) const;
    bool contains(const Point& x, const Point& y, const Point& z) const {
        return orient(x.c, y.c) > 0 && orient(y.c, z.c) > 0 && orient(z.c, x.c) > 0;
    }
    /// The point of C with the smallest n.c.
    Point lowest(const Vec& n) const;
    bool start_from(std::span<const VertexPair> hint);
    void start();
    void answer(const Vec& n, SweptImpact& out) const;

    const SolidSide &a_, &b_;
    int grid_;
    Vec ray_;
    std::array<VertexPair, 3> base_;  ///< their mean is inside P
    Vec base_sum_;                    ///< tripled mean: v0 in tripled coordinates
    Vec extra_[2];                    ///< w: directions in which C is flat
    int extra_count_ = 0;
    Vec towards_, aside_;  ///< m1, m2
    std::array<Point, 3> portal_;
    std::uint32_t iterations_ = 0;
};

/// Finds three points whose projections span a triangle; adds extensions where C is flat.
void ImpactProblem::find_base() {
    const Vec first = difference({0, 0});
    Vec u1, u2;
    bool has_1 = false, has_2 = false;
    base_ = {};
    const auto offer = [&](VertexPair pair) {
        const Vec u = difference(pair) - first;
        if (!has_1 && !is_zero(cross(ray_, u))) {
            has_1 = true;
            u1 = u;
            base_[1] = pair;
        } else if (has_1 && !has_2 && !det(ray_, u1, u).is_zero()) {
            has_2 = true;
            u2 = u;
            base_[2] = pair;
        }
    };
    for (std::uint32_t i = 1; i < a_.hull->vertex_count && !has_2; ++i) offer({i, 0});
    for (std::uint32_t i = 1; i < b_.hull->vertex_count && !has_2; ++i) offer({0, i});
    if (!has_1) {
        const Integer zero = 0, three = 3;
        for (const Vec& e : {Vec{three, zero, zero}, Vec{zero, three, zero}}) {
            u1 = cross(ray_, e);
            if (!is_zero(u1)) break;
        }
        extra_[extra_count_++] = u1;
    }
    if (!has_2) {
        u2 = cross(ray_, u1);
        extra_[extra_count_++] = u2;
    }
    // first, first + u1 and first + u2, divided by 3: all are multiples of 3.
    base_sum_ = first + Vec{u1.x / 3 + u2.x / 3, u1.y / 3 + u2.y / 3, u1.z / 3 + u2.z / 3};
}

void ImpactProblem::set_perturbation() {
    const Vec first = difference({0, 0});
    const auto u = [&](int i) {  // edges of a triangle around v0
        const Vec own = difference(base_[static_cast<std::size_t>(i)]) - first;
        if (!is_zero(own)) return own;
        return i == 1 || extra_count_ == 1 ? extra_[0] : extra_[1];
    };
    const Vec u1 = u(1), u2 = u(2);
    if (is_zero(cross(ray_, base_sum_))) {
        towards_ = u1;
        aside_ = u2;
        return;
    }
    towards_ = base_sum_;
    aside_ = det(ray_, towards_, u1).is_zero() ? u2 : u1;
}

/// The orientation of (o', x, y) as seen along the ray. Zero only if x and y have the same projection.
int ImpactProblem::orient(const Vec& x, const Vec& y) const {
    if (const int s = det(ray_, x, y).sign(); s != 0) return s;
    const Vec apart = x - y;
    if (const int s = det(ray_, towards_, apart).sign(); s != 0) return s;
    return det(ray_, aside_, apart).sign();
}

ImpactProblem::Point ImpactProblem::lowest(const Vec& n) const {
    const Vec3<Approx> rough = approximate(n);
    Point out = make_point({exact_best_vertex(a_, functional(a_, rough), n, -1),
                            exact_best_vertex(b_, functional(b_, rough), n, 1)});
    for (int i = 0; i < extra_count_; ++i) {
        const int side = dot(n, extra_[i]).sign();
        if (side > 0) out.c -= extra_[i];
        if (side < 0) out.c += extra_[i];
    }
    return out;
}

bool ImpactProblem::start_from(std::span<const VertexPair> hint) {
    if (hint.size() != 3) return false;
    for (std::size_t i = 0; i < 3; ++i) {
        if (hint[i].a >= a_.hull->vertex_count || hint[i].b >= b_.hull->vertex_count) return false;
        portal_[i] = make_point(hint[i]);
    }
    if (contains(portal_[0], portal_[1], portal_[2])) return true;
    std::swap(portal_[1], portal_[2]);
    return contains(portal_[0], portal_[1], portal_[2]);
}

void ImpactProblem::start() {
    const Point middle{base_[0], true, base_sum_};
    const Vec line = cross(ray_, base_sum_);
    const Vec across =
        is_zero(line) ? cross(ray_, towards_) : -line;  // perpendicular to the line from v0 to o'
    Point x = lowest(across), y = lowest(-across);
    if (orient(middle.c, x.c) < 0) std::swap(x, y);
    while (orient(x.c, y.c) < 0) {
        ++iterations_;
        Point beyond = lowest(cross(ray_, y.c - x.c));
        (orient(middle.c, beyond.c) > 0 ? x : y) = std::move(beyond);
    }
    portal_ = {middle, x, y};
}

SweptImpact ImpactProblem::find(std::span<const VertexPair> hint) {
    find_base();
    set_perturbation();
    if (!start_from(hint)) start();
    for (;;) {
        ++iterations_;
        auto& [x, y, z] = portal_;
        const Vec n = cross(y.c - x.c, z.c - x.c);
        Point below = lowest(n);
        if (dot(n, below.c) >= dot(n, x.c)) {
            SweptImpact out;
            answer(n, out);
            return out;
        }
        if (contains(below, y, z))
            x = std::move(below);
        else if (contains(x, below, z))
            y = std::move(below);
        else
            z = std::move(below);
    }
}

void ImpactProblem::answer(const Vec& n, SweptImpact& out) const {
    const auto& [x, y, z] = portal_;
    const Integer along = dot(n, ray_), height = dot(n, x.c);
    // 0 < height <= along, as the bodies touch within the sweep and not at its start.
    const int scale = -static_cast<int>(msb(along));
    const double whole = to_double(along, scale);
    out.time = std::clamp(to_double(height, scale) / whole, 0.0, 1.0);
    const Vec3<Approx> rough = approximate(n);
    out.normal_w = normalized(Vec3d{-rough.x.v, -rough.y.v, -rough.z.v});
    out.iterations = iterations_;
    const Integer weight[3] = {det(ray_, y.c, z.c), det(ray_, z.c, x.c), det(ray_, x.c, y.c)};
    const auto add = [&out](VertexPair pair, double w) {
        for (int i = 0; i < out.count; ++i) {
            if (out.pairs[i].a != pair.a || out.pairs[i].b != pair.b) continue;
            out.weights[i] += w;
            return;
        }
        out.pairs[out.count] = pair;
        out.weights[out.count++] = w;
    };
    for (std::size_t i = 0; i < 3; ++i) {
        if (weight[i].sign() <= 0) continue;
        const double w = to_double(weight[i], scale) / whole;
        if (portal_[i].is_middle)
            for (const VertexPair& pair : base_) add(pair, w / 3);
        else
            add(portal_[i].pair, w);
    }
}

}  // namespace

SweptImpact find_swept_impact(const SolidSide& a, const SolidSide& b, const SolidSweep& sweep,
                              std::span<const VertexPair> hint) {
    return ImpactProblem(a, b, sweep).find(hint);
}

}  // namespace claybox::collision
