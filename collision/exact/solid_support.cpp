#include "collision/exact/solid_support.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace claybox::collision {

int vertex_grid(const ConvexHull& hull) {
    int out = kNoExponent;
    for (std::uint32_t i = 0; i < hull.vertex_count; ++i)
        out = std::min({out, grid_exponent(hull.x[i]), grid_exponent(hull.y[i]), grid_exponent(hull.z[i])});
    return out;
}

// to_double has a relative error below 2^-50.
Vec3<Approx> approximate(const Vec3<Integer>& n) {
    int top = 0;
    for (std::size_t k = 0; k < 3; ++k)
        if (!n[k].is_zero()) top = std::max(top, static_cast<int>(msb(abs(n[k]))) + 1);
    Vec3<Approx> out;
    for (std::size_t k = 0; k < 3; ++k) {
        const double v = to_double(n[k], -top);
        out[k] = {v, std::abs(v) * 0x1p-49 + kUnderflow};
    }
    return out;
}

std::uint32_t best_vertex(const SolidSide& side, const Functional& s, double sense) {
    const Vec3d g = s.g * sense;
    const ConvexHull& h = *side.hull;
    std::uint32_t out = 0;
    double top = dot(g, cast<double>(h.vertex(0)));
    for (std::uint32_t i = 1; i < h.vertex_count; ++i) {
        const double value = g.x * h.x[i] + g.y * h.y[i] + g.z * h.z[i];
        if (value > top) {
            top = value;
            out = i;
        }
    }
    return out;
}

namespace {

/// n in the hull's frame, on the grid of the matrix's linear part.
Vec3<Integer> local_direction(const Matrix34f& m, const Vec3<Integer>& n, int grid) {
    Vec3<Integer> out;
    for (int k = 0; k < 3; ++k) {
        for (int r = 0; r < 3; ++r) {
            const FloatParts p = split(m(r, k));
            if (p.mantissa == 0) continue;
            const int shift = p.exponent - grid;
            Integer& sum = out[static_cast<std::size_t>(k)];
            const Integer& c = n[static_cast<std::size_t>(r)];
            if (shift >= 0)
                sum += (c * p.mantissa) << shift;
            else
                sum += c * (p.mantissa >> -shift);  // exact: every entry is on the grid
        }
    }
    return out;
}

Integer exact_value(const Vec3<Integer>& g, const Vec3f& v, int grid) {
    Integer out = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const FloatParts p = split(v[k]);
        if (p.mantissa == 0) continue;
        const int shift = p.exponent - grid;
        if (shift >= 0)
            out += (g[k] * p.mantissa) << shift;
        else
            out += g[k] * (p.mantissa >> -shift);
    }
    return out;
}

}  // namespace

// Only vertices whose value is within twice the error of the best one are compared in integers. The bound of
// the functional covers the rounding of the limit.
std::uint32_t exact_best_vertex(const SolidSide& side, const Functional& s, const Vec3<Integer>& n,
                                double sense) {
    const int linear = grid_of(*side.world_from_hull).linear;
    const int vertices = vertex_grid(*side.hull);
    const Vec3<Integer> g = local_direction(*side.world_from_hull, n, linear);
    std::uint32_t out = best_vertex(side, s, sense);
    const double limit = sense * value_at(s, *side.hull, out) - 2 * s.error * (1 + 32 * kRound);
    std::optional<Integer> top;
    for (std::uint32_t i = 0; i < side.hull->vertex_count; ++i) {
        if (sense * value_at(s, *side.hull, i) < limit) continue;
        Integer value = exact_value(g, side.hull->vertex(i), vertices);
        if (sense < 0) value = -value;
        if (top && value <= *top) continue;
        top = value;
        out = i;
    }
    return out;
}

}  // namespace claybox::collision
