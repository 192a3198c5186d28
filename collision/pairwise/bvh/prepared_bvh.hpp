#pragma once
// The BVH of a mesh as prepared data, for every algorithm that walks it.

#include "collision/pairwise/bvh/bvh.hpp"
#include "collision/pairwise/query.hpp"
#include "collision/pairwise/support/quick_climb.hpp"

namespace claybox::collision {

struct PreparedBvh final : Prepared {
    PreparedBvh(const Geometry& geometry, Executor& executor) : tree(geometry, executor) {}
    std::size_t memory_bytes() const override {
        return sizeof *this - sizeof tree + tree.memory_bytes() +
               (climb == nullptr ? 0 : climb->memory_bytes());
    }

    MeshBvh tree;
    std::shared_ptr<const QuickClimb> climb;  ///< on the shape's hull; may be null
};

/// Uses several workers if the mesh is large enough.
std::shared_ptr<PreparedBvh> make_prepared_bvh(const Geometry& geometry);
/// The same, as an algorithm's `prepare`.
std::shared_ptr<const Prepared> prepare_bvh(const Shape& shape, const Geometry& geometry);
/// Returns the same object, or a copy if someone else still holds it.
std::shared_ptr<const Prepared> update_bvh(std::shared_ptr<const Prepared> prepared, const Geometry& geometry,
                                           std::span<const std::uint32_t> touched);

/// The tree of a body in its current state; null if the prepared tree belongs to other vertices.
inline const MeshBvh* bvh_of(const PairBody& body) {
    const auto* prepared = static_cast<const PreparedBvh*>(body.prepared);
    return prepared != nullptr && prepared->tree.content() == body.geometry->content ? &prepared->tree
                                                                                     : nullptr;
}

/// Searches on the body's hull; null if the algorithm did not prepare them.
inline const QuickClimb* quick_climb_of(const PairBody& body) {
    const auto* prepared = static_cast<const PreparedBvh*>(body.prepared);
    const QuickClimb* const climb = prepared == nullptr ? nullptr : prepared->climb.get();
    return climb != nullptr && climb->hull() == body.shape->hull() ? climb : nullptr;
}

}  // namespace claybox::collision
