#include "engine/ui/style/fonts.hpp"

#include "engine/files/assets.hpp"
#include "engine/files/path_text.hpp"

#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace claybox::engine {
namespace {

/// A font family as system packages install it. `line`: line height over em; ImGui expects the line height,
/// style guides specify the em.
struct Family {
    const char* regular;
    const char* semibold;
    float line;
};

constexpr Family kFamilies[] = {
    {"opentype/inter/Inter-Regular.otf", "opentype/inter/Inter-SemiBold.otf", 1.2102f},
    {"truetype/inter/Inter-Regular.ttf", "truetype/inter/Inter-SemiBold.ttf", 1.2102f},
    {"inter/Inter-Regular.otf", "inter/Inter-SemiBold.otf", 1.2102f},
    {"truetype/roboto/unhinted/RobotoTTF/Roboto-Regular.ttf",
     "truetype/roboto/unhinted/RobotoTTF/Roboto-Medium.ttf", 1.1719f},
    {"truetype/dejavu/DejaVuSans.ttf", "truetype/dejavu/DejaVuSans-Bold.ttf", 1.1641f},
    {"dejavu/DejaVuSans.ttf", "dejavu/DejaVuSans-Bold.ttf", 1.1641f},
};
constexpr const char* kRoots[] = {"/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts"};

struct TextStyle {
    float em;
    bool semibold;
};
/// In the order of TextSize.
constexpr TextStyle kStyles[kTextSizes] = {{15, false}, {13, false}, {20, true}, {15, true}, {13, true}};

// Latin, Greek for units, and the symbols in the panels.
constexpr ImWchar kRanges[] = {0x0020, 0x017F, 0x0370, 0x03FF, 0x2010, 0x2027, 0x2030, 0x205E,
                               0x2070, 0x209F, 0x2190, 0x2199, 0x2200, 0x2265, 0};

/// Where fonts are. The archive that runs from any folder brings its own among the assets.
std::vector<std::filesystem::path> font_folders() {
    std::vector<std::filesystem::path> out(std::begin(kRoots), std::end(kRoots));
    out.push_back(asset_folder() / "fonts");
    return out;
}

bool find_family(std::string& regular, std::string& semibold, float& line) {
    std::error_code ignored;
    const std::vector<std::filesystem::path> folders = font_folders();
    for (const Family& family : kFamilies)
        for (const std::filesystem::path& folder : folders) {
            if (!std::filesystem::exists(folder / family.regular, ignored)) continue;
            regular = text_of(folder / family.regular);
            const bool has_bold = std::filesystem::exists(folder / family.semibold, ignored);
            semibold = has_bold ? text_of(folder / family.semibold) : regular;
            line = family.line;
            return true;
        }
    return false;
}

/// Gives all digits the same width, so columns of numbers do not jump when the numbers change.
void make_figures_tabular(ImFont& font) {
    float widest = 0;
    for (ImFontGlyph& glyph : font.Glyphs)
        if (glyph.Codepoint >= '0' && glyph.Codepoint <= '9') widest = std::max(widest, glyph.AdvanceX);
    for (ImFontGlyph& glyph : font.Glyphs) {
        if (glyph.Codepoint < '0' || glyph.Codepoint > '9') continue;
        const float shift = 0.5f * (widest - glyph.AdvanceX);
        glyph.X0 += shift;
        glyph.X1 += shift;
        glyph.AdvanceX = widest;
    }
    font.BuildLookupTable();
}

}  // namespace

FontSet build_fonts(ImFontAtlas& atlas, float scale) {
    FontSet set;
    std::string regular, semibold;
    float line = 1;
    const bool found = find_family(regular, semibold, line);
    atlas.Clear();
    // The atlas has a fixed width; large scales need a wide one, or it becomes too tall for old drivers.
    atlas.TexDesiredWidth = scale > 1.5f ? 4096 : 2048;
    for (std::size_t i = 0; i < kTextSizes; ++i) {
        ImFontConfig config;
        config.OversampleH = scale < 1.5f ? 3 : 1;
        config.OversampleV = 1;
        const float pixels = std::max(4.0f, kStyles[i].em * scale * line);
        const std::string& file = kStyles[i].semibold ? semibold : regular;
        if (found) set.font[i] = atlas.AddFontFromFileTTF(file.c_str(), pixels, &config, kRanges);
        if (set.font[i]) continue;
        config.SizePixels = std::max(6.0f, kStyles[i].em * scale);
        set.font[i] = atlas.AddFontDefault(&config);
    }
    if (found) set.file = regular;
    atlas.Build();
    for (ImFont* font : set.font) make_figures_tabular(*font);
    return set;
}

}  // namespace claybox::engine
