#include "collision/core/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace claybox::collision {

namespace {
AssertHandler g_handler = nullptr;
}

void set_assert_handler(AssertHandler handler) {
    g_handler = handler;
}

void assert_failed(const char* expression, const char* file, int line) {
    if (g_handler != nullptr) g_handler(expression, file, line);
    std::fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, expression);
    std::abort();
}

}  // namespace claybox::collision
