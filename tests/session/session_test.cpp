#include "tests/session/session_support.hpp"

#include <gtest/gtest.h>

namespace claybox::app {
namespace {

TEST(Session, every_scene_starts_and_runs_its_script) {
    for (const SceneDescriptor* scene : scenes()) {
        const auto session = start(options_for(scene->id));
        ASSERT_NE(session, nullptr) << scene->id;
        run(*session, 60);
        EXPECT_EQ(session->frame(), 60u);
        EXPECT_NE(session->report().state_hash, 0u);
    }
}

TEST(Session, unknown_scenes_parameters_and_commands_are_errors) {
    SessionOptions options = options_for("cage");
    options.scene = "attic";
    EXPECT_FALSE(Session::create(options).ok());
    options = options_for("cage");
    options.scene_parameters[0] = 1;
    EXPECT_FALSE(Session::create(options).ok());
    const auto session = start(options_for("cage"));
    const auto before = session->settings();
    EXPECT_FALSE(session->apply({Command::Kind::pair_algorithm, "guess"}).ok());
    EXPECT_FALSE(session->apply({Command::Kind::broad_phase, "guess"}).ok());
    EXPECT_FALSE(session->apply({Command::Kind::concurrent, "maybe"}).ok());
    EXPECT_FALSE(session->apply({Command::Kind::exactness, "on"}).ok());
    EXPECT_FALSE(session->apply({Command::Kind::set_parameter, "bodies"}).ok());
    EXPECT_FALSE(session->apply({Command::Kind::set_parameter, "bodies=1"}).ok());
    EXPECT_FALSE(session->apply({Command::Kind::set_parameter, "bodies=2.5"}).ok());
    EXPECT_FALSE(session->apply({Command::Kind::pause, "on"}).ok());
    EXPECT_FALSE(session->set_parameter(99, 1).ok());
    EXPECT_EQ(session->settings().pair_algorithm, before.pair_algorithm);
    EXPECT_EQ(session->world().body_count(), 40u);
}

// Commands for the world take effect; bodies and the frame counter stay.
TEST(Session, APP_loop_commands_switch_the_world_live) {
    const auto session = start(options_for("cage"));
    run(*session, 20);
    const std::size_t bodies = session->world().body_count();
    const auto first = session->settings();
    ASSERT_TRUE(session->apply({Command::Kind::pair_algorithm, "next"}).ok());
    EXPECT_NE(session->settings().pair_algorithm, first.pair_algorithm);
    ASSERT_TRUE(session->apply({Command::Kind::pair_algorithm, "gjk"}).ok());
    EXPECT_STREQ(session->settings().pair_algorithm->id, "gjk");
    ASSERT_TRUE(session->apply({Command::Kind::broad_phase, "next"}).ok());
    EXPECT_NE(session->settings().broad_phase, first.broad_phase);
    ASSERT_TRUE(session->apply({Command::Kind::exactness, "toggle"}).ok());
    EXPECT_EQ(session->settings().exactness, collision::Exactness::fast);
    ASSERT_TRUE(session->apply({Command::Kind::concurrent, "toggle"}).ok());
    EXPECT_TRUE(session->settings().concurrent);
    run(*session, 20);
    EXPECT_EQ(session->frame(), 40u);
    EXPECT_EQ(session->world().body_count(), bodies);
    session->world().wait_idle();
    EXPECT_GT(session->world().stats().pass, 20u);
}

TEST(Session, APP_param_panel_live_parameters_keep_the_bodies_and_rebuild_parameters_create_new_ones) {
    const auto session = start(options_for("cage"));
    run(*session, 5);
    const collision::World* world = &session->world();
    const auto& table = session->descriptor().parameters;
    ASSERT_TRUE(session->set_parameter(collision::find_parameter(table, "speed"), 7).ok());
    EXPECT_EQ(world, &session->world());
    ASSERT_TRUE(session->apply({Command::Kind::set_parameter, "bodies=12"}).ok());
    EXPECT_EQ(session->world().body_count(), 12u);
    EXPECT_EQ(session->options().scene_parameters[0], 12);
    run(*session, 5);
    EXPECT_EQ(session->frame(), 10u) << "the frame counter goes on";
}

TEST(Session, a_scene_with_a_script_has_a_scripted_hand) {
    for (const SceneDescriptor* scene : scenes()) {
        const auto session = start(options_for(scene->id));
        const bool has = !session->scene().script().empty();
        // The button lab has a mechanical finger instead of a script.
        EXPECT_EQ(has, scene->uses_hand && std::string_view(scene->id) != "button_lab") << scene->id;
        EXPECT_EQ(scripted_hand(session->scene(), 10).present, has) << scene->id;
        EXPECT_FALSE(scripted_hand(session->scene(), 0).present);
        EXPECT_EQ(scripted_hand(session->scene(), 100000).present, has)
            << "the hand stays at the last key frame";
    }
}

TEST(Session, commands_of_the_desk_switch_modes_workers_and_settings) {
    const auto session = start(options_for("cage"));
    ASSERT_TRUE(session->apply({Command::Kind::parallel, "toggle pairs"}).ok());
    ASSERT_TRUE(session->apply({Command::Kind::parallel, "toggle fine"}).ok());
    EXPECT_EQ(collision::to_string(session->settings().parallel), "pairs+fine");
    ASSERT_TRUE(session->apply({Command::Kind::parallel, "toggle pairs"}).ok());
    EXPECT_EQ(collision::to_string(session->settings().parallel), "fine");
    ASSERT_TRUE(session->apply({Command::Kind::parallel, "serial"}).ok());
    EXPECT_EQ(session->settings().parallel, collision::ParallelMode::serial);
    EXPECT_FALSE(session->apply({Command::Kind::parallel, "toggle"}).ok());
    ASSERT_TRUE(session->apply({Command::Kind::workers, "3"}).ok());
    EXPECT_EQ(session->settings().workers, 3u);
    for (const char* text : {"0", "65", "two", "3x", ""})
        EXPECT_FALSE(session->apply({Command::Kind::workers, text}).ok()) << text;
    ASSERT_TRUE(session->apply({Command::Kind::pair_parameter, "iteration_limit=7"}).ok());
    EXPECT_EQ(session->settings().pair_parameters[0], 7);
    EXPECT_FALSE(session->apply({Command::Kind::pair_parameter, "iteration_limit=0"}).ok());
    EXPECT_FALSE(session->apply({Command::Kind::pair_parameter, "nothing=1"}).ok());
    EXPECT_EQ(session->settings().workers, 3u);
    ASSERT_TRUE(session->apply({Command::Kind::broad_phase, "grid"}).ok());
    const collision::Parameter& cell = session->settings().broad_phase->parameters[0];
    const std::string text = std::string(cell.id) + "=" + std::to_string(cell.max);
    ASSERT_TRUE(session->apply({Command::Kind::broad_parameter, text}).ok()) << text;
    EXPECT_EQ(session->settings().broad_parameters[0], cell.max);
    EXPECT_FALSE(session->apply({Command::Kind::broad_parameter, "nothing=1"}).ok());
    const std::string bound = collision::bound_parameters()[0].id;
    EXPECT_FALSE(session->apply({Command::Kind::bound_parameter, bound + "=nonsense"}).ok());
    ASSERT_TRUE(session->apply({Command::Kind::continuous, "off"}).ok());
    EXPECT_FALSE(session->settings().continuous);
    ASSERT_TRUE(session->apply({Command::Kind::continuous, "toggle"}).ok());
    EXPECT_TRUE(session->settings().continuous);
    const auto* const along = session->settings().continuous_algorithm;
    for (std::size_t i = 0; i < collision::continuous_algorithms().size(); ++i)
        ASSERT_TRUE(session->apply({Command::Kind::continuous, "next"}).ok());
    EXPECT_EQ(session->settings().continuous_algorithm, along) << "once around";
    EXPECT_FALSE(session->apply({Command::Kind::continuous, "guess"}).ok());
    EXPECT_FALSE(session->apply({Command::Kind::continuous_parameter, "nothing=1"}).ok());
    ASSERT_TRUE(session->apply({Command::Kind::module_parameter, "compare=on"}).ok());
    ASSERT_TRUE(session->apply({Command::Kind::module_parameter, "budget=4"}).ok());
    EXPECT_TRUE(session->settings().assert_pairs);
    EXPECT_EQ(session->settings().budget_ms, 4);
    EXPECT_FALSE(session->apply({Command::Kind::module_parameter, "budget=51"}).ok());
    EXPECT_EQ(session->settings().budget_ms, 4);
    EXPECT_FALSE(session->apply({Command::Kind::restart, ""}).ok()) << "for the application";
    EXPECT_FALSE(session->apply({Command::Kind::program, "theme=dark"}).ok()) << "for the application";
}

TEST(Session, commands_for_the_session_do_not_stay_in_the_output) {
    const auto session = start(options_for("buttons"));
    // The script pokes "Next algorithm"; the session executes this command itself.
    const auto* before = session->settings().pair_algorithm;
    bool left_over = false;
    for (int i = 0; i < 200; ++i) {
        run(*session, 1);
        left_over |= !session->output().commands.empty();
    }
    EXPECT_NE(session->settings().pair_algorithm, before);
    EXPECT_FALSE(left_over);
}

}  // namespace
}  // namespace claybox::app
