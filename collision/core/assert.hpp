#pragma once
// Assertions are for mistakes of the programmer; anything that comes from outside returns a Result.

namespace claybox::collision {

/// Called with the failed expression before the process aborts; may not return normally to the caller.
using AssertHandler = void (*)(const char* expression, const char* file, int line);

/// Replaces the handler (nullptr restores the default, which prints one line to standard error).
/// Not to be called while other threads run library code.
void set_assert_handler(AssertHandler handler);

[[noreturn]] void assert_failed(const char* expression, const char* file, int line);

}  // namespace claybox::collision

#if defined(CLAYBOX_ASSERTIONS)
#define CLAYBOX_ASSERT(condition) \
    ((condition) ? (void)0 : ::claybox::collision::assert_failed(#condition, __FILE__, __LINE__))
#else
#define CLAYBOX_ASSERT(condition) ((void)sizeof(condition))
#endif
