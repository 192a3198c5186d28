#pragma once
// The cells of a convex decomposition: convex polytopes that a plane splits without rounding, with the pieces
// of the mesh's triangles inside them.

#include "collision/core/ids.hpp"
#include "collision/pairwise/decomposition/points.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace claybox::collision {

using PointLoop = std::vector<std::uint32_t>;  ///< points of a convex polygon, in order

struct CellFacet {
    PointLoop loop;  ///< counter-clockwise from outside the cell
    std::uint32_t plane = 0;
    int inner = -1;  ///< sign of the plane on the cell's side
};

/// A piece of a triangle, in the triangle's plane.
struct CellPiece {
    PointLoop loop;
    std::uint32_t plane = 0;
};

/// A piece of a mesh edge that turns inward.
struct CellNotch {
    std::uint32_t ends[2] = {0, 0};
    std::uint32_t notch = 0;
};

struct Cell {
    std::vector<CellFacet> facets;
    std::vector<CellPiece> pieces;  ///< the parts of the mesh inside the open cell
    std::vector<CellNotch> notches;
};

/// All points and planes of one decomposition, and the split operation.
class CellSpace {
  public:
    explicit CellSpace(std::span<const Vec3f> positions);

    const RationalFrame& frame() const { return frame_; }
    const std::vector<RationalPoint>& points() const { return points_; }
    const std::vector<RationalPlane>& planes() const { return planes_; }
    std::uint32_t add_plane(const RationalPlane& plane);

    /// A cube around the mesh; its corners are the eight points after the vertices.
    Cell root() const;
    std::uint32_t first_corner() const { return first_corner_; }

    /// Splits a cell by a plane through its inside. Drops pieces in the plane, and notches within `tolerance`
    /// of it.
    struct Halves {
        Cell back, front;
    };
    Halves split(const Cell& cell, std::uint32_t plane, double tolerance);

  private:
    struct Sides {
        PointLoop back, front;  ///< empty if there are only points of the plane
    };
    int side_of(std::uint32_t point);
    std::uint32_t cut(std::uint32_t a, std::uint32_t b);
    Sides split(const PointLoop& loop);
    void close(Cell& half, int inner) const;

    RationalFrame frame_;
    std::vector<RationalPoint> points_;
    std::vector<RationalPlane> planes_;
    std::uint32_t first_corner_ = 0;
    // State of the split in progress.
    std::uint32_t split_plane_ = 0;
    std::unordered_map<std::uint32_t, int> sides_;
    std::unordered_map<std::uint64_t, std::uint32_t> cuts_;
};

}  // namespace claybox::collision
