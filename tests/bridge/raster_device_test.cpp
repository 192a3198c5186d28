// Depth pictures of the graphics card equal those of the software device bit for bit, and queries use the
// device.

#include "app/bridge/devices/raster_device.hpp"

#include "app/session/session.hpp"
#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/pairwise/raster/depth_passes.hpp"
#include "collision/pairwise/raster/raster_software.hpp"
#include "collision/pairwise/registry.hpp"
#include "engine/gl/objects.hpp"
#include "engine/platform/gl_context.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace claybox::app {
namespace {

using namespace collision;

class RasterDeviceTest : public testing::Test {
  protected:
    void SetUp() override {
        std::string error;
        context_ = engine::OffscreenContext::create(error);
        ASSERT_TRUE(context_) << error;
        device_ = make_gl_raster_device(error);
        ASSERT_TRUE(device_) << error;
    }
    void TearDown() override {
        device_.reset();
        context_.reset();
    }
    std::unique_ptr<engine::OffscreenContext> context_;
    std::unique_ptr<RasterDevice> device_;
};

struct Placed {
    ShapePtr shape;
    Matrix34f world_from_body;
    DrawnBody drawn() const { return {&shape->geometry(), shape->hull(), &world_from_body}; }
};

Placed random_placed(Random& random) {
    constexpr Primitive kKinds[] = {Primitive::torus, Primitive::ellipsoid_hull, Primitive::tetra_flake,
                                    Primitive::box};
    const Pose pose{random_rotation(random, 0, 3), random.vector(0, 1)};
    const std::uint64_t polygons = 20 + random.below(800);
    const Primitive kind = kKinds[random.below(4)];
    return {make_primitive_shape(kind, polygons, 1, 5).value(), to_matrix(pose)};
}

std::vector<std::int32_t> paint(RasterDevice& device, const RasterFrame& frame, const PictureView& view,
                                const Placed& a, const Placed& b, std::span<const DepthPass> passes) {
    if (!device.begin(frame)) return {};
    for (const DepthPass& pass : passes)
        draw_body(pass.raster.body == 0 ? a.drawn() : b.drawn(), view, pass.faces, pass.raster, device);
    const auto words = device.finish();
    return {words.begin(), words.end()};
}

/// Number of differing values. In a layered picture, values beyond a pixel's count are ignored.
std::size_t different(const RasterFrame& frame, const std::vector<std::int32_t>& one,
                      const std::vector<std::int32_t>& other) {
    if (one.size() != frame.words() || other.size() != frame.words()) return frame.words();
    const std::size_t n = frame.pixels(), layers = static_cast<std::size_t>(frame.layers);
    std::size_t out = 0;
    for (std::size_t i = 0; i < one.size(); ++i) {
        const bool value = frame.kind == RasterKind::layered && i >= n;
        if (value && static_cast<std::int32_t>((i - n) % layers) >= one[(i - n) / layers]) continue;
        out += one[i] != other[i] ? 1 : 0;
    }
    return out;
}

TEST_F(RasterDeviceTest, every_picture_equals_the_software_devices_bit_for_bit) {
    Random random(41);
    std::uint32_t pictures = 0;
    for (int i = 0; i < 30; ++i) {
        const Placed a = random_placed(random), b = random_placed(random);
        const int size = 4 * (1 + static_cast<int>(random.below(40)));
        PictureView view;
        if (!make_view(drawn_box(a.drawn()), drawn_box(b.drawn()), i % 4 - 1, size, view)) continue;
        for (const auto variant :
             {DepthBufferVariant::two_valued, DepthBufferVariant::five_pass, DepthBufferVariant::layers}) {
            const RasterFrame frame{kind_of(variant), size, 1 + static_cast<int>(random.below(12))};
            std::vector<std::int32_t> memory(frame.words());
            SoftwareRaster twin(memory);
            const bool printed = variant == DepthBufferVariant::five_pass && i % 2 == 0;
            const auto passes = printed ? printed_passes() : passes_of(variant);
            const auto want = paint(twin, frame, view, a, b, passes);
            EXPECT_EQ(different(frame, want, paint(*device_, frame, view, a, b, passes)), 0u) << i;
            ++pictures;
        }
    }
    EXPECT_GT(pictures, 60u);
}

TEST_F(RasterDeviceTest, restores_framebuffer_and_viewport) {
    const engine::Framebuffer mine = engine::Framebuffer::make();
    glBindFramebuffer(GL_FRAMEBUFFER, mine.id());
    glViewport(1, 2, 30, 40);
    ASSERT_TRUE(device_->begin({RasterKind::layered, 16, 2}));
    EXPECT_EQ(device_->finish().size(), 3u * 256);
    GLint bound = 0, viewport[4] = {};
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
    glGetIntegerv(GL_VIEWPORT, viewport);
    EXPECT_EQ(static_cast<GLuint>(bound), mine.id());
    EXPECT_EQ(viewport[2], 30);
    EXPECT_EQ(viewport[3], 40);
    EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
}

TEST_F(RasterDeviceTest, a_query_on_its_thread_uses_the_device_and_has_the_same_answer) {
    const PairAlgorithm& algorithm = *find_pair_algorithm("depth_buffer");
    const std::size_t device = find_parameter(algorithm.parameters, "device");
    const auto by_device =
        static_cast<std::size_t>(std::find(algorithm.counters.begin(), algorithm.counters.end(),
                                           std::string_view("drawn by the device")) -
                                 algorithm.counters.begin());
    ASSERT_LT(by_device, algorithm.counters.size());
    Random random(42);
    Scratch scratch;
    const RasterDeviceScope scope(*device_);
    std::uint32_t drawn = 0;
    for (int i = 0; i < 20; ++i) {
        const Placed a = random_placed(random), b = random_placed(random);
        PairQuery q = make_pair_query(*a.shape, a.world_from_body, *b.shape, b.world_from_body, scratch);
        if (!applicable(algorithm, q.a, q.b)) continue;
        q.parameters = default_values(algorithm.parameters);
        q.parameters[find_parameter(algorithm.parameters, "resolution")] = 32;
        q.wants = kWantDepth;
        PairCache cache;
        const PairResult soft = run_query(algorithm, q, cache);
        q.parameters[device] = 1;
        const PairResult card = run_query(algorithm, q, cache);
        EXPECT_EQ(soft.counters[by_device], 0u);
        EXPECT_EQ(card.verdict, soft.verdict);
        EXPECT_EQ(card.depth, soft.depth);
        EXPECT_EQ(card.certificate.point_w, soft.certificate.point_w);
        drawn += card.counters[by_device];
    }
    EXPECT_GT(drawn, 10u);
}

TEST_F(RasterDeviceTest, a_session_has_the_same_hash_with_and_without_the_device) {
    const auto hash = [&](bool card, bool concurrent) {
        SessionOptions options;
        options.scene_parameters = default_values(find_scene("cage")->parameters);
        const auto& table = find_scene("cage")->parameters;
        options.scene_parameters[find_parameter(table, "bodies")] = 12;
        options.settings.pair_algorithm = find_pair_algorithm("depth_buffer");
        options.settings.pair_parameters = default_values(options.settings.pair_algorithm->parameters);
        const auto& own = options.settings.pair_algorithm->parameters;
        options.settings.pair_parameters[find_parameter(own, "device")] = card ? 1 : 0;
        options.settings.pair_parameters[find_parameter(own, "resolution")] = 32;
        options.settings.concurrent = concurrent;
        auto session = Session::create(options);
        EXPECT_TRUE(session.ok());
        std::uint64_t drawn = 0;
        for (int frame = 0; frame < 60; ++frame) {
            StepInput input;
            input.dt = 1.0 / 60;
            drawn += session.value()->step(std::move(input)).pass.algorithm_counters[4];
        }
        EXPECT_EQ(drawn > 0, card && !concurrent);
        return session.value()->report().state_hash;
    };
    const std::uint64_t software = hash(false, false);
    const RasterDeviceScope scope(*device_);
    EXPECT_EQ(hash(true, false), software);
    hash(true, true);  // the module's own thread never uses the device
}

}  // namespace
}  // namespace claybox::app
