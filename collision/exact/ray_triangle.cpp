#include "collision/exact/ray_triangle.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace claybox::collision {

namespace {

using Vec3i = Vec3<Integer>;

double largest(const Vec3d& v) {
    return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

bool is_zero(const Vec3i& v) {
    return v.x.is_zero() && v.y.is_zero() && v.z.is_zero();
}

}  // namespace

// A, B and C are the corners relative to the ray's origin. The line passes all sides on the same side if the
// volumes d.(A x B), d.(B x C) and d.(C x A) have the same sign. Their sum is d.n with n = (B - A) x (C - A),
// and t = (n.A) / (n.d).
//
// Bounds. Let L be the largest component of all differences, D the largest component of d, u = 2^-53, and eo
// and ed the errors of the ray's origin and direction.
// - A, B and C have an error of at most e = eo + u L.
// - A component of A x B has an error of at most ec = 4 L e + 2 e^2 (input) + 4 u L^2 (rounding).
// - A volume has an error of at most 3 (D ec + ed (2 L^2 + ec)), and less than 20 u D L^2 from rounding.
// - B - A has an error of at most u L, so n has an error below 9 u L^2.
// - The height n.A is a determinant as in edge_triangle_bounds.
RayTriangleFilter filter_ray_triangle(const NearRay& near, const Vec3f& a, const Vec3f& b, const Vec3f& c) {
    const Vec3d &o = near.ray.origin, &d = near.ray.direction;
    const Vec3d pa = cast<double>(a) - o, pb = cast<double>(b) - o, pc = cast<double>(c) - o;
    const Vec3d u = cast<double>(b) - cast<double>(a), v = cast<double>(c) - cast<double>(a);
    const double l = std::max({largest(pa), largest(pb), largest(pc), largest(u), largest(v)});
    const double e = near.origin_error + kRound * l, size = largest(d), ed = near.direction_error;
    const double ec = 4 * l * e + 2 * e * e + 4 * kRound * l * l;
    const double rounding = 20 * kRound * size * l * l;
    const double bound = (3 * (size * ec + ed * (2 * l * l + ec)) + rounding) * (1 + 0x1p-40) + kUnderflow;
    const double ab = dot(d, cross(pa, pb)), bc = dot(d, cross(pb, pc)), ca = dot(d, cross(pc, pa));
    const int plus = (ab > bound) + (bc > bound) + (ca > bound);
    const int minus = (ab < -bound) + (bc < -bound) + (ca < -bound);
    if (plus > 0 && minus > 0) return {EdgeTriangleSign::miss, 0, 0};
    if (plus < 3 && minus < 3) return {};
    const Vec3d n = cross(u, v);
    const double height = dot(n, pa), along = dot(n, d);
    const double height_bound = edge_triangle_bounds(l, near.origin_error).volume;
    const double along_bound =
        (3 * (size * 9 * kRound * l * l + ed * 3 * l * l) + rounding) * (1 + 0x1p-40) + kUnderflow;
    if (!(std::abs(height) > height_bound) || !(std::abs(along) > 2 * along_bound)) return {};
    if ((height > 0) != (along > 0)) return {EdgeTriangleSign::miss, 0, 0};
    const double t = height / along;
    const double t_error = (height_bound + t * along_bound) / (std::abs(along) - along_bound) + t * 0x1p-51;
    if (!std::isfinite(t_error)) return {};
    return {EdgeTriangleSign::hit, t, t_error * (1 + 0x1p-40)};
}

namespace {

/// The intersection at t = part / whole, for whole != 0; no hit if t is negative.
RayIntersection intersection_at(Integer part, Integer whole) {
    if (whole.sign() < 0) {
        part = -part;
        whole = -whole;
    }
    if (part.sign() < 0) return {};
    return {true, std::move(part), std::move(whole)};
}

void keep_nearest(RayIntersection& first, RayIntersection&& other) {
    if (other.hit && (!first.hit || compare(other, first) < 0)) first = std::move(other);
}

/// The ray from 0 along d against the segment from r to s, which may have zero length.
RayIntersection intersect_segment(const Vec3i& d, const Vec3i& r, const Vec3i& s) {
    const Vec3i f = s - r, c = cross(d, f);
    if (!is_zero(c)) {
        if (!dot(r, c).is_zero()) return {};
        const Integer whole = dot(c, c), along = dot(cross(r, d), c);
        if (along.sign() < 0 || along > whole) return {};
        return intersection_at(dot(cross(r, f), c), whole);
    }
    if (!is_zero(cross(r, d))) return {};
    Integer low = dot(r, d), high = dot(s, d);
    if (high < low) std::swap(low, high);
    if (high.sign() < 0) return {};
    return {true, low.sign() < 0 ? Integer(0) : low, dot(d, d)};
}

RayIntersection intersect_sides(const Vec3i& d, const Vec3i& a, const Vec3i& b, const Vec3i& c) {
    RayIntersection out = intersect_segment(d, a, b);
    keep_nearest(out, intersect_segment(d, b, c));
    keep_nearest(out, intersect_segment(d, c, a));
    return out;
}

/// The corners are relative to the ray's origin.
RayIntersection intersect_corners(const Vec3i& d, const Vec3i& a, const Vec3i& b, const Vec3i& c) {
    const Vec3i n = cross(b - a, c - a);
    if (is_zero(n)) return intersect_sides(d, a, b, c);
    const Integer height = dot(n, a), along = dot(n, d);
    if (along.is_zero()) {
        if (!height.is_zero()) return {};
        const bool inside = dot(n, cross(a, b)).sign() >= 0 && dot(n, cross(b, c)).sign() >= 0 &&
                            dot(n, cross(c, a)).sign() >= 0;
        return inside ? RayIntersection{true, 0, 1} : intersect_sides(d, a, b, c);
    }
    int plus = 0, minus = 0;
    for (const int side :
         {dot(d, cross(a, b)).sign(), dot(d, cross(b, c)).sign(), dot(d, cross(c, a)).sign()}) {
        plus += side > 0;
        minus += side < 0;
    }
    if (plus > 0 && minus > 0) return {};
    return intersection_at(height, along);
}

int grid_of(const Vec3d& v) {
    return std::min({grid_exponent(v.x), grid_exponent(v.y), grid_exponent(v.z)});
}

Vec3i exact_vector(const Vec3d& v, int grid) {
    return {exact_number(v.x, grid), exact_number(v.y, grid), exact_number(v.z, grid)};
}

}  // namespace

// Positions are integers times 2^grid, the direction is integers times 2^step. So t is the t of the integers
// times 2^(grid - step).
RayIntersection intersect_exact(const Ray& ray, const ExactTriangle& triangle) {
    const Matrix34f& m = *triangle.world_from_local;
    int grid_t = kNoExponent;
    for (const Vec3f* v : {&triangle.a, &triangle.b, &triangle.c})
        for (std::size_t k = 0; k < 3; ++k) grid_t = std::min(grid_t, grid_exponent((*v)[k]));
    const MatrixGrid gm = grid_of(m);
    int grid = std::min({gm.translation, gm.linear + grid_t, grid_of(ray.origin)});
    if (grid > 2000) grid = 0;  // all zero
    const int step = grid_of(ray.direction);
    const Vec3i o = exact_vector(ray.origin, grid), d = exact_vector(ray.direction, step);
    RayIntersection out =
        intersect_corners(d, exact_point(m, triangle.a, grid) - o, exact_point(m, triangle.b, grid) - o,
                          exact_point(m, triangle.c, grid) - o);
    (grid > step ? out.part : out.whole) <<= std::abs(grid - step);
    return out;
}

RayIntersection ray_intersection_at(double t) {
    const int grid = t == 0 ? 0 : grid_exponent(t);
    RayIntersection out{true, exact_number(t, grid), 1};
    (grid > 0 ? out.part : out.whole) <<= std::abs(grid);
    return out;
}

int compare(const RayIntersection& a, const RayIntersection& b) {
    return Integer(a.part * b.whole - b.part * a.whole).sign();
}

double to_double(const RayIntersection& at) {
    if (at.part.is_zero()) return 0;
    const auto part = static_cast<int>(msb(at.part)), whole = static_cast<int>(msb(at.whole));
    return std::ldexp(to_double(at.part, -part) / to_double(at.whole, -whole), part - whole);
}

}  // namespace claybox::collision
