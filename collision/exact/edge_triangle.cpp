#include "collision/exact/edge_triangle.hpp"

#include "collision/exact/number.hpp"

#include <cmath>

namespace claybox::collision {

namespace {

double largest(const Vec3d& v) {
    return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

}  // namespace

// All points are taken relative to a: U = b - a, V = c - a, P = p - a, Q = q - a. The heights of p and q
// above the plane are det(U, V, P) and det(U, V, Q). The line passes all three sides on the same side if ab =
// det(P, Q, U), ca = -det(P, Q, V) and bc = (height_q - height_p) - ab - ca have the same sign.
//
// Bound. Let L be the largest component of the four vectors and u = 2^-53.
// - Each component has an error of at most d = 2 error + u L: two points and one subtraction.
// - A determinant has six triple products. Changing the factors by d changes it by at most
//   6 (3 L^2 d + 3 L d^2 + d^3). Each triple product has five roundings, together below 6 * 5.01 u L^3.
//   The sum of both is K, `volume` below.
// - bc sums four such values in three steps. Each has an error of K and a magnitude of at most 6 L^3, so bc
// has an
//   error of at most 4 K + 3 * 24 u L^3, `third` below.
// Both bounds are enlarged for their own rounding. Nothing underflows: all coordinates are multiples of
// 2^-298, so products of three are multiples of 2^-894. Only d^3 in the bound can underflow. It is far below
// the enlargement of L^2 d unless L is zero, and then nothing is decided.
EdgeTriangleBounds edge_triangle_bounds(double largest, double error) {
    const double l = largest, d = 2 * error + kRound * l;
    const double cubic = kRound * l * l * l;
    const double volume = ((18 * l * (l + d) + 6 * d * d) * d + 31 * cubic) * (1 + 0x1p-40);
    return {volume, (4 * volume + 75 * cubic) * (1 + 0x1p-40)};
}

EdgeTriangleFilter filter_edge_triangle(const Vec3d& p, const Vec3d& q, const Vec3d& a, const Vec3d& b,
                                        const Vec3d& c, double error) {
    const Vec3d u = b - a, v = c - a, pa = p - a, qa = q - a;
    const double l = std::max(std::max(largest(u), largest(v)), std::max(largest(pa), largest(qa)));
    const auto [bound, bound_bc] = edge_triangle_bounds(l, error);
    const Vec3d n = cross(u, v);
    const double height_p = dot(n, pa), height_q = dot(n, qa);
    if ((height_p > bound && height_q > bound) || (height_p < -bound && height_q < -bound))
        return {EdgeTriangleSign::miss, 0};
    const Vec3d w = cross(pa, qa);
    const double ab = dot(w, u), ca = -dot(w, v);
    const double bc = (height_q - height_p) - ab - ca;
    const bool some_plus = ab > bound || ca > bound || bc > bound_bc;
    const bool some_minus = ab < -bound || ca < -bound || bc < -bound_bc;
    if (some_plus && some_minus) return {EdgeTriangleSign::miss, 0};
    const bool all =
        (ab > bound && ca > bound && bc > bound_bc) || (ab < -bound && ca < -bound && bc < -bound_bc);
    const bool crosses = (height_p > bound && height_q < -bound) || (height_p < -bound && height_q > bound);
    if (all && crosses) return {EdgeTriangleSign::hit, height_p / (height_p - height_q)};
    return {EdgeTriangleSign::unknown, 0};
}

namespace {

using Vec3i = Vec3<Integer>;

bool is_zero(const Vec3i& v) {
    return v.x.is_zero() && v.y.is_zero() && v.z.is_zero();
}

/// part / whole as a double in [0, 1].
double ratio(const Integer& part, const Integer& whole) {
    if (part.is_zero()) return 0;
    const int top = static_cast<int>(msb(abs(whole)));
    return std::clamp(to_double(part, -top) / to_double(whole, -top), 0.0, 1.0);
}

/// Whether 0 <= part / whole <= 1, for whole > 0.
bool within(const Integer& part, const Integer& whole) {
    return part.sign() >= 0 && part <= whole;
}

EdgeTriangleIntersection on_one_line(const Vec3i& d, const Vec3i& r, const Vec3i& s) {
    const Integer whole = dot(d, d);
    Integer low = dot(r, d), high = dot(s, d);
    if (high < low) std::swap(low, high);
    if (low > whole || high.sign() < 0) return {};
    return {true, low.sign() <= 0 ? 0.0 : ratio(low, whole)};
}

/// The segments from 0 to d and from r to s, in space, of any length.
EdgeTriangleIntersection segments(const Vec3i& d, const Vec3i& r, const Vec3i& s) {
    const Vec3i f = s - r, c = cross(d, f);
    if (!is_zero(c)) {
        if (!dot(r, c).is_zero()) return {};
        const Integer whole = dot(c, c), t = dot(cross(r, f), c), along = dot(cross(r, d), c);
        if (!within(t, whole) || !within(along, whole)) return {};
        return {true, ratio(t, whole)};
    }
    if (!is_zero(d)) return is_zero(cross(r, d)) ? on_one_line(d, r, s) : EdgeTriangleIntersection{};
    if (!is_zero(f)) return {is_zero(cross(r, f)) && within(-dot(r, f), dot(f, f)), 0};
    return {is_zero(r), 0};
}

/// The segment from p to q against the three sides. All points are relative to a. The segment lies in the
/// plane of the triangle, or the triangle has zero area.
EdgeTriangleIntersection intersect_sides(const Vec3i& u, const Vec3i& v, const Vec3i& p, const Vec3i& q) {
    const Vec3i d = q - p;
    EdgeTriangleIntersection out = segments(d, -p, u - p);
    if (!out.hit) out = segments(d, -p, v - p);
    if (!out.hit) out = segments(d, u - p, v - p);
    return out;
}

EdgeTriangleIntersection intersect_in_plane(const Vec3i& n, const Vec3i& u, const Vec3i& v, const Vec3i& p,
                                            const Vec3i& q) {
    const bool p_inside = dot(n, cross(u, p)).sign() >= 0 && dot(n, cross(p, v)).sign() >= 0 &&
                          dot(n, cross(v - u, p - u)).sign() >= 0;
    if (p_inside) return {true, 0};
    return intersect_sides(u, v, p, q);  // a segment that starts outside can enter only through a side
}

}  // namespace

EdgeTriangleIntersection intersect_exact(const ExactEdge& edge, const ExactTriangle& triangle) {
    const Matrix34f &me = *edge.world_from_local, &mt = *triangle.world_from_local;
    int grid_e = kNoExponent, grid_t = kNoExponent;
    for (const Vec3f* v : {&edge.p, &edge.q})
        for (std::size_t k = 0; k < 3; ++k) grid_e = std::min(grid_e, grid_exponent((*v)[k]));
    for (const Vec3f* v : {&triangle.a, &triangle.b, &triangle.c})
        for (std::size_t k = 0; k < 3; ++k) grid_t = std::min(grid_t, grid_exponent((*v)[k]));
    const MatrixGrid ge = grid_of(me), gt = grid_of(mt);
    int grid = std::min({ge.translation, gt.translation, ge.linear + grid_e, gt.linear + grid_t});
    if (grid > 1000) grid = 0;  // all zero
    const Vec3i a = exact_point(mt, triangle.a, grid);
    const Vec3i u = exact_point(mt, triangle.b, grid) - a, v = exact_point(mt, triangle.c, grid) - a;
    const Vec3i p = exact_point(me, edge.p, grid) - a, q = exact_point(me, edge.q, grid) - a;
    const Vec3i n = cross(u, v);
    if (is_zero(n)) return intersect_sides(u, v, p, q);
    const Integer height_p = dot(n, p), height_q = dot(n, q);
    const int side_p = height_p.sign(), side_q = height_q.sign();
    if (side_p == 0 && side_q == 0) return intersect_in_plane(n, u, v, p, q);
    if (side_p * side_q > 0) return {};
    const Vec3i w = cross(p, q);
    const Integer ab = dot(w, u), ca = -dot(w, v), bc = height_q - height_p - ab - ca;
    const bool some_plus = ab.sign() > 0 || ca.sign() > 0 || bc.sign() > 0;
    const bool some_minus = ab.sign() < 0 || ca.sign() < 0 || bc.sign() < 0;
    if (some_plus && some_minus) return {};
    return {true, ratio(height_p, height_p - height_q)};
}

namespace {

Vec3f reach_of(std::initializer_list<Vec3f> points) {
    Vec3f out;
    for (const Vec3f& p : points) out = max(out, Vec3f{std::abs(p.x), std::abs(p.y), std::abs(p.z)});
    return out;
}

}  // namespace

// A coordinate is m0 x + m1 y + m2 z + t. The products of two floats are exact in double. t = t_w - o_w has
// one rounding and the three sums have one each; every partial sum is at most the sum of all magnitudes. So
// there are four roundings; the bound allows six.
WorkFrame::WorkFrame(const Matrix34f& world_from_local, const Vec3f& origin_w, const Vec3f& reach) {
    work_from_local = to_double(world_from_local);
    for (std::size_t r = 0; r < 3; ++r) {
        double& t = work_from_local.m[4 * r + 3];
        t -= origin_w[r];
        double size = std::abs(t);
        for (std::size_t k = 0; k < 3; ++k) size += std::abs(work_from_local.m[4 * r + k]) * reach[k];
        error = std::max(error, 6 * kRound * size);
    }
}

EdgeTriangleIntersection intersect(const ExactEdge& edge, const ExactTriangle& triangle) {
    const Vec3f origin = triangle.world_from_local->translation();
    const WorkFrame e(*edge.world_from_local, origin, reach_of({edge.p, edge.q}));
    const WorkFrame t(*triangle.world_from_local, origin, reach_of({triangle.a, triangle.b, triangle.c}));
    const auto in_e = [&](const Vec3f& v) { return transform_point(e.work_from_local, v); };
    const auto in_t = [&](const Vec3f& v) { return transform_point(t.work_from_local, v); };
    const auto filter = filter_edge_triangle(in_e(edge.p), in_e(edge.q), in_t(triangle.a), in_t(triangle.b),
                                             in_t(triangle.c), std::max(e.error, t.error));
    if (filter.sign == EdgeTriangleSign::unknown) return intersect_exact(edge, triangle);
    return {filter.sign == EdgeTriangleSign::hit, filter.t};
}

}  // namespace claybox::collision
