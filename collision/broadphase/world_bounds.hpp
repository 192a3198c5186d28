#pragma once
/// \file
/// Bounds of bodies, as broad phases read them.

#include "collision/core/ids.hpp"
#include "collision/geometry/bounds/k_dop.hpp"
#include "collision/geometry/bounds/oriented_box.hpp"
#include "collision/geometry/bounds/sphere.hpp"

#include <span>
#include <vector>

namespace claybox::collision {

/// Kinds of bounds in addition to the box, as bits.
using BoundKinds = unsigned;
inline constexpr BoundKinds kSphereBounds = 1;    ///< WorldBounds::spheres
inline constexpr BoundKinds kOrientedBounds = 2;  ///< WorldBounds::oriented
inline constexpr BoundKinds kKDopBounds = 4;      ///< WorldBounds::k_dops
inline constexpr BoundKinds kGroupBounds = 8;     ///< WorldBounds::group_of and WorldBounds::groups

/// Scene groups, indexed by group. A parent may have a higher index than its children.
struct GroupBounds {
    std::span<const std::uint32_t> parent;  ///< kNoIndex: no parent, or no such group
    std::span<const Aabb> boxes;            ///< box around all bodies below; empty without bodies
    std::uint64_t version = 0;              ///< changes if and only if `parent` changes
};

/// A view of the bounds of all bodies, indexed by slot. `boxes` is always set; the other spans are set if the
/// broad phase needs them (BroadPhaseDescriptor::needs). An empty span means that only the box is known.
struct WorldBounds {
    /// No bodies.
    WorldBounds() = default;
    /// Boxes without finer bounds and groups.
    WorldBounds(std::span<const Aabb> all_boxes) : boxes(all_boxes) {}  // NOLINT: boxes are bounds
    /// Boxes without finer bounds and groups.
    WorldBounds(const std::vector<Aabb>& all_boxes) : boxes(all_boxes) {}  // NOLINT: boxes are bounds

    std::span<const Aabb> boxes;              ///< empty box: no body in this slot
    std::span<const Sphere> spheres;          ///< world spheres
    std::span<const OrientedBox> oriented;    ///< boxes that turn with the bodies
    std::span<const KDop> k_dops;             ///< intervals along the diagonals
    std::span<const std::uint32_t> group_of;  ///< scene group of each body; kNoIndex: no group
    GroupBounds groups;                       ///< of the scene groups
};

/// True when the available bounds of these kinds overlap. Does not test the boxes.
bool finer_bounds_overlap(const WorldBounds& bounds, BoundKinds kinds, PairKey pair);

/// Drops the pairs whose bounds of these kinds do not overlap.
void filter_pairs(const WorldBounds& bounds, BoundKinds kinds, std::vector<PairKey>& pairs);

}  // namespace claybox::collision
