#include "collision/geometry/bounds/tight_box.hpp"

#include "collision/core/assert.hpp"
#include "collision/geometry/predicates.hpp"
#include "collision/geometry/rounding.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

struct Value {
    double value, magnitude;
};

/// row . p without the translation, and the sum of its terms' magnitudes. The error of the value is below 4
/// units of 2^-53 of that sum, because products of floats are exact in double.
Value along(const float* row, const Vec3f& p) {
    const double x = static_cast<double>(row[0]) * static_cast<double>(p.x),
                 y = static_cast<double>(row[1]) * static_cast<double>(p.y),
                 z = static_cast<double>(row[2]) * static_cast<double>(p.z);
    return {x + y + z, std::abs(x) + std::abs(y) + std::abs(z)};
}

/// Whether sign * (row . a) > sign * (row . b). Exact.
bool is_further(const float* row, const Vec3f& a, const Vec3f& b, double sign) {
    const Value va = along(row, a), vb = along(row, b);
    const double gap = sign * (va.value - vb.value), error = 0x1p-50 * (va.magnitude + vb.magnitude);
    if (std::abs(gap) > error) return gap > 0;
    ExactSum sum;
    for (std::size_t k = 0; k < 3; ++k) {
        sum.add_product(sign * static_cast<double>(row[k]), static_cast<double>(a[k]));
        sum.add_product(-sign * static_cast<double>(row[k]), static_cast<double>(b[k]));
    }
    return sum.sign() > 0;
}

/// Hill climb. On a convex polytope a vertex without a better neighbour is the best vertex, because the edges
/// at a vertex span a cone that contains the body. Every step is strictly better, so the climb ends.
std::uint32_t climb(const ConvexHull& hull, const float* row, double sign, std::uint32_t start) {
    std::uint32_t best = start;
    for (;;) {
        const std::uint32_t here = best;
        for (std::uint32_t i = hull.neighbour_begin[here]; i < hull.neighbour_begin[here + 1]; ++i) {
            const std::uint32_t next = hull.neighbours[i];
            if (is_further(row, hull.vertex(next), hull.vertex(best), sign)) best = next;
        }
        if (best == here) return best;
    }
}

}  // namespace

Aabb tight_box(const Matrix34f& world_from_local, const ConvexHull& hull, ExtremeVertices& extremes) {
    Aabb out;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const float* const row = world_from_local.m.data() + 4 * axis;
        for (const bool high : {false, true}) {
            std::uint32_t& vertex = extremes[2 * axis + high];
            CLAYBOX_ASSERT(vertex < hull.vertex_count);
            vertex = climb(hull, row, high ? 1 : -1, vertex);
            const Value v = along(row, hull.vertex(vertex));
            const double shift = static_cast<double>(row[3]);
            const double error = 0x1p-50 * (v.magnitude + std::abs(shift));
            if (high)
                out.max[axis] = round_up(v.value + shift + error);
            else
                out.min[axis] = round_down(v.value + shift - error);
        }
    }
    return out;
}

Aabb tight_box(const Matrix34f& world_from_local, std::span<const Vec3f> points) {
    Aabb out;
    if (points.empty()) return out;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const float* const row = world_from_local.m.data() + 4 * axis;
        double low = std::numeric_limits<double>::max(), high = -low, magnitude = 0;
        for (const Vec3f& p : points) {
            const Value v = along(row, p);
            low = std::min(low, v.value);
            high = std::max(high, v.value);
            magnitude = std::max(magnitude, v.magnitude);
        }
        const double shift = static_cast<double>(row[3]), error = 0x1p-50 * (magnitude + std::abs(shift));
        out.min[axis] = round_down(low + shift - error);
        out.max[axis] = round_up(high + shift + error);
    }
    return out;
}

void StillBox::look_at(const Matrix34f& world_from_local, std::span<const Vec3f> points, Run& run) const {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const float* const row = world_from_local.m.data() + 4 * axis;
        Extent& out = run.extent[axis];
        out = {std::numeric_limits<double>::max(), -std::numeric_limits<double>::max(), 0};
        for (const Vec3f& p : points) {
            const Value v = along(row, p);
            out.low = std::min(out.low, v.value);
            out.high = std::max(out.high, v.value);
            out.magnitude = std::max(out.magnitude, v.magnitude);
        }
    }
    run.changed = false;
}

Aabb StillBox::place(const Matrix34f& world_from_local, std::span<const Vec3f> points) {
    runs_.assign((points.size() + kRun - 1) / kRun, {});
    return restore(world_from_local, points);
}

Aabb StillBox::restore(const Matrix34f& world_from_local, std::span<const Vec3f> points) {
    Aabb out;
    std::array<Extent, 3> all;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
        Run& run = runs_[i];
        if (run.changed)
            look_at(world_from_local, points.subspan(i * kRun, std::min(kRun, points.size() - i * kRun)),
                    run);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const Extent& e = run.extent[axis];
            Extent& sum = all[axis];
            if (i == 0) sum = e;
            sum = {std::min(sum.low, e.low), std::max(sum.high, e.high),
                   std::max(sum.magnitude, e.magnitude)};
        }
    }
    for (std::size_t axis = 0; axis < 3 && !runs_.empty(); ++axis) {
        const auto shift = static_cast<double>(world_from_local.m[4 * axis + 3]);
        const double error = 0x1p-50 * (all[axis].magnitude + std::abs(shift));
        out.min[axis] = round_down(all[axis].low + shift - error);
        out.max[axis] = round_up(all[axis].high + shift + error);
    }
    return out;
}

}  // namespace claybox::collision
