#include "collision/pairwise/bvh/prepared_bvh.hpp"

namespace claybox::collision {

namespace {

/// Meshes with at least this many triangles are built by several workers.
constexpr std::size_t kParallelTriangles = 50000;
constexpr unsigned kWorkers = 4;

}  // namespace

std::shared_ptr<PreparedBvh> make_prepared_bvh(const Geometry& geometry) {
    const bool large = geometry.topology->triangles.size() >= kParallelTriangles;
    const auto executor = large ? make_thread_executor(kWorkers) : make_serial_executor();
    return std::make_shared<PreparedBvh>(geometry, *executor);
}

std::shared_ptr<const Prepared> prepare_bvh(const Shape&, const Geometry& geometry) {
    return make_prepared_bvh(geometry);
}

std::shared_ptr<const Prepared> update_bvh(std::shared_ptr<const Prepared> prepared, const Geometry& geometry,
                                           std::span<const std::uint32_t> touched) {
    if (prepared.use_count() != 1)
        prepared = std::make_shared<PreparedBvh>(static_cast<const PreparedBvh&>(*prepared));
    // No other owner exists, so no thread reads it during the change.
    auto& own = const_cast<PreparedBvh&>(static_cast<const PreparedBvh&>(*prepared));
    own.tree.update(geometry, touched);
    return prepared;
}

}  // namespace claybox::collision
