#pragma once
// Queries on the grids of `best`: the bodies that a box or a ray may intersect. A body is in the cell of its
// lower corner and is not larger than a cell. BoxGrid::at rounds to 1/32 of a cell first: in units of cells,
// a body of cell c extends from c - 1/64 to c + 2 along each axis.

#include "collision/broadphase/broad_phase.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

/// A ray in one grid: the layers of cells perpendicular to the ray's main axis, in the order in which it
/// crosses them. Each body is in one layer.
class GridRay {
  public:
    /// Converts the ray to units of cells.
    GridRay(const RayPart& part, double cells_per_metre) : part_(part) {
        const Vec3d& d = part.ray.direction;
        for (std::size_t k = 1; k < 3; ++k)
            if (std::abs(d[k]) > std::abs(d[axis_])) axis_ = k;
        origin_ = part.ray.origin * cells_per_metre;
        along_ = d * cells_per_metre;
        double largest = 0;
        for (std::size_t k = 0; k < 3; ++k)
            largest = std::max(largest, std::abs(origin_[k]) + part.end * std::abs(along_[k]));
        slack_ = kSlack + 0x1p-50 * largest;
        const double from = at(part.begin, axis_), to = at(part.end, axis_);
        forward_ = along_[axis_] > 0;
        lowest_ = std::ceil(std::min(from, to) - kHigh - slack_);
        highest_ = std::floor(std::max(from, to) + kLow + slack_);
    }

    /// False when coordinates are so large that rounding exceeds a cell.
    bool usable() const { return slack_ < 1 && highest_ - lowest_ < 0x1p40; }
    double layer_count() const { return highest_ - lowest_ + 1; }
    std::size_t axis() const { return axis_; }

    struct Layer {
        double number = 0;  ///< cell coordinate along the main axis
        double begin = 0;   ///< the ray intersects none of the layer's bodies before this parameter
        Vec3d low, high;    ///< range of cells of these bodies, inclusive
    };
    /// Calls visit(layer) until it returns false.
    template <class Visit>
    void for_each_layer(Visit&& visit) const {
        for (double i = 0; i < layer_count(); ++i) {
            Layer layer;
            layer.number = forward_ ? lowest_ + i : highest_ - i;
            const double near = layer.number - kLow - slack_, far = layer.number + kHigh + slack_;
            layer.begin = clipped(forward_ ? near : far);
            const double end = clipped(forward_ ? far : near);
            for (std::size_t k = 0; k < 3; ++k) {
                const double a = at(layer.begin, k), b = at(end, k);
                layer.low[k] = std::ceil(std::min(a, b) - kHigh - slack_);
                layer.high[k] = std::floor(std::max(a, b) + kLow + slack_);
            }
            layer.low[axis_] = layer.high[axis_] = layer.number;
            if (!visit(layer)) return;
        }
    }

  private:
    static constexpr double kLow = 0x1p-6, kHigh = 2;
    /// Far above the error of cell coordinates and the rounding of t (see clipped()).
    static constexpr double kSlack = 0x1p-6;

    double at(double t, std::size_t k) const { return origin_[k] + t * along_[k]; }
    /// The parameter at a coordinate of the main axis. The direction is largest along it: an error of t
    /// causes no larger error along the other axes.
    double clipped(double coordinate) const {
        return std::clamp((coordinate - origin_[axis_]) / along_[axis_], part_.begin, part_.end);
    }

    RayPart part_;
    std::size_t axis_ = 0;
    bool forward_ = true;
    Vec3d origin_, along_;
    double slack_ = 0, lowest_ = 0, highest_ = -1;
};

/// Visits the bodies in the cells of `Store` (BoxCells), each once. `visit(slot)` returns false to stop.
template <class Store>
class CellQueries {
  public:
    CellQueries(const Store& store, std::span<const Aabb> boxes) : store_(store), boxes_(boxes) {}

    /// Returns false without visiting anything when a loop over all bodies is cheaper.
    template <class Visit>
    bool overlapping(const Aabb& box, Visit&& visit) const {
        double columns = 0;
        for (const auto& grid : store_.grids()) {
            const auto range = range_of(grid, box);
            columns += static_cast<double>(range.count[0]) * static_cast<double>(range.count[1]);
        }
        if (!is_cheaper_than_all(columns)) return false;
        if (store_.size() == 0) return true;
        bool running = true;
        store_.for_each_large_run(
            [&](auto begin, auto end) { running = running && visit_run(begin, end, visit); });
        for (const auto& grid : store_.grids()) {
            if (!running) break;
            store_.for_each_run(grid, range_of(grid, box), [&](auto begin, auto end) {
                running = running && visit_run(begin, end, visit);
            });
        }
        return true;
    }

    /// As above; `until()` returns the current end of the segment.
    template <class Visit, class Until>
    bool along_ray(const RayPart& part, Visit&& visit, Until&& until) const {
        double columns = 0;
        for (const auto& grid : store_.grids()) {
            const GridRay ray(part, 1 / grid.cell);
            if (!ray.usable()) return false;
            columns += 6 * ray.layer_count();
        }
        if (!is_cheaper_than_all(columns)) return false;
        if (store_.size() == 0) return true;
        bool running = true;
        store_.for_each_large_run(
            [&](auto begin, auto end) { running = running && visit_run(begin, end, visit); });
        for (const auto& grid : store_.grids())
            if (running) running = walk(grid, GridRay(part, 1 / grid.cell), visit, until);
        return true;
    }

  private:
    bool is_cheaper_than_all(double columns) const {
        return columns < 0.5 * static_cast<double>(store_.size()) + 64;
    }

    template <class Visit>
    bool visit_run(std::uint32_t begin, std::uint32_t end, Visit& visit) const {
        for (std::uint32_t place = begin; place < end; ++place)
            if (const std::uint32_t slot = store_.entry(place).slot; slot != kNoIndex && !visit(slot))
                return false;
        return true;
    }

    template <class Grid, class Visit, class Until>
    bool walk(const Grid& grid, const GridRay& ray, Visit& visit, Until& until) const {
        const std::size_t axis = ray.axis();
        bool running = true;
        ray.for_each_layer([&](const GridRay::Layer& layer) {
            if (layer.begin > until()) return false;
            decltype(range_of(grid, Aabb{})) range;
            for (std::size_t k = 0; k < 3; ++k) {
                range.low[k] = static_cast<std::int64_t>(layer.low[k]);
                range.count[k] =
                    std::clamp<std::int64_t>(static_cast<std::int64_t>(layer.high[k]) - range.low[k] + 1, 0,
                                             std::int64_t{grid.mask[k]} + 1);
            }
            // Cells wrap around: skip bodies of other layers in these cells; their own layer visits them.
            const auto of_layer = [&](std::uint32_t slot) {
                return static_cast<double>(grid.at(boxes_[slot].min[axis])) != layer.number || visit(slot);
            };
            store_.for_each_run(grid, range, [&](auto begin, auto end) {
                running = running && visit_run(begin, end, of_layer);
            });
            return running;
        });
        return running;
    }

    const Store& store_;
    std::span<const Aabb> boxes_;
};

}  // namespace claybox::collision
