#pragma once
// Support vertices for a grid of directions: starting points for searches without a better one.

#include "collision/geometry/hull/hull.hpp"

#include <vector>

namespace claybox::collision {

/// A table of rows x columns directions. Rows divide the height on the unit sphere evenly, columns the
/// perimeter of the square |x| + |y| = 1. Neither filling nor look-up needs an angle.
class DirectionTable {
  public:
    /// Finds each cell's vertex by climbing in double from the previous cell's vertex. O(cells) searches.
    DirectionTable(const ConvexHull& hull, std::uint32_t rows, std::uint32_t columns);

    std::uint32_t rows() const { return rows_; }
    std::uint32_t columns() const { return columns_; }
    /// The cell of a direction of any length. Zero and NaN map to some cell.
    std::uint32_t cell(const Vec3f& direction) const;
    /// The centre direction of a cell, of length 1.
    Vec3d middle(std::uint32_t cell) const;
    /// The support vertex for the centre of the direction's cell.
    std::uint32_t vertex(const Vec3f& direction) const { return vertices_[cell(direction)]; }
    std::size_t memory_bytes() const { return vertices_.capacity() * sizeof(std::uint32_t); }

  private:
    std::uint32_t rows_, columns_;
    std::vector<std::uint32_t> vertices_;
};

}  // namespace claybox::collision
