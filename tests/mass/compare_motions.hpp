#pragma once
// Compares the continuous algorithms with the reference on random linear motions through near contact.

#include <cstdint>

namespace claybox::test {

struct MotionComparison {
    std::uint64_t pairs = 100000, first = 0, most = 32, seed = 1, threads = 2;
    bool pure = false;  ///< decides every pair in integers
};

/// Prints the counts and every difference. Returns false if there is a difference.
bool compare_motions(const MotionComparison& options);

}  // namespace claybox::test
