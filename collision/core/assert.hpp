#pragma once
/// \file
/// Assertions catch programming errors. Functions that read external input return a Result instead.

namespace claybox::collision {

/// Called with the failed expression and its place. The handler may throw; if it returns, the process aborts.
using AssertHandler = void (*)(const char* expression, const char* file, int line);

/// Replaces the handler. nullptr restores the default: print one line to standard error and abort.
/// Do not call this while other threads run library code.
void set_assert_handler(AssertHandler handler);

/// Calls the handler, prints one line to standard error and aborts. CLAYBOX_ASSERT calls it.
[[noreturn]] void assert_failed(const char* expression, const char* file, int line);

}  // namespace claybox::collision

/// Checks `condition` in builds with CLAYBOX_ASSERTIONS. Other builds do not evaluate it.
#if defined(CLAYBOX_ASSERTIONS)
#define CLAYBOX_ASSERT(condition) \
    ((condition) ? (void)0 : ::claybox::collision::assert_failed(#condition, __FILE__, __LINE__))
#else
#define CLAYBOX_ASSERT(condition) ((void)sizeof(condition))
#endif
