#include "engine/render/camera.hpp"
#include "engine/render/run_fill.hpp"
#include "tests/graphics/demo_meshes.hpp"
#include "tests/support/offscreen.hpp"

#include <glm/gtc/matrix_transform.hpp>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace claybox::test {
namespace {

using namespace engine;
using glm::vec3;
using glm::vec4;

CameraData looking_camera() {
    CameraData camera;
    camera.position = vec3(0.4f, 1.5f, 1.2f);
    camera.target = vec3(-0.3f, 0.8f, -0.5f);
    return camera;
}

/// Orientation of the window's camera.
glm::quat turn_of(const CameraData& camera) {
    const glm::mat4 view = view_from_world(camera.position, camera.target, camera.up);
    return glm::quat_cast(glm::transpose(glm::mat3(view)));
}

CameraData as_eye(CameraData camera, float left, float right, float up, float down) {
    camera.eye = EyeView{turn_of(camera), left, right, up, down};
    return camera;
}

vec3 projected(const CameraData& camera, const vec3& p) {
    const vec4 clip = clip_from_world(camera, {640, 480, 1}) * vec4(p, 1);
    return vec3(clip) / clip.w;
}

/// A point `depth` metres in front of the eye, at those angles.
vec3 at_angles(const CameraData& camera, float across, float above, float depth) {
    const vec3 local(std::tan(across) * depth, std::tan(above) * depth, -depth);
    return camera.position + camera.eye->world_from_eye * local;
}

TEST(Eyes, APP_vr_symmetric_angles_match_the_window_matrix) {
    CameraData camera = looking_camera();
    camera.vertical_fov = 0.9f;
    const float half = 0.45f, wide = std::atan(std::tan(half) * 640 / 480);
    const glm::mat4 window = clip_from_world(camera, {640, 480, 1});
    const glm::mat4 eye = clip_from_world(as_eye(camera, -wide, wide, half, -half), {640, 480, 1});
    for (int column = 0; column < 4; ++column)
        for (int row = 0; row < 4; ++row) EXPECT_NEAR(window[column][row], eye[column][row], 1e-5f);
}

TEST(Eyes, APP_vr_a_point_is_projected_according_to_the_angles) {
    const float left = -0.92f, right = 0.71f, up = 0.66f, down = -0.85f;
    const CameraData camera = as_eye(looking_camera(), left, right, up, down);
    for (const float depth : {0.1f, 1.0f, 20.0f}) {
        EXPECT_NEAR(projected(camera, at_angles(camera, left, 0, depth)).x, -1, 1e-4f);
        EXPECT_NEAR(projected(camera, at_angles(camera, right, 0, depth)).x, 1, 1e-4f);
        EXPECT_NEAR(projected(camera, at_angles(camera, 0, up, depth)).y, 1, 1e-4f);
        EXPECT_NEAR(projected(camera, at_angles(camera, 0, down, depth)).y, -1, 1e-4f);
        // In between, the picture is linear in the tangent, whatever the target's aspect ratio.
        const float across = (std::tan(0.3f) - std::tan(left)) / (std::tan(right) - std::tan(left));
        EXPECT_NEAR(projected(camera, at_angles(camera, 0.3f, 0.2f, depth)).x, 2 * across - 1, 1e-4f);
    }
    EXPECT_NEAR(projected(camera, at_angles(camera, 0, 0, camera.near_plane)).z, -1, 1e-3f);
    EXPECT_NEAR(projected(camera, at_angles(camera, 0, 0, camera.far_plane)).z, 1, 1e-3f);
}

TEST(Eyes, APP_vr_disparity_is_eye_distance_over_point_distance) {
    constexpr float kApart = 0.064f, kDepth = 0.8f;
    CameraData left = as_eye(looking_camera(), -0.9f, 0.7f, 0.8f, -0.8f);
    CameraData right = as_eye(looking_camera(), -0.7f, 0.9f, 0.8f, -0.8f);
    const vec3 side = left.eye->world_from_eye * vec3(0.5f * kApart, 0, 0);
    const vec3 p = at_angles(left, 0.05f, -0.1f, kDepth);
    left.position -= side;
    right.position += side;
    const float width = std::tan(0.9f) + std::tan(0.7f), middle = (std::tan(0.7f) - std::tan(0.9f)) / width;
    const float in_left = (projected(left, p).x - -middle) * 0.5f * width;
    const float in_right = (projected(right, p).x - middle) * 0.5f * width;
    EXPECT_NEAR(in_left - in_right, kApart / kDepth, 1e-4f);
    EXPECT_NEAR(projected(left, p).y, projected(right, p).y, 1e-5f);
}

TEST(Eyes, APP_vr_invalid_angles_yield_a_finite_matrix) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    CameraData camera = as_eye(looking_camera(), 0, 0, 0, 0);
    const EyeView views[] = {{{1, 0, 0, 0}, 0, 0, 0, 0},
                             {{0, 0, 0, 0}, -4, 4, 4, -4},
                             {{kNan, 0, 0, 1}, kNan, kNan, kNan, kNan},
                             {{1, 0, 0, 0}, 0.7f, -0.7f, -0.7f, 0.7f}};
    for (const EyeView& view : views) {
        camera.eye = view;
        const glm::mat4 matrix = clip_from_world(camera, {0, 0, 1});
        for (int column = 0; column < 4; ++column)
            for (int row = 0; row < 4; ++row) EXPECT_TRUE(std::isfinite(matrix[column][row]));
    }
}

TEST(Eyes, APP_vr_bodies_outside_an_asymmetric_frustum_are_culled) {
    const float left = -0.92f, right = 0.5f, up = 0.3f, down = -0.85f;
    const CameraData camera = as_eye(looking_camera(), left, right, up, down);
    const ViewVolume volume(clip_from_world(camera, {640, 480, 1}), 480);
    constexpr float kRadius = 0.01f;
    for (const float slip : {-0.02f, 0.02f}) {
        const bool inside = slip < 0;
        EXPECT_EQ(volume.sees(at_angles(camera, left - slip, -0.2f, 2), kRadius), inside);
        EXPECT_EQ(volume.sees(at_angles(camera, right + slip, -0.2f, 2), kRadius), inside);
        EXPECT_EQ(volume.sees(at_angles(camera, 0, up + slip, 2), kRadius), inside);
        EXPECT_EQ(volume.sees(at_angles(camera, 0, down - slip, 2), kRadius), inside);
    }
    EXPECT_NEAR(volume.depth(at_angles(camera, 0.1f, 0.1f, 3)), 3, 1e-4f);
    // One metre at one metre: picture height over the sum of the two tangents.
    EXPECT_NEAR(volume.pixels(1, 1), 480 / (std::tan(up) - std::tan(down)), 0.05f);
}

/// A framebuffer with sRGB colour and depth, like a runtime's.
struct EyeTarget {
    EyeTarget(int width, int height, GLenum depth_format)
        : framebuffer(Framebuffer::make()), colour(Texture::make()), depth(Texture::make()) {
        glBindTexture(GL_TEXTURE_2D, colour.id());
        glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        glBindTexture(GL_TEXTURE_2D, depth.id());
        glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(depth_format), width, height, 0, GL_DEPTH_COMPONENT,
                     GL_FLOAT, nullptr);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.id());
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, colour.id(), 0);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth.id(), 0);
    }
    Framebuffer framebuffer;
    Texture colour, depth;
};

class EyesDrawn : public ::testing::Test {
  protected:
    void SetUp() override {
        std::string error;
        if (shared_context(error) == nullptr) GTEST_SKIP() << error;
        renderer_ = Renderer::create(error);
        ASSERT_NE(renderer_, nullptr) << error;
        Instance cube;
        cube.mesh = renderer_->create_mesh(box_mesh(vec3(0.25f)));
        cube.material.albedo = vec3(0.7f, 0.3f, 0.25f);
        list_.instances = {cube};
        list_.camera.position = vec3(0, 0, 2);
        list_.camera.target = vec3(0);
        list_.camera.near_plane = 0.1f;
        list_.camera.far_plane = 10;
    }
    void TearDown() override {
        if (renderer_ != nullptr) {
            EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
        }
    }
    std::unique_ptr<Renderer> renderer_;
    RenderList list_;
};

TEST_F(EyesDrawn, APP_vr_two_eyes_and_a_window_alternate_without_new_targets) {
    const EyeTarget left(200, 220, GL_DEPTH_COMPONENT32F), right(200, 220, GL_DEPTH_COMPONENT32F);
    const Canvas window(320, 180);
    const auto frame = [&] {
        renderer_->draw(list_, {200, 220, 1}, left.framebuffer.id(), GL_DEPTH_COMPONENT32F);
        renderer_->draw(list_, {200, 220, 1}, right.framebuffer.id(), GL_DEPTH_COMPONENT32F);
        renderer_->draw(list_, {320, 180, 1}, window.framebuffer());
    };
    frame();
    const int made = renderer_->target_allocations();
    for (int i = 0; i < 5; ++i) frame();
    EXPECT_EQ(renderer_->target_allocations(), made);
    EXPECT_EQ(read_pixels(left.framebuffer.id(), 200, 220), read_pixels(right.framebuffer.id(), 200, 220));
    renderer_->draw(list_, {100, 100, 1}, window.framebuffer());
    EXPECT_EQ(renderer_->target_allocations(), made + 1) << "a third size replaces the least recently used";
}

TEST_F(EyesDrawn, APP_vr_an_srgb_image_gets_the_bytes_of_the_window_and_the_sRGB_switch_is_restored) {
    const EyeTarget eye(160, 120, GL_DEPTH_COMPONENT24);
    const Picture window = draw_picture(*renderer_, list_, 160, 120);
    for (const bool on : {false, true}) {
        if (on)
            glEnable(GL_FRAMEBUFFER_SRGB);
        else
            glDisable(GL_FRAMEBUFFER_SRGB);
        renderer_->draw(list_, {160, 120, 1}, eye.framebuffer.id());
        EXPECT_EQ(glIsEnabled(GL_FRAMEBUFFER_SRGB) == GL_TRUE, on);
        glDisable(GL_FRAMEBUFFER_SRGB);
        EXPECT_EQ(read_pixels(eye.framebuffer.id(), 160, 120), window.rgb);
    }
}

TEST_F(EyesDrawn, APP_vr_depth_is_resolved_with_its_near_and_far_planes) {
    list_.camera.eye = EyeView{};
    for (const GLenum format : {GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT16}) {
        const EyeTarget eye(120, 120, format);
        for (const int samples : {4, 0}) {
            renderer_->set_samples(samples);
            renderer_->draw(list_, {120, 120, 1}, eye.framebuffer.id(), format);
            float depth = 0;
            glBindFramebuffer(GL_READ_FRAMEBUFFER, eye.framebuffer.id());
            glReadPixels(60, 60, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &depth);
            const float n = 0.1f, f = 10, z = 2 * depth - 1;
            EXPECT_NEAR(2 * n * f / (f + n - z * (f - n)), 1.75f, 0.01f) << "front of the cube";
            glReadPixels(2, 2, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &depth);
            EXPECT_EQ(depth, 1) << "the sky";
        }
    }
}

TEST_F(EyesDrawn, APP_vr_a_body_is_picked_and_drawn_at_its_place_in_an_asymmetric_eye) {
    list_.camera.eye = EyeView{{1, 0, 0, 0}, -0.9f, 0.4f, 0.3f, -0.8f};
    list_.instances[0].pick = 7;
    const float x = 200 * -std::tan(-0.9f) / (std::tan(0.4f) - std::tan(-0.9f));
    const float y = 200 * std::tan(0.3f) / (std::tan(0.3f) - std::tan(-0.8f));
    EXPECT_EQ(renderer_->pick(list_, {200, 200, 1}, x, y), 7u);
    EXPECT_EQ(renderer_->pick(list_, {200, 200, 1}, 100, 100), Renderer::kNoPick);
    RenderList sky = list_;
    sky.instances.clear();
    const Picture with = draw_picture(*renderer_, list_, 200, 200);
    const Picture without = draw_picture(*renderer_, sky, 200, 200);
    const int px = static_cast<int>(x), py = static_cast<int>(y);
    EXPECT_GT(std::abs(with.at(px, py)[2] - without.at(px, py)[2]), 20);
    EXPECT_LT(std::abs(with.at(90, 110)[2] - without.at(90, 110)[2]), 3);
}

}  // namespace
}  // namespace claybox::test
