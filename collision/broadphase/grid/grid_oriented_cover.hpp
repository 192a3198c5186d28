#pragma once
// The cells of a grid that an oriented box intersects.
// Source: Zachmann 1994, section 5.5.1, with its alternatives.

#include "collision/broadphase/grid/grid_cells.hpp"
#include "collision/geometry/bounds/oriented_box.hpp"

#include <span>
#include <vector>

namespace claybox::collision {

enum class CoverMethod : unsigned char {
    stabbing,    ///< rays and edges bound the range of cells in every column
    cyrus_beck,  ///< every cell of the axis-aligned box is tested by clipping edges
    drums,       ///< the box is cut into layers, each layer into rows
    paper,       ///< rays and the cells of the 8 corners only, as printed; misses cells
};

/// Computes covers; keeps its memory between uses. For one thread.
class CellCover {
  public:
    /// Computes the cells of `box`, sorted, each once; read them with cells(). Returns false, with no cells,
    /// when there are more than `max_cells` or they are outside the grid. All methods except `paper` find
    /// every cell that intersects the box or is within 4 slacks of it, and few others: those within 2^-28 of
    /// its size and position.
    bool find(CoverMethod method, const OrientedBox& box, double cells_per_metre, double max_cells);
    std::span<const CellKey> cells() const { return cells_; }
    std::size_t memory_bytes() const {
        return cells_.capacity() * sizeof(CellKey) + columns_.capacity() * sizeof(Range);
    }

  private:
    struct Range {
        double low, high;  ///< empty when low > high
    };
    /// The enlarged box in units of cells.
    struct CellUnitBox {
        Vec3d centre;
        std::array<Vec3d, 3> axis;  ///< unit length
        Vec3d extent;
        double tolerance;  ///< far above the rounding of any coordinate, less than the enlargement
        Vec3d corner(unsigned index) const;
    };

    static CellUnitBox to_cell_units(const OrientedBox& box, double cells_per_metre);
    bool set_frame(const CellUnitBox& box, double max_cells);
    std::size_t column_of(std::int32_t u, std::int32_t v) const;
    void widen(std::int32_t u, std::int32_t v, double low, double high);
    static Range stab(const CellUnitBox& box, const Vec3d& from, std::size_t along);
    void stab_columns(const CellUnitBox& box);
    void add_edges(const CellUnitBox& box);
    void add_edge(const CellUnitBox& box, const Vec3d& from, const Vec3d& to);
    void add_corner_cells(const CellUnitBox& box);
    void add_layers(const CellUnitBox& box);
    void add_layer(const CellUnitBox& box, std::int32_t layer);
    void test_all_cells(const CellUnitBox& box);
    void add_cell(std::int32_t u, std::int32_t v, std::int32_t w);
    bool read_columns(double max_cells);

    CellBox around_;                     ///< cells of the axis-aligned box
    std::size_t u_ = 0, v_ = 1, w_ = 2;  ///< w: longest side, direction of the columns
    std::vector<Range> columns_;         ///< ranges in w, by cell in u and v
    std::vector<CellKey> cells_;
};

}  // namespace claybox::collision
