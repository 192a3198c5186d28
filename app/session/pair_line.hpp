#pragma once

#include "collision/module/world.hpp"

#include <string>

namespace claybox::app {

/// The hardest pair as one input line for `claybox query`, with a line break. It also holds the algorithm
/// with its parameters, the frame, and `k`, the iterations in that frame. `claybox query` starts from an
/// empty cache and may need another number of iterations. Precondition: the pair exists (iterations > 0).
std::string hardest_pair_line(const collision::HardestPair& pair);

}  // namespace claybox::app
