// The mobiles: balance, motion with their groups, and picture.

#include "app/scenes/mobiles/mobile_layout.hpp"
#include "tests/session/session_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace claybox::app {
namespace {

using collision::Vec3d;

TEST(MobileLayout, rods_are_balanced_and_as_deep_as_requested) {
    for (int levels = 1; levels <= 8; ++levels) {
        const MobileLayout layout = lay_out_mobiles({3, levels}, 7);
        std::vector<Vec3d> moment(layout.rods.size());
        std::vector<double> weight(layout.rods.size(), 0);
        std::vector<int> ends(layout.rods.size(), 0);
        const auto pull = [&](std::uint32_t rod, const Vec3d& at, double by) {
            moment[rod] += by * at;
            weight[rod] += by;
            ++ends[rod];
        };
        for (const MobileWeight& w : layout.weights) {
            const auto r = static_cast<double>(layout.kinds[w.kind].radius);
            pull(w.rod, w.centre, r * r * r);
        }
        std::map<std::uint32_t, std::uint32_t> deepest;
        for (std::size_t i = layout.rods.size(); i-- > 0;) {
            const MobileRod& rod = layout.rods[i];
            EXPECT_EQ(ends[i], 2);
            EXPECT_NEAR(moment[i].x / weight[i], 0, 0.04 * static_cast<double>(layout.rod_length[rod.level]));
            deepest[rod.mobile] = std::max(deepest[rod.mobile], rod.level + 1);
            if (rod.parent == collision::kNoIndex) continue;
            EXPECT_LT(rod.parent, i);
            EXPECT_EQ(layout.rods[rod.parent].level + 1, rod.level);
            pull(rod.parent, rod.hook, weight[i]);
        }
        ASSERT_EQ(deepest.size(), 3u);
        for (const auto& [mobile, depth] : deepest) EXPECT_EQ(depth, static_cast<std::uint32_t>(levels));
    }
}

/// Drawables of the bodies, by body number.
std::map<std::uint32_t, Drawable> drawn(const Session& session) {
    SceneView view;
    session.scene().view({}, view);
    std::map<std::uint32_t, Drawable> out;
    for (const Drawable& d : view.drawables)
        if (d.pick != 0xffffffffu) out[d.pick] = d;
    return out;
}

TEST(MobileScene, bodies_are_drawn_where_the_world_has_them) {
    SessionOptions options = options_for("mobiles");
    const auto session = start(options);
    run(*session, 40);
    std::size_t hung = 0;
    for (const auto& [number, d] : drawn(*session)) {
        collision::WorldQuery query;
        query.spec = collision::PointQuery{d.pose.translation};
        std::vector<collision::QueryHit> hits;
        ASSERT_TRUE(session->world().query_now(query, hits).ok());
        hung += std::ranges::any_of(hits, [&, n = number](const auto& hit) { return hit.data == n; });
    }
    EXPECT_EQ(hung, session->report().pass.bodies);
    EXPECT_GT(hung, 60u);
    for (const auto& [number, d] : drawn(*session)) {
        EXPECT_GT(d.pose.translation.y, 0.1) << "above the floor";
        EXPECT_LT(d.pose.translation.y, kBeamHeight) << "below the beam";
        EXPECT_NE(session->scene().describe_pick(number), "");
    }
    EXPECT_EQ(session->scene().describe_pick(static_cast<std::uint32_t>(hung)), "");
}

TEST(MobileScene, every_broad_phase_and_mode_gives_the_same_hash) {
    std::map<std::uint64_t, int> seen;
    int turn = 0;
    for (const collision::BroadPhaseDescriptor* phase : collision::broad_phases()) {
        SessionOptions options = options_for("mobiles");
        set(options, "speed", 60);
        options.settings.broad_phase = phase;
        options.settings.broad_parameters = collision::default_values(phase->parameters);
        options.settings.assert_pairs = true;
        if (++turn % 2 == 0) options.settings.parallel = collision::ParallelMode::pairs;
        options.settings.workers = 2;
        const auto session = start(options);
        run(*session, 60);
        EXPECT_EQ(session->report().pass.pair_disagreements, 0u) << phase->id;
        ++seen[session->report().state_hash];
        EXPECT_GT(figure(*session, "hits"), 5) << "mobiles collide";
    }
    EXPECT_EQ(seen.size(), 1u);
}

TEST(MobileScene, touching_bodies_glow_and_cool_down) {
    SessionOptions options = options_for("mobiles");
    set(options, "speed", 60);
    const auto session = start(options);
    float hottest = 0;
    for (int i = 0; i < 90; ++i) {
        run(*session, 1);
        for (const auto& [number, d] : drawn(*session)) hottest = std::max(hottest, d.tint * d.colliding);
    }
    EXPECT_EQ(hottest, 1);
    ASSERT_TRUE(
        session->set_parameter(collision::find_parameter(session->descriptor().parameters, "speed"), 0).ok());
    run(*session, 40);
    const auto still = drawn(*session);
    const auto glowing =
        std::ranges::count_if(still, [](const auto& entry) { return entry.second.colliding; });
    EXPECT_LE(static_cast<std::size_t>(glowing), 2 * session->report().pass.colliding);
    EXPECT_LT(static_cast<std::size_t>(glowing), still.size() / 2) << "a collision stands out";
    EXPECT_EQ(figure(*session, "contacts"), static_cast<double>(session->report().pass.colliding));
    const auto moved = drawn(*session);
    for (const auto& [number, d] : moved) EXPECT_EQ(d.pose, still.at(number).pose);
}

TEST(MobileScene, the_hierarchy_shows_the_boxes_of_the_rods) {
    SessionOptions options = options_for("mobiles");
    options.settings.broad_phase = collision::find_broad_phase("hierarchy");
    options.settings.broad_parameters = {};
    const auto session = start(options);
    collision::ViewRequest request;
    request.limit = 10000;
    session->world().request_view(request);
    run(*session, 2);
    const double groups = figure(*session, "groups");
    EXPECT_GE(static_cast<double>(session->world().view().boxes().size()), groups);
}

TEST(MobileScene, where_many_touch_only_hits_are_red_all_over) {
    SessionOptions options = options_for("mobiles");
    set(options, "mobiles", 9);
    set(options, "levels", 6);
    const auto session = start(options);
    int red = 0, edges = 0, frames = 0, bodies = 0;
    for (int i = 0; i < 300; ++i) {
        run(*session, 1);
        if (i < 60) continue;
        ++frames;
        for (const auto& [number, d] : drawn(*session)) {
            ++bodies;
            red += d.colliding && d.tint > 0.3f ? 1 : 0;
            edges += d.edge_tint > 0.3f ? 1 : 0;
        }
    }
    EXPECT_GT(edges, 2 * red) << "steady contacts show at the edges";
    EXPECT_LT(10 * red, bodies);
    EXPECT_GT(red, frames) << "hits stand out";
}

}  // namespace
}  // namespace claybox::app
