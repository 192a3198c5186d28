// Settings on the desk: every entry of the registries, every parameter, and the settings of the program.

#include "tests/scenes/desk_support.hpp"

#include <gtest/gtest.h>

namespace claybox::app {
namespace {

using collision::Vec3d;

TEST(Desk, wheels_have_every_registry_entry_and_open_sends_the_scene_with_its_settings) {
    EXPECT_EQ(desk_entries(DeskRole::scene).size(), scenes().size());
    EXPECT_EQ(desk_entries(DeskRole::algorithm).size(), collision::pair_algorithms().size());
    EXPECT_EQ(desk_entries(DeskRole::broad_phase).size(), collision::broad_phases().size());
    DeskPanel panel;
    std::vector<Command> out;
    const std::uint32_t slider = desk_control(DeskRole::scene_parameter, 0);
    panel.touch(slider, {-kRailHalf, 0}, 1, out);
    panel.leave(slider, 2, out);
    panel.press(desk_control(DeskRole::open), 3, out);
    ASSERT_EQ(out.size(), 1u);
    const collision::Parameter& p = scenes()[0]->parameters[0];
    EXPECT_EQ(out[0].text, std::string(scenes()[0]->id) + " " + parameter_text(p, p.min));
}

/// Drags the knob of every parameter of a table to both ends and checks the commands.
void set_every_one(DeskPanel& panel, DeskRole column, DeskRole page_key,
                   std::span<const collision::Parameter> table, Command::Kind kind) {
    for (std::size_t i = 0; i < table.size(); ++i) {
        const collision::Parameter& p = table[i];
        const std::uint32_t slider = desk_control(column, static_cast<unsigned>(i % kDeskSliders));
        std::vector<Command> out;
        DeskState state;
        panel.show(slider, 0, state);
        EXPECT_LE(state.caption.size(), 40u) << "longer captions are too small to read: " << state.caption;
        for (const double end : {kRailHalf, -kRailHalf}) {
            panel.touch(slider, {0, 0}, 1, out);
            panel.drag(slider, {0, 0}, {2 * end, 0}, 2, out);
            panel.leave(slider, 2, out);
        }
        ASSERT_FALSE(out.empty()) << p.id;
        EXPECT_EQ(out.back().kind, kind) << p.id;
        EXPECT_EQ(out.back().text, parameter_text(p, value_at(p, 0))) << p.id;
        const bool high = std::any_of(out.begin(), out.end(), [&](const Command& c) {
            return c.text == parameter_text(p, value_at(p, 1));
        });
        EXPECT_TRUE(high || p.default_value == value_at(p, 1)) << p.id;
        if ((i + 1) % kDeskSliders == 0) panel.press(desk_control(page_key), 3, out);
    }
}

TEST(Desk, APP_buttons_every_setting_of_every_algorithm_and_broad_phase_has_a_slider) {
    using Kind = Command::Kind;
    DeskPanel panel;
    collision::WorldSettings settings = collision::default_settings();
    const collision::ParameterValues own = collision::default_values(find_scene("buttons")->parameters);
    const collision::ParameterValues program = collision::default_values(program_parameters());
    std::vector<Command> out;
    const auto next_group = [&] { panel.press(desk_control(DeskRole::group), 0, out); };
    for (const collision::PairAlgorithm* algorithm : collision::pair_algorithms()) {
        settings.pair_algorithm = algorithm;
        settings.pair_parameters = collision::default_values(algorithm->parameters);
        panel.follow(settings, own, program);
        for (std::size_t i = 0; i < kDeskGroups; ++i) next_group();  // back to the first page
        set_every_one(panel, DeskRole::setting, DeskRole::page, algorithm->parameters, Kind::pair_parameter);
    }
    next_group();
    for (const collision::BroadPhaseDescriptor* phase : collision::broad_phases()) {
        settings.broad_phase = phase;
        settings.broad_parameters = collision::default_values(phase->parameters);
        panel.follow(settings, own, program);
        for (std::size_t i = 0; i < kDeskGroups; ++i) next_group();
        set_every_one(panel, DeskRole::setting, DeskRole::page, phase->parameters, Kind::broad_parameter);
    }
    next_group();
    set_every_one(panel, DeskRole::setting, DeskRole::page, collision::bound_parameters(),
                  Kind::bound_parameter);
    next_group();
    set_every_one(panel, DeskRole::setting, DeskRole::page, module_parameters(), Kind::module_parameter);
    next_group();
    set_every_one(panel, DeskRole::setting, DeskRole::page, program_parameters(), Kind::program);
}

TEST(Desk, APP_buttons_every_setting_of_every_scene_has_a_slider_and_the_desk_applies_its_own_at_once) {
    DeskPanel panel;
    const std::uint32_t wheel = desk_control(DeskRole::scene);
    std::vector<Command> out;
    for (std::size_t i = 0; i < scenes().size(); ++i) {
        const SceneDescriptor& scene = *scenes()[i];
        SCOPED_TRACE(scene.id);
        const bool own = scene.id == std::string_view("buttons");
        for (std::size_t k = 0; k < scene.parameters.size(); ++k) {
            const collision::Parameter& p = scene.parameters[k];
            const std::uint32_t slider =
                desk_control(DeskRole::scene_parameter, static_cast<unsigned>(k % kDeskSliders));
            out.clear();
            panel.touch(slider, {0, 0}, 1, out);
            panel.drag(slider, {0, 0}, {2 * kRailHalf, 0}, 2, out);
            panel.drag(slider, {0, 0}, {-2 * kRailHalf, 0}, 2, out);
            panel.leave(slider, 2, out);
            if (own) {
                ASSERT_FALSE(out.empty()) << p.id;
                EXPECT_EQ(out.back().kind, Command::Kind::set_parameter);
                EXPECT_EQ(out.back().text, parameter_text(p, value_at(p, 0)));
            } else {
                EXPECT_TRUE(out.empty()) << "that scene is not running";
            }
            if ((k + 1) % kDeskSliders == 0) panel.press(desk_control(DeskRole::scene_page), 3, out);
        }
        out.clear();
        panel.press(desk_control(DeskRole::open), 4, out);
        std::string wanted = scene.id;
        for (const collision::Parameter& p : scene.parameters)
            if (value_at(p, 0) != p.default_value) wanted += " " + parameter_text(p, value_at(p, 0));
        ASSERT_EQ(out.size(), 1u);
        EXPECT_EQ(out[0].text, wanted);
        panel.touch(wheel, {0, -kDrumPitch}, 5, out);  // a tap on the next entry
        panel.leave(wheel, 5.1, out);
        for (int settle = 0; settle < 60; ++settle) panel.settle(1.0 / 60);
    }
}

TEST(Desk, headings_name_group_and_page) {
    DeskPanel panel;
    std::vector<Command> out;
    const auto press = [&](DeskRole role) { panel.press(desk_control(role), 0, out); };
    EXPECT_EQ(panel.heading(DeskRole::scene_parameter), "Settings of the scene above, 1 of 2");
    press(DeskRole::scene_page);
    EXPECT_EQ(panel.heading(DeskRole::scene_parameter), "Settings of the scene above, 2 of 2");
    press(DeskRole::scene_page);
    EXPECT_EQ(panel.heading(DeskRole::scene_parameter), "Settings of the scene above, 1 of 2");
    EXPECT_EQ(panel.heading(DeskRole::setting), "Settings of the pair algorithm");
    for (int i = 0; i < 4; ++i) press(DeskRole::group);
    EXPECT_EQ(panel.heading(DeskRole::setting), "Settings of the program, 1 of 4");
    press(DeskRole::page);
    EXPECT_EQ(panel.heading(DeskRole::setting), "Settings of the program, 2 of 4");
    press(DeskRole::group);
    EXPECT_EQ(panel.heading(DeskRole::setting), "Settings of the pair algorithm");
    // Choosing a broad phase shows its settings.
    const std::uint32_t wheel = desk_control(DeskRole::broad_phase);
    panel.touch(wheel, {0, -kDrumPitch}, 1, out);
    panel.leave(wheel, 1.1, out);
    EXPECT_EQ(panel.heading(DeskRole::setting).substr(0, 27), "Settings of the broad phase");
}

TEST(Desk, a_finger_on_a_slider_whose_parameter_changes_sets_nothing) {
    DeskPanel panel;
    std::vector<Command> out;
    const std::uint32_t slider = desk_control(DeskRole::setting, 0);
    panel.touch(slider, {0, 0}, 1, out);
    for (int i = 0; i < 2; ++i) panel.press(desk_control(DeskRole::group), 1, out);
    out.clear();
    for (const double x : {kRailHalf, -kRailHalf}) panel.drag(slider, {0, 0}, {x, 0}, 2, out);
    panel.leave(slider, 2, out);
    EXPECT_TRUE(out.empty());
}

TEST(Desk, touching_a_knob_or_dial_without_dragging_keeps_its_value) {
    DeskPanel panel;
    collision::WorldSettings settings = collision::default_settings();
    settings.workers = 5;
    settings.budget_ms = 7.3;
    panel.follow(settings, collision::default_values(find_scene("buttons")->parameters),
                 collision::default_values(program_parameters()));
    std::vector<Command> out;
    const std::uint32_t dial = desk_control(DeskRole::workers), slider = desk_control(DeskRole::setting, 2);
    panel.touch(dial, {0.01, 0}, 1, out);
    panel.drag(dial, {0.01, 0}, {0.012, 0}, 1.1, out);  // radial: no turn
    panel.leave(dial, 2, out);
    for (int i = 0; i < 3; ++i) panel.press(desk_control(DeskRole::group), 3, out);
    const double knob = (2 * 7.3 / 50 - 1) * kRailHalf;
    panel.touch(slider, {knob + 0.002, 0}, 4, out);
    panel.drag(slider, {knob + 0.002, 0}, {knob + 0.002, 0.001}, 4.1, out);
    panel.leave(slider, 5, out);
    EXPECT_TRUE(out.empty()) << out[0].text;
}

TEST(Desk, the_dial_reaches_every_worker_count) {
    for (unsigned workers = 1; workers <= kMaxWorkers; ++workers)
        EXPECT_EQ(workers_at(workers_share(workers)), workers);
    const auto session = start(options_for("buttons"));
    const DeskControl& dial = key(DeskRole::workers);
    for (const double direction : {1.0, -1.0}) {
        for (int turn = 0; turn < 2; ++turn) {
            stroke(*session, dial, {-0.018 * direction, 0.006, 0}, {0.018 * direction, 0.006, 0}, 12);
            stroke(*session, dial, {0.018 * direction, -0.006, 0}, {-0.018 * direction, -0.006, 0}, 12);
        }
        EXPECT_EQ(session->settings().workers, direction > 0 ? kMaxWorkers : 1u);
    }
}

/// Presses a key with a tracked finger.
void press_key(Session& session, DeskRole role, unsigned index = 0) {
    stroke(session, desk_controls()[desk_control(role, index)], {0, 0, 0}, {0, 0, 0}, 1);
    for (const double gap : {0.03, -0.009, 0.03})
        for (int i = 0; i < 14; ++i) {
            StepInput input;
            input.hand[0] = hand_over_key(session.scene(), desk_controls()[desk_control(role, index)], gap);
            session.step(std::move(input));
        }
}

TEST(Desk, APP_buttons_a_finger_pages_to_the_settings_of_broad_phase_bounds_and_module) {
    const auto session = start(options_for("buttons"));
    const auto to_end = [&](unsigned index) {
        stroke(*session, desk_controls()[desk_control(DeskRole::setting, index)], {0, 0, 0},
               {kRailHalf, 0, 0}, 20);
    };
    // Choose the grid and set its first parameter.
    stroke(*session, key(DeskRole::broad_phase), {0, 0, 0}, {0, kDrumPitch, 0}, 20);
    const collision::Parameter& p = session->settings().broad_phase->parameters[0];
    to_end(0);
    EXPECT_EQ(session->settings().broad_parameters[0], value_at(p, 1)) << p.id;
    press_key(*session, DeskRole::group);
    to_end(0);
    EXPECT_EQ(session->settings().bound_parameters[0], value_at(collision::bound_parameters()[0], 1));
    press_key(*session, DeskRole::group);
    for (const unsigned index : {0u, 1u, 2u}) to_end(index);
    EXPECT_TRUE(session->settings().solid);
    EXPECT_TRUE(session->settings().assert_pairs);
    EXPECT_EQ(session->settings().budget_ms, 50);
}

TEST(Desk, the_first_parallel_switch_adds_a_second_worker) {
    const auto session = start(options_for("buttons"));
    press_key(*session, DeskRole::parallel, 0);
    EXPECT_NE(session->settings().parallel, collision::ParallelMode::serial);
    EXPECT_EQ(session->settings().workers, kFirstWorkers);
}

TEST(Desk, toggles_of_theme_and_sound_show_the_program_state_and_request_the_opposite) {
    DeskPanel panel;
    const collision::WorldSettings settings = collision::default_settings();
    const collision::ParameterValues own = collision::default_values(find_scene("buttons")->parameters);
    for (const bool on : {false, true}) {
        collision::ParameterValues program = collision::default_values(program_parameters());
        program[program_choice::theme] = program[program_choice::sound] = on ? 1 : 0;
        panel.follow(settings, own, program);
        for (const DeskRole role : {DeskRole::theme, DeskRole::sound}) {
            DeskState state;
            panel.show(desk_control(role), 1, state);
            EXPECT_EQ(state.lit, on);
        }
        std::vector<Command> out;
        panel.press(desk_control(DeskRole::theme), 1, out);
        panel.press(desk_control(DeskRole::sound), 1, out);
        ASSERT_EQ(out.size(), 2u);
        EXPECT_EQ(out[0].text, on ? "theme=light" : "theme=dark");
        EXPECT_EQ(out[1].text, on ? "sound=off" : "sound=on");
        for (const Command& command : out) EXPECT_EQ(command.kind, Command::Kind::program);
    }
}

}  // namespace
}  // namespace claybox::app
