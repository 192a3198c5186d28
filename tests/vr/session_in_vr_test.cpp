#include "tests/vr/vr_fixture.hpp"

namespace claybox::app {
namespace {

TEST_F(VrTest, APP_vr_starts_and_ends_at_run_time_without_losing_the_scene) {
    start("cage", {head_line()});
    sandbox_->state().headset.on = false;
    for (int i = 0; i < 5; ++i) EXPECT_FALSE(turn());
    sandbox_->state().headset.on = true;
    run_to(20);
    const std::uint64_t frame = sandbox_->session().frame();
    EXPECT_TRUE(headset_->figures().running);
    sandbox_->state().headset.on = false;
    EXPECT_FALSE(turn());
    EXPECT_FALSE(headset_->figures().running);
    for (int i = 0; i < 5; ++i) turn();
    EXPECT_GT(sandbox_->session().frame(), frame) << "the scene continues in the window";
    sandbox_->state().headset.on = true;
    run_to(10);
    EXPECT_TRUE(headset_->figures().running) << "and in the headset again";
    headset_.reset();
    for (const Json& line : place_->log("leak")) ADD_FAILURE() << line.dump();
}

TEST_F(VrTest, APP_vr_an_exit_by_the_runtime_returns_to_the_window) {
    start("cage", {head_line(), R"({"frame": 20, "session": "exit"})"});
    for (int i = 0; i < 200 && sandbox_->state().headset.on; ++i) turn();
    EXPECT_FALSE(sandbox_->state().headset.on);
    EXPECT_FALSE(headset_->figures().running);
    const std::uint64_t frame = sandbox_->session().frame();
    for (int i = 0; i < 5; ++i) EXPECT_FALSE(turn());
    EXPECT_GT(sandbox_->session().frame(), frame);
}

TEST_F(VrTest, APP_vr_a_lost_runtime_keeps_the_scene_and_the_request) {
    start("cage", {head_line(), R"({"frame": 20, "fault": "instance_lost"})"});
    for (int i = 0; i < 100 && headset_->figures().frames < 15; ++i) turn();
    ASSERT_TRUE(headset_->figures().running);
    for (int i = 0; i < 60 && headset_->figures().running; ++i) turn();
    EXPECT_FALSE(headset_->figures().running);
    EXPECT_TRUE(sandbox_->state().headset.on) << "still wanted";
    const std::uint64_t frame = sandbox_->session().frame();
    EXPECT_FALSE(turn());
    EXPECT_GT(sandbox_->session().frame(), frame);
}

TEST_F(VrTest, APP_vr_the_program_stays_awake_while_the_headset_shows_frames) {
    start("buttons", {head_line()});
    run_to(200);  // more than two seconds in which nothing happens
    EXPECT_FALSE(sandbox_->may_sleep());
}

TEST_F(VrTest, APP_vr_a_film_ends_and_the_scene_goes_on) {
    start("cage", {head_line()});
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(place_->folder());
    run_to(60);
    PanelRequests requests;
    requests.film_ending = ".gif";
    sandbox_->carry_out(requests);
    const std::uint64_t frame = sandbox_->session().frame();
    for (int i = 0; i < 200 && sandbox_->session().frame() == frame; ++i) turn();
    EXPECT_GT(sandbox_->session().frame(), frame);
    EXPECT_TRUE(std::filesystem::exists("claybox-film-1.gif"));
    std::filesystem::current_path(before);
}

TEST_F(VrTest, APP_vr_without_a_runtime_the_window_continues) {
    start("cage", {head_line()});
    setenv("XR_RUNTIME_JSON", "/nowhere/at/all.json", 1);
    for (int i = 0; i < 5; ++i) EXPECT_FALSE(turn());
    EXPECT_FALSE(headset_->figures().sentence.empty());
    EXPECT_GT(sandbox_->session().frame(), 0u);
}

TEST_F(VrTest, APP_vr_late_frames_are_counted_and_reduce_the_resolution) {
    std::vector<std::string> lines{head_line()};
    for (int i = 0; i < 30; ++i)
        lines.push_back(
            Json{{"frame", 20 + 4 * i}, {"fault", "stall"}, {"call", "xrEndFrame"}, {"periods", 1}}.dump());
    start("cage", lines);
    run_to(10);
    const std::uint64_t first = sandbox_->session().frame();
    run_to(200);
    EXPECT_GT(headset_->figures().missed, 20u);
    EXPECT_LT(headset_->figures().resolution, 1);
    const double periods = static_cast<double>(190 + headset_->figures().missed);
    EXPECT_NEAR(static_cast<double>(sandbox_->session().frame() - first), periods * 60 / 90, 2)
        << "late frames must not slow the scene down";
}

TEST_F(VrTest, APP_vr_recentring_by_the_runtime_resets_the_viewer) {
    start("buttons",
          {head_line(), R"({"frame": 60, "head": [0.8, 1.2, 0.5, 0, 0.3826834, 0, 0.9238795]})",
           R"({"frame": 90, "space": "stage", "origin": [0.8, 0, 0.5, 0, 0.3826834, 0, 0.9238795]})"});
    run_to(60);
    const ViewCamera camera = sandbox_->session().scene().camera();
    const glm::vec3 wanted(camera.position.x, camera.position.y, camera.position.z);
    EXPECT_GT(glm::distance(headset_->viewer(), glm::dvec3(wanted)), 0.3);
    run_to(110);
    EXPECT_LT(glm::distance(headset_->viewer(), glm::dvec3(wanted)), 1e-3);
}

TEST_F(VrTest, APP_vr_the_seated_switch_takes_effect_while_the_session_runs) {
    start("buttons", {head_line(), R"({"space": "local", "origin": [0, 1, 2, 0, 0, 0, 1]})",
                      R"({"frame": 60, "head": [0.8, 1.2, 0.5, 0, 0.3826834, 0, 0.9238795]})",
                      R"({"frame": 90, "head": [0.8, 1.2, 0.5, 0, 0.3826834, 0, 0.9238795], "flags": 0})",
                      R"({"frame": 120, "head": [0.8, 1.2, 0.5, 0, 0.3826834, 0, 0.9238795]})"});
    run_to(80);
    const ViewCamera camera = sandbox_->session().scene().camera();
    const glm::dvec3 wanted(camera.position.x, camera.position.y, camera.position.z);
    EXPECT_GT(glm::distance(headset_->viewer(), wanted), 0.3);
    sandbox_->state().headset.seated = true;
    turn();
    EXPECT_LT(glm::distance(headset_->viewer(), wanted), 1e-3);
    run_to(100);
    sandbox_->state().headset.seated = false;
    run_to(140);
    EXPECT_LT(glm::distance(headset_->viewer(), wanted), 1e-3) << "placed when the head is seen again";
}

}  // namespace
}  // namespace claybox::app
