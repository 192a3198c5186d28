#pragma once
// Supporting vertices in a grid of directions: where a search starts that has nothing better to start from.

#include "collision/geometry/hull.hpp"

#include <vector>

namespace claybox::collision {

/// A table of rows x columns directions. Rows divide the height on the unit sphere evenly and columns the
/// way around the square |x| + |y| = 1, so that neither filling nor looking up needs an angle.
class DirectionTable {
  public:
    /// Finds every cell's vertex by climbing from its neighbour's, in double. O(cells) searches.
    DirectionTable(const ConvexHull& hull, std::uint32_t rows, std::uint32_t columns);

    std::uint32_t rows() const { return rows_; }
    std::uint32_t columns() const { return columns_; }
    /// The cell of a direction of any length; a direction of length zero or not a number is in some cell.
    std::uint32_t cell(const Vec3f& direction) const;
    /// The middle of a cell, of length 1.
    Vec3d middle(std::uint32_t cell) const;
    /// The supporting vertex in the middle of the direction's cell.
    std::uint32_t vertex(const Vec3f& direction) const { return vertices_[cell(direction)]; }
    std::size_t memory_bytes() const { return vertices_.capacity() * sizeof(std::uint32_t); }

  private:
    std::uint32_t rows_, columns_;
    std::vector<std::uint32_t> vertices_;
};

}  // namespace claybox::collision
