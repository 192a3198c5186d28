#pragma once
// Distance, closest points, safety margin and depth of convex solids, for every algorithm that gives them:
// what is measured after the verdict stands.

#include "collision/pairwise/solid_ladder.hpp"

namespace claybox::collision {

/// The parameter of every algorithm that gives the depth.
inline constexpr Parameter kDepthExpansions{"expansion_limit",
                                            "Depth expansions",
                                            ParameterKind::integer,
                                            2000,
                                            1,
                                            2000,
                                            "",
                                            "ours: the hardest of the ground truth needs 65",
                                            "Where the search for the depth ends at the latest; the depth is "
                                            "then enough, but perhaps not the least."};

struct MeasureCounts {
    std::uint32_t walk_iterations = 0, walk_supports = 0, expansions = 0;
};

/// Adds what the query wants beside the verdict, after SolidLadder::finish or recall: depth of colliding
/// pairs, the margin's effect on separated ones (a pair closer than the margin becomes colliding, without a
/// certificate), distance and closest points. Starts where `memory` says the verdict was found.
/// `expansion_limit` bounds the search for the depth.
MeasureCounts measure_solids(const PairQuery& query, const LadderMemory& memory,
                             std::uint32_t expansion_limit, PairResult& result, Trace* trace);

}  // namespace claybox::collision
