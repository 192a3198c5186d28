#pragma once

#include "collision/core/ids.hpp"
#include "collision/geometry/shape.hpp"
#include "collision/pairwise/query.hpp"

#include <array>
#include <memory>

namespace claybox::collision {

/// Number of algorithms that one body may be prepared for: the chosen one and two fallbacks.
inline constexpr std::size_t kAlgorithmChoices = 3;

/// What the passes store per body.
struct BodyRecord {
    ShapePtr shape;
    std::unique_ptr<Geometry> own;  ///< deformable bodies only: their own copy of the geometry
    Pose pose;                      ///< in the parent's frame
    std::uint64_t frame = 0;        ///< application frame of the world pose or the last deformation
    std::uint64_t data = 0;
    std::uint32_t generation = 0;
    unsigned group = 0;
    bool alive = false;
    bool continuous = false;                                                  ///< BodyDef::continuous
    std::array<std::shared_ptr<const Prepared>, kAlgorithmChoices> prepared;  ///< per PassRunner::Choice
    std::array<bool, kAlgorithmChoices> is_prepared{};
    std::shared_ptr<const Prepared> tree;  ///< BVH for queries, created on first use
};

}  // namespace claybox::collision
