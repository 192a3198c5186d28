#include "collision/pairwise/random_points/polygon_box_tree.hpp"

#include <algorithm>
#include <numeric>

namespace claybox::collision {

namespace {

constexpr std::uint32_t kMaxLeafPolygons = 4;  ///< polygons

}  // namespace

PolygonBoxTree::PolygonBoxTree(const Geometry& geometry) : order_(geometry.polygon_boxes.size()) {
    std::iota(order_.begin(), order_.end(), 0u);
    if (!order_.empty()) build(geometry, 0, static_cast<std::uint32_t>(order_.size()));
}

/// Halves the polygons by their centres along the longest side. Ties go by index, so the tree depends on the
/// mesh alone.
void PolygonBoxTree::build(const Geometry& geometry, std::uint32_t first, std::uint32_t count) {
    const std::size_t self = nodes_.size();
    Node node;
    node.box = geometry.polygon_boxes[order_[first]];
    for (std::uint32_t i = first + 1; i < first + count; ++i) {
        const Aabb& box = geometry.polygon_boxes[order_[i]];
        node.box = {min(node.box.min, box.min), max(node.box.max, box.max)};
    }
    nodes_.push_back(node);
    if (count <= kMaxLeafPolygons) {
        nodes_[self].first = first;
        nodes_[self].count = count;
    } else {
        const Vec3f size = node.box.max - node.box.min;
        const std::size_t axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
        const auto middle = [&](std::uint32_t polygon) {
            const Aabb& box = geometry.polygon_boxes[polygon];
            return box.min[axis] * 0.5f + box.max[axis] * 0.5f;
        };
        const std::uint32_t half = count / 2;
        const auto begin = order_.begin() + first;
        std::nth_element(begin, begin + half, begin + count, [&](std::uint32_t x, std::uint32_t y) {
            const float a = middle(x), b = middle(y);
            return a != b ? a < b : x < y;
        });
        build(geometry, first, half);
        build(geometry, first + half, count - half);
    }
    nodes_[self].next = static_cast<std::uint32_t>(nodes_.size());
}

}  // namespace claybox::collision
