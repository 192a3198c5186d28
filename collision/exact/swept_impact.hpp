#pragma once
// The exact first contact of two convex solids in linear motion: the ray of the relative motion against the
// Minkowski difference, in integers. See swept_impact.cpp for the proof.

#include "collision/exact/solid.hpp"

namespace claybox::collision {

/// The piece of the difference that the ray enters: a combination of vertex pairs.
struct SweptImpact {
    double time = 0;  ///< of the first contact, in [0, 1]; rounded, with a relative error below 2^-48
    /// Unit, from A towards B. If the ray enters at an edge or a vertex of the difference, one of its
    /// supporting planes.
    Vec3d normal_w;
    int count = 0;           ///< of pairs; more than three only if both bodies are flat and coplanar
    VertexPair pairs[5];     ///< with positive weights
    double weights[5] = {};  ///< at the time of contact the combination of a - b is zero; they sum to 1
    std::uint32_t iterations = 0;
};

/// Requires: the solids touch during the sweep (decide_swept_exact), and not at t = 0 (decide_solid_exact).
/// `hint` is up to three pairs where the ray may enter; it affects the number of iterations only. Always
/// ends. May allocate.
SweptImpact find_swept_impact(const SolidSide& a, const SolidSide& b, const SolidSweep& sweep,
                              std::span<const VertexPair> hint = {});

}  // namespace claybox::collision
