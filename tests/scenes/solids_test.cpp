// The scene Solids: grasping solids, pushing one into another, and stopping the drawn hand.
#include "collision/pairwise/registry.hpp"
#include "tests/scenes/hand_support.hpp"
#include "tests/scenes/mouse_person.hpp"
#include "tests/session/session_support.hpp"

#include <gtest/gtest.h>

namespace claybox::app {
namespace {

using collision::Pose;
using collision::Vec3d;

TEST(Solids, the_script_takes_a_solid_pushes_it_into_another_and_releases_it_in_the_air) {
    const auto session = start(options_for("solids"));
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
    EXPECT_GT(view.drawables[3].pose.translation.y, 0.08) << "the third solid stays where it was released";
}

/// Drawables of the scene with their shapes: the table, the solids, then the hand.
struct Picture {
    static constexpr std::size_t kSolids = 8;
    explicit Picture(const Session& session) {
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
    /// Depth of the drawn hand in a solid, metres; of the tracked hand if given.
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

/// Wrist position of a hand with its fingers along -Z, `height` above a solid.
Vec3d above_solid(Session& session, std::size_t solid, double height) {
    session.step({});
    SceneView view;
    session.scene().view({}, view);
    return view.drawables[1 + solid].pose.translation + Vec3d{0, height, 0.05};
}

TEST(Solids, the_drawn_hand_stays_out_of_solids_and_the_tracked_hand_does_not) {
    const auto session = start(options_for("solids"));
    const Vec3d above = above_solid(*session, 1, 0.12);
    StepInput input;
    for (int i = 0; i < 50; ++i) {
        input.hand[0] = hand(above - Vec3d{0, 0.002 * i, 0}, 0);
        session->step(input);
        Picture picture(*session);
        for (std::size_t s = 0; s < Picture::kSolids; ++s)
            ASSERT_LT(picture.depth(s), 0.0005) << i << " " << s;
    }
    Picture picture(*session);
    EXPECT_TRUE(picture.has_ghost());
    EXPECT_GT(picture.depth(1, &input.hand[0]), 0.01) << "the tracked hand is not stopped";
}

TEST(Solids, a_held_solid_does_not_stop_the_hand_until_the_fingers_have_left_it) {
    const auto session = start(options_for("solids"));
    run(*session, 100);
    ASSERT_EQ(figure(*session, "taken"), 1);
    HandInput in_hand = scripted_hand(session->scene(), 100);
    Picture held(*session);
    EXPECT_FALSE(held.has_ghost());
    EXPECT_GT(held.depth(2), 0.002) << "fingers overlap the solid that they hold";
    // Opens in the air, just enough to release.
    StepInput input;
    for (std::uint64_t f = 270; f < 284 && session->output().events.empty(); ++f) {
        input.hand[0] = scripted_hand(session->scene(), f);
        for (std::size_t p = 0; p < kHandParts; ++p)
            input.hand[0].part[p].translation +=
                in_hand.part[0].translation - scripted_hand(session->scene(), f).part[0].translation;
        session->step(input);
    }
    ASSERT_FALSE(session->output().events.empty());
    Picture released(*session);
    EXPECT_GT(released.depth(2), 0.001) << "still between the fingers";
    EXPECT_FALSE(released.has_ghost());
    // Away and back from above: now the solid stops the hand.
    const Vec3d at = released.view.drawables[3].pose.translation;
    for (int i = 0; i < 60; ++i) {
        input.hand[0] = hand(at + Vec3d{0, 0.12 - 0.002 * std::max(0, i - 10), 0.05}, 0);
        session->step(input);
    }
    Picture back(*session);
    EXPECT_LT(back.depth(2), 0.0005);
    EXPECT_GT(back.depth(2, &input.hand[0]), 0.01);
}

TEST(Solids, a_hand_that_pushes_a_solid_into_another_is_drawn_with_it) {
    const auto session = start(options_for("solids"));
    run(*session, 100);
    ASSERT_EQ(figure(*session, "taken"), 1);
    const HandInput takes = scripted_hand(session->scene(), 100);
    SceneView before;
    session->scene().view({}, before);
    const Vec3d offset = before.drawables[1].pose.translation - before.drawables[3].pose.translation;
    StepInput input;
    for (int i = 1; i <= 100; ++i) {
        input.hand[0] = takes;
        for (Pose& part : input.hand[0].part) part.translation = part.translation + offset * (i / 100.0);
        session->step(input);
    }
    Picture picture(*session);
    EXPECT_FALSE(picture.has_ghost());
    EXPECT_GT(picture.depth(0), 0.005) << "the fingers are inside the other solid";
    constexpr std::size_t kPalm = 1 + Picture::kSolids;
    EXPECT_LT(length(picture.view.drawables[kPalm].pose.translation - input.hand[0].part[0].translation),
              1e-9);
}

TEST(Solids, a_held_solid_is_drawn_with_the_newest_hand_and_does_not_move) {
    const auto session = start(options_for("solids"));
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
    constexpr std::size_t kSolid = 3, kPalm = 1 + Picture::kSolids;
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
        << "the measured line moves with the solid";
    EXPECT_EQ(shown(nullptr).drawables[kSolid].pose, step.drawables[kSolid].pose) << "nothing has moved";
}

// Like a person: points at a solid, held the left button and drags.
TEST(Solids, the_mouse_hand_takes_the_solid_under_the_pointer_and_carries_it) {
    for (std::size_t solid = 0; solid < Picture::kSolids; ++solid) {
        const auto session = start(options_for("solids"));
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

TEST(Solids, put_back_restores_every_solid) {
    const auto session = start(options_for("solids"));
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
