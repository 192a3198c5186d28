#pragma once
// A tree over the cells of a clay surface. Cells are numbered so that neighbours have near numbers; a node is
// sixteen consecutive cells, or nodes. A local query and an update cost time proportional to what they find.

#include "collision/core/vec.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace claybox::app {

/// All functions are inline: a frame calls them tens of thousands of times.
struct ClayBox {
    collision::Vec3f low, high;
    /// Per axis: how far `p` is outside; 0 inside.
    collision::Vec3f distance_to(const collision::Vec3f& p) const {
        return largest(largest(low - p, p - high), collision::Vec3f{});
    }
    bool contains(const collision::Vec3f& p) const {
        return low.x <= p.x && p.x <= high.x && low.y <= p.y && p.y <= high.y && low.z <= p.z &&
               p.z <= high.z;
    }
    void add(const collision::Vec3f& p) {
        low = smallest(low, p);
        high = largest(high, p);
    }
    void add(const ClayBox& box) {
        low = smallest(low, box.low);
        high = largest(high, box.high);
    }

  private:
    static collision::Vec3f smallest(const collision::Vec3f& a, const collision::Vec3f& b) {
        return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
    }
    static collision::Vec3f largest(const collision::Vec3f& a, const collision::Vec3f& b) {
        return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
    }
};

/// What is known of a cell, or of all cells of a node.
struct CellSum {
    ClayBox box;
    float widest = 0;                  ///< square of the largest distance from the axis
    std::uint32_t polygons_moved = 0;  ///< polygons that differ from the start shape
    double six_volumes = 0;
};

class CellTree {
  public:
    /// Before the first update(); the sums of the cells follow.
    void resize(std::size_t cells);
    CellSum& cell(std::uint32_t number) { return levels_[0][number]; }
    const CellSum& cell(std::uint32_t number) const { return levels_[0][number]; }
    /// Over all cells.
    const CellSum& all() const { return levels_.back()[0]; }
    /// Enlarges the box of a cell, and of the nodes that contain it.
    void add(std::uint32_t cell, const collision::Vec3f& p) {
        for (std::vector<CellSum>& level : levels_) {
            ClayBox& box = level[cell].box;
            if (box.contains(p)) return;
            box.add(p);
            cell /= kFan;
        }
    }
    /// Sums up the nodes above changed cells. Sorts `cells`. Sums depend on the cells alone, not on the order
    /// of changes.
    void update(std::vector<std::uint32_t>& cells);
    void update_all();
    /// Calls `visit(number)` for the wanted cells, ascending. `wanted(sum)` must be true for a node above a
    /// wanted cell.
    template <class Wanted, class Visit>
    void visit(Wanted&& wanted, Visit&& visit) const {
        descend(levels_.size() - 1, 0, 1, wanted, visit);
    }
    std::size_t memory_bytes() const;

  private:
    static constexpr std::uint32_t kFan = 16;
    template <class Wanted, class Visit>
    void descend(std::size_t level, std::uint32_t first, std::uint32_t end, Wanted& wanted,
                 Visit& visit) const {
        const std::vector<CellSum>& here = levels_[level];
        end = std::min(end, static_cast<std::uint32_t>(here.size()));
        for (std::uint32_t i = first; i < end; ++i) {
            if (!wanted(here[i])) continue;
            if (level == 0)
                visit(i);
            else
                descend(level - 1, i * kFan, (i + 1) * kFan, wanted, visit);
        }
    }
    void sum_up(std::size_t level, std::uint32_t node);

    std::vector<std::vector<CellSum>> levels_;  ///< [0]: the cells; the last one has one node
    std::vector<std::uint32_t> changed_;
};

}  // namespace claybox::app
