#include "collision/exact/solid.hpp"

#include "collision/exact/number.hpp"

#include <cmath>

namespace claybox::collision {

// The bound of proves_separation. For side A the exact functional is g*.v with g* = M^T n. In double each
// component of g has three products and two sums, so |g - g*|_k <= 3.1 u s_k with s_k = sum_r |M_rk| |n_r|.
// Evaluating g.v adds at most 3.1 u sum_k |g_k| |v_k|, and |g_k| <= (1 + 4u) s_k. With V_k = max |v_k| over
// the box both together stay below 7 u sum_k s_k V_k; kFunctional = 9 leaves room for the rounding of this
// sum itself. It also bounds how far the difference of two computed values is from that of the same g's exact
// values: twice 3.1 u for the values and 2 u for their difference.
namespace {

constexpr double kFunctional = 9 * kRound;
/// Axes outside this range are not worth a proof in double: products could leave the range of numbers.
constexpr double kMinAxis = 0x1p-200, kMaxAxis = 0x1p200;
/// Above what underflow can add: a few 2^-1074, times vertices, entries and differences up to 2^125.
constexpr double kUnderflowRoom = 0x1p-900;

Vec3d absolute(const Vec3d& v) {
    return {std::abs(v.x), std::abs(v.y), std::abs(v.z)};
}

/// How far the hull's vertices are from its own origin, by coordinate.
Vec3d reach_of(const SolidSide& side) {
    return max(absolute(cast<double>(side.box->min)), absolute(cast<double>(side.box->max)));
}

/// A linear functional on the vertices of one hull, and what its values in double may be wrong by.
struct Functional {
    Vec3d g;
    double error;
};

Functional functional(const SolidSide& side, const Vec3d& n) {
    const auto& m = side.world_from_hull->m;
    double g[3], s[3];
    for (std::size_t k = 0; k < 3; ++k) {
        const double x = m[k] * n.x, y = m[4 + k] * n.y, z = m[8 + k] * n.z;
        g[k] = x + y + z;
        s[k] = std::abs(x) + std::abs(y) + std::abs(z);
    }
    return {{g[0], g[1], g[2]}, kFunctional * dot(Vec3d{s[0], s[1], s[2]}, reach_of(side)) + kUnderflowRoom};
}

double value_at(const Functional& f, const ConvexHull& hull, std::uint32_t v) {
    return f.g.x * hull.x[v] + f.g.y * hull.y[v] + f.g.z * hull.z[v];
}

/// Walks uphill until no neighbour is better. True when every comparison on the way was certain: then `v` is
/// the support of f.g as it stands, because a local maximum of a linear function on a convex hull is a global
/// one.
bool climb(const Functional& f, const ConvexHull& hull, std::uint32_t& v, double& value) {
    value = value_at(f, hull, v);
    for (;;) {
        const std::uint32_t here = v;
        for (std::uint32_t i = hull.neighbour_begin[here]; i < hull.neighbour_begin[here + 1]; ++i) {
            const double next = value_at(f, hull, hull.neighbours[i]);
            const double gain = next - value;
            if (gain < -f.error) continue;
            if (gain <= f.error) return false;
            v = hull.neighbours[i];
            value = next;
            break;
        }
        if (v == here) return true;
    }
}

/// An upper bound of the functional over the hull, without its error term.
double upper_value(const Functional& f, const ConvexHull& hull, std::uint32_t& support) {
    double best;
    if (!hull.neighbours.empty() && climb(f, hull, support, best)) return best;
    best = value_at(f, hull, support);
    for (std::uint32_t v = 0; v < hull.vertex_count; ++v) {
        const double value = value_at(f, hull, v);
        if (value > best) {
            best = value;
            support = v;
        }
    }
    return best;
}

}  // namespace

bool proves_separation(const SolidSide& a, const SolidSide& b, const Vec3d& axis_w, std::uint32_t& support_a,
                       std::uint32_t& support_b) {
    const double size = std::max({std::abs(axis_w.x), std::abs(axis_w.y), std::abs(axis_w.z)});
    if (!is_finite(axis_w) || size < kMinAxis || size > kMaxAxis) return false;
    if (support_a >= a.hull->vertex_count) support_a = 0;
    if (support_b >= b.hull->vertex_count) support_b = 0;
    const Functional fa = functional(a, axis_w), fb = functional(b, -axis_w);
    const double top_a = upper_value(fa, *a.hull, support_a), top_b = upper_value(fb, *b.hull, support_b);
    // dot(n, b) - dot(n, a) >= n.(t_b - t_a) - top_b - top_a; the difference of translations, its products
    // and sums have at most four roundings each, the last two subtractions one each.
    const Vec3d apart =
        cast<double>(b.world_from_hull->translation()) - cast<double>(a.world_from_hull->translation());
    const double shift = dot(axis_w, apart);
    const double gap = shift - (top_a + top_b);
    const double error = fa.error + fb.error + 6 * kRound * dot(absolute(axis_w), absolute(apart)) +
                         3 * kRound * (std::abs(shift) + std::abs(top_a) + std::abs(top_b));
    return gap > error * (1 + 32 * kRound);
}

namespace {

/// The origin's barycentric coordinates have the signs of these four determinants; all equal and not zero
/// means strictly inside. `sign` may be 0 or kUnknownSign where it is not certain.
template <class T, class Sign>
bool surround_origin(const Vec3<T> (&p)[4], Sign&& sign) {
    const int first = sign(dot(p[1], cross(p[2], p[3])));
    return (first == 1 || first == -1) && sign(dot(p[0], cross(p[3], p[2]))) == first &&
           sign(dot(p[0], cross(p[1], p[3]))) == first && sign(dot(p[0], cross(p[2], p[1]))) == first;
}

/// The linear part alone.
Vec3d turned(const Matrix34f& matrix, const Vec3f& v) {
    const auto& m = matrix.m;
    const Vec3d p = cast<double>(v);
    return {m[0] * p.x + m[1] * p.y + m[2] * p.z, m[4] * p.x + m[5] * p.y + m[6] * p.z,
            m[8] * p.x + m[9] * p.y + m[10] * p.z};
}

/// How far along each world axis it takes a point within `reach`.
Vec3d farthest(const Matrix34f& matrix, const Vec3d& reach) {
    const auto& m = matrix.m;
    const auto row = [&](std::size_t i) {
        return std::abs(m[i]) * reach.x + std::abs(m[i + 1]) * reach.y + std::abs(m[i + 2]) * reach.z;
    };
    return {row(0), row(4), row(8)};
}

/// In plain doubles with one bound for all determinants: decides nearly all, at a sixth of the cost. With
/// T_r = sum_k |A_rk| V_k + sum_k |B_rk| W_k + |apart_r|, where V and W are the reaches of both hulls, each
/// coordinate r of a difference has seven roundings of parts that T_r bounds (products of floats are exact):
/// it is off by at most e_r = 8 u T_r. With P_r the largest coordinate, each of the six products of a
/// determinant moves by at most e_0 (P_1 + e_1)(P_2 + e_2) + P_0 e_1 (P_2 + e_2) + P_0 P_1 e_2, and
/// evaluation adds five roundings each: 6 * 5 u P_0 P_1 P_2, taken as 32. The bound's own roundings are below
/// 32 u.
bool surely_surround_origin(const SolidSide& a, const SolidSide& b, std::span<const VertexPair> pairs) {
    const Matrix34f &ma = *a.world_from_hull, &mb = *b.world_from_hull;
    const Vec3d apart = cast<double>(ma.translation()) - cast<double>(mb.translation());
    const Vec3d error =
        8 * kRound * (farthest(ma, reach_of(a)) + farthest(mb, reach_of(b)) + absolute(apart));
    Vec3d p[4], largest;
    for (std::size_t i = 0; i < 4; ++i) {
        p[i] = turned(ma, a.hull->vertex(pairs[i].a)) - turned(mb, b.hull->vertex(pairs[i].b)) + apart;
        largest = max(largest, absolute(p[i]));
    }
    const Vec3d grown = largest + error;
    const double moved =
        error.x * grown.y * grown.z + largest.x * error.y * grown.z + largest.x * largest.y * error.z;
    const double bound =
        (6 * moved + 32 * kRound * largest.x * largest.y * largest.z) * (1 + 32 * kRound) + kUnderflowRoom;
    return surround_origin(p, [bound](double d) { return d > bound ? 1 : d < -bound ? -1 : 0; });
}

}  // namespace

bool proves_collision(const SolidSide& a, const SolidSide& b, std::span<const VertexPair> pairs) {
    if (pairs.size() != 4) return false;
    for (const VertexPair& pair : pairs)
        if (pair.a >= a.hull->vertex_count || pair.b >= b.hull->vertex_count) return false;
    if (surely_surround_origin(a, b, pairs)) return true;
    const Vec3f ta = a.world_from_hull->translation(), tb = b.world_from_hull->translation();
    Vec3<Approx> apart, p[4];
    for (std::size_t r = 0; r < 3; ++r) apart[r] = Approx{ta[r], 0} - Approx{tb[r], 0};
    for (std::size_t i = 0; i < 4; ++i)
        p[i] = approximate_linear(*a.world_from_hull, a.hull->vertex(pairs[i].a)) -
               approximate_linear(*b.world_from_hull, b.hull->vertex(pairs[i].b)) + apart;
    return surround_origin(p, [](const Approx& d) { return certain_sign(d); });
}

}  // namespace claybox::collision
