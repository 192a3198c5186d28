#pragma once
// The whole sandbox in a scripted headset: window, real OpenXR loader, test runtime, session and scene.

#include "app/bridge/headset/headset.hpp"
#include "engine/ui/ui.hpp"
#include "tests/support/from_scene.hpp"
#include "tests/xr/client.hpp"
#include "tests/xr/validation.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace claybox::app {

using test::Json;
using test::ScriptedRuntime;

/// A line of the runtime's script that places one hand in the room.
inline std::string hand_line(int frame, const engine::HandPose& pose) {
    const engine::HandJoints joints = engine::joints_from_pose(pose);
    Json rows = Json::array();
    for (const engine::HandJoint& j : joints.joint)
        rows.push_back({j.position.x, j.position.y, j.position.z, j.rotation.x, j.rotation.y, j.rotation.z,
                        j.rotation.w, j.radius});
    return Json{{"frame", frame}, {"hand", pose.left ? "left" : "right"}, {"joints", rows}}.dump();
}

inline std::string no_hand_line(int frame, const char* side = "right") {
    return Json{{"frame", frame}, {"hand", side}, {"active", false}}.dump();
}

inline std::string head_line() {
    return R"({"head": [0, 1.6, 0, 0, 0, 0, 1]})";
}

/// The scene's hand script as lines for the runtime: 60 frames of the scene are 90 frames of the headset.
inline std::vector<std::string> lines_of_script(const Scene& scene, int first_frame = 30) {
    const FromScene room(scene.camera());
    std::vector<std::string> lines{head_line()};
    for (const HandKey& key : scene.script())
        lines.push_back(
            hand_line(first_frame + static_cast<int>(key.frame * 3 / 2), room(to_hand_pose(key))));
    return lines;
}

inline SessionOptions session_options(const char* scene) {
    SessionOptions options;
    options.scene = scene;
    options.scene_parameters = collision::default_values(find_scene(scene)->parameters);
    return options;
}

class VrTest : public testing::Test {
  protected:
    /// Opens window and sandbox; the headset session starts with the first frame.
    void start(const char* scene, const std::vector<std::string>& lines, bool seen = true) {
        std::vector<std::string> all{seen ? R"({"runtime": "Test", "size": [64, 64]})"  // software draws it
                                          : R"({"runtime": "Test", "unseen": true})"};
        all.insert(all.end(), lines.begin(), lines.end());
        place_ = std::make_unique<ScriptedRuntime>(all);
        validation_ = std::make_unique<test::Validation>(place_->folder());
        std::string error;
        engine::WindowOptions options;
        options.width = width_;
        options.height = height_;
        options.vsync = false;
        window_ = engine::Window::create(options, error);
        ASSERT_TRUE(window_) << error;
        renderer_ = engine::Renderer::create(error);
        ASSERT_TRUE(renderer_) << error;
        ui_ = engine::Ui::create(window_->handle(), error);
        ASSERT_TRUE(ui_) << error;
        ui_->log().enabled = true;
        auto session = Session::create(session_options(scene));
        ASSERT_TRUE(session.ok()) << session.error().text();
        sandbox_ = std::make_unique<Sandbox>(*renderer_, *ui_, std::move(session).value(), Settings{}, false);
        sandbox_->set_patience(1e6);  // a slow machine must not change what a test sees
        headset_ = std::make_unique<Headset>(*window_, *sandbox_);
        sandbox_->state().headset.on = true;
        sandbox_->state().hidden = true;  // boards where a test is about them
    }
    void TearDown() override {
        headset_.reset();
        if (validation_) {
            EXPECT_EQ(validation_->report(), "");
        }
        validation_.reset();
        sandbox_.reset();
        ui_.reset();
        renderer_.reset();
        window_.reset();
    }
    /// One iteration of the main loop; true when the headset drew the frame.
    bool turn() {
        window_->poll();
        now_ += 1.0 / 90;
        const std::uint64_t before = sandbox_->session().frame();
        const bool in_headset = headset_->frame(now_, width_, height_);
        if (!in_headset) sandbox_->frame(width_, height_, 1.0 / 60, 0);
        sandbox_->finish_frame();
        if (sandbox_->session().frame() == before) return in_headset;
        for (const SceneEvent& e : sandbox_->session().output().events) {
            fired_ += e.kind == SceneEvent::Kind::fired ? 1 : 0;
            released_ += e.kind == SceneEvent::Kind::released ? 1 : 0;
        }
        return in_headset;
    }
    /// Iterates until the runtime has shown this number of frames.
    void run_to(std::uint64_t frames) {
        for (int i = 0; headset_->figures().frames < frames && i < 4 * static_cast<int>(frames) + 100; ++i)
            turn();
        EXPECT_GE(headset_->figures().frames, frames) << headset_->figures().sentence;
    }
    double figure(std::string_view id) {
        for (const Figure& f : sandbox_->session().scene().figures())
            if (id == f.id) return f.value;
        ADD_FAILURE() << "no figure " << id;
        return -1;
    }

    std::unique_ptr<ScriptedRuntime> place_;
    std::unique_ptr<test::Validation> validation_;
    std::unique_ptr<engine::Window> window_;
    std::unique_ptr<engine::Renderer> renderer_;
    std::unique_ptr<engine::Ui> ui_;
    std::unique_ptr<Sandbox> sandbox_;
    std::unique_ptr<Headset> headset_;
    int width_ = 480, height_ = 320;  ///< of the window
    double now_ = 0;
    int fired_ = 0, released_ = 0;
};

}  // namespace claybox::app
