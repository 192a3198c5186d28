#pragma once
// The BVH of a mesh as prepared data, for every algorithm that walks it.

#include "collision/pairwise/bvh/bvh.hpp"
#include "collision/pairwise/query.hpp"

namespace claybox::collision {

struct PreparedBvh final : Prepared {
    PreparedBvh(const Geometry& geometry, Executor& executor) : tree(geometry, executor) {}
    std::size_t memory_bytes() const override { return sizeof *this - sizeof tree + tree.memory_bytes(); }

    MeshBvh tree;
};

/// Uses several workers if the mesh is large enough.
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

}  // namespace claybox::collision
