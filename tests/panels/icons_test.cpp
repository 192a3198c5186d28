#include "engine/ui/drawing/icons.hpp"

#include "engine/files/assets.hpp"
#include "engine/platform/gl_context.hpp"
#include "engine/ui/drawing/svg_icon.hpp"
#include "engine/ui/offscreen_target.hpp"
#include "tests/support/asset_folder.hpp"

#include <gtest/gtest.h>

#include <set>

namespace claybox::engine {
namespace {

std::string svg(const std::string& shapes) {
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 24 24\" stroke-width=\"2\">\n" + shapes +
           "\n</svg>\n";
}

std::string icon_error(const std::string& text) {
    std::vector<IconShape> shapes(1);
    std::string error;
    EXPECT_FALSE(parse_icon(text, shapes, error)) << text;
    EXPECT_TRUE(shapes.empty());
    return error;
}

TEST(Icons, each_icon_has_a_file_that_parses_and_each_file_is_an_icon) {
    std::set<std::string> files, names;
    for (const auto& entry : std::filesystem::directory_iterator(asset_folder() / "icons"))
        files.insert(entry.path().filename().string());
    for (std::size_t i = 0; i < kIconCount; ++i) {
        const std::string name = std::string(to_string(static_cast<Icon>(i))) + ".svg";
        names.insert(name);
        std::string text, error;
        std::vector<IconShape> shapes;
        ASSERT_TRUE(read_asset("icons/" + name, text, error)) << error;
        EXPECT_TRUE(parse_icon(text, shapes, error)) << name << ":" << error;
        EXPECT_EQ(icon_by_name(to_string(static_cast<Icon>(i))), static_cast<Icon>(i));
    }
    EXPECT_EQ(files, names);
    EXPECT_FALSE(icon_by_name("no_such_icon"));
}

TEST(Icons, a_file_becomes_paths_circles_and_rectangles) {
    std::vector<IconShape> shapes;
    std::string error;
    ASSERT_TRUE(parse_icon(svg("<!-- note -->\n<path d=\"M1 2 L3,4 5 6 C1 1 2 2 3 3 Z M7 7 8 8\"/>\n"
                               "<circle cx=\"12\" cy=\"11\" r=\"1.5\" fill=\"currentColor\" stroke=\"none\"/>"
                               "<rect x=\"2\" y=\"3\" width=\"4\" height=\"5\" rx=\"1\"/>"),
                           shapes, error))
        << error;
    ASSERT_EQ(shapes.size(), 4u);
    EXPECT_TRUE(shapes[0].closed);
    EXPECT_EQ(shapes[0].start, (std::array<float, 2>{1, 2}));
    ASSERT_EQ(shapes[0].steps.size(), 3u);
    EXPECT_FALSE(shapes[0].steps[1].curve);
    EXPECT_EQ(shapes[0].steps[1].to, (std::array<float, 2>{5, 6}));
    EXPECT_TRUE(shapes[0].steps[2].curve);
    EXPECT_EQ(shapes[0].steps[2].to_control, (std::array<float, 2>{2, 2}));
    EXPECT_EQ(shapes[0].stroke, 2);
    EXPECT_FALSE(shapes[1].closed);
    EXPECT_EQ(shapes[2].kind, IconShape::Kind::circle);
    EXPECT_TRUE(shapes[2].filled);
    EXPECT_EQ(shapes[3].numbers, (std::array<float, 5>{2, 3, 6, 8, 1}));
}

TEST(Icons, a_damaged_file_is_an_error_with_its_line) {
    const std::pair<std::string, const char*> wrong[] = {
        {"", "1: expected a tag"},
        {"<html></html>", "expected an <svg>"},
        {"<svg viewBox=\"0 0 48 48\"></svg>", "viewBox=\"0 0 24 24\""},
        {svg(""), "found no shape"},
        {svg("<text x=\"1\"/>"), "2: found <text>"},
        {svg("<path d=\"M1 1 l2 2\"/>"), "absolute M, L, C and Z"},
        {svg("<path d=\"L1 1\"/>"), "expected M"},
        {svg("<path d=\"M1 1\"/>"), "one point"},
        {svg("<path d=\"M1 1 L2\"/>"), "pair of numbers"},
        {svg("<path d=\"M1 1 L2 nan\"/>"), "pair of numbers"},
        {svg("<path d=\"M1 1 L2 1e30\"/>"), "pair of numbers"},
        {svg("<path d=\"M1 1 L2 2\" transform=\"scale(2)\"/>"), "'transform'"},
        {svg("<circle cx=\"1\" cy=\"1\" r=\"0\"/>"), "size above 0"},
        {svg("<circle cx=\"x\" cy=\"1\" r=\"1\"/>"), "cx='x'"},
        {svg("<path d=\"M1 1 L2 2\">"), "no '/>'"},
        {svg("<path d=\"M1 1 L2 2\"/>") + "<svg>", "after </svg>"},
        {test::garbage(), "expected a tag"},
    };
    for (const auto& [text, words] : wrong)
        EXPECT_NE(icon_error(text).find(words), std::string::npos) << icon_error(text);
}

TEST(Icons, no_file_that_is_cut_off_or_has_a_changed_byte_does_harm) {
    std::string text, error;
    ASSERT_TRUE(read_asset("icons/help.svg", text, error)) << error;
    std::vector<IconShape> shapes;
    for (std::size_t size = 0; size < text.find("</svg>") + 6; ++size) icon_error(text.substr(0, size));
    for (std::size_t at = 0; at < text.size(); ++at)
        for (const char c : {'\0', '"', '<', '9', 'e', 'M', '\xff'}) {
            std::string changed = text;
            changed[at] = c;
            const bool good = parse_icon(changed, shapes, error);
            EXPECT_EQ(good, !shapes.empty()) << at;
        }
}

/// Draws every icon and returns the picture.
std::vector<std::uint8_t> picture_of_all_icons(Ui& ui) {
    constexpr int kWidth = 240, kHeight = 40 * static_cast<int>((kIconCount + 5) / 6);
    const OffscreenTarget target(kWidth, kHeight);
    ui.begin(kWidth, kHeight, 0.1);
    for (std::size_t i = 0; i < kIconCount; ++i)
        draw_icon(ui, *ImGui::GetForegroundDrawList(),
                  {20 + 40 * static_cast<float>(i % 6), 20 + 40 * static_cast<float>(i / 6)},
                  static_cast<Icon>(i), 0xff000000u);
    target.bind(1, 1, 1);
    ui.end();
    return target.pixels();
}

TEST(Icons, a_missing_icon_is_an_empty_square_and_one_message) {
    std::string error;
    const auto context = OffscreenContext::create(error);
    ASSERT_TRUE(context) << error;
    std::vector<std::uint8_t> whole, without;
    {
        const auto ui = Ui::create(nullptr, error);
        ASSERT_TRUE(ui) << error;
        whole = picture_of_all_icons(*ui);
    }
    const test::AssetFolder folder;
    folder.fill();
    std::filesystem::remove(folder.path() / "icons/cage.svg");
    folder.write("icons/workbench.svg", test::garbage());
    testing::internal::CaptureStderr();
    {
        const auto ui = Ui::create(nullptr, error);
        ASSERT_TRUE(ui) << error;
        picture_of_all_icons(*ui);
        without = picture_of_all_icons(*ui);
    }
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 2) << said;
    EXPECT_NE(said.find("icons/cage.svg: the asset is missing"), std::string::npos) << said;
    EXPECT_NE(said.find("icons/workbench.svg:1: expected a tag"), std::string::npos) << said;
    constexpr std::size_t kRow = 240 * 3;
    const auto left_edge = [](const std::vector<std::uint8_t>& p) { return p[20 * kRow + 12 * 3]; };
    EXPECT_LT(left_edge(without), 128) << "the left side of the square";
    EXPECT_EQ(without[20 * kRow + 20 * 3], 255) << "the square is empty";
    const auto from_third = static_cast<std::ptrdiff_t>(2 * 40 * 3);
    EXPECT_TRUE(std::equal(whole.begin() + 20 * kRow + from_third, whole.begin() + 21 * kRow,
                           without.begin() + 20 * kRow + from_third))
        << "the other icons are as before";
}

}  // namespace
}  // namespace claybox::engine
