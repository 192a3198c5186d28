#pragma once
// An upper bound of a hull's support function in constant time. An octahedron of cells covers all directions.
// Each cell has one point at least as far as every vertex, along every direction of the cell. The bound
// exceeds the support by a second-order term of the cell size, and is cheaper to find.

#include "collision/geometry/hull/hull.hpp"
#include "collision/simd/float4.hpp"

#include <vector>

namespace claybox::collision {

/// Immutable after make(). Directions are passed scaled: multiplied by the factors given to make().
class OuterCells {
  public:
    struct alignas(32) Cell {
        float point[3];             ///< x, y, z, in the hull's frame
        std::uint32_t vertex_bits;  ///< kVertexBits | the furthest vertex along the cell's middle direction
        float at[4];                ///< that vertex: x, y, z

        std::uint32_t vertex() const { return vertex_bits & 0xffffu; }
    };
    /// Turns a vertex number into the bits of a normal float; arithmetic on denormals is slow.
    static constexpr std::uint32_t kVertexBits = 0x3f800000;

    /// `factor`: powers of two from 2^-60 to 2^60. Dividing a vertex by them leaves its coordinates at
    /// most 1 relative to the centre of the box. At most 65536 vertices.
    void make(const ConvexHull& hull, const double (&factor)[3]);

    struct Found {
        const Cell* cell;
        float size;  ///< sum of the direction's absolute coordinates; see kMargin in outer_cells.cpp
    };
    /// The last lane of the direction is 0. Every input finds a cell, NaN included.
    Found at(Float4 scaled_direction) const;

    /// Cells along an edge of each of the eight octant triangles.
    std::uint32_t resolution() const { return 1u << shift_; }
    /// The largest |coordinate| k of the cells' points.
    float reach(std::size_t k) const;
    std::size_t memory_bytes() const { return cells_.capacity() * sizeof(Cell); }

  private:
    const Cell* cell_ = nullptr;
    float rows_ = 0, last_ = 0;  ///< the resolution; a number that truncates to the last row
    std::uint32_t shift_ = 0;    ///< the resolution is 1 << shift_
    std::vector<Cell> cells_;
};

// The signs select the octant. Two coordinates over the sum of all three select the cell in its triangle.
[[gnu::always_inline]] inline OuterCells::Found OuterCells::at(Float4 d) const {
    const Float4 size = abs4(d);
    const Float4 sum = size + shuffle4<1, 2, 0, 3>(size) + shuffle4<2, 0, 1, 3>(size);
    constexpr float kTiny = 0x1p-100f;
    const float scale = rows_ / max4(sum, splat4(kTiny))[0];
    const Int4 row = truncate4(min4(size * splat4(scale), splat4(last_)));  // the last row for NaN
    std::uint64_t rows;
    __builtin_memcpy(&rows, &row, sizeof rows);
    const auto u = static_cast<std::uint32_t>(rows), w = static_cast<std::uint32_t>(rows >> 32);
    return {&cell_[(sign_bits4(d) & 7u) << 2 * shift_ | w << shift_ | u], sum[0]};
}

}  // namespace claybox::collision
