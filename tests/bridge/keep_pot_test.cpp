// What the window does so that no pot is lost: exports with a check, autosave, and the offer to continue.

#include "engine/assets/mesh_file.hpp"
#include "tests/bridge/sandbox_fixture.hpp"

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace claybox::app {
namespace {

namespace fs = std::filesystem;

class KeepPotTest : public SandboxTest {
  protected:
    void SetUp() override {
        SandboxTest::SetUp();
        folder_ = fs::temp_directory_path() / ("claybox-keep-" + std::to_string(::getpid()));
        fs::remove_all(folder_);
        fs::create_directories(folder_);
        before_ = fs::current_path();
        fs::current_path(folder_);
    }
    void TearDown() override {
        SandboxTest::TearDown();
        fs::current_path(before_);
        std::error_code code;
        fs::permissions(folder_, fs::perms::owner_all, code);
        fs::remove_all(folder_, code);
    }
    std::string message() {
        const engine::WidgetRecord* found = nullptr;
        for (const engine::WidgetRecord& r : ui_->log().records)
            if (std::string(r.kind) == "message") found = &r;
        return found ? found->label : std::string();
    }
    bool offered() {
        for (const engine::WidgetRecord& r : ui_->log().records)
            if (std::string(r.kind) == "offer") return true;
        return false;
    }
    /// Work that a program that was killed has saved.
    void leave_pot(const fs::path& folder) {
        SessionOptions options;
        options.scene = "potter";
        options.scene_parameters = collision::default_values(find_scene("potter")->parameters);
        options.scene_parameters[collision::find_parameter(find_scene("potter")->parameters, "polygons")] =
            2000;
        auto dead = Session::create(options);
        ASSERT_TRUE(dead.ok());
        Autosave autosave(folder, true);
        for (std::uint64_t frame = 1; frame <= 330; ++frame) {
            StepInput input;
            input.hand[0] = scripted_hand(dead.value()->scene(), frame);
            dead.value()->step(input);
            autosave.frame(*dead.value(), static_cast<double>(frame) / 60);
        }
        left_ = autosave.file();
        ASSERT_TRUE(fs::exists(left_));
    }
    std::vector<collision::Vec3f> positions_in(const fs::path& file) {
        engine::FileMesh mesh;
        engine::FileError error;
        EXPECT_TRUE(engine::read_mesh(file, mesh, error)) << error.message;
        std::vector<collision::Vec3f> out;
        for (std::size_t i = 0; i + 2 < mesh.positions.size(); i += 3)
            out.push_back({mesh.positions[i], mesh.positions[i + 1], mesh.positions[i + 2]});
        return out;
    }

    fs::path folder_, before_, left_;
};

TEST_F(KeepPotTest, every_format_can_be_exported_and_says_that_it_is_watertight) {
    use_window(900, 1400);
    start("potter", "polygons", 2000);
    frames(3);
    sandbox_->state().paused = true;  // the hand follows the mouse to the buttons
    for (const auto& [label, name] : {std::pair{"OBJ", "claybox-pot-1.obj"},
                                      {"PLY", "claybox-pot-1.ply"},
                                      {"STL", "claybox-pot-1.stl"},
                                      {"GLB", "claybox-pot-1.glb"}}) {
        click(label, "button");
        ASSERT_TRUE(fs::exists(folder_ / name)) << message();
        EXPECT_EQ(message().find("Saved " + (folder_ / name).string() + ": watertight, "), 0u) << message();
        EXPECT_NE(message().find(" cm³"), std::string::npos) << message();
    }
    click("STL", "button");
    EXPECT_TRUE(fs::exists(folder_ / "claybox-pot-2.stl")) << "nothing is overwritten";
    EXPECT_TRUE(positions_in(folder_ / "claybox-pot-1.ply") == *session().scene().export_mesh().positions);
}

TEST_F(KeepPotTest, a_folder_that_is_gone_gives_a_message_and_keeps_the_clay) {
    use_window(900, 1400);
    start("potter", "polygons", 2000);
    frames(3);
    sandbox_->state().paused = true;  // the hand follows the mouse to the buttons
    const auto clay = *session().scene().export_mesh().positions;
    fs::remove_all(folder_);
    click("STL", "button");
    EXPECT_NE(message().find("cannot write"), std::string::npos) << message();
    EXPECT_TRUE(*session().scene().export_mesh().positions == clay);
    fs::create_directories(folder_);
}

TEST_F(KeepPotTest, an_open_surface_is_saved_with_a_warning) {
    use_window(900, 1400);
    start("potter", "polygons", 2000);
    std::ofstream("open.obj") << "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n";
    ui_->inject_drop((folder_ / "open.obj").string());
    frames(3);
    click("STL", "button");
    EXPECT_NE(message().find("claybox-pot-1.stl, but not watertight: 3 open edges"), std::string::npos)
        << message();
}

TEST_F(KeepPotTest, a_pot_from_last_time_is_offered_and_continued_bit_for_bit) {
    leave_pot(folder_);
    const std::vector<collision::Vec3f> work = positions_in(left_);
    use_window(1200, 900);
    sandbox_->start_autosave(folder_);
    frames(3);
    ASSERT_TRUE(offered());
    EXPECT_STREQ(session().descriptor().id, "cage") << "it waits for an answer";
    click("Continue it", "button");
    frames(2);
    EXPECT_STREQ(session().descriptor().id, "potter");
    EXPECT_FALSE(offered());
    EXPECT_TRUE(*session().scene().export_mesh().positions == work);
    for (int i = 0; i < 2000 && fs::exists(left_); ++i) frames(1);
    EXPECT_FALSE(fs::exists(left_)) << "saved again under this program's name";
    std::size_t pots = 0;
    for (const auto& entry : fs::directory_iterator(folder_)) {
        if (entry.path().extension() != ".ply") continue;
        ++pots;
        EXPECT_TRUE(positions_in(entry.path()) == work);
    }
    EXPECT_EQ(pots, 1u);
    sandbox_->finish_autosave();
    EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(KeepPotTest, a_discarded_pot_is_gone_and_the_next_one_is_offered) {
    leave_pot(folder_);
    leave_pot(folder_);
    use_window(1200, 900);
    sandbox_->start_autosave(folder_);
    frames(3);
    click("Discard", "button");
    EXPECT_TRUE(offered()) << "there were two";
    click("Discard", "button");
    EXPECT_FALSE(offered());
    EXPECT_TRUE(fs::is_empty(folder_));
    EXPECT_STREQ(session().descriptor().id, "cage");
}

TEST_F(KeepPotTest, a_pot_without_an_answer_waits_for_the_next_start) {
    leave_pot(folder_);
    sandbox_->start_autosave(folder_);
    frames(3);
    sandbox_->finish_autosave();
    sandbox_.reset();
    EXPECT_EQ(find_leftovers(folder_).size(), 1u);
}

TEST_F(KeepPotTest, a_torn_file_is_an_error_and_stays) {
    std::ofstream(folder_ / "pot-1-1.ply") << "ply\nformat binary_little_endian 1.0\nelement vertex 9\n";
    use_window(1200, 900);
    sandbox_->start_autosave(folder_);
    frames(3);
    click("Continue it", "button");
    EXPECT_NE(message().find("pot-1-1.ply"), std::string::npos) << message();
    EXPECT_STREQ(session().descriptor().id, "cage");
    EXPECT_TRUE(fs::exists(folder_ / "pot-1-1.ply"));
}

}  // namespace
}  // namespace claybox::app
