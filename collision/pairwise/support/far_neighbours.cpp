#include "collision/pairwise/support/far_neighbours.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

constexpr std::uint32_t kMaxSteps = 16;

/// Up to `steps` hill-climbing steps along d.
std::uint32_t walk_along(const ConvexHull& hull, const Vec3d& d, std::uint32_t from, std::uint32_t steps) {
    for (std::uint32_t i = 0; i < steps; ++i) {
        const std::uint32_t here = from;
        double most = value_along(hull, d, here);
        for (std::uint32_t k = hull.neighbour_begin[here]; k < hull.neighbour_begin[here + 1]; ++k) {
            const double value = value_along(hull, d, hull.neighbours[k]);
            if (!(value > most)) continue;
            from = hull.neighbours[k];
            most = value;
        }
        if (from == here) return here;
    }
    return from;
}

/// A unit vector perpendicular to n. n is not zero.
Vec3d perpendicular_to(const Vec3d& n) {
    const bool along_x = std::abs(n.x) > std::max(std::abs(n.y), std::abs(n.z));
    return normalized(cross(n, along_x ? Vec3d{0, 1, 0} : Vec3d{1, 0, 0}));
}

}  // namespace

FarNeighbours make_far_neighbours(const ConvexHull& hull) {
    FarNeighbours out;
    if (hull.dimension < 3 || hull.vertex_count < kMinVerticesForLinks) return out;
    // A quarter of the width: a hull of n vertices is about sqrt(n) steps wide.
    const auto quarter = static_cast<std::uint32_t>(std::sqrt(double(hull.vertex_count)) / 4);
    const std::uint32_t steps = std::clamp(quarter, 2u, kMaxSteps);
    out.links.reserve(std::size_t{FarNeighbours::kPerVertex} * hull.vertex_count);
    for (std::uint32_t v = 0; v < hull.vertex_count; ++v) {
        const Vec3d outward = cast<double>(hull.vertex(v)) - cast<double>(hull.interior);
        const Vec3d u = perpendicular_to(outward), w = normalized(cross(outward, u));
        for (const Vec3d& d : {u, -u, w, -w}) out.links.push_back(walk_along(hull, d, v, steps));
    }
    return out;
}

}  // namespace claybox::collision
