// Pictures for visual checks, written to the folder in CLAYBOX_PICTURES.

#include "tests/graphics/demo_scenes.hpp"
#include "tests/support/offscreen.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace claybox::test {
namespace {

TEST(Pictures, demo_scenes_are_written_when_CLAYBOX_PICTURES_is_set) {
    const char* folder = std::getenv("CLAYBOX_PICTURES");
    if (folder == nullptr) GTEST_SKIP() << "CLAYBOX_PICTURES names no folder";
    std::string error;
    if (shared_context(error) == nullptr) GTEST_SKIP() << error;
    const auto renderer = engine::Renderer::create(error);
    ASSERT_NE(renderer, nullptr) << error;
    const char* only = std::getenv("CLAYBOX_PICTURE");
    const auto show = [&](const char* name, const engine::RenderList& list) {
        if (only != nullptr && std::string(only) != name) return;
        Picture picture = draw_picture(*renderer, list, 1600, 900);
        double ms = 1e9, cpu_ms = 1e9;  // the best of four: other programs may be busy
        for (int k = 0; k < 4; ++k) {
            const std::clock_t cpu = std::clock();
            const auto start = std::chrono::steady_clock::now();
            picture = draw_picture(*renderer, list, 1600, 900);
            ms = std::min(
                ms,
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
            cpu_ms = std::min(cpu_ms, 1000.0 * static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC);
        }
        std::printf("%s: %.1f ms, %.1f ms of processor time, %u instances, %u calls, %llu triangles\n", name,
                    ms, cpu_ms, renderer->stats().instances, renderer->stats().draw_calls,
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
