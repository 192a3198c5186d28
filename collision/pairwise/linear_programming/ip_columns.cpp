#include "collision/pairwise/linear_programming/ip_columns.hpp"

#include "collision/core/ids.hpp"

#include <algorithm>
#include <numeric>

namespace claybox::collision {

bool IpSide::has(std::uint32_t v, std::size_t among_first) const {
    for (const IpColumn& c : column_storage.first(among_first))
        if (c.vertex == v) return true;
    return false;
}

bool IpSide::add(std::uint32_t v, bool added) {
    if (count == column_storage.size() || has(v)) return false;
    column_storage[count++] = {v, added, 0, 0};
    return true;
}

void IpSide::evaluate(const Vec3d& plane_normal) {
    normal = sign * transpose_vector(*about_a_from_hull, plane_normal);
    if (along.empty()) return climb();
    visited += hull->vertex_count;
    for (std::uint32_t v = 0; v < hull->vertex_count; ++v)
        along[v] =
            normal.x * double(hull->x[v]) + normal.y * double(hull->y[v]) + normal.z * double(hull->z[v]);
    support = static_cast<std::uint32_t>(std::max_element(along.begin(), along.end()) - along.begin());
}

/// Moves to the best neighbour until none is better. Terminates because the reach grows.
void IpSide::climb() {
    double best = reach(support);
    for (bool better = true; better;) {
        better = false;
        const std::uint32_t begin = hull->neighbour_begin[support], end = hull->neighbour_begin[support + 1];
        visited += end - begin;
        for (std::uint32_t k = begin; k < end; ++k) {
            const double there = reach(hull->neighbours[k]);
            if (!(there > best)) continue;
            best = there;
            support = hull->neighbours[k];
            better = true;
        }
    }
}

void IpSide::choose_nearest(std::size_t wanted) {
    std::iota(order.begin(), order.end(), 0u);
    const auto nearer = [this](std::uint32_t i, std::uint32_t j) {
        return along[i] != along[j] ? along[i] > along[j] : i < j;
    };
    if (wanted < order.size())
        std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(wanted), order.end(),
                         nearer);
    const std::size_t before = count;
    for (std::size_t i = 0; i < order.size() && count < wanted; ++i)
        if (!has(order[i], before)) column_storage[count++] = {order[i], false, 0, 0};
}

void IpSide::choose_around_support(std::size_t wanted) {
    add(support, false);
    std::size_t start = 0;
    while (start + 1 < count && column_storage[start].vertex != support) ++start;
    // A breadth-first queue; all queued vertices stay as columns.
    for (std::size_t i = start; i < count && count < wanted; ++i) {
        const std::uint32_t v = column_storage[i].vertex;
        for (std::uint32_t k = hull->neighbour_begin[v]; k < hull->neighbour_begin[v + 1]; ++k)
            if (count < wanted) add(hull->neighbours[k], false);
    }
}

/// The vertex with the largest reach among the visited ones that is not a column. kNoIndex if there is none.
std::uint32_t IpSide::worst_missing() const {
    if (!has(support)) return support;
    std::uint32_t worst = kNoIndex;
    const auto offer = [&](std::uint32_t v, double reached) {
        if ((worst == kNoIndex || reached > reach(worst)) && !has(v)) worst = v;
    };
    if (along.empty())
        for (std::uint32_t k = hull->neighbour_begin[support]; k < hull->neighbour_begin[support + 1]; ++k)
            offer(hull->neighbours[k], reach(hull->neighbours[k]));
    for (std::uint32_t v = 0; v < along.size(); ++v) offer(v, along[v]);
    return worst;
}

std::uint32_t IpSide::add_violating(double bound, std::uint32_t max_added) {
    for (std::uint32_t added = 0; added < max_added; ++added) {
        const std::uint32_t worst = worst_missing();
        if (worst == kNoIndex || !(reach(worst) > bound)) return added;
        IpColumn* drop = nullptr;
        for (IpColumn& c : columns())
            if (!c.added && (drop == nullptr || c.slack > drop->slack)) drop = &c;
        if (drop != nullptr)
            *drop = {worst, true, 0, 0};
        else if (!add(worst, true))
            return added;
    }
    return max_added;
}

}  // namespace claybox::collision
