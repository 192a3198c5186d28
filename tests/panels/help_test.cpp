#include "app/panels/help.hpp"

#include "app/devices/sources.hpp"
#include "app/scenes/scene.hpp"
#include "engine/files/assets.hpp"
#include "tests/support/asset_folder.hpp"

#include <gtest/gtest.h>

namespace claybox::app {
namespace {

const std::string kHelpHead = "| Input | Effect | Devices |\n|---|---|---|\n";

TEST(HelpTexts, every_row_of_the_controls_parses_and_every_hint_has_a_scene) {
    std::string text, error;
    std::vector<std::string> problems;
    ASSERT_TRUE(engine::read_asset("help/controls.md", text, error)) << error;
    EXPECT_GT(parse_help(text, "controls.md", problems).size(), 20u);
    EXPECT_TRUE(problems.empty()) << problems.front();
    ASSERT_TRUE(engine::read_asset("help/hints.md", text, error)) << error;
    const std::vector<SceneHint> hints = parse_hints(text, "hints.md", problems);
    EXPECT_TRUE(problems.empty()) << problems.front();
    ASSERT_FALSE(hints.empty());
    for (const SceneHint& hint : hints) {
        EXPECT_NE(find_scene(hint.scene), nullptr) << hint.scene;
        EXPECT_EQ(scene_hint(hint.scene), hint.text);
    }
    EXPECT_EQ(scene_hint("no scene"), "") << "a scene may do without";
}

TEST(HelpTexts, a_changed_mapping_replaces_the_keys_of_its_row) {
    Sources sources;
    engine::LogicalDevices devices(app_devices(), sources.all());
    std::string error;
    const auto keys_of = [&](const std::string& effect) {
        for (const HelpRow& row : help_rows(devices))
            if (row.effect == effect) return row.keys;
        return std::string("no row");
    };
    EXPECT_EQ(keys_of("Restart the scene"), "R");
    ASSERT_TRUE(devices.remap("restart", "keyboard.f5", error)) << error;
    EXPECT_EQ(keys_of("Restart the scene"), "F5");
}

TEST(HelpTexts, the_keys_of_a_scene_are_listed_with_their_current_mappings) {
    Sources sources;
    engine::LogicalDevices devices(app_devices(), sources.all());
    const SceneDescriptor& potter = *find_scene("potter");
    std::string error;
    const auto keys_of = [&](const std::string& effect) {
        for (const HelpRow& row : scene_help_rows(devices, potter))
            if (row.effect == effect) return row.keys;
        return std::string("no row");
    };
    EXPECT_EQ(keys_of("Smooth"), "5");
    EXPECT_EQ(keys_of("Smaller radius"), "[");
    EXPECT_EQ(keys_of("Larger or smaller radius"), "Shift+wheel");
    EXPECT_EQ(keys_of("Held: the opposite"), "Ctrl") << "left or right";
    ASSERT_TRUE(devices.remap("potter_smooth", "keyboard.f6 | gamepad.a", error)) << error;
    EXPECT_EQ(keys_of("Smooth"), "F6 or gamepad a");
    EXPECT_TRUE(scene_help_rows(devices, *find_scene("cage")).empty());
}

TEST(HelpTexts, a_wrong_row_is_left_out_and_named_with_its_line) {
    std::vector<std::string> problems;
    const auto rows = parse_help(
        kHelpHead + "| H | Hand | take_hand |\n| only two | cells |\n| A | B | no_device |\n|  | B |  |\n",
        "controls.md", problems);
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].keys, "H");
    EXPECT_EQ(rows[0].devices, std::vector<std::string>{"take_hand"});
    ASSERT_EQ(problems.size(), 3u);
    EXPECT_TRUE(problems[0].starts_with("controls.md:4: expected |")) << problems[0];
    EXPECT_EQ(problems[1], "controls.md:5: there is no device 'no_device'");
    EXPECT_TRUE(problems[2].starts_with("controls.md:6: ")) << problems[2];
}

TEST(HelpTexts, damaged_files_give_messages) {
    const std::string long_row = kHelpHead + "| H | " + std::string(100000, 'x') + " | help |\n";
    for (const std::string& text :
         {std::string(), std::string("no table"), kHelpHead, test::garbage(), long_row}) {
        std::vector<std::string> problems;
        EXPECT_TRUE(parse_help(text, "controls.md", problems).empty());
        ASSERT_FALSE(problems.empty());
        EXPECT_NE(problems.back().find("controls.md"), std::string::npos);
    }
    for (const std::string& text : {std::string(), std::string("no section"), test::garbage(),
                                    "## cage\n" + std::string(100000, 'x')}) {
        std::vector<std::string> problems;
        EXPECT_TRUE(parse_hints(text, "hints.md", problems).empty());
        EXPECT_FALSE(problems.empty());
    }
}

TEST(HelpTexts, without_the_files_the_texts_say_so) {
    // The texts are read once per process: a child has not read them yet.
    const auto works = [] {
        const test::AssetFolder empty;
        Sources sources;
        const engine::LogicalDevices devices(app_devices(), sources.all());
        const std::vector<HelpRow> rows = help_rows(devices);
        return rows.size() == 1 && rows[0].effect == "Help text not found: assets/help/controls.md" &&
               scene_hint("cage") == "Help text not found: assets/help/hints.md";
    };
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_EXIT(std::exit(works() ? 0 : 1), testing::ExitedWithCode(0),
                "help/controls.md: the asset is missing");
}

}  // namespace
}  // namespace claybox::app
