#pragma once
// Finds the fonts and builds the font atlas for a scale.

#include <array>
#include <cstddef>
#include <string>

struct ImFont;
struct ImFontAtlas;

namespace claybox::engine {

enum class TextSize : unsigned char { body, secondary, headline, title, label };
inline constexpr std::size_t kTextSizes = 5;

struct FontSet {
    std::array<ImFont*, kTextSizes> font{};
    std::string file;  ///< regular weight; empty for ImGui's own font
};

/// Clears the atlas and adds all text sizes at `scale` pixels per unit; all digits get one width.
FontSet build_fonts(ImFontAtlas& atlas, float scale);

}  // namespace claybox::engine
