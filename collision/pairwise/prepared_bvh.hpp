#pragma once
// The tree of a mesh as an algorithm's preparation, for all that walk it.

#include "collision/pairwise/query.hpp"
#include "collision/parts/mesh_bvh.hpp"

namespace claybox::collision {

struct PreparedBvh final : Prepared {
    PreparedBvh(const Geometry& geometry, Executor& executor) : tree(geometry, executor) {}
    std::size_t memory_bytes() const override { return sizeof *this - sizeof tree + tree.memory_bytes(); }

    MeshBvh tree;
};

/// Several workers where the mesh is worth starting them.
std::shared_ptr<const Prepared> prepare_bvh(const Shape& shape, const Geometry& geometry);
/// The same object; a new one where someone else still holds it.
std::shared_ptr<const Prepared> update_bvh(std::shared_ptr<const Prepared> prepared, const Geometry& geometry,
                                           std::span<const std::uint32_t> touched);

/// The tree that fits a body as it is; null when what was prepared belongs to other vertices.
inline const MeshBvh* bvh_of(const PairBody& body) {
    const auto* prepared = static_cast<const PreparedBvh*>(body.prepared);
    return prepared != nullptr && prepared->tree.content() == body.geometry->content ? &prepared->tree
                                                                                     : nullptr;
}

}  // namespace claybox::collision
