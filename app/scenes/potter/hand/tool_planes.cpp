#include "app/scenes/potter/hand/tool_planes.hpp"

namespace claybox::app {

using collision::Vec3d;

void ToolPlanes::use(const collision::ConvexHull* hull) {
    planes_.clear();
    for (std::size_t f = 0; hull && f < hull->faces.polygon_count(); ++f) {
        const auto loop = hull->faces.polygon(f);
        const auto at = [&](std::size_t i) {
            return collision::cast<double>(hull->vertex(loop[i % loop.size()]));
        };
        Vec3d twice_area;
        for (std::size_t i = 1; i + 1 < loop.size(); ++i)
            twice_area += cross(at(i) - at(0), at(i + 1) - at(0));
        const Vec3d normal = normalized(twice_area, Vec3d{});
        planes_.push_back({normal, dot(normal, at(0))});
    }
}

std::span<const ToolPlane> ToolPlanes::placed(std::size_t hand, const collision::Quat& rotation,
                                              const Vec3d& centre) {
    std::vector<ToolPlane>& out = placed_[hand];
    out.clear();
    for (const ToolPlane& plane : planes_) {
        const Vec3d normal = collision::rotate(rotation, plane.normal);
        out.push_back({normal, plane.offset + dot(normal, centre)});
    }
    return out;
}

}  // namespace claybox::app
