// Each eye sees an object at the right pixel and in the colours of the window.
#include "engine/render/renderer.hpp"
#include "engine/ui/offscreen_target.hpp"
#include "engine/xr/graphics/graphics.hpp"
#include "tests/vr/vr_fixture.hpp"

#include <glm/gtc/matrix_transform.hpp>

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#include <stb_image.h>

namespace claybox::app {
namespace {

constexpr int kSide = 256;
constexpr double kIpd = 0.064;

struct Picture {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;  ///< rows from the top
    const std::uint8_t* at(int x, int y) const {
        return &rgb[(static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                     static_cast<std::size_t>(x)) *
                    3];
    }
};

Picture read(const std::filesystem::path& file) {
    Picture out;
    int channels = 0;
    unsigned char* data = stbi_load(file.c_str(), &out.width, &out.height, &channels, 3);
    if (data == nullptr) return out;
    out.rgb.assign(data,
                   data + static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height) * 3);
    stbi_image_free(data);
    return out;
}

/// Centre of all pixels that are much more red than green.
glm::dvec2 middle_of_red(const Picture& picture) {
    glm::dvec2 sum(0);
    double count = 0;
    for (int y = 0; y < picture.height; ++y)
        for (int x = 0; x < picture.width; ++x) {
            const std::uint8_t* p = picture.at(x, y);
            if (p[0] < p[1] + 60) continue;
            sum += glm::dvec2(x + 0.5, y + 0.5);
            ++count;
        }
    EXPECT_GT(count, 10);
    return sum / count;
}

engine::MeshData small_box(float half) {
    engine::MeshData mesh;
    for (int axis = 0; axis < 3; ++axis)
        for (const float side : {-1.0f, 1.0f}) {
            glm::vec3 n(0), u(0);
            n[axis] = side;
            u[(axis + 1) % 3] = 1;
            const glm::vec3 v = glm::cross(n, u);
            const auto first = static_cast<std::uint32_t>(mesh.positions.size());
            for (const glm::vec2 c :
                 {glm::vec2(-1, -1), glm::vec2(1, -1), glm::vec2(1, 1), glm::vec2(-1, 1)}) {
                mesh.positions.push_back((n + c.x * u + c.y * v) * half);
                mesh.normals.push_back(n);
            }
            for (const std::uint32_t k : {0u, 1u, 2u, 0u, 2u, 3u}) mesh.triangles.push_back(first + k);
        }
    return mesh;
}

/// Projection of a point of the room to an eye, pixels from the top left.
glm::dvec2 seen_at(const glm::dvec3& p, const glm::dvec3& eye, const engine::XrEye& e) {
    const glm::dvec3 d = p - eye;
    const double x = d.x / -d.z, y = d.y / -d.z;
    const auto share = [](double v, float low, float high) {
        const double a = std::tan(static_cast<double>(low)), b = std::tan(static_cast<double>(high));
        return (v - a) / (b - a);
    };
    return {kSide * share(x, e.left, e.right), kSide * (1 - share(y, e.down, e.up))};
}

class EyeTest : public testing::Test {
  protected:
    void SetUp() override {
        place_ = std::make_unique<ScriptedRuntime>(std::vector<std::string>{
            R"({"runtime": "Test", "size": [256, 256]})", head_line(), R"({"pictures": [12]})"});
        setenv("CLAYBOX_XR_PICTURES", place_->folder().c_str(), 1);
        std::string error;
        engine::WindowOptions options;
        options.width = options.height = 64;
        options.vsync = false;
        window_ = engine::Window::create(options, error);
        ASSERT_TRUE(window_) << error;
        renderer_ = engine::Renderer::create(error);
        ASSERT_TRUE(renderer_) << error;
        session_ = engine::XrSession::open(engine::graphics_of(window_->handle()), {}, error);
        ASSERT_TRUE(session_) << error;
        instance_.mesh = renderer_->create_mesh(small_box(0.02f));
        instance_.world_from_local = glm::translate(glm::mat4(1), glm::vec3(thing_));
        instance_.material.albedo = {0.8f, 0.15f, 0.1f};
        list_.instances.push_back(instance_);
    }
    void TearDown() override {
        session_.reset();
        renderer_.reset();
        window_.reset();
    }
    engine::CameraData camera_of(const engine::XrEye& eye) const {
        engine::CameraData camera;
        camera.position = glm::vec3(eye.pose.position);
        camera.eye = {glm::quat(eye.pose.rotation), eye.left, eye.right, eye.up, eye.down};
        return camera;
    }
    /// Draws this number of frames; `frame_` is the last one.
    void draw(int frames) {
        for (int i = 0, done = 0; done < frames && i < 500; ++i) {
            if (session_->poll() != engine::XrPhase::running || !session_->begin_frame(frame_)) continue;
            for (const engine::XrEye& eye : frame_.eye) {
                if (eye.framebuffer == 0) continue;
                list_.camera = camera_of(eye);
                renderer_->draw(list_, {eye.width, eye.height, 1}, eye.framebuffer, eye.depth_format);
            }
            session_->end_frame();
            ++done;
        }
    }
    Picture eye(const char* side) const {
        return read(place_->folder() / ("frame_000012_" + std::string(side) + ".png"));
    }

    const glm::dvec3 thing_{0.05, 1.52, -0.6};
    std::unique_ptr<ScriptedRuntime> place_;
    std::unique_ptr<engine::Window> window_;
    std::unique_ptr<engine::Renderer> renderer_;
    std::unique_ptr<engine::XrSession> session_;
    engine::XrFrame frame_;
    engine::Instance instance_;
    engine::RenderList list_;
};

TEST_F(EyeTest, APP_vr_both_eyes_see_an_object_at_its_place) {
    draw(20);
    const Picture left = eye("left"), right = eye("right");
    ASSERT_EQ(left.width, kSide);
    ASSERT_EQ(right.width, kSide);
    const glm::dvec2 l = middle_of_red(left), r = middle_of_red(right);
    const glm::dvec2 wanted_l = seen_at(thing_, {-kIpd / 2, 1.6, 0}, frame_.eye[0]);
    const glm::dvec2 wanted_r = seen_at(thing_, {kIpd / 2, 1.6, 0}, frame_.eye[1]);
    // The box is 4 cm thick, so the centre of its visible part is slightly nearer.
    EXPECT_LT(glm::distance(l, wanted_l), 1.5) << l.x << " " << l.y;
    EXPECT_LT(glm::distance(r, wanted_r), 1.5) << r.x << " " << r.y;
    EXPECT_NEAR(l.x - r.x, wanted_l.x - wanted_r.x, 1.0) << "parallax";
    EXPECT_GT(std::abs(wanted_l.x - wanted_r.x), 5) << "the parallax is large enough to measure";
}

TEST_F(EyeTest, APP_vr_colours_equal_those_of_the_window_within_two_steps) {
    draw(20);
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
        const Picture shown = eye(side == 0 ? "left" : "right");
        ASSERT_EQ(shown.width, kSide);
        const engine::OffscreenTarget target(kSide, kSide);
        ASSERT_TRUE(target.complete());
        list_.camera = camera_of(frame_.eye[side]);
        renderer_->draw(list_, {kSide, kSide, 1}, target.framebuffer());
        const std::vector<std::uint8_t> wanted = target.pixels();
        int worst = 0;
        for (std::size_t i = 0; i < wanted.size(); ++i)
            worst = std::max(worst, std::abs(static_cast<int>(wanted[i]) - static_cast<int>(shown.rgb[i])));
        EXPECT_LE(worst, 2);
    }
}

TEST_F(EyeTest, APP_vr_the_depth_layer_has_the_camera_planes_of_the_picture) {
    draw(20);
    int seen = 0;
    for (const Json& line : place_->log("end_frame"))
        for (const Json& layer : line["layers"])
            for (const Json& view : layer["views"]) {
                if (!view.contains("depth")) continue;
                EXPECT_NEAR(view["depth"]["near"].get<double>(), 0.02, 1e-6);
                EXPECT_NEAR(view["depth"]["far"].get<double>(), 60, 1e-4);
                ++seen;
            }
    EXPECT_GT(seen, 10);
    for (const Json& line : place_->log("misuse")) ADD_FAILURE() << line.dump();
}

}  // namespace
}  // namespace claybox::app
