#pragma once
// Compares all mesh algorithms with each other on random pairs.

#include <cstdint>

namespace claybox::test {

struct MeshComparison {
    std::uint64_t pairs = 20000, first = 0, seed = 1, threads = 2;
};

/// Prints the counts and every difference. Returns false if there is a difference.
bool compare_meshes(const MeshComparison& options);

}  // namespace claybox::test
