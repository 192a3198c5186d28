#pragma once
// Volumes of the tree. Leaf volumes are computed from the corners of their triangles. When a tree is built,
// so are all other volumes up to a size, which makes them tighter by a quarter than volumes computed from
// children. Nodes with only leaves always use corners, which are at hand. All other volumes are computed from
// the volumes two levels below, or enlarged by what changed there.

#include "collision/pairwise/bvh/bvh.hpp"

namespace claybox::collision {

/// The input of volume computations. Positions times the scale are below 2^10.
struct BvhSource {
    const BvhNode* nodes;
    const BvhNodeState* states;
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

/// The triangles below a node; they are consecutive.
std::span<const BvhTriangle> triangles_below(const BvhSource& source, std::uint32_t node);
/// Search cost of a node's own volumes: the smaller of the surfaces of disc and box, summed over the lanes.
float bvh_cost(const BvhNode& node);

/// Computes the volumes of a node's leaves; the node has at least one leaf. Returns the volume around all of
/// them if all children are leaves. `sides` receives the sum of the square roots of twice the areas.
BvhVolume make_bvh_leaf_volumes(const BvhSource& source, BvhNode& node, float& sides);
/// The volume around some triangles.
BvhVolume bvh_volume_of(const BvhSource& source, std::span<const BvhTriangle> triangles);
/// The volume around a node, from its children and grandchildren.
BvhVolume bvh_volume_around(const BvhSource& source, const BvhNode& node);
/// The volume `before` around a node, enlarged where a change extends beyond it. Considers the lanes in
/// `changed`, and in the nodes below them the lanes in their own `changed`.
BvhVolume bvh_volume_grown(const BvhSource& source, const BvhNode& node, unsigned changed,
                           const BvhVolume& before);

/// For building: computes the volumes of a node's leaves and returns the volume around the node. The volumes
/// of its other children must be complete.
BvhVolume make_bvh_volumes(const BvhSource& source, std::uint32_t node, BvhNode& to, BvhNodeState& state);

}  // namespace claybox::collision
