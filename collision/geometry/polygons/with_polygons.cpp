#include "collision/geometry/polygons/with_polygons.hpp"

#include <array>

namespace claybox::collision {

ShapePtr with_polygons(const ShapePtr& shape) {
    if (shape->topology().polygon_count() > 0) return shape;
    PolygonList list;
    list.positions = shape->geometry().positions;
    const auto last = static_cast<std::uint32_t>(list.positions.size() - 1);
    list.add_polygon(std::array<std::uint32_t, 3>{0, last, last});
    return Shape::from_polygons(list, shape->name()).value();
}

}  // namespace claybox::collision
