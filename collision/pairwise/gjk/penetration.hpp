#pragma once
// Penetration depth of two solids: the shortest translation of B after which they only touch.

#include "collision/core/trace.hpp"
#include "collision/exact/solid.hpp"
#include "collision/pairwise/scratch.hpp"

namespace claybox::collision {

struct Penetration {
    /// Metres, never negative. Moving B this far along the direction leaves the solids at most touching, even
    /// if a shorter translation exists.
    double depth = 0;
    Vec3d direction_w{1, 0, 0};  ///< of length 1
    bool shortest = true;        ///< false if a limit stopped the search before the minimum was proved
    std::uint32_t iterations = 0;
};

/// Limit of the points of the difference in one search.
inline constexpr std::uint32_t kMaxPenetrationPoints = 2048;

/// Expands a polytope inside the difference A - B (van den Bergen, 2001). For solids of any dimension that
/// share a point or almost do. Never NaN; always terminates. If the difference is flat, the depth is 0 along
/// its normal. `trace`, if not null, receives every expansion, numbered from `earlier`. Memory comes from
/// `scratch`.
Penetration find_penetration(const SolidSide& a, const SolidSide& b, std::uint32_t iteration_limit,
                             Scratch& scratch, Trace* trace = nullptr, std::uint32_t earlier = 0);

}  // namespace claybox::collision
