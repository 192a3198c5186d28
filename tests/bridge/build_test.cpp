// Scenes that are built beside the frames.

#include "tests/bridge/sandbox_fixture.hpp"

namespace claybox::app {
namespace {

constexpr double kHold = -1, kWait = 1e6;

class BuildTest : public SandboxTest {
  protected:
    /// Until the result of a build is used.
    void let_it_end() {
        sandbox_->set_patience(kWait);
        for (int i = 0; i < 100000 && sandbox_->is_building(); ++i) frames(1);
        ASSERT_FALSE(sandbox_->is_building());
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

}  // namespace
}  // namespace claybox::app
