// Mesh files dropped on the window fly in the cage or become the potter's clay; an unreadable file is an
// error with its line and the expected content.

#include "app/session/recording.hpp"
#include "engine/files/write_file.hpp"
#include "engine/platform/window.hpp"
#include "tests/bridge/sandbox_fixture.hpp"

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <filesystem>
#include <unistd.h>

namespace claybox::app {
namespace {

class DropTest : public SandboxTest {
  protected:
    void SetUp() override {
        SandboxTest::SetUp();
        folder_ = std::filesystem::temp_directory_path() / ("claybox-drop-" + std::to_string(::getpid()));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override {
        SandboxTest::TearDown();
        std::error_code code;
        std::filesystem::remove_all(folder_, code);
    }
    std::string file(const char* name, const std::string& content) {
        std::string error;
        EXPECT_TRUE(engine::write_file_atomically(folder_ / name, content, error)) << error;
        return (folder_ / name).string();
    }
    std::string message() {
        for (const engine::WidgetRecord& r : ui_->log().records)
            if (std::string(r.kind) == "message") return r.label;
        return {};
    }
    void drop(std::initializer_list<std::string> files) {
        for (const std::string& name : files) ui_->inject_drop(name);
        frames(3);
    }
    std::string described() { return session().scene().describe_pick(0); }

    const std::string tetrahedron_ =
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    std::filesystem::path folder_;
};

TEST_F(DropTest, each_scene_of_a_session_is_recorded_into_a_new_file_of_its_own) {
    const std::string older = file("run-2.rec", "of an earlier run");
    ASSERT_TRUE(sandbox_->start_recording(folder_ / "run.rec").ok());
    frames(5);
    sandbox_->carry_out(Command{Command::Kind::scene, "solids"});
    frames(3);
    EXPECT_NE(message().find("run-3.rec"), std::string::npos) << message();
    frames(4);
    ASSERT_TRUE(sandbox_->finish_recording().ok());
    const std::pair<const char*, const char*> expected[] = {{"run.rec", "cage"}, {"run-3.rec", "solids"}};
    for (const auto& [name, scene] : expected) {
        const auto recording = read_recording(folder_ / name);
        ASSERT_TRUE(recording.ok()) << recording.error().text();
        EXPECT_EQ(recording.value().options.scene, scene);
        EXPECT_GE(recording.value().frames.size(), 4u);
    }
    EXPECT_EQ(std::filesystem::file_size(older), 17u) << "it was overwritten";
}

TEST_F(DropTest, a_mesh_replaces_the_bodies_and_settings_stay) {
    use_pair_algorithm("box_tree");
    frames(3);
    drop({file("wedge.obj", tetrahedron_)});
    EXPECT_NE(message().find("wedge.obj flies"), std::string::npos) << message();
    EXPECT_EQ(session().world().body_count(), 10u);
    EXPECT_NE(described().find("wedge.obj"), std::string::npos) << described();
    EXPECT_STREQ(session().settings().pair_algorithm->id, "box_tree");
    drop({file("one.obj", tetrahedron_), file("two.obj", tetrahedron_)});
    EXPECT_EQ(session().options().meshes.size(), 2u) << "all meshes of one drop fly together";
    EXPECT_NE(message().find("one.obj, two.obj fly"), std::string::npos) << message();
}

TEST_F(DropTest, a_scene_without_meshes_is_replaced_by_the_cage) {
    start("crowd", "bodies", 1000);
    frames(3);
    drop({file("wedge.obj", tetrahedron_)});
    EXPECT_STREQ(session().descriptor().id, "cage");
    EXPECT_NE(described().find("wedge.obj"), std::string::npos) << described();
}

TEST_F(DropTest, a_mesh_becomes_the_clay_and_every_scene_remembers_its_own) {
    start("potter", "polygons", 2000);
    frames(3);
    drop({file("wedge.obj", tetrahedron_), file("other.obj", tetrahedron_)});
    EXPECT_STREQ(session().descriptor().id, "potter");
    EXPECT_NE(message().find("wedge.obj is the clay now"), std::string::npos) << message();
    EXPECT_EQ(described().find("Clay: 4 polygons"), 0u) << described();
    for (const Figure& f : session().scene().figures()) {
        if (std::string(f.id) != "height") continue;
        EXPECT_NEAR(f.value, 120, 1e-3) << "a metre is no size of a pot";
    }
    sandbox_->carry_out(Command{Command::Kind::scene, "cage"});
    frames(2);
    EXPECT_TRUE(session().options().meshes.empty()) << "the clay does not fly";
    sandbox_->carry_out(Command{Command::Kind::scene, "potter"});
    frames(2);
    EXPECT_EQ(described().find("Clay: 4 polygons"), 0u) << described();
    ASSERT_TRUE(session()
                    .set_parameter(collision::find_parameter(session().descriptor().parameters, "shape"), 4)
                    .ok());  // another start shape
    EXPECT_EQ(described().find("Clay: 4 polygons"), std::string::npos) << described();
}

TEST_F(DropTest, an_unreadable_file_is_an_error_with_its_line_and_changes_nothing) {
    frames(3);
    const std::string before = described();
    drop({file("torn.obj", tetrahedron_ + "f 1 2 9\n")});
    EXPECT_NE(message().find("torn.obj:9: "), std::string::npos) << message();
    EXPECT_NE(message().find("expected"), std::string::npos) << message();
    EXPECT_EQ(message().find(folder_.string()), std::string::npos) << "the name without the path is enough";
    for (const auto& [name, content] :
         {std::pair{"picture.png", "no mesh"}, {"points.obj", "v 0 0 0\nv 1 0 0\n"}, {"empty.ply", ""}}) {
        drop({file(name, content)});
        EXPECT_NE(message().find(name), std::string::npos) << message();
    }
    drop({file("wedge.obj", tetrahedron_), (folder_ / "gone.stl").string()});
    EXPECT_NE(message().find("gone.stl"), std::string::npos) << message();
    EXPECT_EQ(described(), before);
}

TEST_F(DropTest, a_scene_file_opens_and_a_faulty_one_changes_nothing) {
    frames(3);
    drop({file("few.scene", "claybox_scene = 1\nscene = crowd\nbodies = 1200\nbroad = tree\nseed = 9\n")});
    EXPECT_NE(message().find("Opened few.scene"), std::string::npos) << message();
    EXPECT_STREQ(session().descriptor().id, "crowd");
    EXPECT_EQ(session().options().scene_parameters[0], 1200);
    EXPECT_EQ(session().options().seed, 9u);
    EXPECT_STREQ(session().settings().broad_phase->id, "tree");
    drop({file("bad.scene", "claybox_scene = 1\nscene = cage\nbodies = none\n")});
    EXPECT_NE(message().find("bad.scene:3: "), std::string::npos) << message();
    EXPECT_EQ(message().find(folder_.string()), std::string::npos) << "the name without the path is enough";
    EXPECT_STREQ(session().descriptor().id, "crowd");
}

TEST_F(DropTest, a_saved_scene_starts_the_same_run_when_it_is_dropped) {
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder_);
    use_window(900, 1200);
    use_pair_algorithm("gjk");
    ASSERT_TRUE(session().set_parameter(0, 17).ok());
    frames(3);
    click("Scene", "card");
    frames(9);
    click("Seed, time, film and sharing", "fold");
    frames(9);
    click("Copy command", "button");
    EXPECT_STREQ(ImGui::GetClipboardText(), "claybox run --scene cage --pair gjk --set bodies=17");
    click("Save scene", "button");
    std::filesystem::current_path(before);
    start("crowd", "bodies", 1000);
    drop({(folder_ / "claybox-1.scene").string()});
    EXPECT_STREQ(session().descriptor().id, "cage");
    EXPECT_EQ(session().options().scene_parameters[0], 17);
    EXPECT_STREQ(session().settings().pair_algorithm->id, "gjk");
}

TEST_F(DropTest, a_long_message_is_broken_into_lines_that_fit_the_window) {
    const auto height = [&](const std::string& name) {
        drop({(folder_ / name).string()});
        for (const engine::WidgetRecord& r : ui_->log().records) {
            if (std::string(r.kind) != "message") continue;
            EXPECT_EQ(r.label.find(name), 0u);
            EXPECT_GE(r.x0, 0);
            EXPECT_LE(r.x1, static_cast<float>(width_)) << r.label;
            return r.y1 - r.y0;
        }
        return 0.0f;
    };
    frames(3);
    const float one = height("gone.obj");
    EXPECT_GT(one, 0);
    EXPECT_GT(height("gone in a drawer with a name that is as long as names of files from far away are.obj"),
              1.5f * one);
}

TEST(Drop, dropped_files_are_input_of_the_next_frame) {
    std::string error;
    const auto window = engine::Window::create({}, error);
    if (!window) GTEST_SKIP() << error;
    const auto ui = engine::Ui::create(window->handle(), error);
    ASSERT_TRUE(ui) << error;
    const GLFWdropfun drop = glfwSetDropCallback(window->handle(), nullptr);  // what the window system calls
    ASSERT_NE(drop, nullptr);
    const char* files[] = {"one.obj", "two.stl"};
    drop(window->handle(), 2, files);
    for (const std::size_t expected : {2u, 0u}) {
        ui->begin(640, 480, 0.1);
        EXPECT_EQ(ui->input().dropped.size(), expected);
        ui->end();
    }
}

}  // namespace
}  // namespace claybox::app
