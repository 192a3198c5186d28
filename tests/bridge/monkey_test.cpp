// Random inputs: clicks, drags, wheel, keys, typed text and dropped files, in all scenes.
// CLAYBOX_MONKEY=100000 gives the number of inputs, CLAYBOX_MONKEY_SEED another sequence.

#include "collision/core/random.hpp"
#include "tests/bridge/sandbox_fixture.hpp"

#include <cmath>
#include <fstream>

namespace claybox::app {
namespace {

namespace fs = std::filesystem;

std::uint64_t number_of(const char* variable, std::uint64_t otherwise) {
    const char* text = std::getenv(variable);
    return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// Works in a folder of its own, where the program saves its files.
class Monkey : public SandboxTest {
  protected:
    static constexpr int kWidth = 900, kHeight = 560;
    void SetUp() override {
        SandboxTest::SetUp();
        use_window(kWidth, kHeight);
        before_ = fs::current_path();
        folder_ = fs::path(testing::TempDir()) / ("claybox-monkey-" + std::to_string(::getpid()));
        fs::create_directories(folder_);
        fs::current_path(folder_);
        std::ofstream("a.scene") << "claybox_scene = 1\nscene = cage\nbodies = 6\n";
        std::ofstream("broken.scene") << "claybox_scene = 1\nscene = nowhere\n";
        std::ofstream("broken.obj") << "v 1 2\nf 1 2 3\n";
    }
    void TearDown() override {
        fs::current_path(before_);
        fs::remove_all(folder_);
        SandboxTest::TearDown();
    }

    std::uint64_t below(std::uint64_t n) { return random_.below(n); }
    void move() {
        x_ = static_cast<float>(below(kWidth));
        y_ = static_cast<float>(below(kHeight));
    }
    /// Half of the time onto a widget that is on the screen.
    void aim() {
        const auto& records = ui_->log().records;
        move();
        if (records.empty() || below(2) == 0) return;
        const engine::WidgetRecord& r = records[below(records.size())];
        if (!r.visible) return;
        x_ = 0.5f * (r.x0 + r.x1);
        y_ = 0.5f * (r.y0 + r.y1);
    }
    void press_key() {
        // Letters, digits and signs; editing keys, arrows and function keys.
        const int key = below(2) == 0 ? 32 + static_cast<int>(below(64)) : 256 + static_cast<int>(below(46));
        ui_->inject_key(key, below(4) == 0);
    }
    void drop_file() {
        static constexpr const char* kFiles[] = {"a.scene", "broken.scene", "broken.obj", "missing.ply"};
        ui_->inject_drop((folder_ / kFiles[below(std::size(kFiles))]).string());
    }
    void act() {
        switch (below(10)) {
            case 0:
            case 1:
            case 2:
            case 3:
                aim();
                down_ = !down_;
                break;
            case 4:
            case 5:
                move();
                break;
            case 6:
            case 7:
                press_key();
                break;
            case 8:
                wheel_ = static_cast<float>(below(7)) - 3;
                break;
            default:
                if (below(30) == 0) drop_file();
                if (below(3) == 0) ui_->inject_text("gr1.");
        }
        ui_->inject_mouse(x_, y_, down_, std::exchange(wheel_, 0.0f));
    }
    /// Large scenes are tested elsewhere; here they would only take time.
    void stay_small() {
        const bool large = session().world().body_count() > 3000 ||
                           (session().scene().export_mesh().positions != nullptr &&
                            session().scene().export_mesh().positions->size() > 60000);
        if (large) start("cage", "bodies", 10);
    }
    void check(std::uint64_t input) {
        const engine::CameraData& camera = sandbox_->camera();
        ASSERT_TRUE(std::isfinite(camera.position.x + camera.position.y + camera.position.z)) << input;
        ASSERT_LE(sandbox_->past().bytes(), SceneHistory::kMaxBytes * 2) << input;
    }

    fs::path before_, folder_;
    collision::Random random_{number_of("CLAYBOX_MONKEY_SEED", 1)};
    float x_ = 0, y_ = 0, wheel_ = 0;
    bool down_ = false;
};

TEST_F(Monkey, random_inputs_do_no_harm) {
    const std::uint64_t inputs = number_of("CLAYBOX_MONKEY", 600);
    for (std::uint64_t i = 0; i < inputs; ++i) {
        act();
        frames(1);
        stay_small();
        check(i);
        if (HasFatalFailure()) return;
    }
}

}  // namespace
}  // namespace claybox::app
