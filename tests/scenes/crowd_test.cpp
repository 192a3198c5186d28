// The crowd: placement, motion, picture and response to collisions.

#include "app/scenes/crowd/flock.hpp"
#include "app/scenes/shared/shades.hpp"
#include "tests/session/session_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace claybox::app {
namespace {

using collision::Vec3f;

SceneView view_of(const Session& session) {
    SceneView view;
    session.scene().view({}, view);
    return view;
}

TEST(CrowdScene, APP_loop_same_seed_same_hash_in_every_broad_phase_and_mode) {
    std::map<std::uint64_t, int> seen;
    int turn = 0;
    for (const collision::BroadPhaseDescriptor* phase : collision::broad_phases()) {
        SessionOptions options = options_for("crowd");
        options.settings.broad_phase = phase;
        options.settings.broad_parameters = collision::default_values(phase->parameters);
        if (++turn % 2 == 0) options.settings.parallel = collision::ParallelMode::pairs;
        options.settings.workers = 2;
        const auto session = start(options);
        run(*session, 40);
        ++seen[session->report().state_hash];
        EXPECT_GT(figure(*session, "hits"), 5) << "bodies collide";
    }
    EXPECT_EQ(seen.size(), 1u);
}

TEST(CrowdScene, starts_with_few_collisions_and_stays_inside_the_arena) {
    for (const double obstacles : {0.0, 9.0}) {
        SessionOptions options = options_for("crowd");
        set(options, "obstacles", obstacles);
        set(options, "speed", 3);
        const auto session = start(options);
        run(*session, 1);
        EXPECT_LT(session->report().pass.colliding, 12u);
        run(*session, 150);
        for (const ViewCrowd& crowd : view_of(*session).crowds)
            for (const Vec3f& p : crowd.positions) {
                ASSERT_LE(std::abs(p.x), kArena.x);
                ASSERT_LE(std::abs(p.z), kArena.z);
                ASSERT_GE(p.y, 0);
                ASSERT_LT(p.y, kArena.y + 1);
            }
    }
}

TEST(CrowdScene, colliding_bodies_glow_and_cool_down_later) {
    const auto session = start(options_for("crowd"));
    const auto glowing = [&] {
        std::size_t count = 0;
        for (const ViewCrowd& crowd : view_of(*session).crowds)
            for (const std::uint8_t shade : crowd.shades) count += shade >= 8;
        return count;
    };
    EXPECT_EQ(glowing(), 0u);
    std::uint8_t hottest = 0;
    for (int frame = 0; frame < 60; ++frame) {
        run(*session, 1);
        for (const ViewCrowd& crowd : view_of(*session).crowds)
            for (const std::uint8_t shade : crowd.shades) hottest = std::max(hottest, shade);
    }
    EXPECT_GE(hottest, heat_shade(1, 0)) << "a hit flashes";
    EXPECT_GT(glowing(), 2u);
    EXPECT_LT(glowing(), 400u) << "a collision stands out";
    EXPECT_FALSE(view_of(*session).points.empty());
    ASSERT_TRUE(
        session->set_parameter(collision::find_parameter(session->descriptor().parameters, "moving"), 0)
            .ok());
    run(*session, 40);
    // Nothing moves any longer: only bodies in contact still glow.
    EXPECT_LE(glowing(), 2 * session->report().pass.colliding);
    EXPECT_EQ(figure(*session, "contacts"), static_cast<double>(session->report().pass.colliding));
}

TEST(CrowdScene, only_the_requested_share_moves) {
    SessionOptions options = options_for("crowd");
    for (const double share : {0.0, 1.0, 40.0, 100.0}) {
        set(options, "moving", share);
        const auto session = start(options);
        run(*session, 3);
        EXPECT_NEAR(static_cast<double>(session->report().pass.moved), 10 * share, share == 100 ? 0 : 60);
    }
}

TEST(CrowdScene, every_body_is_in_one_crowd_and_can_be_picked) {
    for (int mix = 0; mix < 5; ++mix) {
        SessionOptions options = options_for("crowd");
        set(options, "mix", mix);
        const auto session = start(options);
        run(*session, 2);
        std::uint32_t next = 0;
        for (const ViewCrowd& crowd : view_of(*session).crowds) {
            EXPECT_EQ(crowd.first_pick, next);
            ASSERT_EQ(crowd.positions.size(), crowd.rotations.size());
            ASSERT_EQ(crowd.positions.size(), crowd.shades.size());
            next += static_cast<std::uint32_t>(crowd.positions.size());
            for (const auto& q : crowd.rotations)
                ASSERT_NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-5);
        }
        EXPECT_EQ(next, 1000u);
        EXPECT_NE(session->scene().describe_pick(999), "");
        EXPECT_NE(session->scene().describe_pick(1000), "") << "the ring";
        EXPECT_EQ(session->scene().describe_pick(1005), "");
    }
}

TEST(CrowdScene, a_concurrent_run_stays_in_order) {
    SessionOptions options = options_for("crowd");
    options.settings.concurrent = true;
    const auto session = start(options);
    // The module's thread runs when the machine lets it.
    for (int i = 0; i < 500 && !(figure(*session, "hits") > 0); ++i) run(*session, 120);
    EXPECT_GT(figure(*session, "hits"), 0);
    EXPECT_GE(figure(*session, "contacts"), 0);
}

TEST(Flock, clearance_is_the_distance_to_the_surface) {
    const Obstacle column{Obstacle::Kind::column, {1, 0, 2}, 0.5f, 0, 3};
    EXPECT_NEAR(clearance(column, {3, 1, 2}).gap, 1.5f, 1e-6f);
    EXPECT_EQ(clearance(column, {3, 1, 2}).away, (Vec3f{1, 0, 0}));
    EXPECT_LT(clearance(column, {1.2f, 1, 2}).gap, 0);
    EXPECT_NEAR(clearance(column, {1.2f, 4, 2}).gap, 1, 1e-6f);
    const Obstacle ring{Obstacle::Kind::ring, {0, 1, 0}, 2, 0.25f, 0};
    EXPECT_NEAR(clearance(ring, {0, 1, 0}).gap, 1.75f, 1e-6f) << "the middle of the ring is free";
    EXPECT_NEAR(clearance(ring, {0, 3, 0.5f}).gap, 0.25f, 1e-6f);
    EXPECT_NEAR(clearance(ring, {0, 3, 0.5f}).away.z, 1, 1e-6f);
}

TEST(Flock, bodies_that_collide_head_on_turn_around_and_resting_ones_stay) {
    for (const double share : {1.0, 0.0}) {
        Flock flock;
        const float radii[] = {0.1f, 0.1f, 0.1f, 0.1f};
        flock.build(radii, {}, 7);
        flock.set_motion({0.01f, 0.1f, share});
        const std::vector<Vec3f> before(flock.positions().begin(), flock.positions().end());
        for (int i = 0; i < 40; ++i) flock.bounce(0, 1);
        flock.advance(1);
        const float apart = length(flock.positions()[0] - flock.positions()[1]);
        if (share == 0.0) {
            EXPECT_TRUE(std::equal(before.begin(), before.end(), flock.positions().begin()));
        } else {
            EXPECT_GT(apart, length(before[0] - before[1]));
        }
    }
}

}  // namespace
}  // namespace claybox::app
