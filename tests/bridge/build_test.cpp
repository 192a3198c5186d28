// Scenes that are built beside the frames.

#include "tests/bridge/sandbox_fixture.hpp"

#include <unistd.h>

namespace claybox::app {
namespace {

constexpr double kHold = -1, kWait = 1e6;

class BuildTest : public SandboxTest {
  protected:
    /// Until the result of a build is used.
    void let_it_end() {
        sandbox_->set_patience(kWait);
        for (int i = 0; i < 100000 && (sandbox_->is_building() || sandbox_->is_saving()); ++i) frames(1);
        ASSERT_FALSE(sandbox_->is_building() || sandbox_->is_saving());
    }
    void set(const char* parameter, double value) {
        PanelRequests requests;
        requests.parameter = {collision::find_parameter(session().descriptor().parameters, parameter), value};
        sandbox_->carry_out(requests);
    }
    double get(const char* parameter) {
        return session()
            .options()
            .scene_parameters[collision::find_parameter(session().descriptor().parameters, parameter)];
    }
    void choose(const char* scene) { sandbox_->carry_out(Command{Command::Kind::scene, scene}); }
    std::string scene() { return session().descriptor().id; }
};

TEST_F(BuildTest, the_old_scene_goes_on_until_the_new_one_is_built) {
    sandbox_->set_patience(kHold);
    choose("solids");
    const std::uint64_t frame = session().frame();
    frames(5);
    EXPECT_EQ(scene(), "cage");
    EXPECT_GE(session().frame(), frame + 4);
    EXPECT_NE(ui_->log().find("Building Solids", "progress"), nullptr);
    keep("build");
    EXPECT_FALSE(sandbox_->may_sleep());
    let_it_end();
    frames(1);
    EXPECT_EQ(scene(), "solids");
    EXPECT_EQ(ui_->log().find("Building Solids", "progress"), nullptr);
}

TEST_F(BuildTest, a_cancelled_build_changes_nothing) {
    sandbox_->set_patience(kHold);
    choose("solids");
    frames(2);
    click("Cancel (Escape)", "button");
    EXPECT_FALSE(sandbox_->is_building());
    let_it_end();
    frames(3);
    EXPECT_EQ(scene(), "cage");

    sandbox_->set_patience(kHold);
    set("bodies", 20);
    frames(2);
    ui_->inject_key(engine::key::kEscape);
    frames(2);
    EXPECT_FALSE(sandbox_->is_building());
    let_it_end();
    EXPECT_EQ(get("bodies"), 10);
    EXPECT_EQ(session().world().body_count(), 10u);
}

TEST_F(BuildTest, what_changes_meanwhile_is_kept) {
    sandbox_->set_patience(kHold);
    set("bodies", 20);
    frames(1);
    set("speed", 3);
    use_pair_algorithm("v_clip");
    set("fill", 5);
    frames(2);
    EXPECT_EQ(get("bodies"), 10);
    let_it_end();
    EXPECT_EQ(get("bodies"), 20);
    EXPECT_EQ(get("speed"), 3);
    EXPECT_EQ(get("fill"), 5);
    EXPECT_EQ(session().world().body_count(), 20u);
    EXPECT_STREQ(session().settings().pair_algorithm->id, "v_clip");
}

TEST_F(BuildTest, another_scene_replaces_a_build_of_this_one) {
    sandbox_->set_patience(kHold);
    set("bodies", 20);
    frames(1);
    choose("solids");
    frames(1);
    let_it_end();
    EXPECT_EQ(scene(), "solids");
}

TEST_F(BuildTest, a_restart_builds_the_scene_once) {
    frames(10);
    sandbox_->set_patience(kHold);
    sandbox_->carry_out(Command{Command::Kind::restart, ""});
    frames(3);
    const std::uint64_t builds = session().builds();
    let_it_end();
    EXPECT_EQ(session().builds(), builds + 1);
}

class SaveTest : public BuildTest {
  protected:
    void SetUp() override {
        BuildTest::SetUp();
        start("potter", "polygons", 300);
        folder_ = std::filesystem::temp_directory_path() / ("claybox_save_" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
        before_ = std::filesystem::current_path();
        std::filesystem::current_path(folder_);
    }
    void TearDown() override {
        BuildTest::TearDown();
        std::filesystem::current_path(before_);
        std::filesystem::remove_all(folder_);
    }
    void export_as(const char* ending) {
        PanelRequests requests;
        requests.export_ending = ending;
        sandbox_->carry_out(requests);
    }
    std::size_t files() const {
        const std::filesystem::directory_iterator all(folder_);
        return static_cast<std::size_t>(std::distance(begin(all), end(all)));
    }

    std::filesystem::path folder_, before_;
};

TEST_F(SaveTest, the_scene_goes_on_while_the_clay_is_saved) {
    sandbox_->set_patience(kHold);
    export_as(".stl");
    const std::uint64_t frame = session().frame();
    frames(5);
    EXPECT_GE(session().frame(), frame + 4);
    EXPECT_NE(ui_->log().find("Saving the clay", "progress"), nullptr);
    keep("save");
    EXPECT_FALSE(sandbox_->may_sleep());
    choose("cage");  // needs the thread too
    let_it_end();
    EXPECT_EQ(scene(), "cage");
    EXPECT_GT(std::filesystem::file_size(folder_ / "claybox-pot-1.stl"), 84 + 300 * 50u);
    EXPECT_EQ(files(), 1u);
}

TEST_F(SaveTest, cancel_closes_the_panel_and_the_result_is_not_announced) {
    sandbox_->set_patience(kHold);
    export_as(".stl");
    frames(2);
    click("Cancel (Escape)", "button");
    EXPECT_FALSE(sandbox_->is_saving());
    let_it_end();
    frames(2);
    EXPECT_EQ(ui_->log().find("Saving the clay", "progress"), nullptr);
    EXPECT_NE(ui_->log().find("Cancelled", "message"), nullptr);
}

TEST_F(SaveTest, two_saves_in_a_row_leave_two_files) {
    sandbox_->set_patience(kHold);
    export_as(".obj");
    export_as(".ply");
    let_it_end();
    EXPECT_EQ(files(), 2u);
}

TEST_F(SaveTest, the_end_of_the_program_waits_for_the_file) {
    sandbox_->set_patience(kHold);
    export_as(".obj");
    sandbox_.reset();
    EXPECT_GT(std::filesystem::file_size(folder_ / "claybox-pot-1.obj"), 0u);
    EXPECT_EQ(files(), 1u);
}

}  // namespace
}  // namespace claybox::app
