#include "collision/parts/direction_table.hpp"

#include "collision/parts/support.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

/// Where a position of [0, 1] falls among `count` equal parts; 0 for what is not a number.
std::uint32_t part_of(float position, std::uint32_t count) {
    const float scaled = position * static_cast<float>(count);
    if (!(scaled > 0)) return 0;
    return std::min(static_cast<std::uint32_t>(std::min(scaled, 1e6f)), count - 1);
}

/// The way around the square |x| + |y| = 1 from (1, 0) to (x, y), from 0 to 1.
float way_around(float x, float y) {
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
    return part_of(0.5f * (height + 1), rows_) * columns_ + part_of(way_around(d.x, d.y), columns_);
}

Vec3d DirectionTable::middle(std::uint32_t cell) const {
    const double z = 2 * (cell / columns_ + 0.5) / rows_ - 1;
    const double way = 4 * (cell % columns_ + 0.5) / columns_;
    const double y = way < 1 ? way : way < 3 ? 2 - way : way - 4;
    const double x = way < 2 ? 1 - way : way - 3;
    const double across = std::sqrt((1 - z * z) / (x * x + y * y));
    return {across * x, across * y, z};
}

}  // namespace claybox::collision
