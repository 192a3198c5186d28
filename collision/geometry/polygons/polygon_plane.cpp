#include "collision/geometry/polygons/polygon_plane.hpp"

#include "collision/core/trig.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

PolygonPlane best_fit_plane(std::span<const Vec3f> positions, std::span<const std::uint32_t> loop) {
    // Relative to the first corner, so that polygons far from the origin keep their precision.
    const Vec3d origin = cast<double>(positions[loop[0]]);
    Vec3d doubled, before, sum;
    for (const std::uint32_t v : loop) {
        const Vec3d here = cast<double>(positions[v]) - origin;
        doubled += cross(before, here);
        sum += here;
        before = here;
    }
    return {0.5 * doubled, origin + sum / static_cast<double>(loop.size())};
}

double bend_of(std::span<const Vec3f> positions, std::span<const std::uint32_t> loop) {
    if (loop.size() == 3) return 0;
    const PolygonPlane plane = best_fit_plane(positions, loop);
    const Vec3d normal = normalized(plane.area, Vec3d{});
    double largest = 0;
    for (const std::uint32_t v : loop)
        largest = std::max(largest, std::fabs(dot(normal, cast<double>(positions[v]) - plane.point)));
    return largest;
}

bool is_flat(std::span<const Vec3f> positions, std::span<const std::uint32_t> loop, double tolerance) {
    return bend_of(positions, loop) <= tolerance;
}

bool is_bent_on_purpose(std::span<const Vec3f> positions, std::span<const std::uint32_t> loop) {
    // Our choice. Flat faces of imported models are flat to three or more digits of their size, and rounding
    // moves a corner by less than one unit in the last place of its largest coordinate.
    constexpr double kOfSize = 0x1p-10, kOfCoordinate = 4 * 0x1p-23;
    Vec3d low = cast<double>(positions[loop[0]]), high = low;
    for (const std::uint32_t v : loop) {
        low = min(low, cast<double>(positions[v]));
        high = max(high, cast<double>(positions[v]));
    }
    double size = 0, coordinate = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        size = std::max(size, high[k] - low[k]);
        coordinate = std::max({coordinate, std::fabs(low[k]), std::fabs(high[k])});
    }
    return !is_flat(positions, loop, kOfSize * size + kOfCoordinate * coordinate);
}

double dihedral_angle(const Vec3d& along, const Vec3d& n1, const Vec3d& n2) {
    // FIX-33 uses the angle between n2 and the bisector's normal, which is half of it. The arc tangent
    // returns the whole angle without losing digits near 0 and pi.
    const Vec3d turn = cross(n1, n2);
    return kPi - arc_tangent(dot(normalized(along, Vec3d{}), turn), dot(n1, n2));
}

}  // namespace claybox::collision
