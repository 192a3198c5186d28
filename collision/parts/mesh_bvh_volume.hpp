#pragma once
// Volumes of the tree. Those of leaves are made from the corners of their triangles. So are all others when a
// tree is built, up to a size, which is tighter by a quarter than from their children; and always those of
// nodes that have only leaves, as their corners are at hand. Others are made from what lies two levels below
// them, or grow by what changed there.

#include "collision/parts/mesh_bvh.hpp"

namespace claybox::collision {

/// What volumes are made from. Positions times the scale are below 2^10.
struct BvhSource {
    const BvhNode* nodes;
    const BvhPlace* places;
    const BvhTriangle* triangles;
    const Vec3f* positions;
    float scale;
};

inline bool has_only_leaves(const BvhNode& node) {
    return ((node.child[0] & node.child[1] & node.child[2] & node.child[3]) & kBvhLeafBit) != 0;
}
/// Bit i: child i is a leaf.
inline unsigned leaves_of(const BvhNode& node) {
    unsigned out = 0;
    for (unsigned lane = 0; lane < 4; ++lane)
        out |= (node.child[lane] != kNoIndex && is_bvh_leaf(node.child[lane]) ? 1u : 0u) << lane;
    return out;
}

/// The triangles of a node, which stand side by side.
std::span<const BvhTriangle> triangles_below(const BvhSource& source, std::uint32_t node);
/// What searches of a node cost by its own volumes: the sizes of their surfaces, of the disc or the box.
float bvh_cost(const BvhNode& node);

/// Makes the volumes of a node's leaves, of which it has some. Returns that around all, where all are leaves.
/// `sides` receives the sum of the roots of twice their areas.
BvhVolume make_bvh_leaf_volumes(const BvhSource& source, BvhNode& node, float& sides);
/// Around some triangles.
BvhVolume bvh_volume_of(const BvhSource& source, std::span<const BvhTriangle> triangles);
/// Around a node, from its children and theirs.
BvhVolume bvh_volume_around(const BvhSource& source, const BvhNode& node);
/// `before`, which was around a node, larger where what changed since reaches out of it: the lanes that
/// `changed` says, and of nodes that they lead to, those that their places say.
BvhVolume bvh_volume_grown(const BvhSource& source, const BvhNode& node, unsigned changed,
                           const BvhVolume& before);

/// Makes the volumes of a node's leaves and returns that around it, when a tree is built: its other children
/// are made.
BvhVolume make_bvh_volumes(const BvhSource& source, std::uint32_t node, BvhNode& to, BvhPlace& place);

}  // namespace claybox::collision
