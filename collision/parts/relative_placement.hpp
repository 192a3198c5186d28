#pragma once
// What an exact decision about two bodies depends on, in 128 bits, so that it can be remembered.

#include "collision/geometry/transform.hpp"

#include <cstdint>

namespace claybox::collision {

/// A hash of both linear parts and of the exact difference of the translations. Bodies that move together
/// keep it where their floats move by the same amount, and only there. Two different placements share it with
/// probability 2^-128.
struct RelativePlacement {
    std::uint64_t hash[2] = {};
    friend bool operator==(const RelativePlacement&, const RelativePlacement&) = default;
};

RelativePlacement relative_placement(const Matrix34f& world_from_a, const Matrix34f& world_from_b);

}  // namespace claybox::collision
