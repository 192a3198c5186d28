#include "app/scenes/hands/grasp.hpp"

#include "app/scenes/hands/hand_bodies.hpp"
#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "tests/pairwise/counting_new.hpp"
#include "tests/scenes/hand_support.hpp"

#include <gtest/gtest.h>

namespace claybox::app {
namespace {

using collision::Pose;
using collision::Vec3d;

constexpr std::size_t kThumbPart = 3, kIndexPart = 6;

Vec3d pinch_place(const HandInput& h) {
    return (tip_position(h, kThumbPart) + tip_position(h, kIndexPart)) * 0.5;
}

HandShapes shapes_of(const HandInput& h) {
    HandShapes shapes;
    for (std::size_t i = 0; i < shapes.size(); ++i)
        shapes[i] =
            collision::Shape::from_hull(hand_part_points(static_cast<int>(i), h.radius[i], h.length[i]))
                .value();
    return shapes;
}

collision::ShapePtr box(const collision::Vec3f& half) {
    return collision::Shape::from_polygons(box_mesh(half)).value();
}

TEST(PinchSwitch, closes_below_20_mm_and_opens_above_35_mm) {
    PinchSwitch pinch;
    bool last = false;
    int changes = 0;
    for (int i = 0; i <= 400; ++i) {
        const float amount = static_cast<float>(i < 200 ? i : 400 - i) / 200;
        const HandInput h = hand({}, amount);
        const double opening = length(tip_position(h, kThumbPart) - tip_position(h, kIndexPart));
        const bool closed = pinch.update(h);
        EXPECT_TRUE(closed || opening >= 0.020) << opening;
        EXPECT_TRUE(!closed || opening <= 0.035) << opening;
        changes += closed != last ? 1 : 0;
        last = closed;
    }
    EXPECT_EQ(changes, 2);
}

// In a headset, the world may be scaled relative to the wearer, and the hand with it.
HandInput resized(HandInput h, float scale) {
    for (std::size_t i = 0; i < h.part.size(); ++i) {
        h.part[i].translation = h.part[i].translation * static_cast<double>(scale);
        h.radius[i] *= scale;
        h.length[i] *= scale;
    }
    h.scale = scale;
    return h;
}

TEST(PinchSwitch, a_scaled_hand_closes_and_opens_like_the_hand_of_its_wearer) {
    for (const float scale : {0.25f, 0.8f, 1.0f, 2.0f, 4.0f}) {
        PinchSwitch alone, sized;
        for (int i = 0; i <= 400; ++i) {
            const HandInput h = hand({}, static_cast<float>(i < 200 ? i : 400 - i) / 200);
            const double gap = length(tip_position(h, kThumbPart) - tip_position(h, kIndexPart));
            const bool edge = std::abs(gap - 0.020) < 1e-6 || std::abs(gap - 0.035) < 1e-6;
            const bool closed = alone.update(h);
            const bool same = sized.update(resized(h, scale)) == closed;
            EXPECT_TRUE(same || edge) << scale << " " << gap;
        }
    }
}

TEST(PinchSwitch, a_hand_with_lost_tracking_keeps_its_state) {
    PinchSwitch pinch;
    HandInput lost = hand({}, 0);
    lost.held = true;
    EXPECT_TRUE(pinch.update(hand({}, 1)));
    EXPECT_TRUE(pinch.update(lost));
    lost.present = false;
    EXPECT_FALSE(pinch.update(lost));
}

struct Held {
    Grasp grasp;
    HandShapes shapes = shapes_of(hand({}, 0));
    collision::ShapePtr shape = box({0.01f, 0.01f, 0.01f});
    std::vector<Graspable> bodies{{7, shape.get(), {{}, pinch_place(hand({}, 1))}}};
    Grasp::Change step(const HandInput& h) { return grasp.update(h, shapes, bodies); }
    /// Closes the pinch around the box.
    void take() {
        for (int i = 0; i <= 20 && grasp.kind() == Grasp::Kind::none; ++i)
            step(hand({}, static_cast<float>(i) / 20));
        ASSERT_EQ(grasp.kind(), Grasp::Kind::pinch);
    }
};

TEST(Grasp, a_pinch_takes_the_body_between_the_tips_and_carries_it_rigidly) {
    Held held;
    held.take();
    EXPECT_EQ(held.grasp.body(), 7u);
    const HandInput before = hand({}, 1), after = hand({0.2, 0.1, -0.3}, 1);
    held.step(before);
    const Vec3d offset = held.grasp.pose().translation - pinch_place(before);
    held.step(after);
    EXPECT_LT(length(held.grasp.pose().translation - pinch_place(after) - offset), 1e-9);
}

TEST(Grasp, a_scaled_hand_takes_and_releases) {
    for (const float scale : {0.25f, 0.5f, 2.0f, 4.0f}) {
        Held held;
        const auto s = static_cast<double>(scale);
        held.shape = box({0.01f * scale, 0.01f * scale, 0.01f * scale});
        held.shapes = shapes_of(resized(hand({}, 0), scale));
        held.bodies = {{7, held.shape.get(), {{}, pinch_place(hand({}, 1)) * s}}};
        for (int i = 0; i <= 20; ++i) held.step(resized(hand({}, static_cast<float>(i) / 20), scale));
        EXPECT_EQ(held.grasp.kind(), Grasp::Kind::pinch) << scale;
        for (int i = 20; i >= 0; --i) held.step(resized(hand({}, static_cast<float>(i) / 20), scale));
        EXPECT_EQ(held.grasp.kind(), Grasp::Kind::none) << scale;
    }
}

TEST(Grasp, a_body_far_from_the_tips_is_not_taken) {
    Held held;
    held.bodies[0].pose.translation.x += 0.05;
    for (int i = 0; i <= 20; ++i)
        EXPECT_EQ(held.step(hand({}, static_cast<float>(i) / 20)), Grasp::Change::none);
}

TEST(Grasp, an_open_hand_that_passes_through_a_body_takes_nothing) {
    Held held;
    held.shape = box({0.1f, 0.1f, 0.1f});
    held.bodies[0].shape = held.shape.get();
    for (int i = 0; i < 60; ++i) EXPECT_EQ(held.step(hand({0, 0, 0.3 - 0.01 * i}, 0)), Grasp::Change::none);
}

TEST(Grasp, opening_releases_with_the_velocity_of_the_hand) {
    Held held;
    held.take();
    Vec3d wrist;
    for (int i = 0; i < 10; ++i) held.step(hand(wrist = wrist + Vec3d{0.004, 0, 0}, 1));
    Grasp::Change change = Grasp::Change::none;
    for (int i = 0; i < 10 && change == Grasp::Change::none; ++i)
        change = held.step(hand(wrist = wrist + Vec3d{0.004, 0, 0}, 1 - 0.1f * static_cast<float>(i)));
    ASSERT_EQ(change, Grasp::Change::dropped);
    EXPECT_EQ(held.grasp.kind(), Grasp::Kind::none);
    EXPECT_NEAR(held.grasp.velocity().x, 0.004, 0.002);
}

TEST(Grasp, lost_tracking_drops_nothing_at_first_and_throws_nothing_later) {
    Held held;
    held.take();
    for (int i = 0; i < 8; ++i) held.step(hand({0.01 * i, 0, 0}, 1));
    HandInput lost = hand({0.5, 0, 0}, 0);
    lost.held = true;
    const Pose before = held.grasp.pose();
    for (int i = 0; i < 9; ++i) EXPECT_EQ(held.step(lost), Grasp::Change::none);
    EXPECT_EQ(held.grasp.pose().translation.x, before.translation.x);
    lost.present = lost.held = false;
    EXPECT_EQ(held.step(lost), Grasp::Change::dropped);
    EXPECT_EQ(length(held.grasp.velocity()), 0);
    EXPECT_EQ(held.step(hand({}, 0)), Grasp::Change::none) << "an open hand that returns takes nothing";
}

TEST(Grasp, palm_and_fingers_close_around_a_body) {
    Held held;
    // A rod below the middle of the palm that the fingers can reach around.
    held.shape = box({0.030f, 0.014f, 0.013f});
    held.bodies[0] = {3, held.shape.get(), {{}, {0.018, -0.030, -0.078}}};
    Grasp::Change change = Grasp::Change::none;
    for (int i = 0; i <= 60 && change == Grasp::Change::none; ++i)
        change = held.step(hand({}, 0, static_cast<float>(i) / 60));
    ASSERT_EQ(change, Grasp::Change::taken);
    EXPECT_EQ(held.grasp.kind(), Grasp::Kind::palm);
    EXPECT_EQ(held.grasp.body(), 3u);
    for (int i = 0; i <= 60 && change != Grasp::Change::dropped; ++i)
        change = held.step(hand({}, 0, 1 - static_cast<float>(i) / 60));
    EXPECT_EQ(change, Grasp::Change::dropped);
}

struct Stop {
    HandStop stop;
    HandShapes shapes = shapes_of(hand({}, 0));
    collision::ShapePtr table = box({0.5f, 0.02f, 0.5f});
    HandWall wall{table.get(), {{}, {0, -0.02, 0}}};  ///< top at y = 0
    double offset_up(const HandInput& h) { return stop.offset(h, shapes, {&wall, 1}).y; }
};

double lowest(const HandInput& h, const HandShapes& shapes) {
    double low = 1e9;
    for (std::size_t i = 0; i < shapes.size(); ++i)
        for (const collision::Vec3f& p : shapes[i]->geometry().positions)
            low = std::min(low, transform_point(h.part[i], collision::cast<double>(p)).y);
    return low;
}

TEST(HandStop, the_drawn_hand_stays_above_a_table) {
    Stop s;
    for (double y = 0.2; y > -0.1; y -= 0.003) {
        const HandInput h = hand({0, y, 0}, 0);
        const Vec3d offset = s.stop.offset(h, s.shapes, {&s.wall, 1});
        const double low = lowest(h, s.shapes);
        EXPECT_NEAR(offset.y, std::max(0.0, -low), 0.0005) << y;
        EXPECT_LT(std::abs(offset.x) + std::abs(offset.z), 0.001);
    }
}

TEST(HandStop, a_hand_that_returns_is_drawn_at_the_tracked_pose) {
    Stop s;
    for (double y = 0.2; y > -0.08; y -= 0.01) s.offset_up(hand({0, y, 0}, 0));
    EXPECT_GT(s.offset_up(hand({0, -0.08, 0}, 0)), 0.05);
    for (double y = -0.08; y < 0.2; y += 0.01) s.offset_up(hand({0, y, 0}, 0));
    EXPECT_EQ(s.offset_up(hand({0, 0.2, 0}, 0)), 0);
}

TEST(HandStop, a_fast_hand_stays_on_the_side_it_came_from) {
    Stop s;
    s.offset_up(hand({0, 0.06, 0}, 0));
    const HandInput under = hand({0, -0.07, 0}, 0);  // 13 cm in one frame, through 4 cm of wood
    EXPECT_NEAR(s.offset_up(under), -lowest(under, s.shapes), 0.0005);
}

TEST(HandStop, a_hand_too_far_through_a_wall_is_drawn_at_the_tracked_pose) {
    Stop s;
    s.offset_up(hand({0, 0.06, 0}, 0));
    EXPECT_EQ(s.offset_up(hand({0, -0.5, 0}, 0)), 0);
}

/// Depth of the drawn hand in a table of 4 cm with its top at y = 0.
double depth_in_table(const HandInput& h, const HandShapes& shapes, const Vec3d& offset) {
    double deepest = 0;
    for (std::size_t p = 0; p < kHandParts; ++p)
        for (const collision::Vec3f& v : shapes[p]->geometry().positions) {
            const double y = transform_point(h.part[p], collision::cast<double>(v)).y + offset.y;
            deepest = std::max(deepest, std::min(-y, y + 0.04));
        }
    return deepest;
}

TEST(HandStop, a_hand_that_appears_on_both_sides_of_a_table_is_drawn_outside_or_at_the_tracked_pose) {
    Stop s;
    int where_it_is = 0;
    for (double tilt = -1.2; tilt < 1.3; tilt += 0.2) {
        const Pose tilted{collision::axis_angle({1, 0, 0}, tilt), {}};
        for (double y = -0.2; y < 0.2; y += 0.005) {
            HandInput h = hand({}, 0);
            for (Pose& part : h.part) part = Pose{{}, {0, y, 0}} * tilted * part;
            s.stop.reset();
            const Vec3d offset = s.stop.offset(h, s.shapes, {&s.wall, 1});
            const double depth = depth_in_table(h, s.shapes, offset);
            if (offset == Vec3d{} && depth > 0.005) ++where_it_is;
            if (offset != Vec3d{}) {
                EXPECT_LT(depth, 0.0045) << tilt << " " << y;
            }
        }
    }
    EXPECT_GT(where_it_is, 20);
}

TEST(HandStop, a_hand_that_passes_through_stops_again_after_it_was_free) {
    Stop s;
    const collision::ShapePtr block = box({0.5f, 0.4f, 0.5f});
    s.wall = {block.get(), {{}, {0, -0.4, 0}}};
    s.offset_up(hand({0, 0.06, 0}, 0));
    EXPECT_EQ(s.offset_up(hand({0, -0.3, 0}, 0)), 0);
    EXPECT_EQ(s.offset_up(hand({0, -0.05, 0}, 0)), 0) << "still inside";
    EXPECT_EQ(s.offset_up(hand({0, 0.06, 0}, 0)), 0);
    EXPECT_GT(s.offset_up(hand({0, -0.05, 0}, 0)), 0.05);
}

TEST(HandStop, the_drawn_hand_returns_within_a_few_frames_when_a_wall_disappears) {
    Stop s;
    for (double y = 0.2; y > -0.06; y -= 0.01) s.offset_up(hand({0, y, 0}, 0));
    double before = s.offset_up(hand({0, -0.06, 0}, 0));
    ASSERT_GT(before, 0.04);
    int frames = 0;
    for (; before > 0 && frames < 60; ++frames) {
        const double now = s.stop.offset(hand({0, -0.06, 0}, 0), s.shapes, {}).y;
        EXPECT_LE(before - now, 0.0081) << "no jump";
        before = now;
    }
    EXPECT_LE(frames, 15) << "a quarter of a second";
}

TEST(HandStop, allocates_nothing_after_the_first_contacts) {
    Stop s;
    std::vector<collision::ShapePtr> solids;
    std::vector<HandWall> walls{s.wall};
    for (std::uint64_t i = 0; i < 8; ++i) {
        solids.push_back(
            collision::make_primitive_shape(collision::Primitive::ellipsoid_hull, 100, 0.03f, i).value());
        walls.push_back({solids.back().get(), {{}, {0.02 * static_cast<double>(i) - 0.08, 0.01, -0.06}}});
    }
    const auto press = [&] {
        double depth = 0;
        for (int i = 0; i < 40; ++i)
            depth = std::max(depth, length(s.stop.offset(hand({0, 0.1 - 0.002 * i, 0}, 0), s.shapes, walls)));
        return depth;
    };
    EXPECT_GT(press(), 0.01);
    std::vector<HandInput> frames;
    for (int i = 0; i < 40; ++i) frames.push_back(hand({0, 0.1 - 0.002 * i, 0}, 0));
    const std::size_t before = test::allocations_of_this_thread();
    for (const HandInput& h : frames) s.stop.offset(h, s.shapes, walls);
    EXPECT_EQ(test::allocations_of_this_thread(), before);
}

StepInput frame_with(std::uint64_t frame, const HandInput& h) {
    StepInput input;
    input.frame = frame;
    input.hand[0] = h;
    return input;
}

TEST(HandBodies, APP_hand_parts_are_rebuilt_for_another_hand_at_most_once_per_second) {
    collision::World world;
    HandBodies bodies(0, 1, 100);
    HandInput h = hand({}, 0);
    ASSERT_TRUE(bodies.update(world, frame_with(1, h)).ok());
    const collision::ShapePtr first = bodies.shapes(0)[0];
    HandInput little = h, much = h;
    for (float& r : little.radius) r *= 1.02f;
    for (float& r : much.radius) r *= 1.10f;
    ASSERT_TRUE(bodies.update(world, frame_with(100, little)).ok());
    EXPECT_EQ(bodies.shapes(0)[0], first) << "2 % is noise";
    ASSERT_TRUE(bodies.update(world, frame_with(200, much)).ok());
    const collision::ShapePtr second = bodies.shapes(0)[0];
    EXPECT_NE(second, first);
    for (std::uint64_t frame = 201; frame < 260; ++frame)
        ASSERT_TRUE(bodies.update(world, frame_with(frame, frame % 2 ? h : much)).ok());
    EXPECT_EQ(bodies.shapes(0)[0], second);
    ASSERT_TRUE(bodies.update(world, frame_with(260, h)).ok());
    EXPECT_NE(bodies.shapes(0)[0], second);
    std::vector<ViewMesh> meshes;
    bodies.append_meshes(meshes);
    EXPECT_EQ(meshes.size(), static_cast<std::size_t>(kHandParts)) << "meshes are replaced, not added";
}

TEST(HandBodies, APP_hand_a_lost_hand_fades_and_has_no_bodies) {
    collision::World world;
    HandBodies bodies(0, 1, 100);
    ASSERT_TRUE(bodies.update(world, frame_with(1, hand({}, 0))).ok());
    EXPECT_EQ(world.body_count(), static_cast<std::size_t>(kHandParts));
    float before = 1;
    int seen = 0;
    for (std::uint64_t frame = 2; frame < 40; ++frame) {
        ASSERT_TRUE(bodies.update(world, frame_with(frame, {})).ok());
        EXPECT_EQ(world.body_count(), 0u);
        SceneView view;
        bodies.view({}, nullptr, view);
        if (view.drawables.empty()) break;
        EXPECT_LT(view.drawables[0].opacity, before);
        before = view.drawables[0].opacity;
        ++seen;
    }
    EXPECT_NEAR(seen, HandBodies::kFadeSeconds * 60, 1.5);
}

TEST(HandBodies, a_ghost_shows_the_tracked_hand_if_the_drawn_hand_is_elsewhere) {
    collision::World world;
    HandBodies bodies(0, 1, 100);
    const collision::ShapePtr table = box({0.5f, 0.02f, 0.5f});
    const HandWall wall{table.get(), {{}, {0, -0.02, 0}}};
    SceneView view;
    std::uint64_t frame = 0;
    const auto step = [&](double y) {
        ASSERT_TRUE(bodies.update(world, frame_with(++frame, hand({0, y, 0}, 0))).ok());
        bodies.stop_at(0, {&wall, 1});
        view.clear();
        bodies.view({}, nullptr, view);
    };
    step(0.2);
    EXPECT_EQ(view.drawables.size(), static_cast<std::size_t>(kHandParts));
    for (double y = 0.2; y > -0.03; y -= 0.01) step(y);
    EXPECT_EQ(view.drawables.size(), 2 * static_cast<std::size_t>(kHandParts));
    EXPECT_LT(view.drawables.back().opacity, 0.5f);
    EXPECT_GT(view.drawables.front().pose.translation.y, view.drawables[kHandParts].pose.translation.y);
    view.clear();
    bodies.view({}, nullptr, view, false);
    EXPECT_EQ(view.drawables.size(), static_cast<std::size_t>(kHandParts)) << "without ghosts";
}

TEST(HandBodies, a_newer_hand_is_drawn_with_the_offset_of_the_step) {
    collision::World world;
    HandBodies bodies(0, 1, 100);
    const collision::ShapePtr table = box({0.5f, 0.02f, 0.5f});
    const HandWall wall{table.get(), {{}, {0, -0.02, 0}}};
    std::uint64_t frame = 0;
    for (double y = 0.2; y > -0.03; y -= 0.01) {
        ASSERT_TRUE(bodies.update(world, frame_with(++frame, hand({0, y, 0}, 0))).ok());
        bodies.stop_at(0, {&wall, 1});
    }
    SceneView step, now;
    bodies.view({}, nullptr, step);
    const Vec3d moved{0.02, 0.01, 0};
    std::array<HandInput, 2> newest;
    newest[1] = hand({0, 0.5, 0}, 0);  // a hand that is not present in the scene
    newest[0] = hand(Vec3d{0, 0, 0} + moved, 0);
    const HandInput before = hand({0, 0, 0}, 0);
    bodies.view({}, &newest, now);
    ASSERT_EQ(now.drawables.size(), 2 * static_cast<std::size_t>(kHandParts));
    const Vec3d offset = step.drawables[0].pose.translation - step.drawables[kHandParts].pose.translation;
    EXPECT_GT(offset.y, 0.02);
    for (std::size_t p = 0; p < kHandParts; ++p) {
        const Vec3d place = before.part[p].translation + moved;
        EXPECT_LT(length(now.drawables[p].pose.translation - place - offset), 1e-12) << p;
        EXPECT_LT(length(now.drawables[kHandParts + p].pose.translation - place), 1e-12) << "the ghost";
    }
    newest[0].present = false;
    now.clear();
    bodies.view({}, &newest, now);
    EXPECT_EQ(now.drawables[0].pose, step.drawables[0].pose)
        << "the pose of the step if there is no newer one";
}

}  // namespace
}  // namespace claybox::app
