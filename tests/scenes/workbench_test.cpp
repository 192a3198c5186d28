// The *Solids* scene: a hand takes them, holds one into another and is drawn where it may be.
#include "collision/pairwise/registry.hpp"
#include "tests/scenes/hand_support.hpp"
#include "tests/scenes/mouse_person.hpp"
#include "tests/session/session_support.hpp"

#include <gtest/gtest.h>

namespace claybox::app {
namespace {

using collision::Pose;
using collision::Vec3d;

TEST(Workbench, TheScriptTakesASolidHoldsItIntoAnotherAndLeavesItInTheAir) {
    const auto session = start(options_for("workbench"));
    EXPECT_EQ(figure(*session, "taken"), 0);
    run(*session, 190);
    EXPECT_EQ(figure(*session, "taken"), 1);
    EXPECT_GT(figure(*session, "depth"), 1);
    EXPECT_EQ(figure(*session, "hits"), 1);
    run(*session, 200);
    EXPECT_EQ(figure(*session, "depth"), 0);
    EXPECT_GT(figure(*session, "gap"), 1);
    SceneView view;
    session->scene().view({}, view);
    EXPECT_GT(view.drawables[3].pose.translation.y, 0.08) << "the third solid stays where it was let go";
}

/// What a scene shows, part by part: its first drawables are the table and the solids.
struct Seen {
    static constexpr std::size_t kSolids = 8;
    explicit Seen(const Session& session) {
        session.scene().view({}, view);
        std::vector<ViewMesh> meshes;
        session.scene().meshes(meshes);
        for (const Drawable& d : view.drawables) {
            const auto mesh =
                std::find_if(meshes.begin(), meshes.end(), [&](const ViewMesh& m) { return m.id == d.mesh; });
            shapes.push_back(collision::Shape::from_hull(*mesh->positions).value());
        }
    }
    bool has_ghost() const { return view.drawables.size() > 1 + kSolids + kHandParts; }
    /// How deep the drawn hand is in a solid, metres; or the tracked one.
    double depth(std::size_t solid, const HandInput* tracked = nullptr) {
        double deepest = 0;
        for (std::size_t p = 0; p < kHandParts; ++p) {
            const std::size_t part = 1 + kSolids + p;
            const Pose pose = tracked != nullptr ? tracked->part[p] : view.drawables[part].pose;
            collision::PairQuery query = collision::make_pair_query(
                *shapes[1 + solid], collision::to_matrix(view.drawables[1 + solid].pose), *shapes[part],
                collision::to_matrix(pose), scratch);
            query.wants = collision::kWantDepth;
            collision::PairCache cache;
            const auto result = collision::run_query(*collision::find_pair_algorithm("best"), query, cache);
            if (result.verdict == collision::Verdict::colliding) deepest = std::max(deepest, result.depth);
        }
        return deepest;
    }
    SceneView view;
    std::vector<collision::ShapePtr> shapes;
    collision::Scratch scratch;
};

/// An open hand whose fingers lie along -Z comes down on a solid.
Vec3d above_solid(Session& session, std::size_t solid, double height) {
    session.step({});
    SceneView view;
    session.scene().view({}, view);
    return view.drawables[1 + solid].pose.translation + Vec3d{0, height, 0.05};
}

TEST(Workbench, TheDrawnHandStaysOutOfSolidsAndTheTrackedOneTakesThem) {
    const auto session = start(options_for("workbench"));
    const Vec3d above = above_solid(*session, 1, 0.12);
    StepInput input;
    for (int i = 0; i < 50; ++i) {
        input.hand[0] = hand(above - Vec3d{0, 0.002 * i, 0}, 0);
        session->step(input);
        Seen seen(*session);
        for (std::size_t s = 0; s < Seen::kSolids; ++s) ASSERT_LT(seen.depth(s), 0.0005) << i << " " << s;
    }
    Seen seen(*session);
    EXPECT_TRUE(seen.has_ghost());
    EXPECT_GT(seen.depth(1, &input.hand[0]), 0.01) << "the tracked hand goes where it goes";
}

TEST(Workbench, ASolidInTheHandIsNoWallForItUntilTheFingersHaveLeftIt) {
    const auto session = start(options_for("workbench"));
    run(*session, 100);
    ASSERT_EQ(figure(*session, "taken"), 1);
    HandInput in_hand = scripted_hand(session->scene(), 100);
    Seen holds(*session);
    EXPECT_FALSE(holds.has_ghost());
    EXPECT_GT(holds.depth(2), 0.002) << "fingers dent what they hold";
    // Opens in the air, no further than it must.
    StepInput input;
    for (std::uint64_t f = 270; f < 284 && session->output().events.empty(); ++f) {
        input.hand[0] = scripted_hand(session->scene(), f);
        for (std::size_t p = 0; p < kHandParts; ++p)
            input.hand[0].part[p].translation +=
                in_hand.part[0].translation - scripted_hand(session->scene(), f).part[0].translation;
        session->step(input);
    }
    ASSERT_FALSE(session->output().events.empty());
    Seen leaves(*session);
    EXPECT_GT(leaves.depth(2), 0.001) << "still between the fingers";
    EXPECT_FALSE(leaves.has_ghost());
    // Away and back from above: now it is a wall.
    const Vec3d at = leaves.view.drawables[3].pose.translation;
    for (int i = 0; i < 60; ++i) {
        input.hand[0] = hand(at + Vec3d{0, 0.12 - 0.002 * std::max(0, i - 10), 0.05}, 0);
        session->step(input);
    }
    Seen back(*session);
    EXPECT_LT(back.depth(2), 0.0005);
    EXPECT_GT(back.depth(2, &input.hand[0]), 0.01);
}

TEST(Workbench, AHandThatHoldsASolidIntoAnotherIsDrawnWithIt) {
    const auto session = start(options_for("workbench"));
    run(*session, 100);
    ASSERT_EQ(figure(*session, "taken"), 1);
    const HandInput takes = scripted_hand(session->scene(), 100);
    SceneView before;
    session->scene().view({}, before);
    const Vec3d way = before.drawables[1].pose.translation - before.drawables[3].pose.translation;
    StepInput input;
    for (int i = 1; i <= 100; ++i) {
        input.hand[0] = takes;
        for (Pose& part : input.hand[0].part) part.translation = part.translation + way * (i / 100.0);
        session->step(input);
    }
    Seen seen(*session);
    EXPECT_FALSE(seen.has_ghost());
    EXPECT_GT(seen.depth(0), 0.005) << "the fingers are in the other one";
    constexpr std::size_t kPalm = 1 + Seen::kSolids;
    EXPECT_LT(length(seen.view.drawables[kPalm].pose.translation - input.hand[0].part[0].translation), 1e-9);
}

TEST(Workbench, WhatAHandHoldsIsDrawnWithTheHandOfNowAndStaysWhereItIs) {
    const auto session = start(options_for("workbench"));
    run(*session, 110);
    const auto shown = [&](const std::array<HandInput, 2>* newest) {
        ViewOptions options;
        options.newest_hands = newest;
        SceneView view;
        session->scene().view(options, view);
        return view;
    };
    const SceneView step = shown(nullptr);
    std::array<HandInput, 2> newest;
    newest[0] = scripted_hand(session->scene(), 118);
    const SceneView now = shown(&newest);
    constexpr std::size_t kSolid = 3, kPalm = 1 + Seen::kSolids;
    const auto in_hand = [&](const SceneView& view) {
        return collision::inverse(view.drawables[kPalm].pose) * view.drawables[kSolid].pose;
    };
    EXPECT_GT(length(now.drawables[kSolid].pose.translation - step.drawables[kSolid].pose.translation), 0.01);
    EXPECT_LT(length(in_hand(now).translation - in_hand(step).translation), 1e-9);
    for (const std::size_t other : {1u, 2u, 4u})
        EXPECT_EQ(now.drawables[other].pose, step.drawables[other].pose);
    EXPECT_GT(length(now.lines.at(0).from - step.lines.at(0).from) +
                  length(now.lines.at(0).to - step.lines.at(0).to),
              0.01f)
        << "what is measured is measured at the solid";
    EXPECT_EQ(shown(nullptr).drawables[kSolid].pose, step.drawables[kSolid].pose) << "nothing has moved";
}

// What a person does: points at a solid, holds the left button and drags.
TEST(Workbench, TheMouseHandTakesTheSolidUnderThePointerAndCarriesIt) {
    for (std::size_t solid = 0; solid < Seen::kSolids; ++solid) {
        const auto session = start(options_for("workbench"));
        SceneView view;
        session->scene().view({}, view);
        const Vec3d at = view.drawables[1 + solid].pose.translation;
        MousePerson person(session->scene());
        std::string taken;
        StepInput input;
        for (int i = 0; i < 110; ++i) {
            const double drag = std::clamp(0.002 * (i - 60), 0.0, 0.06);
            input.hand[0] = person.frame(at + Vec3d{0, drag, 0}, i >= 40);
            session->step(input);
            for (const SceneEvent& e : session->output().events)
                if (e.kind == SceneEvent::Kind::taken) taken += e.text + ";";
        }
        const std::string words = session->scene().describe_pick(static_cast<std::uint32_t>(solid));
        EXPECT_EQ(taken, words.substr(0, words.find(':')) + ";");
        session->scene().view({}, view);
        EXPECT_GT(view.drawables[1 + solid].pose.translation.y, at.y + 0.03) << words;
    }
}

TEST(Workbench, PutBackPutsEverythingBack) {
    const auto session = start(options_for("workbench"));
    SceneView before, after;
    session->scene().view({}, before);
    run(*session, 400);
    StepInput input;
    input.actions = {0};
    session->step(std::move(input));
    session->scene().view({}, after);
    for (std::size_t i = 1; i <= 8; ++i)
        EXPECT_LT(length(before.drawables[i].pose.translation - after.drawables[i].pose.translation), 1e-12);
}

}  // namespace
}  // namespace claybox::app
