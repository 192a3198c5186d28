#pragma once
/// \file
/// What a pass computes for a new deformable body, made beforehand: the pass that takes the body then stays
/// short.

#include "collision/pairwise/registry.hpp"

#include <memory>
#include <span>
#include <vector>

namespace claybox::collision {

struct WorldSettings;

/// What make_ready_body() has made. Valid for one body; the pass that inserts it takes everything out.
struct ReadyBody {
    /// Prepared data of one algorithm.
    struct Made {
        const PairAlgorithm* algorithm = nullptr;  ///< whose data it is
        std::shared_ptr<const Prepared> prepared;  ///< for `geometry`
    };
    std::unique_ptr<Geometry> geometry;  ///< the shape's, with the moved vertices
    std::vector<Made> made;              ///< data of the algorithms that the settings use for any polygons
};

/// Prepares a body of `shape` whose vertices have moved. Any thread may call it; it may be slow. Errors: see
/// deform().
Result<std::shared_ptr<ReadyBody>> make_ready_body(const Shape& shape, std::span<const VertexChange> moved,
                                                   const WorldSettings& settings);

}  // namespace claybox::collision
