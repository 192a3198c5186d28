#pragma once
// Which cells of a grid a turned box meets. Source: Zachmann 1994, section 5.5.1, with its alternatives.

#include "collision/broadphase/grid_cells.hpp"
#include "collision/geometry/oriented_box.hpp"

#include <span>
#include <vector>

namespace claybox::collision {

enum class CoverMethod : unsigned char {
    stabbing,    ///< rays and edges bound a stick of cells in every column
    cyrus_beck,  ///< every cell of the box around is tested by clipping edges
    drums,       ///< the box is cut into layers, and each layer into rows
    paper,       ///< rays and the cells of the 8 corners only, as printed: misses cells
};

/// Finds covers; keeps memory between uses. One thread.
class CellCover {
  public:
    /// Makes the cells of `box` in a grid of so many cells a metre the current ones. False, and none are
    /// current, when they are more than `most` or lie beyond the grid's end. All methods but `paper` give
    /// every cell that meets the box or is within 4 slacks of it, and few others: those within 2^-28 of its
    /// size and place. Sorted, each once.
    bool find(CoverMethod method, const OrientedBox& box, double cells_per_metre, double most);
    std::span<const CellKey> cells() const { return cells_; }
    std::size_t memory_bytes() const {
        return cells_.capacity() * sizeof(CellKey) + columns_.capacity() * sizeof(Range);
    }

  private:
    struct Range {
        double low, high;  ///< empty when low > high
    };
    /// The box in units of cells, grown.
    struct Turned {
        Vec3d centre;
        std::array<Vec3d, 3> axis;  ///< of unit length
        Vec3d extent;
        double tolerance;  ///< far above the rounding of any coordinate, below what the box has grown by
        Vec3d corner(unsigned index) const;
    };

    static Turned turned_box(const OrientedBox& box, double cells_per_metre);
    bool set_frame(const Turned& box, double most);
    std::size_t column_of(std::int32_t u, std::int32_t v) const;
    void widen(std::int32_t u, std::int32_t v, double low, double high);
    static Range stab(const Turned& box, const Vec3d& from, std::size_t along);
    void stab_all(const Turned& box);
    void add_edges(const Turned& box);
    void add_edge(const Turned& box, const Vec3d& from, const Vec3d& to);
    void add_corner_cells(const Turned& box);
    void cut_into_drums(const Turned& box);
    void add_drum(const Turned& box, std::int32_t layer);
    void test_all_cells(const Turned& box);
    void add_cell(std::int32_t u, std::int32_t v, std::int32_t w);
    bool read_columns(double most);

    CellBox around_;                     ///< the cells of the box along the axes around the turned one
    std::size_t u_ = 0, v_ = 1, w_ = 2;  ///< sticks lie along w, its longest side
    std::vector<Range> columns_;         ///< by cell in u and v
    std::vector<CellKey> cells_;
};

}  // namespace claybox::collision
