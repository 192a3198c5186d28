// Every key of the desk as a person with a mouse meets it, without a window: pictures at their own rate,
// steps of simulated time between them, and a pointer that leaps.

#include "app/scenes/desk.hpp"

#include "engine/input/mouse_hand.hpp"
#include "engine/input/mouse_poke.hpp"
#include "tests/session/session_support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace claybox::app {
namespace {

using collision::Vec3d;

constexpr double kPixel = 1e-3;  // pointer places are desk coordinates in millimetres

/// A place of the desk: desk frame, metres.
struct Spot {
    double x, y, z;
};

SessionOptions desk_with(const collision::PairAlgorithm* algorithm) {
    SessionOptions options = options_for("buttons");
    options.settings.pair_algorithm = algorithm;
    options.settings.pair_parameters = collision::default_values(algorithm->parameters);
    return options;
}

struct Person {
    explicit Person(const collision::PairAlgorithm* algorithm) {
        SessionOptions options = desk_with(algorithm);
        session = start(options);
        const Scene& scene = session->scene();
        const collision::Aabb box = scene.hand_region();
        setup.region_min = {box.min.x, box.min.y, box.min.z};
        setup.region_max = {box.max.x, box.max.y, box.max.z};
        setup.rest = to_hand_pose(scene.hand_rest());
        setup.reach = scene.hand_reach();
        setup.pinches = scene.hand_pinches();
        eye = collision::cast<double>(scene.camera().position);
        point({0.03, -0.09, 0.003}, false);
        pictures(10, 1);
    }
    /// The mouse is there from the next picture on.
    void point(const Spot& spot, bool click) {
        pointer = {static_cast<float>(spot.x / kPixel), static_cast<float>(spot.y / kPixel)};
        heights[{pointer.x, pointer.y}] = spot.z;
        down = click;
        if (click) poke.click(pointer);
    }
    void pictures(int count, int steps_each) {
        for (int i = 0; i < count * steps_each; ++i) step();
    }
    void step() {
        const engine::PokeStep now = poke.step(pointer, down, session->scene().hand_pokes());
        const collision::Pose desk = world_from_desk();
        const Vec3d at{now.at.x * kPixel, now.at.y * kPixel, heights.at({now.at.x, now.at.y})};
        const Vec3d ray = normalized(desk.translation + collision::rotate(desk.rotation, at) - eye);
        engine::MouseHandInput mouse;
        mouse.ray_origin = {eye.x, eye.y, eye.z};
        mouse.ray_direction = {ray.x, ray.y, ray.z};
        if (const auto aim = session->scene().hand_aim(eye, ray)) {
            mouse.touch = {aim->touch.x, aim->touch.y, aim->touch.z};
            mouse.push = {aim->push.x, aim->push.y, aim->push.z};
        }
        mouse.left = now.left;
        StepInput input;
        input.hand[0] = to_hand_input(engine::pose_hand(engine::move_mouse_hand(hand, setup, mouse)));
        session->step(std::move(input));
        session->world().wait_idle();
        for (const SceneEvent& e : session->output().events) {
            if (e.kind == SceneEvent::Kind::fired) ++fired[e.text];
            if (e.kind == SceneEvent::Kind::released) ++released[e.text];
        }
    }
    void forget() {
        fired.clear();
        released.clear();
    }

    std::unique_ptr<Session> session;
    engine::MouseHandSetup setup;
    engine::MouseHand hand;
    engine::MousePoke poke;
    Vec3d eye;
    engine::PointerPlace pointer;
    bool down = false;
    std::map<std::pair<float, float>, double> heights;
    std::map<std::string, int> fired, released;
};

/// Where a person points to press the key: the middle of its cap, near its corners, and its words.
std::vector<Spot> spots_of(const DeskButton& b) {
    const auto x = static_cast<double>(b.x), y = static_cast<double>(b.y);
    const PressPad pad = desk_pad(b.cap);
    std::vector<Spot> spots = {{x, y, kCapHeight}};
    for (const double sx : {-0.9, 0.9})
        for (const double sy : {-0.9, 0.9})
            spots.push_back({x + sx * pad.half_x, y + sy * pad.half_y, kCapHeight});
    if (b.cap == DeskCap::toggle)
        for (const double side : {-0.012, 0.0, 0.012}) spots.push_back({x + side, y - 0.0265, 0.004});
    return spots;
}

struct Rate {
    double frames_a_second;
    int steps;  ///< of simulated time in one picture, as the sandbox makes them
};
constexpr Rate kRates[] = {{60, 1}, {30, 2}, {10, 2}, {2.5, 2}};

using Counts = std::map<std::string, int>;

TEST(Desk, EveryKeyFiresOnceAPokeWhereverItIsPointedAtWithEveryAlgorithmAtEveryRate) {
    for (const collision::PairAlgorithm* algorithm : collision::pair_algorithms()) {
        Person person(algorithm);
        const collision::WorldSettings settings = person.session->settings();
        for (const DeskButton& key : desk_buttons()) {
            const std::vector<Spot> spots = spots_of(key);
            for (std::size_t i = 0; i < spots.size(); ++i) {
                const Rate& rate = kRates[i % std::size(kRates)];
                const int held = std::max(1, static_cast<int>(std::lround(0.1 * rate.frames_a_second)));
                person.forget();
                person.session->set_settings(settings);  // as before the last key changed it
                person.point(spots[i], true);            // leaps there and clicks in the same picture
                person.pictures(held, rate.steps);
                person.down = false;
                person.pictures(28 / rate.steps, rate.steps);
                EXPECT_EQ(person.fired, (Counts{{key.title, 1}}))
                    << algorithm->id << " " << key.title << " " << i;
                EXPECT_EQ(person.released, (Counts{{key.title, 1}}))
                    << algorithm->id << " " << key.title << " " << i;
            }
        }
    }
}

TEST(Desk, APointerThatLeapsFromEveryKeyToEveryKeyPressesNothing) {
    for (const collision::PairAlgorithm* algorithm : collision::pair_algorithms()) {
        for (const int steps : {1, 2, 7}) {
            Person person(algorithm);
            for (const DeskButton& from : desk_buttons()) {
                for (const DeskButton& to : desk_buttons()) {
                    person.point(spots_of(from).back(), false);
                    person.pictures(1, steps);
                    person.point(spots_of(to).front(), false);
                    person.pictures(1, steps);
                }
            }
            EXPECT_EQ(person.fired, Counts{}) << algorithm->id << steps;
        }
    }
}

TEST(Desk, HoldingIsOnePressAndTheReleaseComesWithTheMouse) {
    for (const collision::PairAlgorithm* algorithm : collision::pair_algorithms()) {
        Person person(algorithm);
        const DeskButton& key = desk_buttons()[5];
        person.point(spots_of(key).front(), true);
        person.pictures(120, 1);
        EXPECT_EQ(person.fired, (Counts{{key.title, 1}}));
        EXPECT_EQ(person.released, Counts{});
        person.point(spots_of(desk_buttons()[0]).front(), false);  // the pointer leaves as the button goes up
        person.pictures(30, 1);
        EXPECT_EQ(person.fired, (Counts{{key.title, 1}}));
        EXPECT_EQ(person.released, (Counts{{key.title, 1}}));
    }
}

TEST(Desk, ClicksOnThreeKeysWithinOnePictureArePokedOneAfterTheOther) {
    Person person(collision::find_pair_algorithm("edge_polygon"));
    Counts wanted;
    for (const std::size_t i : {9u, 5u, 12u}) {
        person.point(spots_of(desk_buttons()[i]).front(), true);
        wanted[desk_buttons()[i].title] = 1;
    }
    person.down = false;
    person.pictures(80, 1);
    EXPECT_EQ(person.fired, wanted);
    EXPECT_EQ(person.released, wanted);
}

/// A tracked hand over a key: the forefinger's tip this far from the face, in metres, over its middle.
HandInput hand_over_key(const Scene& scene, const DeskButton& key, double gap) {
    HandKey rest = scene.hand_rest();
    const engine::HandState state = engine::pose_hand(to_hand_pose(rest));
    const engine::HandPart& part = state.part[engine::kIndexTipPart];
    const glm::dvec3 tip = engine::tip_of(part);
    const collision::Pose desk = world_from_desk();
    const Vec3d at{static_cast<double>(key.x), static_cast<double>(key.y),
                   kCapHeight + static_cast<double>(part.radius) + gap};
    rest.wrist.translation +=
        desk.translation + collision::rotate(desk.rotation, at) - Vec3d{tip.x, tip.y, tip.z};
    return to_hand_input(engine::pose_hand(to_hand_pose(rest)));
}

TEST(Desk, ATrackedFingerFiresEveryKeyOnceHoweverFewFramesSeeIt) {
    for (const collision::PairAlgorithm* algorithm : collision::pair_algorithms()) {
        for (const Rate& rate : kRates) {
            SessionOptions options = desk_with(algorithm);
            const auto session = start(options);
            double pokes = 0;
            for (const DeskButton& key : desk_buttons()) {
                // Down within 0.1 s, there for half a second, and up again.
                const auto gap = [](double t) {
                    return t < 0.5 ? 0.03 : t < 0.6 ? 0.03 - 0.39 * (t - 0.5) : t < 1.1 ? -0.009 : 0.03;
                };
                for (double t = 0; t < 1.6; t += 1 / rate.frames_a_second) {
                    StepInput input;
                    input.dt = 1 / rate.frames_a_second;
                    input.hand[0] = hand_over_key(session->scene(), key, gap(t));
                    session->step(std::move(input));
                    session->world().wait_idle();  // "Concurrent" is one of the keys
                }
                ++pokes;
                EXPECT_EQ(figure(*session, "presses"), pokes) << key.title << " " << rate.frames_a_second;
                EXPECT_EQ(figure(*session, "releases"), pokes) << key.title << " " << rate.frames_a_second;
            }
            EXPECT_LT(std::abs(figure(*session, "travel")), 12) << "caps do not swing up";
        }
    }
}

TEST(Desk, TwoFingersPressTwoKeysOnceEach) {
    for (const collision::PairAlgorithm* algorithm : collision::pair_algorithms()) {
        SessionOptions options = desk_with(algorithm);
        const auto session = start(options);
        Counts fired, released;
        for (int i = 0; i < 80; ++i) {
            const double gap = i >= 20 && i < 50 ? -0.009 : 0.03;
            StepInput input;
            input.hand[0] = hand_over_key(session->scene(), desk_buttons()[9], gap);
            input.hand[1] = hand_over_key(session->scene(), desk_buttons()[12], gap);
            session->step(std::move(input));
            for (const SceneEvent& e : session->output().events) {
                if (e.kind == SceneEvent::Kind::fired) ++fired[e.text];
                if (e.kind == SceneEvent::Kind::released) ++released[e.text];
            }
        }
        EXPECT_EQ(fired, (Counts{{desk_buttons()[9].title, 1}, {desk_buttons()[12].title, 1}}));
        EXPECT_EQ(released, fired);
    }
}

// A module that works on its own may miss many frames: the way through them is followed when it reports.
TEST(Desk, AModuleThatSkipsFramesMissesNoPress) {
    for (const collision::PairAlgorithm* algorithm : collision::pair_algorithms()) {
        SessionOptions options = desk_with(algorithm);
        options.settings.concurrent = true;
        const auto session = start(options);
        const DeskButton& key = desk_buttons()[12];
        for (int i = 0; i < 120; ++i) {
            StepInput input;
            const bool in = i >= 40 && i < 70;
            input.hand[0] =
                hand_over_key(session->scene(), key, in ? 0.03 - 0.0039 * std::min(i - 39, 10) : 0.03);
            session->step(std::move(input));
            if (i % 10 == 0) session->world().wait_idle();
        }
        session->world().wait_idle();
        StepInput last;
        last.hand[0] = hand_over_key(session->scene(), key, 0.03);
        session->step(std::move(last));
        EXPECT_EQ(figure(*session, "presses"), 1);
        EXPECT_EQ(figure(*session, "releases"), 1);
    }
}

TEST(Desk, NoKeyIsPointedAtBesideTheKeys) {
    const collision::Pose desk = world_from_desk();
    const collision::Quat to_desk = collision::conjugate(desk.rotation);
    const Vec3d eye =
        collision::rotate(to_desk, collision::cast<double>(desk_camera().position) - desk.translation);
    for (const Vec3d at : {Vec3d{0.033, 0, 0.003}, Vec3d{-0.16, 0, 0.003}, Vec3d{0.06, 0.005, 0.003}}) {
        EXPECT_EQ(desk_button_at({eye, at - eye}), collision::kNoIndex) << at.x;
    }
    for (std::uint32_t i = 0; i < desk_buttons().size(); ++i) {
        for (const Spot& spot : spots_of(desk_buttons()[i])) {
            EXPECT_EQ(desk_button_at({eye, Vec3d{spot.x, spot.y, spot.z} - eye}), i)
                << desk_buttons()[i].title;
        }
    }
}

}  // namespace
}  // namespace claybox::app
