#pragma once
// A user who clicks, drags, scrolls, types and drops files at random, half of the time onto what the program
// shows.

#include "collision/core/random.hpp"
#include "engine/ui/ui.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace claybox::app {

class RandomUser {
  public:
    /// `folder` exists; some files to drop are written into it. The window has `width` x `height` pixels.
    RandomUser(std::uint64_t seed, int width, int height, std::filesystem::path folder)
        : random_(seed), width_(width), height_(height), folder_(std::move(folder)) {
        std::ofstream(folder_ / "a.scene") << "claybox_scene = 1\nscene = cage\nbodies = 6\n";
        std::ofstream(folder_ / "broken.scene") << "claybox_scene = 1\nscene = nowhere\n";
        std::ofstream(folder_ / "broken.obj") << "v 1 2\nf 1 2 3\n";
    }

    std::uint64_t below(std::uint64_t n) { return random_.below(n); }

    /// The next frames drag slowly from where the pot is, between the panels.
    void begin_stroke() {
        x_ = static_cast<float>(width_ * random_.uniform(0.28, 0.42));
        y_ = static_cast<float>(height_ * random_.uniform(0.3, 0.6));
        frames_of_stroke_ = 30 + below(60);
    }

    /// One input for the next frame.
    void act(engine::Ui& ui) {
        if (frames_of_stroke_ > 0) return drag(ui);
        switch (below(10)) {
            case 0:
            case 1:
            case 2:
            case 3:
                aim(ui);
                down_ = !down_;
                break;
            case 4:
            case 5:
                move();
                break;
            case 6:
            case 7:
                press_key(ui);
                break;
            case 8:
                wheel_ = static_cast<float>(below(7)) - 3;
                break;
            default:
                if (below(30) == 0) drop_file(ui);
                if (below(3) == 0) ui.inject_text("gr1.");
        }
        ui.inject_mouse(x_, y_, down_, std::exchange(wheel_, 0.0f));
    }

  private:
    void drag(engine::Ui& ui) {
        down_ = --frames_of_stroke_ > 0;
        x_ += static_cast<float>(below(5)) - 2;
        y_ += static_cast<float>(below(5)) - 2;
        ui.inject_mouse(x_, y_, down_, 0);
    }
    void move() {
        x_ = static_cast<float>(below(static_cast<std::uint64_t>(width_)));
        y_ = static_cast<float>(below(static_cast<std::uint64_t>(height_)));
    }
    /// Half of the time onto a widget that is on the screen.
    void aim(engine::Ui& ui) {
        const auto& records = ui.log().records;
        move();
        if (records.empty() || below(2) == 0) return;
        const engine::WidgetRecord& r = records[below(records.size())];
        if (!r.visible) return;
        x_ = 0.5f * (r.x0 + r.x1);
        y_ = 0.5f * (r.y0 + r.y1);
    }
    void press_key(engine::Ui& ui) {
        // Letters, digits and signs; editing keys, arrows and function keys.
        const int key = below(2) == 0 ? 32 + static_cast<int>(below(64)) : 256 + static_cast<int>(below(46));
        ui.inject_key(key, below(4) == 0);
    }
    void drop_file(engine::Ui& ui) {
        static constexpr const char* kFiles[] = {"a.scene", "broken.scene", "broken.obj", "missing.ply"};
        ui.inject_drop((folder_ / kFiles[below(std::size(kFiles))]).string());
    }

    collision::Random random_;
    int width_, height_;
    std::filesystem::path folder_;
    float x_ = 0, y_ = 0, wheel_ = 0;
    bool down_ = false;
    std::uint64_t frames_of_stroke_ = 0;
};

}  // namespace claybox::app
