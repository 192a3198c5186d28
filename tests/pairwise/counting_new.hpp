#pragma once

#include <cstddef>

namespace claybox::test {

/// How often operator new ran on this thread since the program's start. This program replaces operator new.
std::size_t allocations_of_this_thread();

}  // namespace claybox::test
