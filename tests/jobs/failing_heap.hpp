#pragma once

#include <cstddef>

namespace claybox::collision::test {

/// One allocation with `new` fails: the one after `allowed` others, counted from now over all threads. Builds
/// with sanitizers have a heap of their own, where nothing fails.
void fail_allocation_after(std::size_t allowed);
/// No allocation fails any more.
void stop_failing_allocations();

}  // namespace claybox::collision::test
