#pragma once

#include <cstddef>

namespace claybox::test {

/// Number of calls of operator new on this thread since the start of the program, which replaces operator
/// new.
std::size_t allocations_of_this_thread();

}  // namespace claybox::test
