#pragma once
// World bounds of all bodies, indexed by slot.

#include "collision/broadphase/world_bounds.hpp"
#include "collision/core/parameter.hpp"
#include "collision/geometry/bounds/tight_box.hpp"
#include "collision/pairwise/query.hpp"

#include <span>
#include <vector>

namespace claybox::collision {

/// Indices into bound_parameters().
enum BoundParameter : std::size_t { kWorldBox, kPairFilter };

enum class WorldBox : unsigned char {
    turned,   ///< box of the rotated local box, intersected with the box of the bounding sphere
    tight,    ///< box of the vertices
    maximal,  ///< box of the bounding sphere: does not depend on the rotation
};

/// place() may run for different slots in parallel; everything else is for one thread.
class BodyBounds {
  public:
    /// Applies bound_parameters() and the needs of a broad phase. Returns true when all bodies must be placed
    /// again.
    bool set(const ParameterValues& values, BoundKinds needed);
    void resize(std::size_t slots);
    /// Call when a body is removed: empties its box and drops what was cached for the slot.
    void forget(std::uint32_t slot);
    /// Computes the bounds of a body at its current matrix. `still`: the matrix is that of the last call.
    void place(std::uint32_t slot, const PairBody& body, bool still = false);
    /// The body sweeps in this pass: after place(), extends what the broad phase sees of it to `box`, which
    /// contains the whole way but its end, and by `margin`. Only between keep_placed_boxes(true) and (false).
    void sweep(std::uint32_t slot, const Aabb& box, float margin);
    /// Whether sweep() may be called.
    void keep_placed_boxes(bool kept);
    bool is_swept(std::uint32_t slot) const { return slot < swept_.size() && swept_[slot] != 0; }
    /// The box of a body at its pose, whether it sweeps or not.
    const Aabb& placed_box(std::uint32_t slot) const {
        return is_swept(slot) ? placed_boxes_[slot] : boxes_[slot];
    }
    /// Call when vertices of a body have changed, before place().
    void note_changes(std::uint32_t slot, std::span<const VertexChange> changes);
    WorldBounds view() const;
    /// Empty where there is no body.
    std::span<const Aabb> boxes() const { return boxes_; }
    /// The `turned` box of a placed body, whatever the current parameters: reported points must not depend on
    /// them.
    Aabb turned_box(std::uint32_t slot, const PairBody& body) const;
    /// Kinds of bounds used to drop candidates before they are tested.
    BoundKinds filter() const { return filter_; }
    std::size_t memory_bytes() const;

  private:
    Aabb world_box(std::uint32_t slot, const PairBody& body, bool still);

    WorldBox world_box_ = WorldBox::turned;
    BoundKinds filter_ = 0, kinds_ = 0;  ///< kinds_: the kinds that are computed
    std::vector<Aabb> boxes_;
    std::vector<Sphere> spheres_;
    std::vector<OrientedBox> oriented_;
    std::vector<KDop> k_dops_;
    std::vector<ExtremeVertices> extremes_;  ///< for `tight` boxes of bodies with a hull
    std::vector<StillBox> still_boxes_;      ///< for `tight` boxes of the others
    bool keeps_placed_boxes_ = false;
    std::vector<unsigned char> swept_;  ///< empty while no body may sweep
    std::vector<Aabb> placed_boxes_;    ///< of the swept bodies
};

}  // namespace claybox::collision
