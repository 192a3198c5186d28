// Settings between runs, and numbers from outside that the window must survive.

#include "app/bridge/sandbox/settings.hpp"

#include "app/bridge/view/camera.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <sys/stat.h>
#include <unistd.h>

namespace claybox::app {
namespace {

namespace fs = std::filesystem;

class SettingsFile : public ::testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("claybox-settings-" + std::to_string(getpid()));
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    Settings load(const std::string& text) {
        std::ofstream(folder_ / "settings.json", std::ios::binary) << text;
        Settings out;
        EXPECT_TRUE(load_settings(folder_ / "settings.json", out, error_)) << error_;
        return out;
    }

    fs::path folder_;
    std::string error_;
};

TEST_F(SettingsFile, sizes_outside_int_are_clamped) {
    EXPECT_EQ(load("{\"width\":1e300,\"height\":-1e300}").width, 16384);
    EXPECT_EQ(load("{\"width\":1e300,\"height\":-1e300}").height, 240);
    EXPECT_EQ(load("{\"width\":4294967296,\"height\":500.5}").width, 16384);
    EXPECT_EQ(load("{\"width\":800,\"height\":600}").width, 800);
}

TEST_F(SettingsFile, hand_settings_are_kept_and_clamped) {
    Settings own;
    own.hand_filter = 80;
    own.stroke_lead = 12.5;
    own.pressure_from = 2;
    ASSERT_TRUE(save_settings(folder_ / "own.json", own, error_)) << error_;
    Settings read;
    ASSERT_TRUE(load_settings(folder_ / "own.json", read, error_)) << error_;
    EXPECT_EQ(read, own);
    const Settings wild = load("{\"hand_filter\":1e300,\"stroke_lead\":-5,\"pressure_from\":9}");
    EXPECT_EQ(wild.hand_filter, 100);
    EXPECT_EQ(wild.stroke_lead, 0);
    EXPECT_EQ(wild.pressure_from, 2);
    EXPECT_EQ(load("{}").hand_filter, 0);
}

TEST_F(SettingsFile, a_pipe_is_an_error_and_does_not_block) {
    ASSERT_EQ(mkfifo((folder_ / "settings.json").c_str(), 0600), 0);
    Settings settings;
    EXPECT_FALSE(load_settings(folder_ / "settings.json", settings, error_));
    EXPECT_NE(error_.find("not a regular file"), std::string::npos) << error_;
}

TEST_F(SettingsFile, a_failed_save_is_reported_once_and_repeated_until_it_succeeds) {
    const fs::path file = folder_ / "later" / "settings.json";
    SettingsKeeper keeper(file, {});
    Settings changed;
    changed.width = 1000;
    EXPECT_EQ(keeper.keep({}, 0, false), "") << "nothing has changed";
    EXPECT_NE(keeper.keep(changed, 3, false).find("cannot save settings"), std::string::npos);
    EXPECT_EQ(keeper.keep(changed, 6, false), "") << "reported before";
    fs::create_directories(file.parent_path());
    EXPECT_EQ(keeper.keep(changed, 7, false), "");
    EXPECT_FALSE(fs::exists(file)) << "saved at most every two seconds";
    EXPECT_EQ(keeper.keep(changed, 9, false), "");
    Settings loaded;
    ASSERT_TRUE(load_settings(file, loaded, error_)) << error_;
    EXPECT_EQ(loaded.width, 1000) << "saved without a further change";
}

TEST_F(SettingsFile, an_unreadable_file_is_set_aside_and_replaces_no_earlier_one) {
    const fs::path file = folder_ / "settings.json";
    const auto put = [](const fs::path& path, const char* text) {
        std::ofstream(path, std::ios::binary) << text;
    };
    const auto text_of = [](const fs::path& path) {
        std::ifstream in(path, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(in), {});
    };
    put(file, "first");
    EXPECT_EQ(set_aside(file), folder_ / "settings.json.unread");
    put(file, "second");
    EXPECT_EQ(set_aside(file), folder_ / "settings.json.unread-2");
    EXPECT_EQ(text_of(folder_ / "settings.json.unread"), "first");
    EXPECT_EQ(text_of(folder_ / "settings.json.unread-2"), "second");
    EXPECT_TRUE(set_aside(file).empty()) << "there is no file any more";
}

TEST(Camera, angles_from_a_device_that_sends_any_number_stay_finite) {
    Camera camera;
    ViewCamera place;
    place.position = {0, 1, 3};
    camera.frame(place);
    const float inf = std::numeric_limits<float>::infinity();
    for (const float pixels : {inf, -inf, std::nanf(""), 1e38f, 1e5f}) {
        for (int i = 0; i < 10; ++i) camera.orbit(pixels, pixels);
        camera.zoom(pixels);
        const FreeArea area{0, 0, 640, 480};
        const auto view = camera.data(640, 480, 1, area);
        EXPECT_TRUE(std::isfinite(view.position.x) && std::isfinite(view.position.y)) << pixels;
    }
}

}  // namespace
}  // namespace claybox::app
