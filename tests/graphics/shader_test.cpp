#include "engine/gl/program.hpp"
#include "tests/support/offscreen.hpp"

#include <gtest/gtest.h>

namespace claybox::test {
namespace {

using namespace engine;

TEST(Shaders, every_include_is_resolved_and_defines_follow_the_version) {
    const char* const defines[] = {"SURFACE_CLAY"};
    std::string text, error;
    ASSERT_TRUE(expand_shader("scene.frag", defines, text, error)) << error;
    EXPECT_EQ(text.find("#include"), std::string::npos);
    EXPECT_EQ(text.find("#version 330 core\n#define SURFACE_CLAY\n"), 0u);
    EXPECT_NE(text.find("layout(std140) uniform Frame"), std::string::npos);
    EXPECT_FALSE(expand_shader("nothing.frag", {}, text, error));
    EXPECT_NE(error.find("nothing.frag"), std::string::npos);
}

TEST(Shaders, a_compile_error_names_file_and_line) {
    std::string error;
    if (shared_context(error) == nullptr) GTEST_SKIP() << error;
    const char* const defines[] = {"SURFACE_MATTE", "fragment 1.0"};
    const Program program = Program::load("scene.vert", "scene.frag", defines, error);
    EXPECT_FALSE(program);
    EXPECT_NE(error.find("scene.frag"), std::string::npos) << error;
    EXPECT_NE(error.find("line "), std::string::npos) << error;
}

TEST(Objects, a_moved_from_owner_is_empty) {
    std::string error;
    if (shared_context(error) == nullptr) GTEST_SKIP() << error;
    Buffer a = Buffer::make();
    const GLuint id = a.id();
    Buffer b = std::move(a);
    EXPECT_FALSE(a);
    EXPECT_EQ(b.id(), id);
    glBindBuffer(GL_ARRAY_BUFFER, id);
    EXPECT_TRUE(glIsBuffer(id));
    b = Buffer();
    EXPECT_FALSE(glIsBuffer(id));
}

}  // namespace
}  // namespace claybox::test
