// Random inputs: clicks, drags, wheel, keys, typed text and dropped files, in all scenes.
// CLAYBOX_MONKEY=100000 gives the number of inputs, CLAYBOX_MONKEY_SEED another sequence.

#include "engine/platform/window.hpp"
#include "tests/bridge/sandbox_fixture.hpp"
#include "tests/support/random_user.hpp"

#include <cmath>

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
    }
    void TearDown() override {
        fs::current_path(before_);
        fs::remove_all(folder_);
        SandboxTest::TearDown();
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
};

TEST_F(Monkey, random_inputs_do_no_harm) {
    const std::uint64_t inputs = number_of("CLAYBOX_MONKEY", 600);
    RandomUser user(number_of("CLAYBOX_MONKEY_SEED", 1), kWidth, kHeight, folder_);
    for (std::uint64_t i = 0; i < inputs; ++i) {
        user.act(*ui_);
        frames(1);
        stay_small();
        check(i);
        if (HasFatalFailure()) return;
    }
}

TEST(InjectedMouse, clicks_also_where_a_window_is_open) {
    std::string error;
    const auto window = engine::Window::create({}, error);
    if (!window) GTEST_SKIP() << error;
    const auto ui = engine::Ui::create(window->handle(), error);
    ASSERT_TRUE(ui) << error;
    std::size_t clicks = 0;
    for (const bool down : {false, true, true, false, true}) {
        ui->inject_mouse(300, 200, down, 0);
        ui->begin(640, 480, 0.1);
        EXPECT_EQ(ui->input().down[0], down);
        clicks += ui->input().clicks.size();
        ui->end();
    }
    EXPECT_EQ(clicks, 2u);
}

}  // namespace
}  // namespace claybox::app
