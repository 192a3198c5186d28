#include "app/bridge/view/palette.hpp"
#include "engine/files/assets.hpp"
#include "tests/support/asset_folder.hpp"

#include <gtest/gtest.h>

namespace claybox::app {
namespace {

std::string material_file() {
    std::string text, error;
    EXPECT_TRUE(engine::read_asset("materials/materials.txt", text, error)) << error;
    return text;
}

const engine::MaterialData& entry(const Materials& m, Material which) {
    return m.material[static_cast<std::size_t>(which)];
}

TEST(MaterialFile, has_every_material_and_colour) {
    std::vector<std::string> problems;
    const Materials m = parse_materials(material_file(), "materials.txt", problems);
    EXPECT_TRUE(problems.empty()) << problems.front();
    EXPECT_EQ(entry(m, Material::clay).surface, engine::Surface::clay);
    EXPECT_EQ(entry(m, Material::clay).albedo, srgb(0xB0937D));
    EXPECT_EQ(entry(m, Material::clay).spec, 0.05f);
    EXPECT_EQ(entry(m, Material::wheel_head).gloss, 46.0f);
    EXPECT_EQ(entry(m, Material::light_on).emission, 0.75f);
    EXPECT_EQ(entry(m, Material::plinth).grid, 0.25f);
    EXPECT_EQ(entry(m, Material::glazed_cream).wetness, 1.6f);
    EXPECT_EQ(entry(m, Material::body).wetness, 1.0f);
    EXPECT_EQ(ink_rgb(Ink::witness, true), srgb(0xB79CF0));
    EXPECT_EQ(ink_rgb(Ink::grid, false), srgb(0x5C6068));
    EXPECT_EQ(paper_rgb(false), srgb(0xFAF8F5));
    EXPECT_EQ(level_rgb(5, false), srgb(0x5E8A33));
    EXPECT_EQ(level_rgb(kLevelLooks, true), level_rgb(0, true));
    Drawable body;
    body.colour = 7;
    EXPECT_EQ(material_of(body, false).albedo, srgb(0xCBA3A6));
}

TEST(MaterialFile, a_wrong_line_stays_grey_and_is_named_with_its_line) {
    const std::pair<const char*, const char*> wrong[] = {
        {"shade clay matte B0937D 0.05 18", ":1: found 'shade', expected material or colour"},
        {"material mud matte B0937D 0.05 18", ":1: 'mud' is unknown"},
        {"material clay soft B0937D 0.05 18", "expected a surface"},
        {"material clay clay B0937 0.05 18", "six hexadecimal digits"},
        {"material clay clay -0937D 0.05 18", "six hexadecimal digits"},
        {"material clay clay B0937D nan 18", "expected a number from 0 to 1000"},
        {"material clay clay B0937D 0.05", "expected a number from 0 to 1000"},
        {"material clay clay B0937D 0.05 1e9", "expected a number from 0 to 1000"},
        {"material clay clay B0937D 0.05 18 shine 3", "expected emission, wetness or grid"},
        {"colour paper FAF8F5 2A2C32 more", "after the last value"},
        {"colour paper FAF8F5\ncolour paper FAF8F5", ":2: 'paper' has two lines"},
    };
    for (const auto& [text, words] : wrong) {
        std::vector<std::string> problems;
        const Materials m = parse_materials(text, "materials.txt", problems);
        ASSERT_EQ(problems.size(), 2u) << text;
        EXPECT_TRUE(problems[0].starts_with("materials.txt:")) << problems[0];
        EXPECT_NE(problems[0].find(words), std::string::npos) << problems[0];
        EXPECT_TRUE(problems[1].starts_with("materials.txt: expected lines for body, ")) << problems[1];
        const glm::vec3 grey = entry(m, Material::clay).albedo;
        EXPECT_EQ(grey.x, grey.y);
        EXPECT_EQ(grey.y, grey.z);
        EXPECT_EQ(entry(m, Material::glass).surface, engine::Surface::glass)
            << "opaque walls would hide the scene";
    }
}

TEST(MaterialFile, a_damaged_file_gives_valid_materials_and_few_messages) {
    const std::string text = material_file();
    std::vector<std::string> problems;
    parse_materials("", "materials.txt", problems);
    EXPECT_EQ(problems.size(), 1u);
    problems.clear();
    parse_materials(test::garbage() + std::string(200000, '\n') + test::garbage(), "materials.txt", problems);
    EXPECT_FALSE(problems.empty());
    EXPECT_LE(problems.size(), 20u) << "a damaged file must not flood the terminal";
    for (std::size_t size = 0; size < text.size(); size += 7) {
        problems.clear();
        const Materials m = parse_materials(text.substr(0, size), "materials.txt", problems);
        for (const auto& material : m.material) EXPECT_GE(material.albedo.x, 0);
    }
}

TEST(Materials, tinted_edges_are_wide_and_red_and_leave_the_body_as_it_is) {
    Drawable body;
    body.colliding = true;
    body.tint = 0;
    const engine::MaterialData plain = material_of(body, false);
    EXPECT_EQ(plain.edge_rgb, 0u);
    body.edge_tint = 1;
    const engine::MaterialData edged = material_of(body, false);
    EXPECT_EQ(edged.albedo, plain.albedo);
    EXPECT_GT(edged.edge_rgb >> 16, 0x90u);
    EXPECT_LT(edged.edge_rgb & 0xffu, 0x60u);
    EXPECT_EQ(edged.edge_alpha, 1.0f);
    body.outlined = false;
    EXPECT_EQ(material_of(body, false).edge_rgb, 0u);
}

}  // namespace
}  // namespace claybox::app
