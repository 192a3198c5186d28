#pragma once
// Stands for the work of an application beside collision detection.

#include <cstdint>

namespace claybox::bench {

/// Work of `rounds` iterations.
void busy_work(std::uint64_t rounds);
/// Number of rounds that take `ns` nanoseconds, from the shortest of 25 trials.
std::uint64_t rounds_of_work(double ns);

}  // namespace claybox::bench
