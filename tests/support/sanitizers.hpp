#pragma once
// CLAYBOX_SANITIZED is defined in builds with AddressSanitizer or ThreadSanitizer, whose heap is their own.

#if defined(__has_feature)  // clang
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CLAYBOX_SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CLAYBOX_SANITIZED
#endif
