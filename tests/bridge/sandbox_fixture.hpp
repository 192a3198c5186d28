#pragma once
// A sandbox on an OpenGL context without a window, with injected mouse and keys.

#include "app/bridge/inspect/inspector.hpp"
#include "app/bridge/sandbox/sandbox.hpp"
#include "engine/assets/mesh_file.hpp"
#include "engine/platform/gl_context.hpp"
#include "engine/ui/offscreen_target.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace claybox::app {

inline constexpr double kFrame = 1.0 / 60.0 + 1e-6;

class SandboxTest : public testing::Test {
  protected:
    void SetUp() override {
        std::string error;
        context_ = engine::OffscreenContext::create(error);
        ASSERT_TRUE(context_) << error;
        renderer_ = engine::Renderer::create(error);
        ASSERT_TRUE(renderer_) << error;
        ui_ = engine::Ui::create(nullptr, error);
        ASSERT_TRUE(ui_) << error;
        ui_->log().enabled = true;
        target_ = std::make_unique<engine::OffscreenTarget>(width_, height_);
        start("cage", "bodies", 10);
    }
    void TearDown() override {
        sandbox_.reset();
        target_.reset();
        ui_.reset();
        renderer_.reset();
        context_.reset();
    }
    void start(const char* scene, const char* parameter, double value) {
        SessionOptions options;
        options.scene = scene;
        const SceneDescriptor* descriptor = find_scene(scene);
        ASSERT_NE(descriptor, nullptr);
        options.scene_parameters = collision::default_values(descriptor->parameters);
        options.scene_parameters[collision::find_parameter(descriptor->parameters, parameter)] = value;
        auto session = Session::create(options);
        ASSERT_TRUE(session.ok()) << session.error().text();
        sandbox_.reset();
        sandbox_ = std::make_unique<Sandbox>(*renderer_, *ui_, std::move(session).value(), Settings{});
        sandbox_->set_patience(1e6);  // a slow machine must not change what a test sees
    }
    void use_window(int width, int height) {
        width_ = width;
        height_ = height;
        target_ = std::make_unique<engine::OffscreenTarget>(width, height);
    }
    void use_pair_algorithm(const char* id) {
        collision::WorldSettings settings = session().settings();
        settings.pair_algorithm = collision::find_pair_algorithm(id);
        settings.pair_parameters = collision::default_values(settings.pair_algorithm->parameters);
        session().set_settings(settings);
    }
    /// Draws the last of several frames, and every fourth of single ones: nobody sees the others, and with a
    /// software renderer drawing takes most of a test's time. With a gallery, any frame may be kept. `dt`:
    /// seconds per frame.
    void frames(int count, double dt = kFrame) {
        const bool kept = std::getenv("CLAYBOX_GALLERY") != nullptr;
        for (int i = count; i > 1; --i) frame(dt, kept);
        if (count > 0) frame(dt, kept || count > 1 || ++single_frames_ % 4 == 0);
    }
    void frame(double dt, bool drawn) {
        std::optional<unsigned> framebuffer;
        if (drawn) framebuffer = target_->framebuffer();
        sandbox_->frame(width_, height_, dt, framebuffer);
        sandbox_->finish_frame();
    }
    const engine::WidgetRecord* widget(const std::string& label, const char* kind) {
        const engine::WidgetRecord* found = ui_->log().find(label, kind);
        EXPECT_NE(found, nullptr) << kind << " '" << label << "' is not on the screen";
        return found;
    }
    void press_at(float x, float y) {
        for (const bool down : {false, true, false}) {
            ui_->inject_mouse(x, y, down);
            frames(1);
        }
    }
    void click(const std::string& label, const char* kind) {
        const engine::WidgetRecord* w = widget(label, kind);
        ASSERT_NE(w, nullptr);
        EXPECT_TRUE(w->visible) << label;
        press_at(0.5f * (w->x0 + w->x1), 0.5f * (w->y0 + w->y1));
        frames(1);
    }
    /// Scrolls the open list with the wheel, first up, then down, until the item is visible.
    void bring_into_view(const std::string& item) {
        for (const float wheel : {1.0f, -1.0f})
            for (int i = 0; i < 40 && !widget(item, "item")->visible; ++i) {
                const engine::WidgetRecord* combo = widget("Pair algorithm", "combo");
                ui_->inject_mouse(combo->x0 + 20, combo->y1 + 20, false, wheel);
                frames(2);
            }
    }
    /// Scrolls the column of cards with the wheel, first up, then down, until the widget is visible.
    void reveal(const std::string& label, const char* kind) {
        for (const float wheel : {4.0f, -1.0f})
            for (int i = 0; i < 40; ++i) {
                const engine::WidgetRecord* w = ui_->log().find(label, kind);
                if (w && w->visible && w->y0 > 8 && w->y1 < static_cast<float>(height_) - 64) return;
                ui_->inject_mouse(static_cast<float>(width_) - 12, 100, false, wheel);
                frames(1);
            }
    }
    void click_in_column(const std::string& label, const char* kind) {
        reveal(label, kind);
        click(label, kind);
        frames(9);  // until an opened card or fold has its height
    }
    void open_card(const std::string& title) {
        reveal(title, "card");
        const engine::WidgetRecord* card = widget(title, "card");
        if (card && card->value == "folded") click_in_column(title, "card");
    }
    /// Saves a picture of the window in the folder CLAYBOX_GALLERY, if it is set.
    void keep(const std::string& name) {
        const char* folder = std::getenv("CLAYBOX_GALLERY");
        if (!folder) return;
        std::string error;
        EXPECT_TRUE(engine::write_png(std::filesystem::path(folder) / (name + ".png"), width_, height_,
                                      target_->pixels(), error))
            << error;
    }
    Session& session() { return sandbox_->session(); }
    int width_ = 640, height_ = 680, single_frames_ = 0;

    std::unique_ptr<engine::OffscreenContext> context_;
    std::unique_ptr<engine::Renderer> renderer_;
    std::unique_ptr<engine::Ui> ui_;
    std::unique_ptr<engine::OffscreenTarget> target_;
    std::unique_ptr<Sandbox> sandbox_;
};

}  // namespace claybox::app
