#include "collision/exact/solid_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace claybox::collision {

namespace {

constexpr double kFunctional = 9 * kRound;
/// Axes outside this range are not tried: products could overflow or underflow.
constexpr double kMinAxis = 0x1p-200, kMaxAxis = 0x1p200;
/// Above what underflow can add: a few times 2^-1074, times vertices, entries and differences of up to 2^125.
constexpr double kUnderflowBound = 0x1p-900;

Vec3d absolute(const Vec3d& v) {
    return {std::abs(v.x), std::abs(v.y), std::abs(v.z)};
}

/// The largest |coordinate| of the hull's vertices, per axis of the hull's frame.
Vec3d reach_of(const SolidSide& side) {
    return max(absolute(cast<double>(side.box->min)), absolute(cast<double>(side.box->max)));
}

// Let u = 2^-53 and let g* = M^T n be exact. In double each component of g has three products and two sums,
// so |g - g*|_k <= 3.1 u s_k with s_k = sum_r |M_rk| |n_r|. Evaluating g.v adds at most 3.1 u sum_k |g_k|
// |v_k|, and |g_k| <= (1 + 4u) s_k. With V_k = max |v_k| over the box, both errors together are below 7 u
// sum_k s_k V_k. kFunctional = 9 also covers the rounding of this sum. It covers the difference of two
// computed values too, relative to the exact values of the same g: twice 3.1 u for the values and 2 u for
// their difference.
Functional functional_of(const SolidSide& side, const Vec3d& n) {
    const auto& m = side.world_from_hull->m;
    double g[3], s[3];
    for (std::size_t k = 0; k < 3; ++k) {
        const double x = m[k] * n.x, y = m[4 + k] * n.y, z = m[8 + k] * n.z;
        g[k] = x + y + z;
        s[k] = std::abs(x) + std::abs(y) + std::abs(z);
    }
    return {{g[0], g[1], g[2]}, kFunctional * dot(Vec3d{s[0], s[1], s[2]}, reach_of(side)) + kUnderflowBound};
}

}  // namespace

Functional functional(const SolidSide& side, const Vec3d& n) {
    return functional_of(side, n);  // the local name lets the compiler inline it in this file
}

// As above: six roundings, below 7 u times the magnitudes. The error e_r of n_r enters with the factor |M_rk|
// V_k. Using 10 instead of 7 covers the rounding of this sum, and one more rounding when a value is compared
// with a limit.
Functional functional(const SolidSide& side, const Vec3<Approx>& n) {
    const Matrix34f& m = *side.world_from_hull;
    const Vec3d middle{n.x.v, n.y.v, n.z.v}, reach = reach_of(side);
    Functional out{transpose_vector(to_double(m), middle), kUnderflowBound};
    for (int k = 0; k < 3; ++k)
        for (int r = 0; r < 3; ++r) {
            const Approx& c = n[static_cast<std::size_t>(r)];
            out.error += std::abs(static_cast<double>(m(r, k))) * reach[static_cast<std::size_t>(k)] *
                         (c.e * (1 + 32 * kRound) + 10 * kRound * std::abs(c.v));
        }
    return out;
}

namespace {

/// Vertices that double cannot tell apart, for example those of a face whose normal is the direction.
struct Plateau {
    static constexpr std::uint32_t kMost = 16;
    std::uint32_t vertex[kMost];
    double value[kMost];
    std::uint32_t count = 0;

    bool has(std::uint32_t v) const { return std::find(vertex, vertex + count, v) != vertex + count; }
    void add(std::uint32_t v, double at) {
        vertex[count] = v;
        value[count++] = at;
    }
};

/// Hill climb: moves to better neighbours until there is none. Neighbours that may be better or worse join
/// the plateau. If this ends, every neighbour of the plateau is certainly lower than the vertex next to it.
/// So the exact maximum over the plateau is a local one, and on a convex hull a local maximum of a linear
/// function is a global one. False if the plateau grows too large or the climb does not end.
bool climb(const Functional& f, const ConvexHull& hull, std::uint32_t& v, double& best) {
    constexpr std::uint32_t kRestarts = 1000;
    for (std::uint32_t restart = 0; restart < kRestarts; ++restart) {
        Plateau plateau;
        plateau.add(v, value_at(f, hull, v));
        const std::uint32_t start = v;
        for (std::uint32_t k = 0; k < plateau.count && v == start; ++k) {
            const std::uint32_t here = plateau.vertex[k];
            for (std::uint32_t i = hull.neighbour_begin[here]; i < hull.neighbour_begin[here + 1]; ++i) {
                const std::uint32_t neighbour = hull.neighbours[i];
                const double next = value_at(f, hull, neighbour), gain = next - plateau.value[k];
                if (gain < -f.error) continue;
                if (gain > f.error) {
                    v = neighbour;
                    break;
                }
                if (!(gain <= f.error)) return false;  // NaN
                if (plateau.has(neighbour)) continue;
                if (plateau.count == Plateau::kMost) return false;
                plateau.add(neighbour, next);
            }
        }
        if (v != start) continue;
        const auto top = std::max_element(plateau.value, plateau.value + plateau.count) - plateau.value;
        best = plateau.value[top];
        v = plateau.vertex[top];
        return true;
    }
    return false;
}

/// The maximum of the functional over the hull, without its error term.
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

/// The largest heights of both bodies along an axis, computed, with the sum of their errors.
struct Heights {
    double a = 0, b = 0, error = 0;
};

/// False if the axis is out of range. Moves the supports uphill.
bool heights_along(const SolidSide& a, const SolidSide& b, const Vec3d& axis_w, std::uint32_t& support_a,
                   std::uint32_t& support_b, Heights& out) {
    const double size = std::max({std::abs(axis_w.x), std::abs(axis_w.y), std::abs(axis_w.z)});
    if (!is_finite(axis_w) || size < kMinAxis || size > kMaxAxis) return false;
    if (support_a >= a.hull->vertex_count) support_a = 0;
    if (support_b >= b.hull->vertex_count) support_b = 0;
    const Functional fa = functional_of(a, axis_w), fb = functional_of(b, -axis_w);
    out.a = upper_value(fa, *a.hull, support_a);
    out.b = upper_value(fb, *b.hull, support_b);
    out.error = fa.error + fb.error;
    return true;
}

/// The gap computed along the axis for one placement of the translations, and a bound of its error.
struct Gap {
    double value = 0, error = 0;
};

// dot(n, b) - dot(n, a) >= n.(t_b - t_a) - top_b - top_a. The difference of the translations, its products
// and its sums have at most four roundings each; the last two subtractions have one each.
Gap gap_of(const Heights& h, const Vec3d& axis_w, const Vec3f& translation_a, const Vec3f& translation_b) {
    const Vec3d apart = cast<double>(translation_b) - cast<double>(translation_a);
    const double shift = dot(axis_w, apart);
    const double error = h.error + 6 * kRound * dot(absolute(axis_w), absolute(apart)) +
                         3 * kRound * (std::abs(shift) + std::abs(h.a) + std::abs(h.b));
    return {shift - (h.a + h.b), error * (1 + 32 * kRound)};
}

}  // namespace

bool proves_separation(const SolidSide& a, const SolidSide& b, const Vec3d& axis_w, std::uint32_t& support_a,
                       std::uint32_t& support_b) {
    Heights h;
    if (!heights_along(a, b, axis_w, support_a, support_b, h)) return false;
    const Gap gap = gap_of(h, axis_w, a.world_from_hull->translation(), b.world_from_hull->translation());
    return gap.value > gap.error;
}

SweptGap proven_gap(const SolidSide& a, const SolidSide& b, const SolidSweep& sweep, const Vec3d& axis_w,
                    std::uint32_t& support_a, std::uint32_t& support_b) {
    constexpr double kNothing = -std::numeric_limits<double>::infinity();
    Heights h;
    if (!heights_along(a, b, axis_w, support_a, support_b, h)) return {kNothing, kNothing};
    const Gap start = gap_of(h, axis_w, a.world_from_hull->translation(), b.world_from_hull->translation());
    const Gap end = gap_of(h, axis_w, sweep.a_end, sweep.b_end);
    const auto lower = [](const Gap& gap) {  // one more rounding
        const double bound = gap.value - gap.error * (1 + 4 * kRound) - kRound * std::abs(gap.value);
        return bound == bound ? bound : kNothing;
    };
    return {lower(start), lower(end)};
}

namespace {

/// Whether the origin is strictly inside the simplex. The barycentric coordinates of the origin have the
/// signs of these four determinants; inside means all equal and not zero. `sign` may return 0 or kUnknownSign
/// if uncertain.
template <class T, class Sign>
bool surround_origin(const Vec3<T> (&p)[4], Sign&& sign) {
    const int first = sign(dot(p[1], cross(p[2], p[3])));
    return (first == 1 || first == -1) && sign(dot(p[0], cross(p[3], p[2]))) == first &&
           sign(dot(p[0], cross(p[1], p[3]))) == first && sign(dot(p[0], cross(p[2], p[1]))) == first;
}

/// Applies the linear part only.
Vec3d transform_linear(const Matrix34f& matrix, const Vec3f& v) {
    const auto& m = matrix.m;
    const Vec3d p = cast<double>(v);
    return {m[0] * p.x + m[1] * p.y + m[2] * p.z, m[4] * p.x + m[5] * p.y + m[6] * p.z,
            m[8] * p.x + m[9] * p.y + m[10] * p.z};
}

/// The largest |coordinate| along each world axis of any transformed point within `reach`.
Vec3d max_coordinates(const Matrix34f& matrix, const Vec3d& reach) {
    const auto& m = matrix.m;
    const auto row = [&](std::size_t i) {
        return std::abs(m[i]) * reach.x + std::abs(m[i + 1]) * reach.y + std::abs(m[i + 2]) * reach.z;
    };
    return {row(0), row(4), row(8)};
}

// One bound for all determinants, at a sixth of the cost of running error bounds.
// - Let T_r = sum_k |A_rk| V_k + sum_k |B_rk| W_k + |apart_r|, where V and W are the reaches of both hulls.
// Each
//   coordinate r of a difference has seven roundings of terms bounded by T_r (products of floats are exact),
//   so its error is at most e_r = 8 u T_r.
// - Let P_r be the largest coordinate. Each of the six products of a determinant changes by at most
//   e_0 (P_1 + e_1)(P_2 + e_2) + P_0 e_1 (P_2 + e_2) + P_0 P_1 e_2. Evaluation adds five roundings each, that
//   is 6 * 5 u P_0 P_1 P_2; the code uses 32.
// - The roundings of the bound itself are below 32 u.
// Coordinates are multiples of 2^-298, so only parts of the bound can underflow, far below kUnderflowBound.
Differences differences_of(const SolidSide& a, const SolidSide& b, std::span<const VertexPair, 4> pairs) {
    const Matrix34f &ma = *a.world_from_hull, &mb = *b.world_from_hull;
    const Vec3d apart = cast<double>(ma.translation()) - cast<double>(mb.translation());
    Differences out;
    out.error =
        8 * kRound * (max_coordinates(ma, reach_of(a)) + max_coordinates(mb, reach_of(b)) + absolute(apart));
    Vec3d largest;
    for (std::size_t i = 0; i < 4; ++i) {
        out.point[i] = transform_linear(ma, a.hull->vertex(pairs[i].a)) -
                       transform_linear(mb, b.hull->vertex(pairs[i].b)) + apart;
        largest = max(largest, absolute(out.point[i]));
    }
    const Vec3d &e = out.error, grown = largest + e;
    const double moved = e.x * grown.y * grown.z + largest.x * e.y * grown.z + largest.x * largest.y * e.z;
    out.determinant_error =
        (6 * moved + 32 * kRound * largest.x * largest.y * largest.z) * (1 + 32 * kRound) + kUnderflowBound;
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

bool proves_framed_collision(const FramedSide& a, const FramedSide& b, std::span<const VertexPair> pairs,
                             std::span<const FramePair> frames) {
    if (pairs.size() != 4 || frames.size() != 4) return false;
    Vec3<Approx> p[4];
    for (std::size_t i = 0; i < 4; ++i) {
        const SolidSide &of_a = frames[i].a != 0 ? a.end : a.start,
                        &of_b = frames[i].b != 0 ? b.end : b.start;
        if (pairs[i].a >= of_a.hull->vertex_count || pairs[i].b >= of_b.hull->vertex_count) return false;
        const Vec3f ta = of_a.world_from_hull->translation(), tb = of_b.world_from_hull->translation();
        Vec3<Approx> apart;
        for (std::size_t r = 0; r < 3; ++r) apart[r] = Approx{ta[r], 0} - Approx{tb[r], 0};
        p[i] = approximate_linear(*of_a.world_from_hull, of_a.hull->vertex(pairs[i].a)) -
               approximate_linear(*of_b.world_from_hull, of_b.hull->vertex(pairs[i].b)) + apart;
    }
    return surround_origin(p, [](const Approx& volume) { return certain_sign(volume); });
}

}  // namespace claybox::collision
