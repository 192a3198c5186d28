#pragma once
// Shared by the sources of the library that makes a call of a program fail: see failing_calls.cpp.

#include <dlfcn.h>

namespace claybox::faults {

/// Counts a call with this name. True if it is the one that has to fail; errno is then `code`.
bool fails(const char* name, int code);
/// Whether calls with this name are counted now.
bool counts(const char* name);
/// Whether a call fails after a signal instead of at a number.
bool waits_for_signal();
/// Call it before main().
void remember_libraries();

/// The function that the program would call without this library.
template <class Function>
Function next(const char* name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace claybox::faults
