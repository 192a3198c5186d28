#include "tests/support/asset_folder.hpp"

#include "engine/files/assets.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>

namespace claybox::engine {
namespace {

using test::AssetFolder;
using test::Variable;

TEST(AssetFolder, is_next_to_the_program_when_the_variable_is_not_set) {
    const Variable none("CLAYBOX_ASSETS", "");
    const std::filesystem::path found = asset_folder();
    ASSERT_FALSE(found.empty());
    EXPECT_TRUE(std::filesystem::equivalent(found, std::filesystem::path(CLAYBOX_SOURCE_DIR) / "assets"));
    std::string content, error;
    EXPECT_TRUE(read_asset("devices/default.map", content, error)) << error;
    EXPECT_FALSE(content.empty());
}

TEST(AssetFolder, the_variable_names_the_only_folder_that_counts) {
    const AssetFolder folder;
    folder.write("help/a.md", "text");
    EXPECT_EQ(asset_folder(), folder.path());
    std::string content, error;
    ASSERT_TRUE(read_asset("help/a.md", content, error)) << error;
    EXPECT_EQ(content, "text");
    EXPECT_EQ(find_asset("help/a.md"), folder.path() / "help/a.md");
    EXPECT_FALSE(read_asset("devices/default.map", content, error)) << "it is in the other folder only";
}

TEST(AssetFolder, a_missing_folder_is_an_error_that_says_where_it_was_searched) {
    const Variable nowhere("CLAYBOX_ASSETS", "/nowhere/at/all");
    std::string content = "old", error, other;
    EXPECT_FALSE(read_asset("icons/cage.svg", content, error));
    EXPECT_EQ(content, "");
    EXPECT_NE(error.find("searched /nowhere/at/all"), std::string::npos) << error;
    EXPECT_NE(error.find("set CLAYBOX_ASSETS"), std::string::npos) << error;
    EXPECT_FALSE(read_asset("icons/potter.svg", content, other));
    EXPECT_EQ(other, error) << "one cause has one message";
    EXPECT_TRUE(find_asset("icons/cage.svg").empty());
}

TEST(AssetFolder, a_missing_file_is_an_error_with_its_path) {
    const AssetFolder folder;
    std::filesystem::create_directories(folder.path() / "icons/cage.svg");  // a folder is no file
    ASSERT_EQ(mkfifo((folder.path() / "pipe").c_str(), 0600), 0);           // reading it would never end
    std::string content, error;
    for (const char* name : {"icons/none.svg", "icons/cage.svg", "pipe"}) {
        EXPECT_FALSE(read_asset(name, content, error)) << name;
        EXPECT_TRUE(error.starts_with((folder.path() / name).string() + ": ")) << error;
        EXPECT_TRUE(find_asset(name).empty()) << name;
    }
}

TEST(AssetFolder, a_name_cannot_leave_the_folder) {
    const AssetFolder folder;
    folder.write("inside/a", "");
    const std::string outside = folder.path().parent_path() / "claybox_outside_assets";
    std::ofstream(outside) << "secret";
    std::string content, error;
    for (const std::string& name :
         {std::string("../claybox_outside_assets"), std::string("inside/../../claybox_outside_assets"),
          outside, std::string()}) {
        EXPECT_FALSE(read_asset(name, content, error)) << name;
        EXPECT_NE(error.find("expected a name inside the assets folder"), std::string::npos) << error;
        EXPECT_TRUE(find_asset(name).empty()) << name;
    }
    std::filesystem::remove(outside);
}

TEST(AssetFolder, an_asset_may_have_one_mebibyte_and_no_more) {
    const AssetFolder folder;
    folder.write("full", std::string(kMaxAssetBytes, 'x'));
    folder.write("over", std::string(kMaxAssetBytes + 1, 'x'));
    folder.write("empty", "");
    std::string content, error;
    EXPECT_TRUE(read_asset("full", content, error)) << error;
    EXPECT_EQ(content.size(), kMaxAssetBytes);
    EXPECT_TRUE(read_asset("empty", content, error)) << error;
    EXPECT_EQ(content, "");
    EXPECT_FALSE(read_asset("over", content, error));
    EXPECT_NE(error.find("1048577 bytes, expected at most 1048576"), std::string::npos) << error;
}

TEST(AssetFolder, each_problem_is_printed_once_and_without_control_characters) {
    testing::internal::CaptureStderr();
    for (int i = 0; i < 3; ++i)
        report_asset_problem(
            "a problem of this test\x1b[2J\x7f\xc2\x9b"
            "1m");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "claybox: a problem of this test [2J   1m\n");
    EXPECT_EQ(asset_problems().back(), "a problem of this test [2J   1m");
}

}  // namespace
}  // namespace claybox::engine
