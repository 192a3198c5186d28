#pragma once
// Compares all algorithms for meshes with each other on random pairs.

#include <cstdint>

namespace claybox::test {

struct MeshComparison {
    std::uint64_t pairs = 20000, first = 0, seed = 1, threads = 2;
};

/// Prints what was asked and every difference; false when there was one.
bool compare_meshes(const MeshComparison& options);

}  // namespace claybox::test
