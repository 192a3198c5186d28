#pragma once
// The world bounds of a world's bodies, by slot.

#include "collision/broadphase/world_bounds.hpp"
#include "collision/core/parameter.hpp"
#include "collision/geometry/tight_box.hpp"
#include "collision/pairwise/query.hpp"

#include <span>
#include <vector>

namespace claybox::collision {

/// Places in bound_parameters().
enum BoundParameter : std::size_t { kWorldBox, kPairFilter };

enum class WorldBox : unsigned char {
    turned,   ///< the turned local box, cut with the sphere's box
    tight,    ///< over the vertices
    maximal,  ///< the cube of the sphere: the same for every rotation
};

/// What a pass keeps of bounds. place() may run for different slots at once; the rest is for one thread.
class BodyBounds {
  public:
    /// Follows bound_parameters() and what a broad phase needs; true when all bodies must be placed anew.
    bool set(const ParameterValues& values, BoundKinds needed);
    void resize(std::size_t slots);
    /// To be called when a body goes: its box is empty, and the next one in the slot starts anew.
    void forget(std::uint32_t slot);
    /// Makes the bounds of a body where its matrix says.
    void place(std::uint32_t slot, const PairBody& body);
    WorldBounds view() const;
    /// Empty where there is no body.
    std::span<const Aabb> boxes() const { return boxes_; }
    /// The turned box of a body that has been placed, whichever are made: what is reported must not depend on
    /// that.
    Aabb turned_box(std::uint32_t slot, const PairBody& body) const;
    /// The kinds by which candidates are dropped before they are tested.
    BoundKinds filter() const { return filter_; }
    std::size_t memory_bytes() const;

  private:
    Aabb world_box(std::uint32_t slot, const PairBody& body);

    WorldBox world_box_ = WorldBox::turned;
    BoundKinds filter_ = 0, kinds_ = 0;  ///< kinds_: those that are made
    std::vector<Aabb> boxes_;
    std::vector<Sphere> spheres_;
    std::vector<OrientedBox> oriented_;
    std::vector<KDop> k_dops_;
    std::vector<Extremes> extremes_;  ///< of bodies with a hull, when boxes are tight
};

}  // namespace claybox::collision
