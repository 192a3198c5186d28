#include "collision/pairwise/separating_vector/direction_table.hpp"

#include "collision/pairwise/support/support.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

/// The index of `position` in [0, 1] among `count` equal parts; 0 for NaN.
std::uint32_t part_of(float position, std::uint32_t count) {
    const float scaled = position * static_cast<float>(count);
    if (!(scaled > 0)) return 0;
    return std::min(static_cast<std::uint32_t>(std::min(scaled, 1e6f)), count - 1);
}

/// The arc length along the square |x| + |y| = 1 from (1, 0) to (x, y), scaled to 0..1.
float perimeter_position(float x, float y) {
    const float sum = std::abs(x) + std::abs(y);
    const float quarter = sum > 0 ? y / sum : 0;  // -1 .. 1
    return 0.25f * (x >= 0 ? (y >= 0 ? quarter : 4 + quarter) : 2 - quarter);
}

}  // namespace

DirectionTable::DirectionTable(const ConvexHull& hull, std::uint32_t rows, std::uint32_t columns)
    : rows_(rows), columns_(columns), vertices_(std::size_t{rows} * columns) {
    std::uint32_t vertex = 0;
    for (std::uint32_t i = 0; i < vertices_.size(); ++i) {
        vertex = support_vertex(hull, middle(i), vertex);
        vertices_[i] = vertex;
    }
}

std::uint32_t DirectionTable::cell(const Vec3f& direction) const {
    const float size = std::max({std::abs(direction.x), std::abs(direction.y), std::abs(direction.z)});
    const Vec3f d = size > 0 ? direction / size : direction;
    const float height = d.z / length(d);
    return part_of(0.5f * (height + 1), rows_) * columns_ + part_of(perimeter_position(d.x, d.y), columns_);
}

Vec3d DirectionTable::middle(std::uint32_t cell) const {
    const double z = 2 * (cell / columns_ + 0.5) / rows_ - 1;
    const double perimeter = 4 * (cell % columns_ + 0.5) / columns_;
    const double y = perimeter < 1 ? perimeter : perimeter < 3 ? 2 - perimeter : perimeter - 4;
    const double x = perimeter < 2 ? 1 - perimeter : perimeter - 3;
    const double radius = std::sqrt((1 - z * z) / (x * x + y * y));
    return {radius * x, radius * y, z};
}

}  // namespace claybox::collision
