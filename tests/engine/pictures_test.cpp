// Pictures for the eye: written into the folder that CLAYBOX_PICTURES names.

#include "tests/engine/demo_scenes.hpp"
#include "tests/support/offscreen.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace claybox::test {
namespace {

TEST(Pictures, demo_scenes_are_written_when_a_folder_is_named) {
    const char* folder = std::getenv("CLAYBOX_PICTURES");
    if (folder == nullptr) GTEST_SKIP() << "CLAYBOX_PICTURES names no folder";
    std::string error;
    if (shared_context(error) == nullptr) GTEST_SKIP() << error;
    const auto renderer = engine::Renderer::create(error);
    ASSERT_NE(renderer, nullptr) << error;
    const char* only = std::getenv("CLAYBOX_PICTURE");
    const auto show = [&](const char* name, const engine::RenderList& list) {
        if (only != nullptr && std::string(only) != name) return;
        draw_picture(*renderer, list, 1600, 900);
        const auto start = std::chrono::steady_clock::now();
        const Picture picture = draw_picture(*renderer, list, 1600, 900);
        const double ms =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        std::printf("%s: %.1f ms, %u instances, %u calls, %llu triangles\n", name, ms,
                    renderer->stats().instances, renderer->stats().draw_calls,
                    static_cast<unsigned long long>(renderer->stats().triangles));
        EXPECT_TRUE(write_picture(std::filesystem::path(folder) / (std::string(name) + ".png"), picture));
    };
    show("cage", cage_scene(*renderer, 40, false));
    show("cage-dark", cage_scene(*renderer, 40, true));
    show("cage-1000", cage_scene(*renderer, 1000, false));
    show("potter", potter_scene(*renderer));
    show("desk", desk_scene(*renderer));
}

}  // namespace
}  // namespace claybox::test
