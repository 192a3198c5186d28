#pragma once

#include <cstddef>

namespace claybox::collision::test {

/// One allocation with `new` fails: the one after `allowed` others, counted from now over all threads. Builds
/// with sanitizers have a heap of their own, where nothing fails.
void fail_allocation_after(std::size_t allowed);
/// The same, but allocations of the calling thread are not counted and do not fail.
void fail_allocation_elsewhere_after(std::size_t allowed);
/// Whether that allocation was made.
bool an_allocation_failed();
/// No allocation fails any more.
void stop_failing_allocations();

}  // namespace claybox::collision::test
