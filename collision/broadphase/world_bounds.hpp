#pragma once
// What broad phases are told about where bodies are.

#include "collision/core/ids.hpp"
#include "collision/geometry/k_dop.hpp"
#include "collision/geometry/oriented_box.hpp"
#include "collision/geometry/sphere.hpp"

#include <span>
#include <vector>

namespace claybox::collision {

/// Kinds of bounds beside the box, as bits.
using BoundKinds = unsigned;
inline constexpr BoundKinds kSphereBounds = 1, kOrientedBounds = 2, kKDopBounds = 4, kGroupBounds = 8;

/// The groups of a scene. By group, where parents may have higher numbers than their children.
struct GroupBounds {
    std::span<const std::uint32_t> parent;  ///< kNoIndex: none, or no such group
    std::span<const Aabb> boxes;            ///< around all bodies below, empty when there are none
    std::uint64_t version = 0;              ///< changes with `parent`, never otherwise
};

/// The bounds of all bodies, indexed by slot, seen through spans that the caller owns. `boxes` is always
/// there; of the others those that the broad phase needs. Where another is left out, the box is all that is
/// known.
struct WorldBounds {
    WorldBounds() = default;
    WorldBounds(std::span<const Aabb> all_boxes) : boxes(all_boxes) {}     // NOLINT: boxes are bounds
    WorldBounds(const std::vector<Aabb>& all_boxes) : boxes(all_boxes) {}  // NOLINT: boxes are bounds

    std::span<const Aabb> boxes;
    std::span<const Sphere> spheres;
    std::span<const OrientedBox> oriented;
    std::span<const KDop> k_dops;
    std::span<const std::uint32_t> group_of;  ///< kNoIndex: none
    GroupBounds groups;
};

/// True when the bounds of these kinds overlap, those that are there; the boxes are not asked.
bool finer_bounds_overlap(const WorldBounds& bounds, BoundKinds kinds, PairKey pair);

/// Drops the pairs whose bounds of these kinds do not overlap.
void filter_pairs(const WorldBounds& bounds, BoundKinds kinds, std::vector<PairKey>& pairs);

}  // namespace claybox::collision
