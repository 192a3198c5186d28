#pragma once
// Support searches in constant time. A cube of cells covers all directions. Each cell lists the few vertices
// that are furthest along one of its directions. An upper bound of the support function, proved in float,
// comes with it. If a hull has no table or a cell has too many vertices, the search climbs (support.hpp).
//
// The proofs, valid for every finite matrix, are at kMargin and TableBuilder::may_be_best() in
// support_table.cpp and at QuickProof::proves_separation().

#include "collision/geometry/hull/hull.hpp"
#include "collision/geometry/transform.hpp"
#include "collision/pairwise/support/outer_cells.hpp"
#include "collision/simd/float4.hpp"

#include <limits>
#include <span>
#include <vector>

namespace claybox::collision {

/// Immutable after make(). The hull must outlive the table.
class SupportTable {
  public:
    /// Hulls of up to this many vertices are scanned, in blocks of four vertices. The loads do not
    /// depend on the direction.
    static constexpr std::uint32_t kMaxScanned = 24;

    SupportTable() = default;
    SupportTable(SupportTable&&) = default;
    SupportTable& operator=(SupportTable&&) = default;
    /// False if the coordinates or the vertex count exceed the table's range; then the caller climbs.
    bool make(const ConvexHull& hull);

    std::size_t memory_bytes() const;
    /// Cells along an edge of the cube; 0 if all vertices are scanned.
    std::uint32_t resolution() const { return resolution_; }
    /// Number of cells with more vertices than fit into Cell.
    std::size_t overfull_cells() const;
    const ConvexHull& hull() const { return *hull_; }
    /// x, y, z of a vertex; the last lane is unspecified.
    Float4 vertex(std::uint32_t v) const { return load4(&vertices_[4 * std::size_t{v}]); }

    /// Powers of two. Directions are multiplied by them before the cell is chosen, so that the normals
    /// of rods and plates spread over the cells. The last lane is 0.
    Float4 factor() const { return factor_; }
    Float4 middle() const { return middle_; }
    Float4 squared_extents() const { return squared_extents_; }
    /// At least the largest |coordinate| of a vertex; the last lane is 0.
    Float4 reach() const { return reach_; }

    static constexpr float kAlwaysCertain = std::numeric_limits<float>::infinity();
    struct Found {
        float height;  ///< dot(direction, vertex) in float
                       /// Size of the direction that chose the cell. kAlwaysCertain if all vertices were
                       /// scanned, 0 if the search climbed. See PlacedTable::certain().
        float certainty;
        std::uint32_t vertex;
        const float* at;  ///< the vertex's x, y, z and one unspecified float
    };
    /// The vertex furthest along `direction` (in the hull's frame; the last lane is any finite number).
    Found search(Float4 direction) const;

    /// An upper bound of all vertices' heights along `direction`: the height of the returned cell's
    /// point.
    OuterCells::Found outer(Float4 direction) const { return outer_.at(direction * factor_); }

  private:
    friend class TableBuilder;
    /// Ranks of the up to four vertices that are best somewhere in the cell, padded with the first. In
    /// a cell with more vertices rank[3] is kOverfull, and rank[1] and rank[2] are the halves of an
    /// index into more_. There the number of vertices is followed by their ranks, padded to fours;
    /// kClimb instead of the number means that the search climbs.
    struct Cell {
        std::uint16_t rank[4];
    };
    static constexpr std::uint16_t kOverfull = 0xffff, kClimb = 0xffff;
    /// Four vertices of a hull that is scanned.
    struct alignas(16) Block {
        float x[4], y[4], z[4];
    };

    template <int N>
    Found scan_blocks(Float4 direction) const;
    Found scan(Float4 direction) const;
    Found search_cell(Float4 direction) const;
    Found search_overfull(const Cell& cell, Float4 direction, float certainty) const;
    /// The best of four vertices, given by rank.
    Found best_of(const std::uint16_t (&rank)[4], Float4 direction, float certainty) const;
    const float* ranked(std::uint16_t rank) const { return by_rank_ + 4 * std::size_t{rank}; }

    // The members that outer() reads first share one cache line.
    OuterCells outer_;
    Float4 factor_{}, reach_{};
    const Cell* cell_ = nullptr;
    const float* by_rank_ = nullptr;
    float half_ = 0, last_ = 0;  ///< half the resolution; a number that truncates to the last row
    std::uint32_t shift_ = 0;    ///< the resolution is 1 << shift_
    std::uint32_t scanned_ = 0;  ///< number of blocks; 0 if directions choose a cell
    const Block* block_ = nullptr;
    std::uint32_t resolution_ = 0;
    std::vector<Cell> cells_;
    std::vector<std::uint16_t> more_;
    std::vector<Block> blocks_;
    /// x, y, z and the bits of the index: in the hull's order, and in the order of ranks, where
    /// neighbours in space are close in memory.
    std::vector<float> vertices_, ranked_;
    const ConvexHull* hull_ = nullptr;
    Float4 middle_{}, squared_extents_{};
};

[[gnu::always_inline]] inline SupportTable::Found SupportTable::search(Float4 direction) const {
    return scanned_ != 0 ? scan(direction) : search_cell(direction);
}

template <int N>
[[gnu::always_inline]] inline SupportTable::Found SupportTable::scan_blocks(Float4 direction) const {
    const Float4 dx = shuffle4<0, 0, 0, 0>(direction), dy = shuffle4<1, 1, 1, 1>(direction),
                 dz = shuffle4<2, 2, 2, 2>(direction);
    Float4 height[N];
    for (int i = 0; i < N; ++i) {
        const Block& b = block_[i];
        height[i] = load4(b.x) * dx + load4(b.y) * dy + load4(b.z) * dz;
    }
    Float4 best = max4(height[0], height[1]);
    if constexpr (N == 6) best = max4(max4(max4(height[2], height[3]), max4(height[4], height[5])), best);
    const Float4 top = largest4(best);
    unsigned at_top = 0;
    for (int i = 0; i < N; ++i) at_top |= mask_bits4(height[i] == top) << 4 * i;
    const unsigned v = at_top != 0 ? static_cast<unsigned>(__builtin_ctz(at_top)) : 0;  // 0 for NaN
    return {top[0], kAlwaysCertain, v, &vertices_[4 * std::size_t{v}]};
}

inline SupportTable::Found SupportTable::scan(Float4 direction) const {
    return scanned_ == 2 ? scan_blocks<2>(direction) : scan_blocks<6>(direction);
}

inline SupportTable::Found SupportTable::best_of(const std::uint16_t (&rank)[4], Float4 direction,
                                                 float certainty) const {
    const Points4 p = transpose4(load4(ranked(rank[0])), load4(ranked(rank[1])), load4(ranked(rank[2])),
                                 load4(ranked(rank[3])));
    const Float4 heights = p.x * shuffle4<0, 0, 0, 0>(direction) + p.y * shuffle4<1, 1, 1, 1>(direction) +
                           p.z * shuffle4<2, 2, 2, 2>(direction);
    const Float4 top = largest4(heights);
    const float* const at = ranked(rank[__builtin_ctz(mask_bits4(heights == top) | 8u)]);
    std::uint32_t vertex;
    __builtin_memcpy(&vertex, at + 3, sizeof vertex);
    return {top[0], certainty, vertex, at};
}

// Axis and sign of the largest coordinate select the face of the cube. The other two coordinates, in cyclic
// order, divided by the largest select the cell. No branches: directions are effectively random.
[[gnu::always_inline]] inline SupportTable::Found SupportTable::search_cell(Float4 direction) const {
    const Float4 d = direction * factor_;
    const Float4 size = abs4(d);
    const Float4 largest = largest4(size);
    const unsigned axis = static_cast<unsigned>(__builtin_ctz((mask_bits4(size == largest) & 7u) | 4u));
    constexpr float kTiny = 0x1p-100f;
    const float scale = half_ / max4(largest, splat4(kTiny))[0];
    const Float4 place = d * splat4(scale) + splat4(half_);
    const Int4 row = truncate4(min4(max4(place, Float4{}), splat4(last_)));  // 0 for NaN
    alignas(16) std::uint32_t others[8];
    store4(others, __builtin_shufflevector(row, row, 1, 2, 2, 0));
    store4(others + 4, __builtin_shufflevector(row, row, 0, 1, 0, 1));
    const std::uint32_t u = others[2 * axis], w = others[2 * axis + 1];
    const std::uint32_t face = 2 * axis + (sign_bits4(d) >> axis & 1u);
    const Cell& cell = cell_[(((face << shift_) + w) << shift_) + u];
    if (cell.rank[3] == kOverfull) [[unlikely]]
        return search_overfull(cell, direction, largest[0]);
    return best_of(cell.rank, direction, largest[0]);
}

/// A hull with its table under a matrix, for one query. In directions and points the fourth lane is any
/// finite number.
class PlacedTable {
  public:
    PlacedTable(const SupportTable& table, const Matrix34f& world_from_hull)
        : table_(table),
          row_{load4(&world_from_hull.m[0]), load4(&world_from_hull.m[4]), load4(&world_from_hull.m[8])} {
        const Float4 column = abs4(row_[0]) + abs4(row_[1]) + abs4(row_[2]);
        doubt_ = max4(column * table.factor() * splat4(0x1p-10f), splat4(0x1p-60f));
        spread_ = column * table.reach();
    }

    /// The vertex furthest along a world direction.
    SupportTable::Found search(Float4 n) const {
        return table_.search(row_[0] * shuffle4<0, 0, 0, 0>(n) + row_[1] * shuffle4<1, 1, 1, 1>(n) +
                             row_[2] * shuffle4<2, 2, 2, 2>(n));
    }
    Float4 turned(Float4 n) const {
        return row_[0] * shuffle4<0, 0, 0, 0>(n) + row_[1] * shuffle4<1, 1, 1, 1>(n) +
               row_[2] * shuffle4<2, 2, 2, 2>(n);
    }
    /// Per lane, i.e. coordinate of the hull's frame: whether rounding of the direction cannot have
    /// led to a wrong cell. If all lanes are true, the height of the search result bounds the heights
    /// of all vertices. `size`: of the direction that chose the cell. Requires |n| <= 1 for the
    /// searched direction n.
    Int4 certain4(float size) const { return splat4(size) >= doubt_; }
    bool certain(float size) const { return mask_bits4(certain4(size)) == 15; }
    /// Per coordinate of the hull's frame: the largest distance of a vertex from its origin along any
    /// direction of length at most 1.
    Float4 spread() const { return spread_; }
    const Float4* rows() const { return row_; }
    const SupportTable& table() const { return table_; }

  private:
    const SupportTable& table_;
    Float4 row_[3];
    Float4 doubt_, spread_;
};

}  // namespace claybox::collision
