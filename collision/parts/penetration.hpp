#pragma once
// How deep two solids are in each other: the shortest translation of B that makes them just touch.

#include "collision/core/trace.hpp"
#include "collision/exact/solid.hpp"
#include "collision/parts/scratch.hpp"

namespace claybox::collision {

struct Penetration {
    /// Metres, 0 or more: moving B this far along the direction leaves them at most touching, whether or not
    /// it is the shortest way.
    double depth = 0;
    Vec3d direction_w{1, 0, 0};  ///< of length 1
    bool shortest =
        true;  ///< false when a limit ended the search before the way was known to be the shortest
    std::uint32_t iterations = 0;
};

/// At most this many points of the difference are looked at.
inline constexpr std::uint32_t kMostPenetrationPoints = 2048;

/// By expanding a polytope inside the difference A - B (van den Bergen, 2001). For solids of any dimension
/// that share a point or are close to it; never NaN, always ends. Where the difference is flat the depth is 0
/// along its normal. `trace`, when not null, is told every expansion, counted on from `earlier`. Takes its
/// memory from `scratch`.
Penetration find_penetration(const SolidSide& a, const SolidSide& b, std::uint32_t iteration_limit,
                             Scratch& scratch, Trace* trace = nullptr, std::uint32_t earlier = 0);

}  // namespace claybox::collision
