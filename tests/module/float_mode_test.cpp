// Error bounds require rounding to nearest and subnormals: otherwise the constructor of World fails.

#include "collision/core/assert.hpp"
#include "collision/module/world.hpp"

#include <gtest/gtest.h>

#include <cfenv>
#include <stdexcept>
#include <string>

namespace claybox::collision {
namespace {

/// The assertion that failed while a world was created; empty if none did.
std::string failed_assertion() {
    set_assert_handler(
        [](const char* expression, const char*, int) { throw std::runtime_error(expression); });
    std::string out;
    try {
        World world(default_settings());
    } catch (const std::runtime_error& error) {
        out = error.what();
    }
    set_assert_handler(nullptr);
    return out;
}

TEST(World, creation_fails_unless_rounding_is_to_nearest) {
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        std::fesetround(mode);
        const std::string failure = failed_assertion();
        std::fesetround(FE_TONEAREST);
        EXPECT_NE(failure.find("rounds to nearest"), std::string::npos);
    }
    EXPECT_EQ(failed_assertion(), "");
}

#if defined(__SSE2__)
TEST(World, creation_fails_when_subnormals_are_flushed) {
    constexpr unsigned kFlushResults = 0x8000, kFlushOperands = 0x40;
    const unsigned normal = __builtin_ia32_stmxcsr();
    for (const unsigned flags : {kFlushResults, kFlushOperands, kFlushResults | kFlushOperands}) {
        __builtin_ia32_ldmxcsr(normal | flags);
        const std::string failure = failed_assertion();
        __builtin_ia32_ldmxcsr(normal);
        EXPECT_NE(failure.find("keeps subnormals"), std::string::npos);
    }
}
#endif

}  // namespace
}  // namespace claybox::collision
