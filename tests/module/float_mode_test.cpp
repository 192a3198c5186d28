// Proofs hold for rounding to nearest with subnormals: a world refuses to be made under anything else.

#include "collision/core/assert.hpp"
#include "collision/module/world.hpp"

#include <gtest/gtest.h>

#include <cfenv>
#include <stdexcept>
#include <string>

namespace claybox::collision {
namespace {

/// What the assertion said that making a world met; empty when it was made.
std::string refusal() {
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

TEST(World, is_made_under_rounding_to_nearest_only) {
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        std::fesetround(mode);
        const std::string said = refusal();
        std::fesetround(FE_TONEAREST);
        EXPECT_NE(said.find("rounds to nearest"), std::string::npos);
    }
    EXPECT_EQ(refusal(), "");
}

#if defined(__SSE2__)
TEST(World, is_not_made_where_subnormals_are_flushed) {
    constexpr unsigned kFlushResults = 0x8000, kFlushOperands = 0x40;
    const unsigned normal = __builtin_ia32_stmxcsr();
    for (const unsigned flags : {kFlushResults, kFlushOperands, kFlushResults | kFlushOperands}) {
        __builtin_ia32_ldmxcsr(normal | flags);
        const std::string said = refusal();
        __builtin_ia32_ldmxcsr(normal);
        EXPECT_NE(said.find("keeps subnormals"), std::string::npos);
    }
}
#endif

}  // namespace
}  // namespace claybox::collision
