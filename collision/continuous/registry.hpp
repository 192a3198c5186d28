#pragma once

#include "collision/continuous/query.hpp"
#include "collision/pairwise/registry.hpp"

namespace claybox::collision {

/// A continuous algorithm as plain data, like PairAlgorithm. The query contains motions, the result a time.
struct ContinuousAlgorithm {
    const char* id;
    const char* title;
    const char* source;
    const char* summary;
    Needs needs = Needs::convex;
    Meaning meaning = Meaning::solid;
    bool exact = true;
    std::span<const Parameter> parameters = {};
    /// Re-entrant, like PairAlgorithm::query.
    void (*query)(const ContinuousQuery& query, PairCache& cache, ContinuousResult& result,
                  Trace* trace) = nullptr;
};

std::span<const ContinuousAlgorithm* const> continuous_algorithms();
const ContinuousAlgorithm* find_continuous_algorithm(std::string_view id);

}  // namespace claybox::collision
