#include "engine/input/sources/mouse_hand.hpp"
#include "engine/input/sources/mouse_poke.hpp"

#include <gtest/gtest.h>

namespace claybox::engine {
namespace {

MouseHandSetup box_setup() {
    MouseHandSetup setup;
    setup.region_min = {-0.2, 0, -0.2};
    setup.region_max = {0.2, 0.3, 0.2};
    setup.rest.curl = relaxed_curl();
    return setup;
}

MouseHandInput ray_at(double x, double y) {
    MouseHandInput input;
    input.ray_origin = {x, y, 1};
    input.ray_direction = {0, 0, -2};  // the length must not matter
    input.touch = glm::dvec3(x, y, 0);
    return input;
}

glm::dvec3 index_tip(const HandPose& pose) {
    return tip_of(pose_hand(pose).part[kIndexTipPart]);
}

HandPose run(MouseHand& hand, const MouseHandSetup& setup, const MouseHandInput& input, int frames) {
    HandPose pose;
    for (int i = 0; i < frames; ++i) pose = move_mouse_hand(hand, setup, input);
    return pose;
}

TEST(MouseHand, tip_hovers_above_the_surface_under_the_pointer) {
    MouseHand hand;
    const MouseHandSetup setup = box_setup();
    const glm::dvec3 tip = index_tip(run(hand, setup, ray_at(0.05, 0.12), 1));
    EXPECT_NEAR(tip.x, 0.05, 1e-9);
    EXPECT_NEAR(tip.y, 0.12, 1e-9);
    EXPECT_NEAR(tip.z, setup.hover, 1e-9);
}

TEST(MouseHand, left_button_reaches_through_the_surface_and_returns) {
    MouseHand hand;
    MouseHandSetup setup = box_setup();
    setup.pinches = false;
    MouseHandInput input = ray_at(0, 0.1);
    run(hand, setup, input, 5);
    input.left = true;
    const double pressed = index_tip(run(hand, setup, input, 60)).z;
    EXPECT_NEAR(pressed, -setup.reach, 1e-6);
    input.left = false;
    EXPECT_NEAR(index_tip(run(hand, setup, input, 60)).z, setup.hover, 1e-6);
}

TEST(MouseHand, wheel_moves_in_depth_within_the_region) {
    MouseHand hand;
    const MouseHandSetup setup = box_setup();
    MouseHandInput input = ray_at(0, 0.1);
    const double before = index_tip(run(hand, setup, input, 1)).z;
    input.wheel = 1;
    run(hand, setup, input, 1);
    input.wheel = 0;
    const double after = index_tip(run(hand, setup, input, 60)).z;
    EXPECT_LT(after, before - 0.004);
    input.wheel = 500;
    EXPECT_NEAR(index_tip(run(hand, setup, input, 120)).z, setup.region_min.z, 1e-6);
}

TEST(MouseHand, keys_and_buttons_curl_fingers_without_moving_the_wrist) {
    MouseHand hand;
    const MouseHandSetup setup = box_setup();
    MouseHandInput input = ray_at(0, 0.1);
    const HandPose rest = run(hand, setup, input, 30);
    input.curl_key[2] = true;
    const HandPose middle = run(hand, setup, input, 60);
    EXPECT_NEAR(middle.curl[2], 1, 1e-6);
    EXPECT_EQ(middle.curl[3], rest.curl[3]);
    EXPECT_LT(glm::distance(middle.wrist, rest.wrist), 1e-6);
    input.curl_key[2] = false;
    input.right = true;
    EXPECT_GT(pose_hand(run(hand, setup, input, 60)).grip, 0.99f);
    input.right = false;
    input.left = true;
    EXPECT_GT(pose_hand(run(hand, setup, input, 60)).pinch, 0.9f);
}

TEST(MouseHand, stays_inside_its_region_for_any_ray) {
    MouseHand hand;
    const MouseHandSetup setup = box_setup();
    const glm::dvec3 eps(1e-9);
    for (int i = 0; i < 400; ++i) {
        MouseHandInput input;
        input.ray_origin = {std::sin(i * 0.7), 0.5 * std::cos(i * 1.3), 1 - 0.01 * i};
        input.ray_direction = {std::cos(i * 0.9), std::sin(i * 0.31), i % 5 == 0 ? 0.0 : -1.0};
        if (i % 50 == 0) input.ray_direction = glm::dvec3(0);
        if (i % 3 != 0) input.touch = input.ray_origin + 0.1 * i * input.ray_direction;
        input.left = i % 7 < 3;
        const glm::dvec3 p = index_tip(move_mouse_hand(hand, setup, input));
        for (int k = 0; k < 3; ++k) {
            ASSERT_GE(p[k], setup.region_min[k] - eps[k]) << i;
            ASSERT_LE(p[k], setup.region_max[k] + eps[k]) << i;
        }
    }
}

TEST(MouseHand, a_jump_to_a_nearer_surface_does_not_penetrate_it) {
    MouseHand hand;
    const MouseHandSetup setup = box_setup();
    run(hand, setup, ray_at(0, 0.1), 30);
    MouseHandInput nearer = ray_at(0.1, 0.1);
    nearer.touch->z = 0.12;
    EXPECT_NEAR(index_tip(run(hand, setup, nearer, 1)).z, 0.12 + setup.hover, 1e-9);
    const double on_the_way = index_tip(run(hand, setup, ray_at(0, 0.1), 1)).z;
    EXPECT_GT(on_the_way, setup.hover + 0.01) << "a farther surface is approached smoothly";
    EXPECT_NEAR(index_tip(run(hand, setup, ray_at(0, 0.1), 60)).z, setup.hover, 1e-6);
}

TEST(MouseHand, aims_off_the_ray_and_pushes_in_the_given_direction) {
    MouseHand hand;
    MouseHandSetup setup = box_setup();
    setup.pinches = false;
    MouseHandInput input = ray_at(0, 0.1);
    input.ray_direction = {0.3, 0, -1};
    input.touch = glm::dvec3(0.05, 0.13, 0);
    input.push = {0, 0, -1};
    input.left = true;
    const glm::dvec3 tip = index_tip(run(hand, setup, input, 60));
    EXPECT_LT(glm::distance(tip, glm::dvec3(0.05, 0.13, -setup.reach)), 1e-6);
}

/// Runs of steps in which the hand reaches forward: their length and position.
std::vector<std::pair<int, float>> reaches(MousePoke& poke, float pointer, bool down, bool pinned,
                                           int steps) {
    std::vector<std::pair<int, float>> out;
    bool before = false;
    for (int i = 0; i < steps; ++i) {
        const PokeStep step = poke.step({pointer, 0}, down, pinned);
        if (step.left && !before) out.push_back({0, step.at.x});
        if (step.left) {
            ++out.back().first;
            if (pinned) {
                EXPECT_EQ(step.at.x, out.back().second);
            }
        }
        before = step.left;
    }
    return out;
}

TEST(MousePoke, a_click_is_one_whole_poke_at_its_position) {
    MousePoke poke;
    EXPECT_TRUE(reaches(poke, 5, false, true, 10).empty());
    EXPECT_TRUE(reaches(poke, 5, true, true, 10).empty()) << "the button was pressed elsewhere";
    poke.click({20, 0});
    const auto made = reaches(poke, 90, false, true, 60);
    ASSERT_EQ(made.size(), 1u);
    EXPECT_EQ(made[0].second, 20);
    EXPECT_GE(made[0].first, 8) << "long enough for a full poke";
    EXPECT_FALSE(poke.busy());
    EXPECT_EQ(poke.step({90, 0}, false, true).at.x, 90);
}

TEST(MousePoke, quick_clicks_are_separate_pokes) {
    MousePoke poke;
    for (const float x : {1.0f, 2.0f, 2.0f}) poke.click({x, 0});
    const auto made = reaches(poke, 90, false, true, 100);
    ASSERT_EQ(made.size(), 3u);
    EXPECT_EQ(made[0].second, 1);
    EXPECT_EQ(made[2].second, 2);
}

TEST(MousePoke, holding_is_one_poke_that_follows_the_pointer_unless_pinned) {
    for (const bool pinned : {false, true}) {
        MousePoke poke;
        poke.click({20, 0});
        EXPECT_EQ(reaches(poke, 90, true, pinned, 200).size(), 1u);
        const PokeStep held = poke.step({50, 0}, true, pinned);
        EXPECT_TRUE(held.left);
        EXPECT_EQ(held.at.x, pinned ? 20 : 50);
        EXPECT_FALSE(poke.step({50, 0}, false, pinned).left);
    }
}

}  // namespace
}  // namespace claybox::engine
