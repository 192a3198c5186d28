#pragma once
// An upper bound of a hull's support function in constant time: an octahedron of cells over all directions,
// each with one point that reaches at least as far as every vertex along each direction of the cell. Looser
// than the support by a second-order term of the cell's size, and cheaper than finding it.

#include "collision/geometry/hull.hpp"
#include "collision/simd/float4.hpp"

#include <vector>

namespace claybox::collision {

/// Immutable once it is made. Directions are scaled: multiplied by the factors that it was made with.
class OuterCells {
  public:
    struct alignas(32) Cell {
        float point[3];             ///< x, y, z, in the hull's frame
        std::uint32_t vertex_bits;  ///< kVertexBits | the vertex that is furthest along the middle direction
        float at[4];                ///< its x, y, z

        std::uint32_t vertex() const { return vertex_bits & 0xffffu; }
    };
    /// Makes the bits of a vertex those of a float of ordinary size, which arithmetic is quick with.
    static constexpr std::uint32_t kVertexBits = 0x3f800000;

    /// `factor`: powers of two from 2^-60 to 2^60, so that no vertex divided by them has a coordinate beyond
    /// 1 by more than its distance from the origin asks for; at most 65536 vertices.
    void make(const ConvexHull& hull, const double (&factor)[3]);

    struct Found {
        const Cell* cell;
        float size;  ///< the sum of the direction's coordinates, see kMargin in outer_cells.cpp
    };
    /// The last lane is 0. Any numbers find a cell.
    Found at(Float4 scaled_direction) const;

    /// Cells along an edge of each of the eight triangles.
    std::uint32_t resolution() const { return 1u << shift_; }
    /// The largest |coordinate| of the cells' points.
    float reach(std::size_t k) const;
    std::size_t memory_bytes() const { return cells_.capacity() * sizeof(Cell); }

  private:
    const Cell* cell_ = nullptr;
    float rows_ = 0, last_ = 0;  ///< the resolution; a number that rounds down to its last row
    std::uint32_t shift_ = 0;    ///< the resolution is 1 << shift_
    std::vector<Cell> cells_;
};

// The octant by the signs, then the place on its triangle: two coordinates over the sum of all three.
[[gnu::always_inline]] inline OuterCells::Found OuterCells::at(Float4 d) const {
    const Float4 size = abs4(d);
    const Float4 sum = size + lanes4<1, 2, 0, 3>(size) + lanes4<2, 0, 1, 3>(size);
    constexpr float kTiny = 0x1p-100f;
    const float scale = rows_ / max4(sum, splat4(kTiny))[0];
    const Int4 row = truncated4(min4(size * splat4(scale), splat4(last_)));  // the last where it is no number
    std::uint64_t rows;
    __builtin_memcpy(&rows, &row, sizeof rows);
    const auto u = static_cast<std::uint32_t>(rows), w = static_cast<std::uint32_t>(rows >> 32);
    return {&cell_[(signs4(d) & 7u) << 2 * shift_ | w << shift_ | u], sum[0]};
}

}  // namespace claybox::collision
