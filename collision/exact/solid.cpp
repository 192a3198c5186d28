#include "collision/exact/solid.hpp"

#include "collision/exact/number.hpp"

#include <cmath>

namespace claybox::collision {

// The bound of proves_separation. For side A the exact functional is g*.v with g* = M^T n. In double each
// component of g has three products and two sums, so |g - g*|_k <= 3.1 u s_k with s_k = sum_r |M_rk| |n_r|.
// Evaluating g.v adds at most 3.1 u sum_k |g_k| |v_k|, and |g_k| <= (1 + 4u) s_k. With V_k = max |v_k| over
// the box both together stay below 7 u sum_k s_k V_k; kFunctional = 9 leaves room for the rounding of this
// sum itself.
namespace {

constexpr double kFunctional = 9 * kRound;
/// Axes outside this range are not worth a proof in double: products could leave the range of numbers.
constexpr double kMinAxis = 0x1p-200, kMaxAxis = 0x1p200;
/// What underflow inside the functional can add: a few 2^-1074, times vertices and entries up to 2^60.
constexpr double kFunctionalUnderflow = 0x1p-900;

Vec3d absolute(const Vec3d& v) {
    return {std::abs(v.x), std::abs(v.y), std::abs(v.z)};
}

/// A linear functional on the vertices of one hull, and what its values in double may be wrong by.
struct Functional {
    Vec3d g;
    double error;
};

Functional functional(const SolidSide& side, const Vec3d& n) {
    Vec3d s, reach;
    for (int k = 0; k < 3; ++k) {
        const auto i = static_cast<std::size_t>(k);
        const double low = side.box->min[i], high = side.box->max[i];
        reach[i] = std::max(std::abs(low), std::abs(high));
        for (int r = 0; r < 3; ++r)
            s[i] +=
                std::abs(static_cast<double>((*side.world_from_hull)(r, k)) * n[static_cast<std::size_t>(r)]);
    }
    const Matrix34d m = to_double(*side.world_from_hull);
    return {transpose_vector(m, n), kFunctional * dot(s, reach) + kFunctionalUnderflow};
}

double value_at(const Functional& f, const ConvexHull& hull, std::uint32_t v) {
    return dot(f.g, cast<double>(hull.vertex(v)));
}

/// Walks uphill until no neighbour is better. True when every comparison on the way was certain: then `v` is
/// the support of f.g as it stands, because a local maximum of a linear function on a convex hull is a global
/// one. Comparing costs four roundings per component; six leave room for the bound's own.
bool climb(const Functional& f, const ConvexHull& hull, std::uint32_t& v) {
    for (;;) {
        const Vec3d here = cast<double>(hull.vertex(v));
        std::uint32_t better = kNoIndex;
        for (std::uint32_t i = hull.neighbour_begin[v]; i < hull.neighbour_begin[v + 1] && better == kNoIndex;
             ++i) {
            const Vec3d step = cast<double>(hull.vertex(hull.neighbours[i])) - here;
            const double gain = dot(f.g, step);
            const double error = 6 * kRound * dot(absolute(f.g), absolute(step));
            if (gain > error + kFunctionalUnderflow)
                better = hull.neighbours[i];
            else if (gain > -error)
                return false;
        }
        if (better == kNoIndex) return true;
        v = better;
    }
}

/// An upper bound of the functional over the hull, without its error term.
double upper_value(const Functional& f, const ConvexHull& hull, std::uint32_t& support) {
    if (!hull.neighbours.empty() && climb(f, hull, support)) return value_at(f, hull, support);
    double best = value_at(f, hull, support);
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

bool proves_collision(const SolidSide& a, const SolidSide& b, std::span<const VertexPair> pairs) {
    if (pairs.size() != 4) return false;
    const Vec3f ta = a.world_from_hull->translation(), tb = b.world_from_hull->translation();
    Vec3<Approx> apart, p[4];
    for (std::size_t r = 0; r < 3; ++r) apart[r] = Approx{ta[r], 0} - Approx{tb[r], 0};
    for (std::size_t i = 0; i < 4; ++i) {
        if (pairs[i].a >= a.hull->vertex_count || pairs[i].b >= b.hull->vertex_count) return false;
        p[i] = approximate_linear(*a.world_from_hull, a.hull->vertex(pairs[i].a)) -
               approximate_linear(*b.world_from_hull, b.hull->vertex(pairs[i].b)) + apart;
    }
    // The origin's barycentric coordinates have the signs of these four determinants; all equal means
    // strictly inside.
    const int first = certain_sign(dot(p[1], cross(p[2], p[3])));
    return (first == 1 || first == -1) && certain_sign(dot(p[0], cross(p[3], p[2]))) == first &&
           certain_sign(dot(p[0], cross(p[1], p[3]))) == first &&
           certain_sign(dot(p[0], cross(p[2], p[1]))) == first;
}

}  // namespace claybox::collision
