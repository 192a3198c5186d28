#pragma once
// The data that determines an exact decision about two bodies, in 128 bits. Used as the key of a remembered
// decision.

#include "collision/geometry/transform.hpp"

#include <cstdint>

namespace claybox::collision {

/// A hash of both linear parts and of the exact difference of the translations. Bodies that move together
/// keep their hash if and only if their floats move by the same amount. Two different placements have the
/// same hash with probability 2^-128.
struct RelativePlacement {
    std::uint64_t hash[2] = {};
    friend bool operator==(const RelativePlacement&, const RelativePlacement&) = default;
};

RelativePlacement relative_placement(const Matrix34f& world_from_a, const Matrix34f& world_from_b);

}  // namespace claybox::collision
