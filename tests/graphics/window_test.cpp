#include "engine/platform/window.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace claybox::test {
namespace {

using namespace engine;

TEST(Window, without_a_display_the_error_names_DISPLAY) {
    const char* before = std::getenv("DISPLAY");
    const std::string kept = before != nullptr ? before : "";
    unsetenv("DISPLAY");
    std::string error;
    const auto window = Window::create({}, error);
    if (!kept.empty()) setenv("DISPLAY", kept.c_str(), 1);
    if (window != nullptr) GTEST_SKIP() << "this window system needs no DISPLAY";
    EXPECT_NE(error.find("DISPLAY"), std::string::npos) << error;
}

}  // namespace
}  // namespace claybox::test
