#include "engine/render/glyphs.hpp"

#define STBTT_STATIC
#define STB_TRUETYPE_IMPLEMENTATION
#include <stb_truetype.h>

#include <cstddef>
#include <fstream>
#include <iterator>

namespace claybox::engine {

namespace {

constexpr int kAtlasSize = 2048;
constexpr int kCapTexels = 64;  // height of a capital letter
constexpr int kGap = 8;         // texels between letters, so mipmap levels do not bleed

// Semi-bold first: thin strokes would vanish at grazing angles.
constexpr const char* kFonts[] = {
    "/usr/share/fonts/opentype/inter/Inter-SemiBold.otf",
    "/usr/share/fonts/truetype/inter/Inter-SemiBold.ttf",
    "/usr/share/fonts/inter/Inter-SemiBold.otf",
    "/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Medium.ttf",
    "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf",
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/TTF/DejaVuSans-Bold.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans-Bold.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationSans-Bold.ttf",
    "/System/Library/Fonts/Supplemental/Arial Bold.ttf",
    "C:/Windows/Fonts/segoeuib.ttf",
    "C:/Windows/Fonts/arialbd.ttf",
};

std::vector<unsigned char> read_file(const char* path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Packs glyph bitmaps into rows, left to right, top to bottom.
struct Shelf {
    int x = kGap, y = kGap, row = 0;
    bool place(int width, int height, int& at_x, int& at_y) {
        if (x + width + kGap > kAtlasSize) {
            x = kGap;
            y += row + kGap;
            row = 0;
        }
        if (y + height + kGap > kAtlasSize) return false;
        at_x = x;
        at_y = y;
        x += width + kGap;
        row = height > row ? height : row;
        return true;
    }
};

void add_glyph(const stbtt_fontinfo& font, float scale, std::uint32_t code, Shelf& shelf, GlyphAtlas& atlas) {
    const int index = stbtt_FindGlyphIndex(&font, static_cast<int>(code));
    if (index == 0) return;
    int advance = 0, bearing = 0;
    stbtt_GetGlyphHMetrics(&font, index, &advance, &bearing);
    Glyph glyph;
    glyph.advance = static_cast<float>(advance) * scale / kCapTexels;
    int width = 0, height = 0, left = 0, top = 0, x = 0, y = 0;
    unsigned char* cover = stbtt_GetGlyphBitmap(&font, scale, scale, index, &width, &height, &left, &top);
    if (cover != nullptr && shelf.place(width, height, x, y)) {
        for (int row = 0; row < height; ++row)
            for (int column = 0; column < width; ++column)
                atlas.texels[static_cast<std::size_t>((y + row) * kAtlasSize + x + column)] =
                    cover[row * width + column];
        const float cap = kCapTexels, size = kAtlasSize;
        glyph.low = glm::vec2(static_cast<float>(left), static_cast<float>(-top - height)) / cap;
        glyph.high = glm::vec2(static_cast<float>(left + width), static_cast<float>(-top)) / cap;
        glyph.uv_low = glm::vec2(static_cast<float>(x), static_cast<float>(y + height)) / size;
        glyph.uv_high = glm::vec2(static_cast<float>(x + width), static_cast<float>(y)) / size;
    }
    stbtt_FreeBitmap(cover, nullptr);
    atlas.glyphs.emplace(code, glyph);
}

/// The height of a capital letter, in font units.
float cap_height(const stbtt_fontinfo& font) {
    int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    if (stbtt_GetCodepointBox(&font, 'H', &x0, &y0, &x1, &y1) == 0 || y1 <= 0) return 0;
    return static_cast<float>(y1);
}

bool bake(const std::vector<unsigned char>& file, GlyphAtlas& atlas) {
    stbtt_fontinfo font;
    if (file.empty()) return false;
    const int offset = stbtt_GetFontOffsetForIndex(file.data(), 0);
    if (offset < 0 || stbtt_InitFont(&font, file.data(), offset) == 0) return false;
    const float cap = cap_height(font);
    if (!(cap > 0)) return false;
    atlas.size = kAtlasSize;
    atlas.texels.assign(static_cast<std::size_t>(kAtlasSize) * kAtlasSize, 0);
    Shelf shelf;
    const float scale = kCapTexels / cap;
    for (std::uint32_t code = 32; code < 127; ++code) add_glyph(font, scale, code, shelf, atlas);
    for (std::uint32_t code = 0xA0; code < 0x100; ++code) add_glyph(font, scale, code, shelf, atlas);
    for (const std::uint32_t code : {0x2013u, 0x2014u, 0x2019u, 0x2026u, 0x2212u})
        add_glyph(font, scale, code, shelf, atlas);
    return true;
}

}  // namespace

const Glyph* GlyphAtlas::find(std::uint32_t code) const {
    auto found = glyphs.find(code);
    if (found == glyphs.end()) found = glyphs.find('?');
    return found == glyphs.end() ? nullptr : &found->second;
}

float GlyphAtlas::width(std::string_view utf8_line) const {
    float sum = 0;
    while (!utf8_line.empty()) {
        const Glyph* glyph = find(next_code_point(utf8_line));
        if (glyph != nullptr) sum += glyph->advance;
    }
    return sum;
}

std::uint32_t next_code_point(std::string_view& text) {
    const auto byte = [&](std::size_t i) {
        return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
    };
    const std::uint32_t first = byte(0);
    const std::size_t length = first < 0x80       ? 1
                               : first >> 5 == 6  ? 2
                               : first >> 4 == 14 ? 3
                               : first >> 3 == 30 ? 4
                                                  : 0;
    std::uint32_t code = length == 1 ? first : first & (0x7Fu >> length);
    bool valid = length > 0 && length <= text.size();
    for (std::size_t i = 1; valid && i < length; ++i) {
        valid = byte(i) >> 6 == 2;
        code = code << 6 | (byte(i) & 0x3Fu);
    }
    text.remove_prefix(valid ? length : 1);
    return valid ? code : 0xFFFDu;
}

GlyphAtlas bake_glyphs() {
    GlyphAtlas atlas;
    for (const char* path : kFonts)
        if (bake(read_file(path), atlas)) break;
    return atlas;
}

}  // namespace claybox::engine
