// Presses every key of the desk like a person with a mouse, without a window: pictures at different rates,
// steps of simulated time between them, and a pointer that jumps.

#include "engine/input/sources/mouse_poke.hpp"
#include "tests/scenes/desk_support.hpp"
#include "tests/scenes/mouse_person.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace claybox::app {
namespace {

using collision::Vec3d;

constexpr double kPixel = 1e-3;  // pointer positions are desk coordinates in millimetres

/// A point in the desk frame, metres.
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
    explicit Person(const collision::PairAlgorithm* algorithm) : Person(desk_with(algorithm)) {}
    explicit Person(const SessionOptions& options) : session(start(options)), hand(session->scene()) {
        point({0.03, -0.09, 0.003}, false);
        pictures(10, 1);
    }
    /// Moves the mouse; takes effect with the next picture.
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
        StepInput input;
        input.hand[0] = hand.frame(desk.translation + collision::rotate(desk.rotation, at), now.left);
        session->step(std::move(input));
        session->world().wait_idle();
        for (const SceneEvent& e : session->output().events) {
            if (e.kind == SceneEvent::Kind::fired) ++fired[e.text];
            if (e.kind == SceneEvent::Kind::released) ++released[e.text];
        }
    }
    void clear_counts() {
        fired.clear();
        released.clear();
    }

    std::unique_ptr<Session> session;
    MousePerson hand;
    engine::MousePoke poke;
    engine::PointerPlace pointer;
    bool down = false;
    std::map<std::pair<float, float>, double> heights;
    std::map<std::string, int> fired, released;
};

/// Points at which a person may click to press the key: the middle of the cap, near its corners, and the
/// caption.
std::vector<Spot> spots_of(const DeskControl& b) {
    const PressPad pad = desk_pad(b.kind);
    const double z = desk_height(b.kind);
    std::vector<Spot> spots = {{b.x, b.y, z}};
    for (const double sx : {-0.9, 0.9})
        for (const double sy : {-0.9, 0.9})
            spots.push_back({b.x + sx * pad.half_x, b.y + sy * pad.half_y, z});
    if (b.kind == DeskKind::toggle)
        for (const double side : {-0.012, 0.0, 0.012}) spots.push_back({b.x + side, b.y - 0.0240, 0.004});
    return spots;
}

struct Rate {
    double frames_per_second;
    int steps;  ///< simulation steps per picture, as in the sandbox
};
constexpr Rate kRates[] = {{60, 1}, {30, 2}, {10, 2}, {2.5, 2}};

using Counts = std::map<std::string, int>;

TEST(Desk, every_key_fires_once_per_click_with_every_algorithm_at_every_frame_rate) {
    for (const collision::PairAlgorithm* algorithm : collision::pair_algorithms()) {
        Person person(algorithm);
        const collision::WorldSettings settings = person.session->settings();
        for (const DeskControl* control : keys_of_the_desk()) {
            const DeskControl& key = *control;
            const std::vector<Spot> spots = spots_of(key);
            for (std::size_t i = 0; i < spots.size(); ++i) {
                const Rate& rate = kRates[i % std::size(kRates)];
                const int held = std::max(1, static_cast<int>(std::lround(0.1 * rate.frames_per_second)));
                person.clear_counts();
                person.session->set_settings(settings);  // undo the effect of the last key
                person.point(spots[i], true);            // jump there and click within one picture
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

TEST(Desk, a_pointer_that_jumps_between_keys_presses_nothing) {
    for (const collision::PairAlgorithm* algorithm : collision::pair_algorithms()) {
        for (const int steps : {1, 2, 7}) {
            Person person(algorithm);
            for (std::size_t i = 0; i < desk_controls().size(); i += 4) {
                const DeskControl& from = desk_controls()[i];
                for (const DeskControl& to : desk_controls()) {
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

TEST(Desk, holding_is_one_press_and_the_mouse_button_releases_it) {
    for (const collision::PairAlgorithm* algorithm : collision::pair_algorithms()) {
        Person person(algorithm);
        const DeskControl& key = desk_controls()[desk_control(DeskRole::theme)];
        person.point(spots_of(key).front(), true);
        person.pictures(120, 1);
        EXPECT_EQ(person.fired, (Counts{{key.title, 1}}));
        EXPECT_EQ(person.released, Counts{});
        person.point(spots_of(app::desk_controls()[0]).front(),
                     false);  // the pointer leaves when the mouse button is released
        person.pictures(30, 1);
        EXPECT_EQ(person.fired, (Counts{{key.title, 1}}));
        EXPECT_EQ(person.released, (Counts{{key.title, 1}}));
    }
}

TEST(Desk, clicks_on_three_keys_within_one_picture_are_poked_one_after_the_other) {
    Person person(collision::find_pair_algorithm("edge_polygon"));
    Counts wanted;
    for (const DeskRole role : {DeskRole::concurrent, DeskRole::theme, DeskRole::next_algorithm}) {
        person.point(spots_of(key(role)).front(), true);
        wanted[key(role).title] = 1;
    }
    person.down = false;
    person.pictures(80, 1);
    EXPECT_EQ(person.fired, wanted);
    EXPECT_EQ(person.released, wanted);
}

TEST(Desk, a_tracked_finger_fires_every_key_once_at_any_frame_rate) {
    for (const collision::PairAlgorithm* algorithm : collision::pair_algorithms()) {
        for (const Rate& rate : kRates) {
            SessionOptions options = desk_with(algorithm);
            const auto session = start(options);
            double pokes = 0;
            for (const DeskControl* control : keys_of_the_desk()) {
                const DeskControl& key = *control;
                // Down within 0.1 s, hold for half a second, up again.
                const auto gap = [](double t) {
                    return t < 0.5 ? 0.03 : t < 0.6 ? 0.03 - 0.39 * (t - 0.5) : t < 1.1 ? -0.009 : 0.03;
                };
                for (double t = 0; t < 2.0; t += 1 / rate.frames_per_second) {
                    StepInput input;
                    input.dt = 1 / rate.frames_per_second;
                    input.hand[0] = hand_over_key(session->scene(), key, gap(t));
                    session->step(std::move(input));
                    session->world().wait_idle();  // "Concurrent" is one of the keys
                }
                ++pokes;
                EXPECT_EQ(figure(*session, "presses"), pokes)
                    << algorithm->id << key.title << " " << rate.frames_per_second;
                EXPECT_EQ(figure(*session, "releases"), pokes) << key.title << " " << rate.frames_per_second;
            }
            EXPECT_LT(std::abs(figure(*session, "travel")), 12) << "caps do not overshoot";
        }
    }
}

TEST(Desk, two_fingers_press_two_keys_once_each) {
    for (const collision::PairAlgorithm* algorithm : collision::pair_algorithms()) {
        SessionOptions options = desk_with(algorithm);
        const auto session = start(options);
        Counts fired, released;
        for (int i = 0; i < 80; ++i) {
            const double gap = i >= 20 && i < 50 ? -0.009 : 0.03;
            StepInput input;
            input.hand[0] = hand_over_key(session->scene(), key(DeskRole::theme), gap);
            input.hand[1] = hand_over_key(session->scene(), key(DeskRole::open), gap);
            session->step(std::move(input));
            for (const SceneEvent& e : session->output().events) {
                if (e.kind == SceneEvent::Kind::fired) ++fired[e.text];
                if (e.kind == SceneEvent::Kind::released) ++released[e.text];
            }
        }
        EXPECT_EQ(fired, (Counts{{key(DeskRole::theme).title, 1}, {key(DeskRole::open).title, 1}}));
        EXPECT_EQ(released, fired);
    }
}

// A concurrent module may skip many frames. The path through them is processed when it reports.
TEST(Desk, a_concurrent_module_that_skips_frames_misses_no_press) {
    for (const collision::PairAlgorithm* algorithm : collision::pair_algorithms()) {
        SessionOptions options = desk_with(algorithm);
        options.settings.concurrent = true;
        const auto session = start(options);
        for (int i = 0; i < 120; ++i) {
            StepInput input;
            const bool in = i >= 40 && i < 70;
            input.hand[0] = hand_over_key(session->scene(), key(DeskRole::pause),
                                          in ? 0.03 - 0.0039 * std::min(i - 39, 10) : 0.03);
            session->step(std::move(input));
            if (i % 10 == 0) session->world().wait_idle();
        }
        session->world().wait_idle();
        StepInput last;
        last.hand[0] = hand_over_key(session->scene(), key(DeskRole::pause), 0.03);
        session->step(std::move(last));
        EXPECT_EQ(figure(*session, "presses"), 1);
        EXPECT_EQ(figure(*session, "releases"), 1);
    }
}

TEST(Desk, a_ray_next_to_the_keys_hits_no_key) {
    const collision::Pose desk = world_from_desk();
    const collision::Quat to_desk = collision::conjugate(desk.rotation);
    const Vec3d eye =
        collision::rotate(to_desk, collision::cast<double>(desk_camera().position) - desk.translation);
    for (const Vec3d at : {Vec3d{0.0985, 0, 0.003}, Vec3d{-0.22, 0, 0.003}, Vec3d{-0.165, 0.0085, 0.003}}) {
        EXPECT_EQ(desk_control_at({eye, at - eye}), collision::kNoIndex) << at.x;
    }
    for (std::uint32_t i = 0; i < desk_controls().size(); ++i) {
        for (const Spot& spot : spots_of(desk_controls()[i])) {
            EXPECT_EQ(desk_control_at({eye, Vec3d{spot.x, spot.y, spot.z} - eye}), i)
                << desk_controls()[i].title;
        }
    }
}

TEST(Desk, APP_buttons_a_finger_presses_each_button_exactly_once_at_any_speed) {
    for (const double speed : {0.05, 0.5, 5.0}) {
        const auto session = start(options_for("buttons"));
        double pokes = 0;
        for (const DeskControl* control : keys_of_the_desk()) {
            // The frames are spaced so that the turning point is at the end of a frame.
            const double deep = 0.0085, high = 0.04, dt = 1.0 / 60;
            const auto gap = [&](double t) {
                const double distance = speed * t;
                return distance < high + deep ? high - distance : std::min(high, distance - high - 2 * deep);
            };
            for (int i = 0; i < 14; ++i) {
                StepInput input;
                input.hand[0] = hand_over_key(session->scene(), *control, high);
                session->step(std::move(input));
                session->world().wait_idle();
            }
            const double turn = (high + deep) / speed;
            const int frames = static_cast<int>(std::ceil(turn / dt));
            for (int i = 1; i <= 2 * frames; ++i) {
                StepInput input;
                const double t = i <= frames ? turn * i / frames : turn * (1 + 1.0 * (i - frames) / frames);
                input.hand[0] = hand_over_key(session->scene(), *control, gap(t));
                session->step(std::move(input));
                session->world().wait_idle();
            }
            for (int i = 0; i < 3; ++i) {
                StepInput input;
                input.hand[0] = hand_over_key(session->scene(), *control, high);
                session->step(std::move(input));
                session->world().wait_idle();
            }
            ++pokes;
            EXPECT_EQ(figure(*session, "presses"), pokes) << control->title << " at " << speed;
            EXPECT_EQ(figure(*session, "releases"), pokes) << control->title << " at " << speed;
        }
    }
}

TEST(Desk, APP_buttons_a_resting_hand_presses_nothing) {
    const auto session = start(options_for("buttons"));
    for (const DeskControl* control : keys_of_the_desk()) {
        for (int i = 0; i < 90; ++i) {
            StepInput input;
            const double rest = i < 20 ? 0.03 : -0.0035 + 0.002 * std::sin(0.9 * i);
            input.hand[0] = hand_over_key(session->scene(), *control, rest);
            session->step(std::move(input));
        }
    }
    EXPECT_EQ(figure(*session, "presses"), 0);
}

/// Options for both rules, each with synchronous and concurrent passes.
std::vector<SessionOptions> desks_by_both_rules() {
    std::vector<SessionOptions> out;
    for (const double rule : {0.0, 1.0})
        for (const bool concurrent : {false, true}) {
            out.push_back(options_for("buttons"));
            set(out.back(), "rule", rule);
            out.back().settings.concurrent = concurrent;
        }
    return out;
}

TEST(Desk, Z_9_virtual_a_finger_drags_sliders_turns_the_dial_and_rolls_the_wheels_with_both_rules) {
    for (const SessionOptions& options : desks_by_both_rules()) {
        const auto session = start(options);
        const auto before = session->settings();
        SCOPED_TRACE((options.scene_parameters.on(4) ? "plain" : "swept") +
                     std::string(before.concurrent ? ", concurrent" : ""));
        // The first setting of "best" is its iteration limit: from its current value to the right end.
        const DeskControl& slider = desk_controls()[desk_control(DeskRole::setting, 0)];
        const collision::Parameter& p = before.pair_algorithm->parameters[0];
        const double x = (2 * share_of(p, before.pair_parameters[0]) - 1) * kRailHalf;
        stroke(*session, slider, {x, 0, 0}, {kRailHalf, 0, 0}, 20);
        EXPECT_EQ(session->settings().pair_parameters[0], p.max);
        stroke(*session, slider, {kRailHalf, 0, 0}, {-kRailHalf, 0, 0}, 3);
        EXPECT_EQ(session->settings().pair_parameters[0], p.min);

        stroke(*session, key(DeskRole::broad_phase), {0, 0, 0}, {0, kDrumPitch, 0}, 20);
        EXPECT_EQ(session->settings().broad_phase, collision::broad_phases()[1]);
        stroke(*session, key(DeskRole::algorithm), {0, 0, 0}, {0, kDrumPitch, 0}, 20);
        EXPECT_EQ(session->settings().pair_algorithm, collision::pair_algorithms()[1]);
        stroke(*session, key(DeskRole::algorithm), {0, 0, 0}, {0, -kDrumPitch, 0}, 20);
        EXPECT_EQ(session->settings().pair_algorithm, collision::pair_algorithms()[0]);

        // From left to right over the top of the dial: half a turn.
        stroke(*session, key(DeskRole::workers), {-0.018, 0.004, 0}, {0.018, 0.004, 0}, 12);
        EXPECT_GT(session->settings().workers, 3u);
        EXPECT_LE(session->settings().workers, kMaxWorkers);
        EXPECT_EQ(figure(*session, "presses"), 0) << "drags are not presses";
        EXPECT_EQ(figure(*session, "left_early"), 0);
    }
}

TEST(Desk, Z_9_virtual_a_finger_lost_on_a_wheel_slider_or_dial_chooses_nothing) {
    struct Held {
        DeskRole role;
        Vec3d from, to;
    };
    const Held all[] = {{DeskRole::algorithm, {0, 0.02, 0}, {0, 0.02, 0}},  // a release here would be a tap
                        {DeskRole::algorithm, {0, 0, 0}, {0, kDrumPitch, 0}},
                        {DeskRole::broad_phase, {0, 0.02, 0}, {0, 0.02, 0}},
                        {DeskRole::scene, {0, -0.02, 0}, {0, -0.02, 0}},
                        {DeskRole::setting, {0.02, 0, 0}, {0.02, 0, 0}},
                        {DeskRole::workers, {0.015, 0, 0}, {0.015, 0, 0}}};
    for (const SessionOptions& options : desks_by_both_rules()) {
        for (const Held& held : all) {
            const auto session = start(options);
            const DeskControl& control = key(held.role);
            const auto show = [&](const Vec3d& beside, double gap, int count, bool present) {
                for (int i = 0; i < count; ++i) {
                    StepInput input;
                    if (present) input.hand[0] = hand_over_key(session->scene(), control, gap, beside);
                    session->step(std::move(input));
                    session->world().wait_idle();
                }
            };
            show(held.from, 0.03, 14, true);
            show(held.from, -0.004, 1, true);
            for (int i = 1; i <= 10; ++i)
                show(held.from + (held.to - held.from) * (0.1 * i), -0.004, 1, true);
            const auto before = session->settings();
            show({}, 0, 60, false);
            EXPECT_EQ(figure(*session, "lost"), 1) << control.title;
            EXPECT_EQ(session->settings().pair_algorithm, before.pair_algorithm) << control.title;
            EXPECT_EQ(session->settings().broad_phase, before.broad_phase) << control.title;
            EXPECT_EQ(session->settings().workers, before.workers) << control.title;
            EXPECT_TRUE(session->settings().pair_parameters == before.pair_parameters) << control.title;
        }
    }
}

TEST(Desk, Z_9_virtual_the_mouse_drags_sliders_and_flips_a_toggle_with_both_rules) {
    for (const SessionOptions& options : desks_by_both_rules()) {
        Person person(options);
        const auto drag = [&](const DeskControl& slider, double from, double to) {
            const double z = desk_height(slider.kind);
            person.point({slider.x + from, slider.y, z}, true);
            person.pictures(30, 1);
            for (int i = 1; i <= 20; ++i) {
                person.point({slider.x + from + (to - from) * i / 20, slider.y, z}, false);
                person.down = true;
                person.pictures(2, 1);
            }
            person.down = false;
            person.pictures(40, 1);
        };
        // Beyond the right end, then beyond the left end.
        for (unsigned i = 0; i < kDeskSliders; ++i) {
            const auto before = person.session->settings();
            const DeskControl& slider = desk_controls()[desk_control(DeskRole::setting, i)];
            const collision::Parameter& p = before.pair_algorithm->parameters[i];
            const double knob = (2 * share_of(p, before.pair_parameters[i]) - 1) * kRailHalf;
            drag(slider, knob, kRailHalf + kKnobHalf);
            EXPECT_EQ(person.session->settings().pair_parameters[i], value_at(p, 1));
            drag(slider, kRailHalf, -kRailHalf - kKnobHalf);
            EXPECT_EQ(person.session->settings().pair_parameters[i], value_at(p, 0));
            drag(desk_controls()[desk_control(DeskRole::scene_parameter, i)], -kRailHalf,
                 kRailHalf + kKnobHalf);
        }
        EXPECT_EQ(person.fired, Counts{});
        person.point(spots_of(key(DeskRole::exact)).front(), true);
        person.pictures(6, 1);
        person.down = false;
        person.pictures(40, 1);
        EXPECT_EQ(person.session->settings().exactness, collision::Exactness::fast);
        EXPECT_EQ(person.fired, (Counts{{key(DeskRole::exact).title, 1}}));
    }
}

// A drag starts at the new touch, wherever the wheel was touched before.
TEST(Desk, Z_9_virtual_plain_rule_a_hand_that_appears_in_a_wheel_rolls_it_from_there) {
    SessionOptions options = options_for("buttons");
    set(options, "rule", 1);
    const auto session = start(options);
    const DeskControl& wheel = key(DeskRole::broad_phase);
    const auto hold = [&](double y, int count, double gap = -0.004) {
        for (int i = 0; i < count; ++i) {
            StepInput input;
            input.hand[0] = hand_over_key(session->scene(), wheel, gap, {0, y, 0});
            session->step(std::move(input));
        }
    };
    const double from = 0.5 * kDrumPitch;
    hold(from, 10);
    for (int i = 1; i <= 10; ++i) hold(from + kDrumPitch * i / 10, 1);
    hold(from + kDrumPitch, 20);
    hold(from + kDrumPitch, 10, 0.03);
    EXPECT_EQ(session->settings().broad_phase, collision::broad_phases()[1]);
    for (int i = 0; i < 30; ++i) session->step({});
    hold(-from, 10);
    for (int i = 1; i <= 10; ++i) hold(-from + kDrumPitch * i / 10, 1);
    hold(-from + kDrumPitch, 20);
    hold(-from + kDrumPitch, 10, 0.03);
    EXPECT_EQ(session->settings().broad_phase, collision::broad_phases()[2]);
}

TEST(Desk, a_pinch_over_the_dial_twists_it) {
    const auto session = start(options_for("buttons"));
    for (int i = 0; i < 60; ++i) {
        StepInput input;
        HandInput& hand = input.hand[0];
        hand = hand_over_key(session->scene(), key(DeskRole::workers), 0.02);
        hand.pinch = i < 5 || i >= 50 ? 0.0f : 1.0f;
        const collision::Pose face = desk_face(key(DeskRole::workers));
        const collision::Quat turn = collision::axis_angle({0, 0, 1}, -0.03 * i);
        hand.part[0].rotation = collision::normalized(face.rotation * turn);
        session->step(std::move(input));
    }
    EXPECT_GE(session->settings().workers, 3u);
}

}  // namespace
}  // namespace claybox::app
