// Settings that the window keeps between runs.

#include "app/cli/files/settings_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
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

#ifndef _WIN32  // there, pipes are no files of a folder
TEST_F(SettingsFile, a_pipe_is_an_error_and_does_not_block) {
    ASSERT_EQ(mkfifo((folder_ / "settings.json").c_str(), 0600), 0);
    Settings settings;
    EXPECT_FALSE(load_settings(folder_ / "settings.json", settings, error_));
    EXPECT_NE(error_.find("not a regular file"), std::string::npos) << error_;
}
#endif

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

TEST_F(SettingsFile, an_error_names_the_member_or_the_place_and_what_was_expected) {
    const auto error_of = [](const std::string& text) {
        const auto read = read_settings_text(text);
        return read ? std::string() : read.error().text();
    };
    EXPECT_EQ(error_of("{\"width\":\"wide\"}"), "\"width\": expected a number, found string");
    EXPECT_EQ(error_of("{\"sound\":1}"), "\"sound\": expected true or false, found number");
    EXPECT_EQ(error_of("{\"hints_seen\":[\"cage\",3]}"),
              "\"hints_seen\": expected a list of strings, found number");
    EXPECT_EQ(error_of("[1]"), "expected an object with settings, found array");
    EXPECT_NE(error_of("{\n\"width\" 3}").find("line 2"), std::string::npos);
    EXPECT_NE(error_of("{\"width\":800,\"width\":900}").find("appears twice"), std::string::npos);
    EXPECT_NE(error_of(std::string(5000, '[')), "");
}

TEST_F(SettingsFile, a_file_with_an_error_gives_the_defaults_and_names_the_file) {
    std::ofstream(folder_ / "settings.json") << "{\"width\":800,\"height\":true}";
    Settings settings;
    settings.width = 1;
    EXPECT_FALSE(load_settings(folder_ / "settings.json", settings, error_));
    EXPECT_EQ(settings, Settings());
    EXPECT_EQ(error_, (folder_ / "settings.json").string() +
                          ": \"height\": expected a number, found boolean; using the default settings");
}

TEST_F(SettingsFile, what_is_written_is_read_again_as_the_same) {
    Settings own;
    own.scene = "potter \"two\"";
    own.algorithm = "gjk";
    own.dark = true;
    own.sound = own.haptics = false;
    own.seated = true;
    own.scale = 1.25;
    own.hints_seen = {"cage", "potter"};
    const auto read = read_settings_text(settings_text(own));
    ASSERT_TRUE(read.ok()) << read.error().text();
    EXPECT_EQ(read.value(), own);
    own.scene = "\xff";
    EXPECT_TRUE(read_settings_text(settings_text(own)).ok()) << "a name that is not UTF-8 can be written";
}

}  // namespace
}  // namespace claybox::app
