#pragma once
// A tree over the triangles of a mesh, four children a node. A child's volume is a disc (a flat cylinder
// around the mean normal of its surface) cut with a box along the axes of the body: discs fit smooth
// surfaces, of which they need few, boxes fit corners and fractals. All four are held lane by lane.

#include "collision/geometry/shape.hpp"
#include "collision/jobs/executor.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace claybox::collision {

struct BvhBranch;
struct BvhSource;

/// One volume, in the tree's frame. Every point x of its triangles, as the exact layer knows them, keeps
///   |n.(x-c)| <= t,  |(x-c) - n n.(x-c)| <= r,  |x-c| <= e by axis,
/// where n has length 1 within 2^-22.
struct BvhVolume {
    Vec3f centre, normal, half;
    float radius = 0, thickness = 0;  ///< r, and t, which is half of it

    friend bool operator==(const BvhVolume&, const BvhVolume&) = default;
};

/// Four children in lanes; a lane without one holds kNoIndex, and a volume that counts for nothing.
struct alignas(64) BvhNode {
    float cx[4] = {}, cy[4] = {}, cz[4] = {};
    float nx[4] = {}, ny[4] = {}, nz[4] = {};
    float ex[4] = {}, ey[4] = {}, ez[4] = {};
    float radius[4] = {}, thickness[4] = {};
    /// A node, or the triangles of a leaf: see bvh_leaf().
    std::uint32_t child[4] = {kNoIndex, kNoIndex, kNoIndex, kNoIndex};

    BvhVolume volume(std::uint32_t lane) const {
        return {{cx[lane], cy[lane], cz[lane]},
                {nx[lane], ny[lane], nz[lane]},
                {ex[lane], ey[lane], ez[lane]},
                radius[lane],
                thickness[lane]};
    }
    void set_volume(std::uint32_t lane, const BvhVolume& v);
};

/// A child that is a leaf: bit 31, the number of triangles less one in bits 29 and 30, then the first.
inline constexpr std::uint32_t kBvhLeafBit = 0x80000000u;
inline constexpr std::uint32_t kMostBvhTriangles = 1u << 29;
inline constexpr std::uint32_t kBvhLeafSize = 4;
/// Children below each other, at most; bounds the stacks of searches.
inline constexpr std::uint32_t kMostBvhLevels = 64;

inline bool is_bvh_leaf(std::uint32_t child) {
    return (child & kBvhLeafBit) != 0;
}
inline std::uint32_t bvh_leaf(std::uint32_t first, std::uint32_t count) {
    return kBvhLeafBit | (count - 1) << 29 | first;
}
inline std::uint32_t bvh_leaf_first(std::uint32_t child) {
    return child & (kMostBvhTriangles - 1);
}
inline std::uint32_t bvh_leaf_count(std::uint32_t child) {
    return (child >> 29 & 3) + 1;
}

/// A triangle in the order of the tree: its corners, and its index in the topology.
struct BvhTriangle {
    std::uint32_t vertices[3];
    std::uint32_t triangle;
};

/// Where a node stands, what update() has still to do with it, and what its subtree is worth.
struct BvhPlace {
    std::uint32_t parent = kNoIndex;  ///< the ref that it hangs from
    std::uint8_t level = 0;           ///< that of node 0 is 0
    std::uint8_t times = 0;           ///< that it was followed, from 0 again after 255
    bool waits = false;
    /// Bit i: the volume of lane i did; kLeaves: triangles of leaves did; kLook: something by much.
    std::uint8_t changed = 0;
    static constexpr unsigned kLeaves = 16, kLook = 32;
    float cost = 0;   ///< of searches: the sizes of all volumes below
    float least = 0;  ///< the least that cost / sides^2 was since it was built
    /// The sum of the roots of twice the areas of the triangles below; of those of its own leaves.
    float sides = 0, leaf_sides = 0;
    std::uint32_t touched = 0;  ///< triangles, since it was built; those touched again count again
    std::uint32_t fresh = 0;    ///< of these, in the update that goes on
};

/// The tree of one geometry. A place in it ("ref") is node * 4 + lane. Node 0 has one lane, which is the
/// whole mesh. Nodes that a rebuilt part left over have no children and hang nowhere.
class MeshBvh {
  public:
    /// The same tree whatever executor builds it.
    MeshBvh(const Geometry& geometry, Executor& executor);

    /// Follows a deformation: `touched` polygons changed. Costs what they and their ancestors cost, and parts
    /// of the tree that many of them made much looser are built anew: see rebuild_worse().
    void update(const Geometry& geometry, std::span<const std::uint32_t> touched);

    std::span<const BvhNode> nodes() const { return nodes_; }
    std::uint32_t child(std::uint32_t ref) const { return nodes_[ref / 4].child[ref % 4]; }
    /// Where the node hangs from, in which `ref` is; itself at the top.
    std::uint32_t above(std::uint32_t ref) const { return ref < 4 ? ref : places_[ref / 4].parent; }
    BvhVolume volume(std::uint32_t ref) const { return nodes_[ref / 4].volume(ref % 4); }
    std::span<const BvhTriangle> triangles() const { return triangles_; }
    /// Of a triangle of the topology: bit k, that side k (from corner k to the next) stands for its edge, bit
    /// 3 + k, that it stands for its diagonal. Each edge and diagonal has one such side.
    std::uint8_t sides(std::uint32_t triangle) const { return sides_[triangle]; }
    /// Coordinates of the tree are those of the body times 2^-exponent: then their size is about 1.
    int exponent() const { return exponent_; }
    float scale() const { return scale_; }
    /// Of the geometry that the tree fits.
    std::uint64_t content() const { return content_; }
    /// Of nodes and refs. Other when parts of the tree were built anew, even if the geometry has become again
    /// what it was: trees of equal content may differ by what they have followed.
    std::uint64_t structure() const { return structure_; }
    std::size_t memory_bytes() const;

  private:
    void build(const Geometry& geometry, Executor& executor);
    void put_together(BvhBranch& top, std::span<BvhBranch> jobs, std::span<const BvhVolume> around,
                      const Geometry& geometry);
    void own_leaves(std::uint32_t node);
    BvhSource source_of(const Geometry& geometry) const;
    void follow(std::uint32_t node, const BvhSource& source);
    void wait(std::uint32_t node, unsigned changed, std::uint32_t touched);
    void forget(std::size_t level);
    void fetch(std::span<const std::uint32_t> nodes, std::size_t at) const;
    void measure_cost(std::uint32_t node);
    bool is_worse(std::uint32_t node) const;
    void rebuild_worse(const Geometry& geometry);
    void rebuild(std::uint32_t node, const Geometry& geometry);
    void replace(std::uint32_t node, const BvhBranch& branch);

    std::vector<BvhNode> nodes_;
    std::vector<BvhPlace> places_;  ///< of each node
    std::vector<BvhTriangle> triangles_;
    std::vector<std::uint8_t> sides_;
    std::vector<std::uint32_t> leaf_of_;  ///< of each triangle of the topology: the node with its leaf
    std::vector<std::vector<std::uint32_t>> waiting_;  ///< the nodes of each level that wait
    std::vector<std::uint32_t> worse_;                 ///< nodes that update() shall build anew
    std::vector<std::uint32_t> spare_;                 ///< nodes that are left over
    int exponent_ = 0;
    float scale_ = 1;
    std::uint64_t content_ = 0;
    std::uint64_t structure_ = 0, history_ = 0;  ///< history_: of all that was followed since it was built
};

/// Of each triangle: see MeshBvh::sides().
std::vector<std::uint8_t> choose_bvh_sides(const Topology& topology, Executor& executor);
/// That of a lane without a child: smaller than nothing, so that it counts for nothing beside others.
BvhVolume bvh_no_volume();

}  // namespace claybox::collision
