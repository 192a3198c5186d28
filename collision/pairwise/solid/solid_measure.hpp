#pragma once
// Distance, closest points, safety margin and depth of convex solids, for all algorithms that offer them.
// Measured after the verdict.

#include "collision/pairwise/solid/solid_ladder.hpp"

namespace claybox::collision {

/// The parameter of every algorithm that offers the depth.
inline constexpr Parameter kDepthExpansions{"expansion_limit",
                                            "Depth expansions",
                                            ParameterKind::integer,
                                            2000,
                                            1,
                                            2000,
                                            "",
                                            "ours: the hardest of the ground truth needs 65",
                                            "Limit of the search for the depth. If it is reached, the depth "
                                            "suffices but may not be minimal."};

struct MeasureCounts {
    std::uint32_t walk_iterations = 0, walk_supports = 0, expansions = 0;
};

/// Adds what the query requests in addition to the verdict; call it after SolidLadder::finish or recall.
/// Computes the depth of colliding pairs, and distance and closest points of separated pairs. Applies the
/// margin: a separated pair closer than the margin becomes colliding, without a certificate. Starts from
/// `memory`. `expansion_limit` bounds the search for the depth.
MeasureCounts measure_solids(const PairQuery& query, const LadderMemory& memory,
                             std::uint32_t expansion_limit, PairResult& result, Trace* trace);

}  // namespace claybox::collision
