#include "collision/exact/solid_bounds.hpp"

#include <cmath>

namespace claybox::collision {

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

// With u = 2^-53 and g* = M^T n exact: in double each component of g has three products and two sums, so
// |g - g*|_k <= 3.1 u s_k with s_k = sum_r |M_rk| |n_r|. Evaluating g.v adds at most 3.1 u sum_k |g_k| |v_k|,
// and |g_k| <= (1 + 4u) s_k. With V_k = max |v_k| over the box both together stay below 7 u sum_k s_k V_k;
// kFunctional = 9 leaves room for the rounding of this sum itself. It also bounds how far the difference of
// two computed values is from that of the same g's exact values: twice 3.1 u for the values and 2 u for their
// difference.
Functional functional_of(const SolidSide& side, const Vec3d& n) {
    const auto& m = side.world_from_hull->m;
    double g[3], s[3];
    for (std::size_t k = 0; k < 3; ++k) {
        const double x = m[k] * n.x, y = m[4 + k] * n.y, z = m[8 + k] * n.z;
        g[k] = x + y + z;
        s[k] = std::abs(x) + std::abs(y) + std::abs(z);
    }
    return {{g[0], g[1], g[2]}, kFunctional * dot(Vec3d{s[0], s[1], s[2]}, reach_of(side)) + kUnderflowRoom};
}

}  // namespace

Functional functional(const SolidSide& side, const Vec3d& n) {
    return functional_of(side, n);  // here, a name of its own lets the compiler put it in line
}

// As above: six roundings, below 7 u times the magnitudes, and an error e_r of n_r enters times |M_rk| V_k.
// 10 in place of 7 leaves room for this sum's own rounding and for one more rounding of a value, which
// comparing it with a limit costs.
Functional functional(const SolidSide& side, const Vec3<Approx>& n) {
    const Matrix34f& m = *side.world_from_hull;
    const Vec3d middle{n.x.v, n.y.v, n.z.v}, reach = reach_of(side);
    Functional out{transpose_vector(to_double(m), middle), kUnderflowRoom};
    for (int k = 0; k < 3; ++k)
        for (int r = 0; r < 3; ++r) {
            const Approx& c = n[static_cast<std::size_t>(r)];
            out.error += std::abs(static_cast<double>(m(r, k))) * reach[static_cast<std::size_t>(k)] *
                         (c.e * (1 + 32 * kRound) + 10 * kRound * std::abs(c.v));
        }
    return out;
}

namespace {

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
    const Functional fa = functional_of(a, axis_w), fb = functional_of(b, -axis_w);
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

// One bound for all determinants, at a sixth of the cost of running errors. With T_r = sum_k |A_rk| V_k +
// sum_k |B_rk| W_k + |apart_r|, where V and W are the reaches of both hulls, each coordinate r of a
// difference has seven roundings of parts that T_r bounds (products of floats are exact): it is off by at
// most e_r = 8 u T_r. With P_r the largest coordinate, each of the six products of a determinant moves by at
// most e_0 (P_1 + e_1)(P_2 + e_2) + P_0 e_1 (P_2 + e_2) + P_0 P_1 e_2, and evaluation adds five roundings
// each: 6 * 5 u P_0 P_1 P_2, taken as 32. The bound's own roundings are below 32 u. Coordinates are multiples
// of 2^-298, so that nothing underflows but parts of the bound itself, far below kUnderflowRoom.
Differences differences_of(const SolidSide& a, const SolidSide& b, std::span<const VertexPair, 4> pairs) {
    const Matrix34f &ma = *a.world_from_hull, &mb = *b.world_from_hull;
    const Vec3d apart = cast<double>(ma.translation()) - cast<double>(mb.translation());
    Differences out;
    out.error = 8 * kRound * (farthest(ma, reach_of(a)) + farthest(mb, reach_of(b)) + absolute(apart));
    Vec3d largest;
    for (std::size_t i = 0; i < 4; ++i) {
        out.point[i] =
            turned(ma, a.hull->vertex(pairs[i].a)) - turned(mb, b.hull->vertex(pairs[i].b)) + apart;
        largest = max(largest, absolute(out.point[i]));
    }
    const Vec3d &e = out.error, grown = largest + e;
    const double moved = e.x * grown.y * grown.z + largest.x * e.y * grown.z + largest.x * largest.y * e.z;
    out.determinant_error =
        (6 * moved + 32 * kRound * largest.x * largest.y * largest.z) * (1 + 32 * kRound) + kUnderflowRoom;
    return out;
}

}  // namespace

Differences differences(const SolidSide& a, const SolidSide& b, std::span<const VertexPair, 4> pairs) {
    return differences_of(a, b, pairs);
}

bool proves_collision(const SolidSide& a, const SolidSide& b, std::span<const VertexPair> pairs) {
    if (pairs.size() != 4) return false;
    for (const VertexPair& pair : pairs)
        if (pair.a >= a.hull->vertex_count || pair.b >= b.hull->vertex_count) return false;
    const Differences d = differences_of(a, b, pairs.first<4>());
    const auto sure = [&](double v) {
        return v > d.determinant_error ? 1 : v < -d.determinant_error ? -1 : 0;
    };
    if (surround_origin(d.point, sure)) return true;
    const Vec3f ta = a.world_from_hull->translation(), tb = b.world_from_hull->translation();
    Vec3<Approx> apart, p[4];
    for (std::size_t r = 0; r < 3; ++r) apart[r] = Approx{ta[r], 0} - Approx{tb[r], 0};
    for (std::size_t i = 0; i < 4; ++i)
        p[i] = approximate_linear(*a.world_from_hull, a.hull->vertex(pairs[i].a)) -
               approximate_linear(*b.world_from_hull, b.hull->vertex(pairs[i].b)) + apart;
    return surround_origin(p, [](const Approx& volume) { return certain_sign(volume); });
}

}  // namespace claybox::collision
