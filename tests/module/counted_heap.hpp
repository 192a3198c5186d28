#pragma once
// Every use of the global heap by this test program can be counted.

#include <cstddef>

namespace claybox::collision::test {

void start_counting_allocations();
/// How many there were since the start, by all threads.
std::size_t stop_counting_allocations();

}  // namespace claybox::collision::test
