#pragma once

#include "collision/module/world.hpp"

#include <string>

namespace claybox::app {

/// The pair as one line of what `claybox query` reads, which starts from an empty cache; beside it the
/// algorithm with its parameters, the frame, and k, the iterations that it took with what the pair remembered
/// then. Ends with a line break. The pair must be there (iterations above 0).
std::string hardest_pair_line(const collision::HardestPair& pair);

}  // namespace claybox::app
