#include "collision/parts/support.hpp"

#include "collision/core/assert.hpp"
#include "collision/simd/support_scan.hpp"

namespace claybox::collision {

namespace {

/// Every step is strictly better, so the climb ends; on a convex polytope a vertex that no neighbour beats is
/// best of all, because the edges at a vertex span the cone that holds the body.
template <class T>
std::uint32_t climb(const ConvexHull& hull, const Vec3<T>& d, std::uint32_t start) {
    CLAYBOX_ASSERT(start < hull.vertex_count);
    const float* const x = hull.x.data();
    const float* const y = hull.y.data();
    const float* const z = hull.z.data();
    const auto value = [&](std::uint32_t v) { return d.x * T(x[v]) + d.y * T(y[v]) + d.z * T(z[v]); };
    std::uint32_t best = start;
    T best_value = value(start);
    for (;;) {
        const std::uint32_t here = best;
        const std::uint32_t end = hull.neighbour_begin[here + 1];
        for (std::uint32_t i = hull.neighbour_begin[here]; i < end; ++i) {
            const std::uint32_t neighbour = hull.neighbours[i];
            const T v = value(neighbour);
            if (v > best_value) {
                best = neighbour;
                best_value = v;
            }
        }
        if (best == here) return best;
    }
}

}  // namespace

std::uint32_t support_vertex(const ConvexHull& hull, const Vec3f& direction, std::uint32_t start,
                             SupportMethod method) {
    const bool scan =
        method == SupportMethod::automatic ? hull.vertex_count <= kScanLimit : method == SupportMethod::scan;
    if (!scan) return climb(hull, direction, start);
    const auto count = static_cast<std::uint32_t>(hull.x.size());
    return support_scan(hull.x.data(), hull.y.data(), hull.z.data(), count, direction);
}

std::uint32_t support_vertex(const ConvexHull& hull, const Vec3d& direction, std::uint32_t start) {
    return climb(hull, direction, start);
}

}  // namespace claybox::collision
