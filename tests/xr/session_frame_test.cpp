// Frames of a session: timing, eyes, pixels, depth, and the preserved OpenGL state.

#include "engine/xr/graphics/eye_target.hpp"
#include "engine/xr/graphics/refresh_rate.hpp"
#include "tests/support/offscreen.hpp"
#include "tests/xr/headset.hpp"

#include <cmath>

namespace claybox::test {
namespace {

using namespace engine;

constexpr const char* kTurnedHead = R"({"head": [0.1, 1.6, 0.3, 0, 0.3826834, 0, 0.9238795]})";

TEST_F(Headset, APP_vr_eyes_and_head_have_the_poses_of_the_runtime) {
    script({kTurnedHead, R"({"ipd": 0.06, "fov": [[-0.9, 0.7, 0.8, -0.6], [-0.7, 0.9, 0.8, -0.6]]})"});
    ASSERT_TRUE(open()) << error_;
    ASSERT_EQ(run_frames(4), XrPhase::running);
    ASSERT_TRUE(frame_.head.valid);
    EXPECT_NEAR(glm::distance(frame_.head.position, glm::dvec3(0.1, 1.6, 0.3)), 0, 1e-6);
    const glm::dvec3 right = frame_.head.rotation * glm::dvec3(1, 0, 0);
    EXPECT_NEAR(right.z, -std::sin(0.7853981), 1e-5) << "turned left";
    for (std::size_t i = 0; i < 2; ++i) {
        const XrEye& eye = frame_.eye[i];
        ASSERT_TRUE(eye.pose.valid);
        const glm::dvec3 expected = frame_.head.position + right * (i == 0 ? -0.03 : 0.03);
        EXPECT_NEAR(glm::distance(eye.pose.position, expected), 0, 1e-6);
        EXPECT_FLOAT_EQ(eye.left, i == 0 ? -0.9f : -0.7f);
        EXPECT_FLOAT_EQ(eye.right, i == 0 ? 0.7f : 0.9f);
        EXPECT_FLOAT_EQ(eye.up, 0.8f);
        EXPECT_FLOAT_EQ(eye.down, -0.6f);
        const Json shown = last_frame()["layers"][0]["views"][i];
        EXPECT_NEAR(shown["pose"][0].get<double>(), eye.pose.position.x, 1e-5);
        EXPECT_NEAR(shown["fov"][1].get<double>(), static_cast<double>(eye.right), 1e-5);
    }
}

TEST_F(Headset, APP_vr_times_come_from_the_runtime_at_the_preferred_rate) {
    script({R"({"runtime": "rates", "rates": [72, 120, 80]})"});
    ASSERT_TRUE(open()) << error_;
    ASSERT_EQ(run_frames(3), XrPhase::running);
    EXPECT_NEAR(frame_.period, 1.0 / 80, 1e-6);
    EXPECT_NE(session_->sentence().find("80 Hz"), std::string::npos) << session_->sentence();
    const double before = frame_.display_time;
    ASSERT_EQ(run_frames(1), XrPhase::running);
    EXPECT_NEAR(frame_.display_time - before, 1.0 / 80, 1e-6);
    for (const Json& line : runtime_->log("remark")) ADD_FAILURE() << line;
}

TEST(RefreshRate, APP_vr_the_highest_rate_up_to_90_or_the_lowest_above) {
    const auto preferred = [](std::vector<float> rates) { return preferred_rate(rates); };
    EXPECT_EQ(preferred({60, 72, 80, 90, 120}), 90);
    EXPECT_EQ(preferred({120, 72}), 72);
    EXPECT_EQ(preferred({144, 120}), 120);
    EXPECT_EQ(preferred({90.01f, 120}), 90.01f);
    EXPECT_EQ(preferred({}), 0);
    EXPECT_EQ(preferred({0, std::nanf("")}), 0);
}

/// The picture as the runtime receives it, by image format.
class Formats : public Headset, public ::testing::WithParamInterface<const char*> {};

TEST_P(Formats, APP_vr_every_image_format_receives_the_same_light) {
    const std::string format = GetParam();
    script({R"({"runtime": "formats", "formats": ["GL_DEPTH_COMPONENT24", ")" + format + "\"]}"});
    setenv("CLAYBOX_XR_PICTURES", (runtime_->folder().string() + ":3").c_str(), 1);
    ASSERT_TRUE(open()) << error_;
    ASSERT_EQ(run_frames(2), XrPhase::running);
    for (int i = 0; i < 4; ++i) step(150);
    unsetenv("CLAYBOX_XR_PICTURES");
    // An sRGB image keeps the bytes as drawn; a linear image holds the light that they encode.
    const double drawn = 150.0 / 255, linear = std::pow((drawn + 0.055) / 1.055, 2.4);
    const int expected = format == "GL_SRGB8_ALPHA8" ? 150 : static_cast<int>(std::lround(255 * linear));
    for (const char* name : {"frame_000003_left.png", "frame_000003_right.png"}) {
        const Picture picture = read_picture(runtime_->folder() / name);
        ASSERT_EQ(picture.width, 256) << name;
        for (const auto& [x, y] : {std::pair{0, 0}, {255, 255}, {100, 30}})
            EXPECT_NEAR(picture.at(x, y)[1], expected, 1) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Of, Formats, ::testing::Values("GL_SRGB8_ALPHA8", "GL_RGBA16F", "GL_RGBA8"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST(ImageFormats, APP_vr_are_chosen_by_preference_and_not_by_list_order) {
    const auto chosen = [](std::vector<std::int64_t> offered) { return choose_formats(offered); };
    const ChainFormats all =
        chosen({GL_DEPTH_COMPONENT16, GL_RGBA8, GL_RGBA16F, GL_SRGB8_ALPHA8, GL_DEPTH_COMPONENT32F});
    EXPECT_EQ(all.colour, static_cast<unsigned>(GL_SRGB8_ALPHA8));
    EXPECT_EQ(all.depth, static_cast<unsigned>(GL_DEPTH_COMPONENT32F));
    EXPECT_EQ(chosen({GL_RGBA8, GL_RGBA16F}).colour, static_cast<unsigned>(GL_RGBA16F));
    EXPECT_EQ(chosen({GL_RGBA8}).depth, 0u);
    EXPECT_EQ(chosen({GL_DEPTH_COMPONENT24}).colour, 0u);
    EXPECT_EQ(chosen({}).colour, 0u);
}

TEST_F(Headset, APP_vr_depth_is_submitted_with_near_and_far_planes) {
    XrOptions options;
    options.near_plane = 0.05f;
    options.far_plane = 40;
    ASSERT_TRUE(open(options)) << error_;
    ASSERT_EQ(run_frames(4), XrPhase::running);
    EXPECT_EQ(frame_.eye[0].depth_format, static_cast<unsigned>(GL_DEPTH_COMPONENT32F));
    const Json seen = last_frame();
    for (const Json& view : seen["layers"][0]["views"]) {
        EXPECT_NEAR(view["depth"]["near"].get<double>(), 0.05, 1e-6);
        EXPECT_NEAR(view["depth"]["far"].get<double>(), 40, 1e-6);
        EXPECT_EQ(view["depth"]["max"], 1.0);
    }
    close_and_check();
    script({R"({"runtime": "flat", "without": ["XR_KHR_composition_layer_depth"]})"});
    ASSERT_TRUE(open(options)) << error_;
    ASSERT_EQ(run_frames(4), XrPhase::running);
    EXPECT_FALSE(last_frame()["layers"][0]["views"][0].contains("depth"));
    EXPECT_NE(frame_.eye[0].depth_format, 0u) << "our own depth buffer";
}

TEST_F(Headset, APP_vr_invisible_frames_have_no_layers_and_no_images) {
    script({R"({"frame": 0, "session": "synchronized"})"});
    ASSERT_TRUE(open()) << error_;
    ASSERT_EQ(run_frames(6), XrPhase::running);
    EXPECT_FALSE(frame_.should_draw);
    EXPECT_EQ(frame_.eye[0].framebuffer, 0u);
    EXPECT_TRUE(frame_.head.valid);
    EXPECT_EQ(runtime_->log("end_frame").size(), 6u);
    for (const Json& line : runtime_->log("end_frame")) EXPECT_EQ(line["layers"].size(), 0u);
}

TEST_F(Headset, APP_vr_a_lost_head_shows_nothing_and_one_without_position_keeps_its_last) {
    script({R"({"frame": 0, "head": [0, 1.5, 0, 0,0,0,1]})", R"({"frame": 3, "head": [0, 1.5, 0, 0,0,0,1]})",
            R"({"frame": 4, "head": [9, 9, 9, 0, 0.3826834, 0, 0.9238795], "flags": 1})",
            R"({"frame": 8, "head": [0, 1.5, 0, 0,0,0,1], "flags": 0})",
            R"({"frame": 12, "head": [0, 1.5, 0, 0,0,0,1]})"});
    ASSERT_TRUE(open()) << error_;
    ASSERT_EQ(run_frames(3), XrPhase::running);
    EXPECT_TRUE(frame_.should_draw);
    ASSERT_EQ(run_frames(3), XrPhase::running);
    EXPECT_TRUE(frame_.should_draw);
    EXPECT_NEAR(frame_.eye[0].pose.position.y, 1.5, 0.01);
    EXPECT_FALSE(frame_.head.valid);
    ASSERT_EQ(run_frames(4), XrPhase::running);
    EXPECT_FALSE(frame_.should_draw);
    EXPECT_EQ(last_frame()["layers"].size(), 0u);
    ASSERT_EQ(run_frames(4), XrPhase::running);
    EXPECT_TRUE(frame_.should_draw);
}

TEST_F(Headset, APP_vr_a_late_image_is_waited_for_in_the_next_frame) {
    script({failing_call("xrWaitSwapchainImage", "XR_TIMEOUT_EXPIRED", 3, 3)});
    ASSERT_TRUE(open()) << error_;
    int drawn = 0, skipped = 0;
    for (int i = 0; i < 12; ++i) {
        ASSERT_EQ(step(), XrPhase::running);
        (frame_.should_draw ? drawn : skipped) += begun_ ? 1 : 0;
    }
    EXPECT_GE(skipped, 2);
    EXPECT_GE(drawn, 8);
    EXPECT_EQ(last_frame()["layers"].size(), 1u);
}

/// OpenGL state that a program may have set when it calls the session.
struct OpenGlState {
    Texture texture = Texture::make();
    Framebuffer framebuffer = Framebuffer::make();
    VertexArray array = VertexArray::make();
    void bind() const {
        glActiveTexture(GL_TEXTURE3);
        glBindTexture(GL_TEXTURE_2D, texture.id());
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.id());
        glBindVertexArray(array.id());
        glViewport(1, 2, 30, 40);
        glEnable(GL_FRAMEBUFFER_SRGB);
        glEnable(GL_BLEND);
    }
    void expect_unchanged(const char* after) const {
        const auto value = [](GLenum name) {
            GLint all[4] = {};
            glGetIntegerv(name, all);
            return static_cast<GLuint>(all[0]);
        };
        EXPECT_EQ(value(GL_ACTIVE_TEXTURE), static_cast<GLuint>(GL_TEXTURE3)) << after;
        EXPECT_EQ(value(GL_TEXTURE_BINDING_2D), texture.id()) << after;
        EXPECT_EQ(value(GL_DRAW_FRAMEBUFFER_BINDING), framebuffer.id()) << after;
        EXPECT_EQ(value(GL_READ_FRAMEBUFFER_BINDING), framebuffer.id()) << after;
        EXPECT_EQ(value(GL_VERTEX_ARRAY_BINDING), array.id()) << after;
        EXPECT_EQ(value(GL_VIEWPORT), 1u) << after;
        EXPECT_EQ(glIsEnabled(GL_FRAMEBUFFER_SRGB), GL_TRUE) << after;
        EXPECT_EQ(glIsEnabled(GL_BLEND), GL_TRUE) << after;
        EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR)) << after;
    }
    ~OpenGlState() {
        glActiveTexture(GL_TEXTURE0);
        glDisable(GL_FRAMEBUFFER_SRGB);
        glDisable(GL_BLEND);
    }
};

TEST_F(Headset, APP_vr_opengl_state_is_preserved_even_if_the_runtime_steals_the_context) {
    for (const char* steals : {"false", "true"}) {
        // A linear format: the conversion's state must be restored too.
        script({R"({"runtime": "rude", "formats": ["GL_RGBA8"], "steals_context": )" + std::string(steals) +
                "}"});
        const XrGraphics graphics = graphics_of(window_->handle());
        const OpenGlState bound;
        bound.bind();
        session_ = XrSession::open(graphics, {}, error_);
        ASSERT_NE(session_, nullptr) << error_;
        EXPECT_TRUE(is_current(graphics));
        bound.expect_unchanged("open");
        for (int i = 0; i < 4; ++i) {
            session_->poll();
            bound.expect_unchanged("poll");
            ASSERT_TRUE(session_->begin_frame(frame_));
            EXPECT_TRUE(is_current(graphics));
            bound.expect_unchanged("begin_frame");
            session_->end_frame();
            EXPECT_TRUE(is_current(graphics));
            bound.expect_unchanged("end_frame");
        }
        EXPECT_TRUE(frame_.should_draw);
        close_and_check();
        EXPECT_TRUE(is_current(graphics));
        bound.expect_unchanged("the end");
    }
}

TEST_F(Headset, APP_vr_the_picture_can_be_mirrored_before_the_frame_ends) {
    ASSERT_TRUE(open()) << error_;
    ASSERT_EQ(run_frames(3), XrPhase::running);
    ASSERT_EQ(session_->poll(), XrPhase::running);
    ASSERT_TRUE(session_->begin_frame(frame_));
    ASSERT_TRUE(frame_.should_draw);
    glBindFramebuffer(GL_FRAMEBUFFER, frame_.eye[0].framebuffer);
    glClearColor(0.6f, 0.2f, 0.4f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    const Canvas mirror(64, 64);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, frame_.eye[0].framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, mirror.framebuffer());
    glBlitFramebuffer(0, 0, frame_.eye[0].width, frame_.eye[0].height, 0, 0, 64, 64, GL_COLOR_BUFFER_BIT,
                      GL_LINEAR);
    session_->end_frame();
    const Picture picture = mirror.read();
    EXPECT_NEAR(picture.at(30, 30)[0], 153, 1);
    EXPECT_NEAR(picture.at(30, 30)[1], 51, 1);
}

}  // namespace
}  // namespace claybox::test
