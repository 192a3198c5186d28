// Compares small pictures of all scenes with approved pictures. CLAYBOX_UPDATE_GOLDENS=1 writes the pictures
// that are missing or differ too much, and names them.

#include "app/bridge/view/bridge.hpp"
#include "engine/assets/mesh_file.hpp"
#include "engine/platform/gl_context.hpp"
#include "engine/ui/offscreen_target.hpp"

#include <gtest/gtest.h>
#include <stb_image.h>

#include <cstdio>
#include <cstdlib>

namespace claybox::app {
namespace {

constexpr int kWidth = 320, kHeight = 200;

std::vector<std::uint8_t> draw_scene(engine::Renderer& renderer, const char* id, std::uint64_t frames) {
    SessionOptions options;
    options.scene = id;
    options.scene_parameters = collision::default_values(find_scene(id)->parameters);
    auto session = Session::create(options);
    EXPECT_TRUE(session.ok());
    if (!session.ok()) return {};
    for (std::uint64_t frame = 1; frame <= frames; ++frame) {
        StepInput input;
        input.hand[0] = scripted_hand(session.value()->scene(), frame);
        session.value()->step(std::move(input));
    }
    Camera camera;
    camera.frame(session.value()->scene().camera());
    const engine::CameraData view = camera.data(kWidth, kHeight, 1, {0, 0, kWidth, kHeight});
    const engine::OffscreenTarget target(kWidth, kHeight);
    Bridge bridge(renderer);
    bridge.build(*session.value(), {}, {view, kWidth, kHeight, 0.5f, false});
    renderer.draw(bridge.list(), {kWidth, kHeight, 0.5f}, target.framebuffer());
    return target.pixels();
}

constexpr int kMost = kWidth * kHeight * 3 / 50;  // 2 % of the values
constexpr int kMissing = kWidth * kHeight * 3 + 1;

/// How many values of the approved picture differ.
int difference(const std::filesystem::path& file, const std::vector<std::uint8_t>& drawn) {
    int width = 0, height = 0, channels = 0;
    unsigned char* golden = stbi_load(file.string().c_str(), &width, &height, &channels, 3);
    const bool same_size = golden != nullptr && width == kWidth && height == kHeight;
    int different = same_size ? 0 : kMissing;
    for (std::size_t i = 0; same_size && i < drawn.size(); ++i)
        different += std::abs(drawn[i] - golden[i]) > 16 ? 1 : 0;
    stbi_image_free(golden);
    return different;
}

TEST(Goldens, every_scene_looks_like_its_approved_picture) {
    std::string error;
    const auto context = engine::OffscreenContext::create(error);
    ASSERT_TRUE(context) << error;
    const auto renderer = engine::Renderer::create(error);
    ASSERT_TRUE(renderer) << error;
    for (const SceneDescriptor* scene : scenes()) {
        const std::filesystem::path file = std::filesystem::path(CLAYBOX_TEST_DATA) / "golden" /
                                           ("sandbox-" + std::string(scene->id) + ".png");
        const std::vector<std::uint8_t> drawn = draw_scene(*renderer, scene->id, 20);
        const int different = difference(file, drawn);
        if (different < kMost) continue;
        if (std::getenv("CLAYBOX_UPDATE_GOLDENS")) {
            ASSERT_TRUE(engine::write_png(file, kWidth, kHeight, drawn, error)) << error;
            std::printf("wrote %s: look at it\n", file.string().c_str());
            continue;
        }
        ADD_FAILURE() << file << (different == kMissing ? " is missing or has another size" : " differs")
                      << ": look at the scene, then run with CLAYBOX_UPDATE_GOLDENS=1";
    }
}

/// The finder's pictures. They need not be equal to the last bit, so that they stay when a scene changes a
/// little; the approved pictures above are stricter.
TEST(Thumbnails, every_scene_has_a_picture_of_its_size) {
    constexpr std::uint64_t kFrames = 150;  // by then something happens in every scene
    std::string error;
    const auto context = engine::OffscreenContext::create(error);
    ASSERT_TRUE(context) << error;
    const auto renderer = engine::Renderer::create(error);
    ASSERT_TRUE(renderer) << error;
    for (const SceneDescriptor* scene : scenes()) {
        const std::filesystem::path file =
            std::filesystem::path(CLAYBOX_TEST_DATA).parent_path().parent_path() / "assets" / "thumbnails" /
            (std::string(scene->id) + ".png");
        int width = 0, height = 0, channels = 0;
        const bool found = stbi_info(file.string().c_str(), &width, &height, &channels) != 0;
        if (found && width == kWidth && height == kHeight) continue;
        if (std::getenv("CLAYBOX_UPDATE_ASSETS")) {
            std::filesystem::create_directories(file.parent_path());
            const auto drawn = draw_scene(*renderer, scene->id, kFrames);
            ASSERT_TRUE(engine::write_png(file, kWidth, kHeight, drawn, error)) << error;
            continue;
        }
        ADD_FAILURE() << file << " is missing or has another size: run with CLAYBOX_UPDATE_ASSETS=1";
    }
}

}  // namespace
}  // namespace claybox::app
