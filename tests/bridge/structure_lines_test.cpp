// The drawn structures of all broad phases over a crowd. With CLAYBOX_GALLERY=FOLDER the pictures are saved
// there.

#include "app/bridge/view/structure_lines.hpp"

#include "app/bridge/view/bridge.hpp"
#include "app/bridge/view/palette.hpp"
#include "engine/assets/mesh_file.hpp"
#include "engine/platform/gl_context.hpp"
#include "engine/ui/offscreen_target.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

namespace claybox::app {
namespace {

constexpr int kWidth = 960, kHeight = 600;

std::unique_ptr<Session> start_scene(const char* scene, const collision::BroadPhaseDescriptor& phase) {
    SessionOptions options;
    options.scene = scene;
    options.scene_parameters = collision::default_values(find_scene(scene)->parameters);
    if (options.scene == "crowd") options.scene_parameters[0] = 1500;
    options.settings.broad_phase = &phase;
    options.settings.broad_parameters = collision::default_values(phase.parameters);
    auto made = Session::create(options);
    EXPECT_TRUE(made.ok());
    return made.ok() ? std::move(made).value() : nullptr;
}

class Structures : public testing::Test {
  protected:
    void SetUp() override {
        std::string error;
        context_ = engine::OffscreenContext::create(error);
        ASSERT_TRUE(context_) << error;
        renderer_ = engine::Renderer::create(error);
        ASSERT_TRUE(renderer_) << error;
        bridge_ = std::make_unique<Bridge>(*renderer_);
    }
    /// Number of lines of one level of the structure, or of all levels, after the pass that answers the
    /// request.
    std::size_t lines(Session& session, std::uint32_t level) {
        ViewOptions options;
        options.witness = options.labels = false;
        options.broad_phase = true;
        options.broad_phase_level = level;
        Camera camera;
        camera.frame(session.scene().camera());
        const engine::CameraData view = camera.data(kWidth, kHeight, 1, {0, 0, kWidth, kHeight});
        for (int i = 0; i < 2; ++i) {
            bridge_->build(session, options, {view, kWidth, kHeight, 1, false});
            session.step({});
        }
        bridge_->build(session, options, {view, kWidth, kHeight, 1, false});
        return bridge_->list().lines.size();
    }
    void keep(const std::string& name) {
        const char* folder = std::getenv("CLAYBOX_GALLERY");
        if (!folder) return;
        const engine::OffscreenTarget target(kWidth, kHeight);
        renderer_->draw(bridge_->list(), {kWidth, kHeight, 1}, target.framebuffer());
        std::string error;
        EXPECT_TRUE(engine::write_png(std::filesystem::path(folder) / ("structure-" + name + ".png"), kWidth,
                                      kHeight, target.pixels(), error))
            << error;
    }
    std::unique_ptr<engine::OffscreenContext> context_;
    std::unique_ptr<engine::Renderer> renderer_;
    std::unique_ptr<Bridge> bridge_;
};

TEST_F(Structures, every_broad_phase_is_drawn_as_a_whole_and_level_by_level) {
    for (const collision::BroadPhaseDescriptor* phase : collision::broad_phases()) {
        const auto session = start_scene("crowd", *phase);
        const std::size_t all = lines(*session, collision::ViewRequest::kEveryLevel);
        const StructureFigures figures = bridge_->structure();
        keep(phase->id);
        if (!*phase->levels) {
            EXPECT_EQ(all, 0u) << phase->id;
            continue;
        }
        EXPECT_GT(all, 100u) << phase->id;
        ASSERT_GT(figures.levels, 0u) << phase->id;
        if (!phase->level_names.empty()) {
            EXPECT_LE(figures.levels, phase->level_names.size()) << phase->id << ": a level has no name";
        }
        std::size_t sum = 0;
        for (std::uint32_t level = 0; level < figures.levels; ++level) {
            sum += lines(*session, level);
            EXPECT_LE(bridge_->structure().shown, bridge_->structure().total) << phase->id;
            std::set<float> reds;
            for (const engine::Line& line : bridge_->list().lines) reds.insert(line.colour.r);
            EXPECT_LE(reds.size(), 1u) << phase->id << ": a level has one colour";
        }
        EXPECT_GT(sum, 100u) << phase->id;
    }
}

TEST_F(Structures, the_hierarchy_of_mobiles_has_a_level_per_level_of_rods) {
    const auto session = start_scene("mobiles", *collision::find_broad_phase("hierarchy"));
    EXPECT_GT(lines(*session, collision::ViewRequest::kEveryLevel), 200u);
    keep("mobiles");
    EXPECT_GT(bridge_->structure().levels, 4u) << "a level for each level of rods";
}

TEST(StructureLines, small_boxes_are_faint_tiny_ones_are_left_out_and_intervals_are_single_lines) {
    StructureLook look{glm::mat4(1), 600, false};
    look.clip_from_world[3][3] = 1;
    const auto box = [](float size) { return collision::ViewBox{{{0, 0, 0}, {size, size, size}}, 1}; };
    const auto drawn = [&](const collision::ViewBox& b) {
        std::vector<engine::Line> out;
        add_structure_lines(std::span(&b, 1), look, out);
        return out;
    };
    EXPECT_TRUE(drawn(box(0.005f)).empty());  // 1.5 pixels
    const auto small = drawn(box(0.02f)), large = drawn(box(0.5f));
    ASSERT_EQ(small.size(), 12u);
    ASSERT_EQ(large.size(), 12u);
    EXPECT_LT(small[0].colour.a, 0.6f * large[0].colour.a);
    EXPECT_EQ(drawn({{{0, 0, 0}, {0.1f, 0, 0}}, 0}).size(), 1u);
}

TEST(StructureLines, corners_of_bodies_are_short_so_that_cells_stay_readable) {
    StructureLook look{glm::mat4(1), 600, false};
    look.clip_from_world[3][3] = 1;
    const collision::Aabb large{{0, 0, 0}, {0.5f, 0.5f, 0.5f}}, tiny{{0, 0, 0}, {0.01f, 0.01f, 0.01f}};
    std::vector<engine::Line> corners;
    add_box_corners(std::span(&large, 1), look, corners);
    EXPECT_EQ(corners.size(), 24u);
    for (const engine::Line& line : corners) EXPECT_LT(glm::length(line.to - line.from), 0.25f * 0.5f);
    corners.clear();
    add_box_corners(std::span(&tiny, 1), look, corners);
    EXPECT_TRUE(corners.empty()) << "a few pixels are no box";
}

TEST(StructureLines, levels_have_different_colours_before_they_repeat) {
    for (const bool dark : {false, true})
        for (unsigned a = 0; a < kLevelLooks; ++a)
            for (unsigned b = a + 1; b < kLevelLooks; ++b)
                EXPECT_GT(glm::length(level_rgb(a, dark) - level_rgb(b, dark)), 0.08f) << a << " and " << b;
}

}  // namespace
}  // namespace claybox::app
