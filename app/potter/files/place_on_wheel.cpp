#include "app/potter/files/place_on_wheel.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {

using collision::Vec3d;
using collision::Vec3f;

namespace {

constexpr double kSmallest = 0.010, kLargest = 0.400, kUsual = 0.120;  // metres
constexpr double kRounding = 1e-6;                                     // 0.4 as float32 is larger than 0.4
/// What counts as standing on the wheel: distance from it in metres, distance from the axis as share of the
/// width. A handle moves the middle of the box away from the axis.
constexpr double kOnWheel = 1e-4, kOnAxis = 0.1;

struct WheelBox {
    Vec3d low, high;
};

/// Box of the vertices that polygons use.
WheelBox box_of(const collision::PolygonList& mesh) {
    const Vec3d first = collision::cast<double>(mesh.positions[mesh.indices[0]]);
    WheelBox box{first, first};
    for (const std::uint32_t v : mesh.indices) {
        const Vec3d p = collision::cast<double>(mesh.positions[v]);
        for (std::size_t k = 0; k < 3; ++k) {
            box.low[k] = std::min(box.low[k], p[k]);
            box.high[k] = std::max(box.high[k], p[k]);
        }
    }
    return box;
}

/// Metres per unit; also for a mesh whose unit is unknown or makes no sense.
double scale_for(double size, double metres_per_unit) {
    const double known = metres_per_unit > 0 ? metres_per_unit : 1;
    const bool plausible =
        size * known >= kSmallest * (1 - kRounding) && size * known <= kLargest * (1 + kRounding);
    return plausible || !(size > 0) ? known : kUsual / size;
}

}  // namespace

collision::PolygonList place_on_wheel(collision::PolygonList mesh, const MeshUnits& units) {
    if (mesh.indices.empty()) return mesh;
    if (units.z_up)
        for (Vec3f& p : mesh.positions) p = {p.x, p.z, -p.y};
    const WheelBox box = box_of(mesh);
    const Vec3d size = box.high - box.low, middle = (box.low + box.high) * 0.5;
    const double scale = scale_for(std::max({size.x, size.y, size.z}), units.metres_per_unit);
    const bool stands = std::abs(box.low.y) * scale <= kOnWheel && std::abs(middle.x) <= kOnAxis * size.x &&
                        std::abs(middle.z) <= kOnAxis * size.z;
    const Vec3d foot = stands ? Vec3d{} : Vec3d{middle.x, box.low.y, middle.z};
    if (stands && scale == 1) return mesh;
    for (Vec3f& p : mesh.positions) p = collision::cast<float>((collision::cast<double>(p) - foot) * scale);
    return mesh;
}

}  // namespace claybox::app
