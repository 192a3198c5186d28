#pragma once
// Queries on the grids of `best`: which of its bodies a box or a ray may meet. A body stands in the cell of
// its lower corner and is no larger than a cell. BoxGrid::at rounds to a 32nd of a cell first, so in whole
// cells a body of cell c reaches from c - 1/64 to c + 2 along each axis.

#include "collision/broadphase/broad_phase.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

/// How a ray runs through one grid: layers of cells across its main axis, in the order in which it passes
/// them. Each body stands in one layer.
class GridRay {
  public:
    /// In whole cells of the grid, whose number along a metre is `cells_per_metre`.
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

    /// Not where numbers are so large that cells are lost among their roundings.
    bool usable() const { return slack_ < 1 && highest_ - lowest_ < 0x1p40; }
    double layer_count() const { return highest_ - lowest_ + 1; }
    std::size_t axis() const { return axis_; }

    struct Layer {
        double number = 0;  ///< along the main axis
        double begin = 0;   ///< the ray meets none of its bodies before
        Vec3d low, high;    ///< numbers of cells in which these may stand, all inside
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
    /// Far more than cells are off by, and what t loses by rounding: see below.
    static constexpr double kSlack = 0x1p-6;

    double at(double t, std::size_t k) const { return origin_[k] + t * along_[k]; }
    /// The parameter at which the main axis has this coordinate. Along it the ray is the fastest, so that an
    /// error of t moves it no more along the others.
    double clipped(double coordinate) const {
        return std::clamp((coordinate - origin_[axis_]) / along_[axis_], part_.begin, part_.end);
    }

    RayPart part_;
    std::size_t axis_ = 0;
    bool forward_ = true;
    Vec3d origin_, along_;
    double slack_ = 0, lowest_ = 0, highest_ = -1;
};

/// Bodies in the cells of `Store` (BoxCells): each is asked about once. `ask(slot)` returns false to end.
template <class Store>
class CellQueries {
  public:
    CellQueries(const Store& store, std::span<const Aabb> boxes) : store_(store), boxes_(boxes) {}

    /// False, and nobody asked, when it is cheaper to ask all.
    template <class Ask>
    bool overlapping(const Aabb& box, Ask&& ask) const {
        double columns = 0;
        for (const auto& grid : store_.grids()) {
            const auto range = range_of(grid, box);
            columns += static_cast<double>(range.count[0]) * static_cast<double>(range.count[1]);
        }
        if (!worth(columns)) return false;
        if (store_.size() == 0) return true;
        bool on = true;
        store_.for_each_large_run([&](auto begin, auto end) { on = on && ask_run(begin, end, ask); });
        for (const auto& grid : store_.grids()) {
            if (!on) break;
            store_.for_each_run(grid, range_of(grid, box),
                                [&](auto begin, auto end) { on = on && ask_run(begin, end, ask); });
        }
        return true;
    }

    /// As above; `until()` is the end of what is still asked.
    template <class Ask, class Until>
    bool along_ray(const RayPart& part, Ask&& ask, Until&& until) const {
        double columns = 0;
        for (const auto& grid : store_.grids()) {
            const GridRay ray(part, 1 / grid.cell);
            if (!ray.usable()) return false;
            columns += 6 * ray.layer_count();
        }
        if (!worth(columns)) return false;
        if (store_.size() == 0) return true;
        bool on = true;
        store_.for_each_large_run([&](auto begin, auto end) { on = on && ask_run(begin, end, ask); });
        for (const auto& grid : store_.grids())
            if (on) on = walk(grid, GridRay(part, 1 / grid.cell), ask, until);
        return true;
    }

  private:
    bool worth(double columns) const { return columns < 0.5 * static_cast<double>(store_.size()) + 64; }

    template <class Ask>
    bool ask_run(std::uint32_t begin, std::uint32_t end, Ask& ask) const {
        for (std::uint32_t place = begin; place < end; ++place)
            if (const std::uint32_t slot = store_.entry(place).slot; slot != kNoIndex && !ask(slot))
                return false;
        return true;
    }

    template <class Grid, class Ask, class Until>
    bool walk(const Grid& grid, const GridRay& ray, Ask& ask, Until& until) const {
        const std::size_t axis = ray.axis();
        bool on = true;
        ray.for_each_layer([&](const GridRay::Layer& layer) {
            if (layer.begin > until()) return false;
            decltype(range_of(grid, Aabb{})) range;
            for (std::size_t k = 0; k < 3; ++k) {
                range.low[k] = static_cast<std::int64_t>(layer.low[k]);
                range.count[k] =
                    std::clamp<std::int64_t>(static_cast<std::int64_t>(layer.high[k]) - range.low[k] + 1, 0,
                                             std::int64_t{grid.mask[k]} + 1);
            }
            // Cells wrap around: a body of another layer shares this one's cells and is asked there.
            const auto of_layer = [&](std::uint32_t slot) {
                return static_cast<double>(grid.at(boxes_[slot].min[axis])) != layer.number || ask(slot);
            };
            store_.for_each_run(grid, range,
                                [&](auto begin, auto end) { on = on && ask_run(begin, end, of_layer); });
            return on;
        });
        return on;
    }

    const Store& store_;
    std::span<const Aabb> boxes_;
};

}  // namespace claybox::collision
