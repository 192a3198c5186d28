#pragma once
// Support searches in constant time: a cube of cells over all directions, each with the few vertices that are
// furthest along one of its directions, and with it an upper bound of the support function that is proven in
// float. Where a hull has no table, or a cell too many vertices, the search climbs (parts/support.hpp).
//
// What is proven, and why it holds for every finite matrix, stands at separation_bound() below and at
// TableBuilder::reaches() in support_table.cpp.

#include "collision/geometry/hull.hpp"
#include "collision/geometry/transform.hpp"
#include "collision/simd/float4.hpp"

#include <cmath>
#include <memory>
#include <vector>

namespace claybox::collision {

/// Four vertices that are best somewhere in the cell, the first one repeated where there are fewer. One cache
/// line.
struct alignas(64) SupportCell {
    float x[4], y[4], z[4];
    std::uint16_t id[4];
    std::uint32_t next = 0;  ///< index of a cell with four more; 0 none, kClimb too many to list
    std::uint32_t unused = 0;

    static constexpr std::uint32_t kClimb = 0xffffffff;
};

/// Immutable; made once for a hull, which must live as long.
class SupportTable {
  public:
    /// Null where numbers or the count are out of the table's range: climb then.
    static std::unique_ptr<const SupportTable> make(const ConvexHull& hull);

    std::size_t memory_bytes() const;
    /// Cells along an edge of the cube.
    std::uint32_t resolution() const { return resolution_; }
    /// Cells, those with further vertices included.
    std::span<const SupportCell> cells() const { return cells_; }
    const ConvexHull& hull() const { return *hull_; }
    /// x, y, z, 0 of a vertex.
    Float4 vertex(std::uint32_t v) const { return load4(&vertices_[4 * std::size_t{v}]); }
    std::uint32_t vertex_count() const { return hull_->vertex_count; }

    /// Powers of two by which directions are multiplied before they choose a cell, so that the normals of
    /// rods and plates spread over the cells; the last lane is 0.
    Float4 factor() const { return factor_; }
    /// At least the largest |coordinate| of a vertex; the last lane is 0.
    Float4 reach() const { return reach_; }

    struct Found {
        float height;  ///< dot(direction, vertex) in float
        /// Size of the direction that chose the cell, 0 where the search climbed: see PlacedTable::certain().
        float certainty;
        std::uint32_t vertex;
        std::uint32_t lane;       ///< where `cell` holds the vertex
        const SupportCell* cell;  ///< null where the search climbed
    };
    /// x, y, z, 0 of the vertex, from where the search has just read.
    Float4 position(const Found& found) const {
        const SupportCell* const c = found.cell;
        return c != nullptr ? Float4{c->x[found.lane], c->y[found.lane], c->z[found.lane], 0}
                            : vertex(found.vertex);
    }
    /// The vertex furthest along `direction` (in the hull's frame; the last lane is anything finite).
    Found search(Float4 direction) const;

  private:
    friend class TableBuilder;
    SupportTable() = default;
    Found search_further(const SupportCell& cell, Float4 direction, Found best) const;

    // What a search reads first stands in one cache line.
    Float4 factor_{}, reach_{};
    const SupportCell* cell_ = nullptr;
    float half_ = 0, last_ = 0;  ///< half the resolution; a number that rounds down to its last row
    std::uint32_t shift_ = 0;    ///< the resolution is 1 << shift_
    std::uint32_t resolution_ = 0;
    std::vector<SupportCell> cells_;
    std::vector<float> vertices_;
    const ConvexHull* hull_ = nullptr;
};

// The face of the cube by its axis and its sign, then the cell on it: the other two coordinates, in cyclic
// order, over the largest one. Without branches, because directions are as good as random.
[[gnu::always_inline]] inline SupportTable::Found SupportTable::search(Float4 direction) const {
    const Float4 d = direction * factor_;
    const Float4 size = abs4(d);
    const Float4 largest = largest4(size);
    const unsigned axis = static_cast<unsigned>(__builtin_ctz((bits4(size == largest) & 7u) | 4u));
    constexpr float kTiny = 0x1p-100f;
    const float scale = half_ / max4(largest, splat4(kTiny))[0];
    const Float4 place = d * splat4(scale) + splat4(half_);
    const Int4 row = truncated4(min4(max4(place, Float4{}), splat4(last_)));  // 0 where it is not a number
    alignas(16) std::uint32_t others[8];
    store4(others, __builtin_shufflevector(row, row, 1, 2, 2, 0));
    store4(others + 4, __builtin_shufflevector(row, row, 0, 1, 0, 1));
    const std::uint32_t u = others[2 * axis], w = others[2 * axis + 1];
    const std::uint32_t face = 2 * axis + (signs4(d) >> axis & 1u);
    const SupportCell& cell = cell_[(((face << shift_) + w) << shift_) + u];

    const Float4 heights = load4(cell.x) * lanes4<0, 0, 0, 0>(direction) +
                           load4(cell.y) * lanes4<1, 1, 1, 1>(direction) +
                           load4(cell.z) * lanes4<2, 2, 2, 2>(direction);
    const Float4 top = largest4(heights);
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(bits4(heights == top) | 8u));
    const Found found{top[0], largest[0], cell.id[lane], lane, &cell};
    if (cell.next != 0) [[unlikely]]
        return search_further(cell, direction, found);
    return found;
}

/// A hull with its table under a matrix, for the length of a query. Directions and points are x, y, z, and
/// anything finite.
class PlacedTable {
  public:
    PlacedTable(const SupportTable& table, const Matrix34f& world_from_hull)
        : table_(table),
          row_{load4(&world_from_hull.m[0]), load4(&world_from_hull.m[4]), load4(&world_from_hull.m[8])} {
        const Float4 column = abs4(row_[0]) + abs4(row_[1]) + abs4(row_[2]);
        doubt_ = column * table.factor() * splat4(0x1p-11f);
        spread_ = column * table.reach();
    }

    /// Along a direction of the world.
    SupportTable::Found search(Float4 n) const {
        return table_.search(row_[0] * lanes4<0, 0, 0, 0>(n) + row_[1] * lanes4<1, 1, 1, 1>(n) +
                             row_[2] * lanes4<2, 2, 2, 2>(n));
    }
    /// Whether the height of what a search along some n of at most 1 found bounds that of all vertices.
    bool certain(const SupportTable::Found& found) const {
        constexpr float kLeast = 0x1p-60f;
        return found.certainty >= kLeast && bits4(doubt_ > splat4(found.certainty)) == 0;
    }
    /// By coordinate of the hull's frame: how far from its origin vertices can be in any direction of at most
    /// 1.
    Float4 spread() const { return spread_; }
    const Float4* rows() const { return row_; }
    const SupportTable& table() const { return table_; }

  private:
    const SupportTable& table_;
    Float4 row_[3];
    Float4 doubt_, spread_;
};

}  // namespace claybox::collision
