#include "collision/continuous/interframe_lp/vertex_groups.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

std::size_t PreparedGroups::memory_bytes() const {
    std::size_t out = sizeof *this;
    for (const auto& g : group) out += g.capacity() * sizeof(std::uint32_t);
    return out;
}

PreparedGroups make_groups(const ConvexHull& hull) {
    PreparedGroups out;
    for (std::uint32_t v = 0; v < hull.vertex_count; ++v) out.box.add(hull.vertex(v));
    const Vec3d low = cast<double>(out.box.min), size = cast<double>(out.box.max) - low;
    for (std::uint32_t v = 0; v < hull.vertex_count; ++v) {
        double distance[kBoxFaces];
        for (std::size_t k = 0; k < 3; ++k) {
            const double from_low = static_cast<double>(hull.vertex(v)[k]) - low[k];
            distance[2 * k] = size[k] > 0 ? from_low / size[k] : 0;
            distance[2 * k + 1] = size[k] > 0 ? (size[k] - from_low) / size[k] : 0;
        }
        const double least = *std::min_element(distance, distance + kBoxFaces);
        for (std::size_t f = 0; f < kBoxFaces; ++f)
            if (distance[f] == least) out.group[f].push_back(v);
    }
    return out;
}

std::size_t nearest_face(const Aabb& box, const Vec3d& direction) {
    const Vec3d half = 0.5 * (cast<double>(box.max) - cast<double>(box.min));
    const Vec3d along = normalized(direction);
    std::size_t best = 0;
    double least = HUGE_VAL;
    for (std::size_t f = 0; f < kBoxFaces; ++f) {
        const std::size_t k = f / 2, u = (k + 1) % 3, w = (k + 2) % 3;
        const double side = f % 2 == 0 ? -1 : 1;
        if (side * along[k] <= 0) continue;
        double sum = 0;
        for (const double p : {-1.0, 1.0})
            for (const double q : {-1.0, 1.0}) {
                Vec3d corner;
                corner[k] = side * half[k];
                corner[u] = p * half[u];
                corner[w] = q * half[w];
                // The direction is a ray: a corner behind its start is as far as the start.
                sum += dot(corner, along) > 0 ? length(cross(corner, along)) : length(corner);
            }
        if (sum < least) {
            least = sum;
            best = f;
        }
    }
    return best;
}

}  // namespace claybox::collision
