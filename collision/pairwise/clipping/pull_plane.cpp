#include "collision/pairwise/clipping/pull_plane.hpp"

#include "collision/pairwise/gjk/point_walk.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace claybox::collision {

namespace {

/// Vertices in a part that is not halved further. Testing four vertices costs about as much as two boxes.
constexpr std::uint32_t kLeaf = 4;

std::uint32_t middle(std::uint32_t begin, std::uint32_t end) {
    return begin + (end - begin) / 2;
}

}  // namespace

struct SortedVertices::Search {
    Vec3d d;
    std::size_t axis;
    double most = -std::numeric_limits<double>::infinity();
    Found found;

    double bound(const Box& b) const {
        return d.x * double(d.x > 0 ? b.max.x : b.min.x) + d.y * double(d.y > 0 ? b.max.y : b.min.y) +
               d.z * double(d.z > 0 ? b.max.z : b.min.z);
    }
};

SortedVertices::SortedVertices(const ConvexHull& hull) {
    for (std::uint32_t v = 0; v < hull.vertex_count; ++v) positions_.push_back(cast<double>(hull.vertex(v)));
    while (leaves_ * kLeaf < hull.vertex_count) leaves_ *= 2;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (std::uint32_t v = 0; v < hull.vertex_count; ++v) order_[axis].push_back(v);
        std::stable_sort(order_[axis].begin(), order_[axis].end(), [&](std::uint32_t a, std::uint32_t b) {
            return positions_[a][axis] < positions_[b][axis];
        });
        boxes_[axis].resize(parts());
        make_boxes(axis, 0, 0, hull.vertex_count);
    }
}

SortedVertices::Box SortedVertices::make_boxes(std::size_t axis, std::uint32_t part, std::uint32_t begin,
                                               std::uint32_t end) {
    Box box;
    if (part >= leaves_ - 1) {
        box.min = box.max = cast<float>(positions_[order_[axis][begin]]);
        for (std::uint32_t i = begin; i < end; ++i) {
            const Vec3f p = cast<float>(positions_[order_[axis][i]]);  // exact: they were floats
            box.min = min(box.min, p);
            box.max = max(box.max, p);
        }
    } else {
        const Box low = make_boxes(axis, 2 * part + 1, begin, middle(begin, end));
        const Box high = make_boxes(axis, 2 * part + 2, middle(begin, end), end);
        box = {min(low.min, high.min), max(low.max, high.max)};
    }
    boxes_[axis][part] = box;
    return box;
}

void SortedVertices::search(Search& s, std::uint32_t part, std::uint32_t begin, std::uint32_t end) const {
    const std::vector<std::uint32_t>& order = order_[s.axis];
    if (part >= leaves_ - 1) {
        for (std::uint32_t i = begin; i < end; ++i) {
            const double value = dot(s.d, positions_[order[i]]);
            if (!(value > s.most)) continue;
            s.most = value;
            s.found.vertex = order[i];
        }
        s.found.visited += end - begin;
        return;
    }
    const std::uint32_t low = 2 * part + 1, high = low + 1, half = middle(begin, end);
    const double low_bound = s.bound(boxes_[s.axis][low]), high_bound = s.bound(boxes_[s.axis][high]);
    s.found.visited += 2;
    const bool low_first = low_bound > high_bound;
    for (const bool take_low : {low_first, !low_first}) {
        if (!((take_low ? low_bound : high_bound) > s.most)) continue;
        if (take_low)
            search(s, low, begin, half);
        else
            search(s, high, half, end);
    }
}

SortedVertices::Found SortedVertices::furthest(const Vec3d& d) const {
    Search s{d, 0, -std::numeric_limits<double>::infinity(), {}};
    if (std::abs(d.y) > std::abs(d[s.axis])) s.axis = 1;
    if (std::abs(d.z) > std::abs(d[s.axis])) s.axis = 2;
    search(s, 0, 0, static_cast<std::uint32_t>(positions_.size()));
    return s.found;
}

PulledPlane pull_plane(const SortedVertices& vertices, const Vec3d& s) {
    PointWalk walk(s);
    walk.add(vertices.position(0), 0);
    PulledPlane out;
    while (!walk.inside()) {
        const SortedVertices::Found found = vertices.furthest(walk.direction());
        out.visited += found.visited;
        if (!walk.improves(vertices.position(found.vertex))) break;
        if (!walk.add(vertices.position(found.vertex), found.vertex)) break;
        ++out.steps;
    }
    out.point = walk.point();
    out.contained = walk.inside();
    return out;
}

}  // namespace claybox::collision
