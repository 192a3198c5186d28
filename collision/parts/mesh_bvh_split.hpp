#pragma once
// Splits triangles into nodes of four, from the top: ranges are split where the surface area heuristic says,
// by bins along the longest side of their centres' box, and the largest of up to four ranges is split next.

#include "collision/parts/mesh_bvh.hpp"
#include "collision/simd/float4.hpp"

#include <cmath>

namespace claybox::collision {

/// The box of a triangle, in the tree's frame, with its index in the last lane of `low`.
struct BvhItem {
    Float4 low, high;
    Float4 centre() const { return low + high; }  // twice the centre
    std::uint32_t triangle() const { return static_cast<std::uint32_t>(Int4(low)[3]); }
};

BvhItem make_bvh_item(const Geometry& geometry, std::uint32_t triangle, float scale);

/// Some items that stand side by side.
struct BvhRange {
    std::uint32_t begin = 0, end = 0;
    Float4 low = splat4(HUGE_VALF), high = splat4(-HUGE_VALF);  ///< box of the triangles
    std::uint32_t count() const { return end - begin; }
    void add(const BvhItem& item) {
        low = min4(low, item.low);
        high = max4(high, item.high);
    }
};

/// Nodes without volumes, numbered from 0, parents before their children.
struct BvhBranch {
    std::vector<BvhNode> nodes;
    std::vector<BvhPlace> places;  ///< the first has no parent
    BvhRange range;
    std::uint32_t hangs_from = kNoIndex;  ///< the ref above it
    std::uint32_t level = 0;              ///< of its first node
};

class BvhSplitter {
  public:
    /// Item i becomes triangle `first` + i of `triangles`, once they are ordered.
    BvhSplitter(const Topology& topology, std::span<BvhItem> items, std::span<BvhTriangle> triangles,
                std::uint32_t first)
        : topology_(topology), items_(items), triangles_(triangles), first_(first) {}

    /// Returns the child that stands for `range`, with its nodes behind those of `out`. With `jobs`, ranges
    /// of up to `job_size` are left to them.
    std::uint32_t grow(const BvhRange& range, std::uint32_t level, std::uint32_t parent, BvhBranch& out,
                       std::vector<BvhBranch>* jobs = nullptr, std::uint32_t job_size = 0);

  private:
    void split(const BvhRange& range, std::uint32_t level, BvhRange& left, BvhRange& right);
    std::uint32_t split_in_four(const BvhRange& range, std::uint32_t level, BvhRange (&parts)[4]);
    std::uint32_t make_leaf(const BvhRange& range);

    const Topology& topology_;
    std::span<BvhItem> items_;
    std::span<BvhTriangle> triangles_;
    std::uint32_t first_;
};

/// Makes the volumes of all nodes of a branch and returns that around it.
BvhVolume make_bvh_branch_volumes(BvhBranch& branch, const Geometry& geometry,
                                  std::span<const BvhTriangle> triangles, float scale);

}  // namespace claybox::collision
