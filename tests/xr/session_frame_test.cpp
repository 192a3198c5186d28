// What a frame says, and what of it arrives: times, eyes, pixels, depth, and the state of OpenGL around it.

#include "engine/xr/eye_target.hpp"
#include "engine/xr/refresh_rate.hpp"
#include "tests/support/offscreen.hpp"
#include "tests/xr/headset.hpp"

#include <cmath>

namespace claybox::test {
namespace {

using namespace engine;

constexpr const char* kTurnedHead = R"({"head": [0.1, 1.6, 0.3, 0, 0.3826834, 0, 0.9238795]})";

TEST_F(Headset, APP_vr_eyes_and_head_are_where_the_runtime_has_them) {
    script({kTurnedHead, R"({"ipd": 0.06, "fov": [[-0.9, 0.7, 0.8, -0.6], [-0.7, 0.9, 0.8, -0.6]]})"});
    ASSERT_TRUE(open()) << error_;
    ASSERT_EQ(turns(4), XrPhase::running);
    ASSERT_TRUE(frame_.head.valid);
    EXPECT_NEAR(glm::distance(frame_.head.position, glm::dvec3(0.1, 1.6, 0.3)), 0, 1e-6);
    const glm::dvec3 right = frame_.head.rotation * glm::dvec3(1, 0, 0);
    EXPECT_NEAR(right.z, -std::sin(0.7853981), 1e-5) << "turned to the left";
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

TEST_F(Headset, APP_vr_times_come_from_the_runtime_at_the_rate_that_suits) {
    script({R"({"runtime": "rates", "rates": [72, 120, 80]})"});
    ASSERT_TRUE(open()) << error_;
    ASSERT_EQ(turns(3), XrPhase::running);
    EXPECT_NEAR(frame_.period, 1.0 / 80, 1e-6);
    EXPECT_NE(session_->sentence().find("80 Hz"), std::string::npos) << session_->sentence();
    const double before = frame_.display_time;
    ASSERT_EQ(turns(1), XrPhase::running);
    EXPECT_NEAR(frame_.display_time - before, 1.0 / 80, 1e-6);
    for (const Json& line : place_->log("remark")) ADD_FAILURE() << line;
}

TEST(RefreshRate, APP_vr_the_highest_up_to_ninety_or_the_lowest_above) {
    const auto preferred = [](std::vector<float> rates) { return preferred_rate(rates); };
    EXPECT_EQ(preferred({60, 72, 80, 90, 120}), 90);
    EXPECT_EQ(preferred({120, 72}), 72);
    EXPECT_EQ(preferred({144, 120}), 120);
    EXPECT_EQ(preferred({90.01f, 120}), 90.01f);
    EXPECT_EQ(preferred({}), 0);
    EXPECT_EQ(preferred({0, std::nanf("")}), 0);
}

/// The picture that the runtime was given, by what its texture holds.
class Formats : public Headset, public ::testing::WithParamInterface<const char*> {};

TEST_P(Formats, APP_vr_the_same_light_arrives_in_every_format) {
    const std::string format = GetParam();
    script({R"({"runtime": "formats", "formats": ["GL_DEPTH_COMPONENT24", ")" + format + "\"]}"});
    setenv("CLAYBOX_XR_PICTURES", (place_->folder().string() + ":3").c_str(), 1);
    ASSERT_TRUE(open()) << error_;
    ASSERT_EQ(turns(2), XrPhase::running);
    for (int i = 0; i < 4; ++i) turn(150);
    unsetenv("CLAYBOX_XR_PICTURES");
    // sRGB bytes stay as they were drawn, linear ones hold the light that those bytes mean.
    const double drawn = 150.0 / 255, linear = std::pow((drawn + 0.055) / 1.055, 2.4);
    const int expected = format == "GL_SRGB8_ALPHA8" ? 150 : static_cast<int>(std::lround(255 * linear));
    for (const char* name : {"frame_000003_left.png", "frame_000003_right.png"}) {
        const Picture picture = read_picture(place_->folder() / name);
        ASSERT_EQ(picture.width, 256) << name;
        for (const auto& [x, y] : {std::pair{0, 0}, {255, 255}, {100, 30}})
            EXPECT_NEAR(picture.at(x, y)[1], expected, 1) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Of, Formats, ::testing::Values("GL_SRGB8_ALPHA8", "GL_RGBA16F", "GL_RGBA8"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST(ImageFormats, APP_vr_are_chosen_by_what_they_are_and_not_by_their_place) {
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

TEST_F(Headset, APP_vr_depth_goes_along_with_the_planes_of_the_picture) {
    XrOptions options;
    options.near_plane = 0.05f;
    options.far_plane = 40;
    ASSERT_TRUE(open(options)) << error_;
    ASSERT_EQ(turns(4), XrPhase::running);
    EXPECT_EQ(frame_.eye[0].depth_format, static_cast<unsigned>(GL_DEPTH_COMPONENT32F));
    const Json seen = last_frame();
    for (const Json& view : seen["layers"][0]["views"]) {
        EXPECT_NEAR(view["depth"]["near"].get<double>(), 0.05, 1e-6);
        EXPECT_NEAR(view["depth"]["far"].get<double>(), 40, 1e-6);
        EXPECT_EQ(view["depth"]["max"], 1.0);
    }
    close_tidily();
    script({R"({"runtime": "flat", "without": ["XR_KHR_composition_layer_depth"]})"});
    ASSERT_TRUE(open(options)) << error_;
    ASSERT_EQ(turns(4), XrPhase::running);
    EXPECT_FALSE(last_frame()["layers"][0]["views"][0].contains("depth"));
    EXPECT_NE(frame_.eye[0].depth_format, 0u) << "depth of our own";
}

TEST_F(Headset, APP_vr_frames_that_nobody_sees_have_no_layers_and_no_images) {
    script({R"({"frame": 0, "session": "synchronized"})"});
    ASSERT_TRUE(open()) << error_;
    ASSERT_EQ(turns(6), XrPhase::running);
    EXPECT_FALSE(frame_.should_draw);
    EXPECT_EQ(frame_.eye[0].framebuffer, 0u);
    EXPECT_TRUE(frame_.head.valid);
    EXPECT_EQ(place_->log("end_frame").size(), 6u);
    for (const Json& line : place_->log("end_frame")) EXPECT_EQ(line["layers"].size(), 0u);
}

TEST_F(Headset, APP_vr_a_head_that_is_lost_shows_nothing_and_one_that_only_turns_stays_where_it_was) {
    script({R"({"frame": 0, "head": [0, 1.5, 0, 0,0,0,1]})", R"({"frame": 3, "head": [0, 1.5, 0, 0,0,0,1]})",
            R"({"frame": 4, "head": [9, 9, 9, 0, 0.3826834, 0, 0.9238795], "flags": 1})",
            R"({"frame": 8, "head": [0, 1.5, 0, 0,0,0,1], "flags": 0})",
            R"({"frame": 12, "head": [0, 1.5, 0, 0,0,0,1]})"});
    ASSERT_TRUE(open()) << error_;
    ASSERT_EQ(turns(3), XrPhase::running);
    EXPECT_TRUE(frame_.should_draw);
    ASSERT_EQ(turns(3), XrPhase::running);
    EXPECT_TRUE(frame_.should_draw);
    EXPECT_NEAR(frame_.eye[0].pose.position.y, 1.5, 0.01);
    EXPECT_FALSE(frame_.head.valid);
    ASSERT_EQ(turns(4), XrPhase::running);
    EXPECT_FALSE(frame_.should_draw);
    EXPECT_EQ(last_frame()["layers"].size(), 0u);
    ASSERT_EQ(turns(4), XrPhase::running);
    EXPECT_TRUE(frame_.should_draw);
}

TEST_F(Headset, APP_vr_an_image_that_is_late_is_waited_for_again) {
    script({failing("xrWaitSwapchainImage", "XR_TIMEOUT_EXPIRED", 3, 3)});
    ASSERT_TRUE(open()) << error_;
    int drawn = 0, skipped = 0;
    for (int i = 0; i < 12; ++i) {
        ASSERT_EQ(turn(), XrPhase::running);
        (frame_.should_draw ? drawn : skipped) += begun_ ? 1 : 0;
    }
    EXPECT_GE(skipped, 2);
    EXPECT_GE(drawn, 8);
    EXPECT_EQ(last_frame()["layers"].size(), 1u);
}

/// What a program may have bound when it calls the session.
struct Bound {
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
    ~Bound() {
        glActiveTexture(GL_TEXTURE0);
        glDisable(GL_FRAMEBUFFER_SRGB);
        glDisable(GL_BLEND);
    }
};

TEST_F(Headset, APP_vr_opengl_is_left_as_it_was_also_by_a_runtime_that_takes_the_context) {
    for (const char* steals : {"false", "true"}) {
        // A linear format, so that the conversion's own state has to be put back as well.
        script({R"({"runtime": "rude", "formats": ["GL_RGBA8"], "steals_context": )" + std::string(steals) +
                "}"});
        const XrGraphics graphics = graphics_of(window_->handle());
        const Bound bound;
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
        close_tidily();
        EXPECT_TRUE(is_current(graphics));
        bound.expect_unchanged("the end");
    }
}

TEST_F(Headset, APP_vr_what_is_drawn_can_be_mirrored_before_the_frame_ends) {
    ASSERT_TRUE(open()) << error_;
    ASSERT_EQ(turns(3), XrPhase::running);
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
