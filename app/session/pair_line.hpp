#pragma once

#include "collision/module/world.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace claybox::app {

/// The hardest pair as one input line for `claybox query`, with a line break. It also holds the algorithm
/// with its parameters, the frame, and `k`, the iterations in that frame. `claybox query` starts from an
/// empty cache and may need another number of iterations. Precondition: the pair exists (iterations > 0).
std::string hardest_pair_line(const collision::HardestPair& pair);

/// A matrix and the vertices of a convex shape, as fields of a line for `claybox query`.
nlohmann::ordered_json matrix_to_json(const collision::Matrix34f& matrix);
nlohmann::ordered_json hull_to_json(const collision::Shape& shape);

}  // namespace claybox::app
