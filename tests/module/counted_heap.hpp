#pragma once
// Counts allocations of this test program on the global heap.

#include <cstddef>

namespace claybox::collision::test {

void start_counting_allocations();
/// Returns the number of allocations by all threads since the start.
std::size_t stop_counting_allocations();

}  // namespace claybox::collision::test
