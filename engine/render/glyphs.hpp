#pragma once
// Texture atlas with the letters of the interface font.

#include <glm/glm.hpp>

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace claybox::engine {

/// Lengths in cap heights, origin on the baseline.
struct Glyph {
    glm::vec2 low{0}, high{0};        ///< corners of the bitmap
    glm::vec2 uv_low{0}, uv_high{0};  ///< texture coordinates of these corners
    float advance = 0;
};

struct GlyphAtlas {
    int size = 0;                      ///< texels per side; 0 when no font was found
    std::vector<std::uint8_t> texels;  ///< top row first
    std::unordered_map<std::uint32_t, Glyph> glyphs;

    const Glyph* find(std::uint32_t code) const;
    float width(std::string_view utf8_line) const;
};

/// Removes the next code point from UTF-8 text and returns it; 0xFFFD for an invalid one.
std::uint32_t next_code_point(std::string_view& text);

/// Reads the first installed font of a fixed list.
GlyphAtlas bake_glyphs();

}  // namespace claybox::engine
