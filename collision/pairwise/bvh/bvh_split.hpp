#pragma once
// Splits triangles into nodes of four, top-down. Ranges are split by the surface area heuristic, with bins
// along the longest side of the box of their centres. Of up to four ranges, the largest is split next.

#include "collision/pairwise/bvh/bvh.hpp"
#include "collision/simd/float4.hpp"

#include <cmath>

namespace claybox::collision {

/// The box of a triangle, in the tree's frame, with the triangle's index in the last lane of `low`.
struct BvhItem {
    Float4 low, high;
    Float4 centre() const { return low + high; }  // twice the centre
    std::uint32_t triangle() const { return static_cast<std::uint32_t>(Int4(low)[3]); }
};

BvhItem make_bvh_item(const Geometry& geometry, std::uint32_t triangle, float scale);

/// A range of consecutive items.
struct BvhRange {
    std::uint32_t begin = 0, end = 0;
    Float4 low = splat4(HUGE_VALF), high = splat4(-HUGE_VALF);  ///< box of the triangles
    std::uint32_t count() const { return end - begin; }
    void add(const BvhItem& item) {
        low = min4(low, item.low);
        high = max4(high, item.high);
    }
};

/// Nodes without volumes, numbered from 0, parents before children.
struct BvhSubtree {
    std::vector<BvhNode> nodes;
    std::vector<BvhNodeState> states;  ///< the first has no parent
    BvhRange range;
    std::uint32_t parent_ref = kNoIndex;  ///< the ref that points to it
    std::uint32_t level = 0;              ///< of its first node
};

class BvhSplitter {
  public:
    /// Item i becomes triangle `first` + i of `triangles` after splitting.
    BvhSplitter(const Topology& topology, std::span<BvhItem> items, std::span<BvhTriangle> triangles,
                std::uint32_t first)
        : topology_(topology), items_(items), triangles_(triangles), first_(first) {}

    /// Builds the subtree of `range`, appends its nodes to `out` and returns its child value. If `jobs` is
    /// given, ranges of at most `job_size` become jobs instead.
    std::uint32_t grow(const BvhRange& range, std::uint32_t level, std::uint32_t parent, BvhSubtree& out,
                       std::vector<BvhSubtree>* jobs = nullptr, std::uint32_t job_size = 0);

  private:
    void split(const BvhRange& range, std::uint32_t level, BvhRange& left, BvhRange& right);
    std::uint32_t split_in_four(const BvhRange& range, std::uint32_t level, BvhRange (&parts)[4]);
    std::uint32_t make_leaf(const BvhRange& range);

    const Topology& topology_;
    std::span<BvhItem> items_;
    std::span<BvhTriangle> triangles_;
    std::uint32_t first_;
};

}  // namespace claybox::collision
