#pragma once
// The bounding-volume hierarchy over the triangles of a mesh, with four children per node. The volume of a
// child is a disc (a flat cylinder around the mean normal of its surface) intersected with a box along the
// axes of the body. Discs fit smooth surfaces with few volumes; boxes fit corners and fractals. A node stores
// its four volumes lane by lane.

#include "collision/geometry/shape.hpp"
#include "collision/jobs/executor.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace claybox::collision {

struct BvhSubtree;
struct BvhSource;

/// One volume, in the frame of the tree. Every point x of its triangles, as the exact layer knows them,
/// satisfies
///   |n.(x-c)| <= t,  |(x-c) - n n.(x-c)| <= r,  |x-c| <= e per axis,
/// where n has length 1 within 2^-22.
struct BvhVolume {
    Vec3f centre, normal, half;
    float radius = 0, thickness = 0;  ///< r; t, which is half the thickness

    friend bool operator==(const BvhVolume&, const BvhVolume&) = default;
};

/// Four children in lanes. A lane without a child has child kNoIndex and the empty volume.
struct alignas(64) BvhNode {
    float cx[4] = {}, cy[4] = {}, cz[4] = {};
    float nx[4] = {}, ny[4] = {}, nz[4] = {};
    float ex[4] = {}, ey[4] = {}, ez[4] = {};
    float radius[4] = {}, thickness[4] = {};
    /// A node index, or the triangles of a leaf: see bvh_leaf().
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

/// A child that is a leaf: bit 31 is set, bits 29 and 30 hold the number of triangles minus one, the other
/// bits the first triangle.
inline constexpr std::uint32_t kBvhLeafBit = 0x80000000u;
inline constexpr std::uint32_t kMaxBvhTriangles = 1u << 29;
inline constexpr std::uint32_t kBvhLeafSize = 4;
/// Maximum depth of the tree; bounds the stacks of searches.
inline constexpr std::uint32_t kMaxBvhLevels = 64;

inline bool is_bvh_leaf(std::uint32_t child) {
    return (child & kBvhLeafBit) != 0;
}
inline std::uint32_t bvh_leaf(std::uint32_t first, std::uint32_t count) {
    return kBvhLeafBit | (count - 1) << 29 | first;
}
inline std::uint32_t bvh_leaf_first(std::uint32_t child) {
    return child & (kMaxBvhTriangles - 1);
}
inline std::uint32_t bvh_leaf_count(std::uint32_t child) {
    return (child >> 29 & 3) + 1;
}

/// A triangle in tree order: its vertices, and its index in the topology.
struct BvhTriangle {
    std::uint32_t vertices[3];
    std::uint32_t triangle;
};

/// The position of a node in the tree, the pending work of update(), and the quality of its subtree.
struct BvhNodeState {
    std::uint32_t parent = kNoIndex;  ///< ref of the child entry that points to this node
    std::uint8_t level = 0;           ///< depth; node 0 has level 0
    std::uint8_t updates = 0;         ///< number of updates of this node, modulo 256
    bool is_queued = false;
    /// Bit i: the volume of lane i changed. kLeaves: triangles of a leaf changed. kGrewMuch: a volume grew
    /// much.
    std::uint8_t changed = 0;
    static constexpr unsigned kLeaves = 16, kGrewMuch = 32;
    float cost = 0;       ///< search cost: the sum of the sizes of all volumes below
    float best_cost = 0;  ///< minimum of cost / sides^2 since the subtree was built
    /// Sums of the square roots of twice the triangle areas: of all triangles below; of the node's own
    /// leaves.
    float sides = 0, leaf_sides = 0;
    std::uint32_t touched =
        0;  ///< triangles touched since the subtree was built; repeated touches count again
    std::uint32_t touched_now = 0;  ///< of these, in the current update
};

/// The BVH of one geometry. A "ref" is a child entry: node * 4 + lane. Node 0 has one lane, the whole mesh.
/// Nodes left over by a rebuild have no children and no parent.
class MeshBvh {
  public:
    /// Builds the same tree with every executor.
    MeshBvh(const Geometry& geometry, Executor& executor);

    /// Follows a deformation; `touched` lists the changed polygons. The cost is proportional to the touched
    /// triangles and their ancestors. Subtrees that deformations made much looser are rebuilt: see
    /// rebuild_degraded().
    void update(const Geometry& geometry, std::span<const std::uint32_t> touched);

    std::span<const BvhNode> nodes() const { return nodes_; }
    std::uint32_t child(std::uint32_t ref) const { return nodes_[ref / 4].child[ref % 4]; }
    /// The ref of the node that contains `ref`; `ref` itself at the top.
    std::uint32_t parent_of(std::uint32_t ref) const { return ref < 4 ? ref : states_[ref / 4].parent; }
    BvhVolume volume(std::uint32_t ref) const { return nodes_[ref / 4].volume(ref % 4); }
    std::span<const BvhTriangle> triangles() const { return triangles_; }
    /// Sides of a triangle of the topology. Bit k: side k (from corner k to the next) represents its edge.
    /// Bit 3 + k: it represents its diagonal. Each edge and each diagonal has exactly one such side.
    std::uint8_t sides(std::uint32_t triangle) const { return sides_[triangle]; }
    /// Tree coordinates are body coordinates times 2^-exponent, so that they are about 1.
    int exponent() const { return exponent_; }
    float scale() const { return scale_; }
    /// Content of the geometry that the tree fits.
    std::uint64_t content() const { return content_; }
    /// Identifies nodes and refs. It changes when a part of the tree is rebuilt, even if the geometry returns
    /// to an earlier state: trees of equal content may differ by the deformations they followed.
    std::uint64_t structure() const { return structure_; }
    std::size_t memory_bytes() const;

  private:
    void build(const Geometry& geometry, Executor& executor);
    void assemble(BvhSubtree& top, std::span<BvhSubtree> jobs, std::span<const BvhVolume> around,
                  const Geometry& geometry);
    void index_leaves(std::uint32_t node);
    BvhSource source_of(const Geometry& geometry) const;
    void update_node(std::uint32_t node, const BvhSource& source);
    void enqueue(std::uint32_t node, unsigned changed, std::uint32_t touched);
    void enqueue_leaves(const Topology& topology, std::span<const std::uint32_t> touched);
    void clear_queue(std::size_t level);
    void prefetch(std::span<const std::uint32_t> nodes, std::size_t at) const;
    void measure_cost(std::uint32_t node);
    bool is_degraded(std::uint32_t node) const;
    void rebuild_degraded(const Geometry& geometry);
    void rebuild(std::uint32_t node, const Geometry& geometry);
    void replace(std::uint32_t node, const BvhSubtree& subtree);

    std::vector<BvhNode> nodes_;
    std::vector<BvhNodeState> states_;  ///< one per node
    std::vector<BvhTriangle> triangles_;
    std::vector<std::uint8_t> sides_;
    std::vector<std::uint32_t> leaf_of_;  ///< per triangle of the topology: the node that has its leaf
    std::vector<std::vector<std::uint32_t>> queued_;  ///< per level: the nodes queued for update
    std::vector<std::uint32_t> degraded_;             ///< nodes that update() must rebuild
    std::vector<std::uint32_t> free_nodes_;           ///< unused nodes
    int exponent_ = 0;
    float scale_ = 1;
    std::uint64_t content_ = 0;
    std::uint64_t structure_ = 0, history_ = 0;  ///< history_: hash of all updates since the tree was built
};

/// Per triangle: see MeshBvh::sides().
std::vector<std::uint8_t> choose_bvh_sides(const Topology& topology, Executor& executor);
/// The volume of a lane without a child: negative sizes, so that it never affects a maximum.
BvhVolume empty_bvh_volume();

}  // namespace claybox::collision
