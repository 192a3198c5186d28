#pragma once
// The cast of best_continuous for two convex bodies in linear motion: a search for the triangle of the
// Minkowski difference that the ray of the relative motion enters. In floating point; the ladder proves it.

#include "collision/continuous/linear/linear_ladder.hpp"

namespace claybox::collision {

/// Runs the search. `portal`: three pairs through which the ray passed in the last query of this pair, or
/// null. `iterations` is raised by the number of support searches.
CastClaim cast_linear(const LinearPair& pair, const VertexPair* portal, std::uint32_t& iterations,
                      Trace* trace);

}  // namespace claybox::collision
