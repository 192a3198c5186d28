#pragma once
// Letters of the interface font in one picture.

#include <glm/glm.hpp>

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace claybox::engine {

/// Lengths in cap heights, origin on the base line.
struct Glyph {
    glm::vec2 low{0}, high{0};        ///< corners of the picture
    glm::vec2 uv_low{0}, uv_high{0};  ///< of the same corners in the atlas
    float advance = 0;
};

struct GlyphAtlas {
    int size = 0;                      ///< texels to a side; 0 when no font was found
    std::vector<std::uint8_t> texels;  ///< rows from the top
    std::unordered_map<std::uint32_t, Glyph> glyphs;

    const Glyph* find(std::uint32_t code) const;
    float width(std::string_view utf8_line) const;
};

/// The next code point of UTF-8 text, taken off its front; 0xFFFD for a broken one.
std::uint32_t next_code_point(std::string_view& text);

/// Reads the first font of a list that this machine has.
GlyphAtlas bake_glyphs();

}  // namespace claybox::engine
