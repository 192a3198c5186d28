#pragma once

#include <cstddef>

namespace claybox::test {

/// Number of calls of operator new on this thread since the start of the program, which replaces operator
/// new.
std::size_t allocations_of_this_thread();

/// One call of operator new on this thread fails: the one after `allowed` others.
void fail_allocation_of_this_thread(std::size_t allowed);
/// No call of operator new fails any more.
void stop_failing_allocations();

}  // namespace claybox::test
