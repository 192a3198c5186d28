#pragma once

#include "collision/pairwise/query.hpp"

namespace claybox::collision {

/// Makes a surface answer one about solids (kWantSolid): a body whose surface is apart from the other's lies
/// in the other when a vertex of one of its components does. Part 0 of a split query asks. Leaves answers of
/// solid algorithms, and pairs with a body that has no polygons, as they are.
void complete_solid(const PairQuery& query, PairResult& result);

}  // namespace claybox::collision
