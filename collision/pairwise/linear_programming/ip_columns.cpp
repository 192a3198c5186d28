#include "collision/pairwise/linear_programming/ip_columns.hpp"

#include "collision/core/ids.hpp"

#include <algorithm>
#include <limits>
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
    // Local copies: the compiler cannot know that the stores to `along` leave the members alone.
    const Vec3d n = normal;
    std::uint32_t best = 0;
    double furthest = -std::numeric_limits<double>::infinity();
    for (std::uint32_t v = 0; v < hull->vertex_count; ++v) {
        const double reached = n.x * double(hull->x[v]) + n.y * double(hull->y[v]) + n.z * double(hull->z[v]);
        along[v] = reached;
        best = reached > furthest ? v : best;
        furthest = reached > furthest ? reached : furthest;
    }
    support = best;
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
    const auto nearer = [this](std::uint32_t i, std::uint32_t j) {
        return along[i] != along[j] ? along[i] > along[j] : i < j;
    };
    wanted = std::min(wanted, order.size());
    // A heap of the nearest so far, the furthest of them on top. Few vertices enter it, so this takes a
    // fraction of the time of std::nth_element.
    const std::span<std::uint32_t> heap = order.first(wanted);
    std::iota(heap.begin(), heap.end(), 0u);
    std::make_heap(heap.begin(), heap.end(), nearer);
    for (auto v = static_cast<std::uint32_t>(wanted); wanted > 0 && v < order.size(); ++v) {
        if (!nearer(v, heap.front())) continue;
        std::pop_heap(heap.begin(), heap.end(), nearer);
        heap.back() = v;
        std::push_heap(heap.begin(), heap.end(), nearer);
    }
    const std::size_t before = count;
    for (std::size_t i = 0; i < wanted && count < wanted; ++i)
        if (!has(heap[i], before)) column_storage[count++] = {heap[i], false, 0, 0};
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
