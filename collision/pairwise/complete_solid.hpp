#pragma once

#include "collision/pairwise/query.hpp"

namespace claybox::collision {

/// Turns an answer about surfaces into one about solids (kWantSolid). If the surfaces are apart, a body lies
/// inside the other if a vertex of one of its components does. Only part 0 of a split query tests this.
/// Answers of solid algorithms stay unchanged.
void complete_solid(const PairQuery& query, PairResult& result);

}  // namespace claybox::collision
