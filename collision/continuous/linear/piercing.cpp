#include "collision/continuous/linear/piercing.hpp"

#include "collision/exact/number.hpp"
#include "collision/exact/solid_bounds.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

using Point = Vec3<Approx>;

Point apart(const Vec3f& a, const Vec3f& b) {
    Point out;
    for (std::size_t k = 0; k < 3; ++k) out[k] = Approx{a[k], 0} - Approx{b[k], 0};
    return out;
}

Point difference(const SolidSide& a, const SolidSide& b, const Point& translations, VertexPair pair) {
    return approximate_linear(*a.world_from_hull, a.hull->vertex(pair.a)) -
           approximate_linear(*b.world_from_hull, b.hull->vertex(pair.b)) + translations;
}

double lower(const Approx& x) {
    return (x.v - x.e) - kRound * std::abs(x.v);
}
double upper(const Approx& x) {
    return (x.v + x.e) + kRound * std::abs(x.v);
}

Vec3d absolute(const Vec3d& v) {
    return {std::abs(v.x), std::abs(v.y), std::abs(v.z)};
}
/// The bounds of both products of each component of a cross product.
Vec3d cross_bound(const Vec3d& a, const Vec3d& b) {
    return {a.y * b.z + a.z * b.y, a.z * b.x + a.x * b.z, a.x * b.y + a.y * b.x};
}

/// Completes the answer from the ray's weights, whose signs are certain and equal, and its way along the
/// normal and the triangle's height along it.
Piercing complete(const Approx (&weight)[3], Approx along, Approx height, const Vec3d& normal, int side) {
    Piercing out;
    if (side < 0) {
        along = -along;
        height = -height;
    }
    if (!(lower(along) > 0) || !(upper(height) <= lower(along)) || !(upper(height) >= 0)) return out;
    out.time_high = std::min(1.0, upper(height) / lower(along) * (1 + 2 * kRound));
    out.spread = 2 * (height.e + along.e) / lower(along);
    out.normal = normal * static_cast<double>(side);
    const double whole = weight[0].v + weight[1].v + weight[2].v;
    for (std::size_t i = 0; i < 3; ++i) out.weights[i] = weight[i].v / whole;
    out.is_certain = true;
    return out;
}

/// The common sign of the weights, or 0.
int side_of(const Approx (&weight)[3]) {
    const int side = certain_sign(weight[0]);
    return side != kUnknownSign && certain_sign(weight[1]) == side && certain_sign(weight[2]) == side ? side
                                                                                                      : 0;
}

}  // namespace

Piercing pierce_with_running_bounds(const SolidSide& a, const SolidSide& b, const SolidSweep& sweep,
                                    const VertexPair (&pairs)[4]) {
    const Point at_start = apart(a.world_from_hull->translation(), b.world_from_hull->translation());
    const Point ray = at_start - apart(sweep.a_end, sweep.b_end);
    Point p[3];
    for (std::size_t i = 0; i < 3; ++i) p[i] = difference(a, b, at_start, pairs[i]);
    const Approx weight[3] = {dot(ray, cross(p[1], p[2])), dot(ray, cross(p[2], p[0])),
                              dot(ray, cross(p[0], p[1]))};
    const int side = side_of(weight);
    if (side == 0) return {};
    const Point n = cross(p[1] - p[0], p[2] - p[0]);
    return complete(weight, dot(n, ray), dot(n, p[0]), Vec3d{n.x.v, n.y.v, n.z.v}, side);
}

// Let u = 2^-53. The points p have errors e per coordinate (differences()), the ray r has g: two differences
// of floats and theirs, three roundings, each of at most |s| + |s_end|.
// - A weight is the sum of six products of a coordinate of r and two of p. With P and R the largest
//   coordinates and Q = P + e, a product is off by at most g Q Q + R (e Q + Q e), and evaluation adds five
//   roundings, u R P P each; the code uses 8.
// - An edge of the triangle is off by d = 2 e + u D, with D its largest coordinates. A component of the
// normal
//   n has two products, each off by D d + d D + d d, and three roundings each; the code uses 8. So n has the
//   error m.
// - n.x, for a vector x with the error f, is off by m |x| + |n| f + m f and five roundings; the code uses 8.
// The roundings of the bounds are below 32 u. Nothing but bounds can underflow: see kUnderflowBound.
Piercing pierce_with_one_bound(const SolidSide& a, const SolidSide& b, const SolidSweep& sweep,
                               const VertexPair (&pairs)[4]) {
    constexpr double kUp = 1 + 64 * kRound, kUnderflowBound = 0x1p-900, kEvaluation = 8 * kRound;
    const Vec3d s =
        cast<double>(a.world_from_hull->translation()) - cast<double>(b.world_from_hull->translation());
    const Vec3d s_end = cast<double>(sweep.a_end) - cast<double>(sweep.b_end), ray = s - s_end;
    const VertexPair corners[4] = {pairs[0], pairs[1], pairs[2], pairs[0]};
    const Differences points = differences(a, b, corners);
    const Vec3d *const p = points.point, &e = points.error;
    const Vec3d far = max(max(absolute(p[0]), absolute(p[1])), absolute(p[2])), grown = far + e;
    const Vec3d length = absolute(ray), g = 4 * kRound * (absolute(s) + absolute(s_end));
    const double weight_error =
        (dot(g, cross_bound(grown, grown)) + dot(length, cross_bound(e, grown) + cross_bound(grown, e)) +
         kEvaluation * dot(length, cross_bound(far, far))) *
            kUp +
        kUnderflowBound;
    const Approx weight[3] = {{dot(ray, cross(p[1], p[2])), weight_error},
                              {dot(ray, cross(p[2], p[0])), weight_error},
                              {dot(ray, cross(p[0], p[1])), weight_error}};
    const int side = side_of(weight);
    if (side == 0) return {};
    const Vec3d edge_1 = p[1] - p[0], edge_2 = p[2] - p[0], n = cross(edge_1, edge_2);
    const Vec3d size = max(absolute(edge_1), absolute(edge_2)), d = 2 * e + kRound * size;
    const Vec3d m = cross_bound(size + d, d) + cross_bound(d, size) + kEvaluation * cross_bound(size, size);
    const auto bounded = [&](const Vec3d& x, const Vec3d& f) {
        const double error = dot(m, absolute(x) + f) + dot(absolute(n), f + kEvaluation * absolute(x));
        return Approx{dot(n, x), error * kUp + kUnderflowBound};
    };
    return complete(weight, bounded(ray, g), bounded(p[0], e), n, side);
}

Piercing pierce(const SolidSide& a, const SolidSide& b, const SolidSweep& sweep,
                const VertexPair (&pairs)[4]) {
    const Piercing quick = pierce_with_one_bound(a, b, sweep, pairs);
    constexpr double kTight = 0x1p-38;
    if (quick.is_certain && quick.spread <= kTight) return quick;
    return pierce_with_running_bounds(a, b, sweep, pairs);
}

}  // namespace claybox::collision
