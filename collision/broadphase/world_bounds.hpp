#pragma once
// Bounds of bodies, as broad phases read them.

#include "collision/core/ids.hpp"
#include "collision/geometry/bounds/k_dop.hpp"
#include "collision/geometry/bounds/oriented_box.hpp"
#include "collision/geometry/bounds/sphere.hpp"

#include <span>
#include <vector>

namespace claybox::collision {

/// Kinds of bounds in addition to the box, as bits.
using BoundKinds = unsigned;
inline constexpr BoundKinds kSphereBounds = 1, kOrientedBounds = 2, kKDopBounds = 4, kGroupBounds = 8;

/// Scene groups, indexed by group. A parent may have a higher index than its children.
struct GroupBounds {
    std::span<const std::uint32_t> parent;  ///< kNoIndex: no parent, or no such group
    std::span<const Aabb> boxes;            ///< box around all bodies below; empty without bodies
    std::uint64_t version = 0;              ///< changes if and only if `parent` changes
};

/// A view of the bounds of all bodies, indexed by slot. `boxes` is always set; the other spans are set if the
/// broad phase needs them (BroadPhaseDescriptor::needs). An empty span means that only the box is known.
struct WorldBounds {
    WorldBounds() = default;
    WorldBounds(std::span<const Aabb> all_boxes) : boxes(all_boxes) {}     // NOLINT: boxes are bounds
    WorldBounds(const std::vector<Aabb>& all_boxes) : boxes(all_boxes) {}  // NOLINT: boxes are bounds

    std::span<const Aabb> boxes;
    std::span<const Sphere> spheres;
    std::span<const OrientedBox> oriented;
    std::span<const KDop> k_dops;
    std::span<const std::uint32_t> group_of;  ///< kNoIndex: no group
    GroupBounds groups;
};

/// True when the available bounds of these kinds overlap. Does not test the boxes.
bool finer_bounds_overlap(const WorldBounds& bounds, BoundKinds kinds, PairKey pair);

/// Drops the pairs whose bounds of these kinds do not overlap.
void filter_pairs(const WorldBounds& bounds, BoundKinds kinds, std::vector<PairKey>& pairs);

}  // namespace claybox::collision
