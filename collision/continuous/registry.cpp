#include "collision/continuous/registry.hpp"

#include <iterator>

namespace claybox::collision {

#define CONTINUOUS_ALGORITHM(id) const ContinuousAlgorithm& describe_##id();
#include "collision/continuous/list.def"
#undef CONTINUOUS_ALGORITHM

std::span<const ContinuousAlgorithm* const> continuous_algorithms() {
    // The null at the end keeps the array legal if the list is empty.
    static const ContinuousAlgorithm* const table[] = {
#define CONTINUOUS_ALGORITHM(id) &describe_##id(),
#include "collision/continuous/list.def"
#undef CONTINUOUS_ALGORITHM
        nullptr};
    return {table, std::size(table) - 1};
}

const ContinuousAlgorithm* find_continuous_algorithm(std::string_view id) {
    for (const ContinuousAlgorithm* algorithm : continuous_algorithms())
        if (id == algorithm->id) return algorithm;
    return nullptr;
}

}  // namespace claybox::collision
