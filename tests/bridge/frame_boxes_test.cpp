// Loads of cells, moved bodies and swaps of sorted intervals.

#include "app/bridge/view/frame_boxes.hpp"

#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "tests/bridge/sandbox_fixture.hpp"

#include <algorithm>

namespace claybox::app {
namespace {

using collision::Vec3f;

/// Bodies without meshes: a crowd of balls.
struct Balls {
    std::vector<Vec3f> at;
    SceneView view;
    void show() {
        view.clear();
        ViewCrowd crowd;
        crowd.positions = at;
        crowd.radius = 0.5f;
        crowd.first_pick = 0;
        view.crowds.push_back(crowd);
    }
};

TEST(FrameBoxes, loads_moves_and_swaps_are_those_of_brute_force) {
    collision::Random random(3);
    Balls balls;
    for (int i = 0; i < 60; ++i) balls.at.push_back(collision::cast<float>(4.0 * random.unit_vector()));
    FrameBoxes boxes;
    std::size_t swaps = 0;
    for (std::uint64_t frame = 1; frame < 20; ++frame) {
        const std::vector<Vec3f> before = balls.at;
        std::size_t moved = 0;
        for (Vec3f& p : balls.at)
            if (frame > 1 && random.below(3) == 0) {
                p = p + collision::cast<float>(0.2 * random.unit_vector());
                ++moved;
            }
        balls.show();
        boxes.take(frame, balls.view, {});
        EXPECT_EQ(boxes.moved(), moved);
        for (int i = 0; i < 10; ++i) {
            const auto c = collision::cast<float>(4.0 * random.unit_vector());
            const collision::Aabb cell{c - Vec3f{1, 1, 1}, c + Vec3f{1, 1, 1}};
            std::uint32_t in = 0;
            for (const Vec3f& p : balls.at) {
                const Vec3f r{0.5f, 0.5f, 0.5f};
                in += overlap(cell, {p - r, p + r}) ? 1 : 0;
            }
            EXPECT_EQ(boxes.load_of(cell), in);
        }
        if (frame == 1) continue;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            // An exchange for each pair of ends in another order than before.
            struct End {
                float now, then;
            };
            std::vector<End> ends;
            for (std::size_t i = 0; i < balls.at.size(); ++i)
                for (const float side : {-0.5f, 0.5f})
                    ends.push_back({balls.at[i][axis] + side, before[i][axis] + side});
            std::size_t inverted = 0;
            for (std::size_t i = 0; i < ends.size(); ++i)
                for (std::size_t k = 0; k < i; ++k)
                    inverted += (ends[i].now < ends[k].now) != (ends[i].then < ends[k].then) ? 1 : 0;
            EXPECT_EQ(boxes.swaps(axis).size(), inverted) << "frame " << frame << ", axis " << axis;
            swaps += inverted;
        }
    }
    EXPECT_GT(swaps, 500u);
    boxes.take(40, balls.view, {});
    EXPECT_EQ(boxes.moved(), 0u) << "a jump in time is not a motion";
    EXPECT_TRUE(boxes.swaps(0).empty());
}

TEST(FrameBoxes, classes_of_load_double) {
    const std::uint32_t expected[][2] = {{0, 0}, {1, 0}, {2, 1}, {3, 2},  {4, 2},
                                         {5, 3}, {8, 3}, {9, 4}, {500, 4}};
    for (const auto& [bodies, load] : expected) EXPECT_EQ(load_class(bodies), load) << bodies;
}

class InsideBroadTest : public SandboxTest {};

TEST_F(InsideBroadTest, bodies_of_a_full_cage_have_their_exact_boxes) {
    start("cage", "bodies", 1000);
    std::vector<ViewMesh> meshes;
    session().scene().meshes(meshes);
    SceneView view;
    session().scene().view({}, view);
    FrameBoxes boxes;
    boxes.take(1, view, meshes);
    std::size_t found = 0;
    for (const ViewCrowd& crowd : view.crowds) {
        collision::Aabb local;
        for (const ViewMesh& mesh : meshes)
            if (mesh.id == crowd.mesh)
                for (const Vec3f& p : *mesh.positions) local.add(p);
        for (const FrameBoxes::Entry& e : boxes.entries())
            if (const std::size_t i = e.pick - crowd.first_pick; i < crowd.poses.size()) {
                EXPECT_EQ(e.box, collision::transform_aabb(collision::to_matrix(crowd.poses[i]), local));
                ++found;
            }
    }
    EXPECT_EQ(found, 1000u);
}

TEST_F(InsideBroadTest, loads_moved_bodies_and_intervals_are_shown_and_fit) {
    const bool kept = std::getenv("CLAYBOX_GALLERY") != nullptr;
    for (const auto& [width, height] : {std::pair{1024, 640}, {1280, 800}, {1920, 1200}}) {
        use_window(width, height);
        start("cage", "bodies", 40);
        collision::WorldSettings settings = session().settings();
        settings.broad_phase = collision::find_broad_phase("grid");
        settings.broad_parameters = collision::default_values(settings.broad_phase->parameters);
        session().set_settings(settings);
        sandbox_->state().view.broad_phase = true;
        frames(3);
        EXPECT_EQ(ui_->log().find("Intervals and swaps", "inset"), nullptr);
        sandbox_->state().broad = {true, true};
        frames(4);
        EXPECT_NE(ui_->log().find("Intervals and swaps", "inset"), nullptr);
        open_card("Broad phase");
        if (ui_->log().find("Fullest box", "value") == nullptr) click_in_column("Look inside", "fold");
        reveal("Fullest box", "value");
        const engine::WidgetRecord* fullest = widget("Fullest box", "value");
        ASSERT_NE(fullest, nullptr);
        EXPECT_NE(fullest->value, "0 bodies");
        for (const engine::WidgetRecord& r : ui_->log().records)
            EXPECT_STRNE(r.kind, "cut") << "'" << r.label << "' as '" << r.value << "'";
        keep("broad-" + std::to_string(width));
        sandbox_->state().dark = true;
        frames(2);
        keep("broad-dark-" + std::to_string(width));
        sandbox_->state().dark = false;
        if (!kept) break;
    }
}

}  // namespace
}  // namespace claybox::app
