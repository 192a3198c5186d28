#pragma once
// Finds the fonts and builds the atlas for a scale.

#include "engine/ui/ui.hpp"

#include <array>

struct ImFontAtlas;

namespace claybox::engine {

inline constexpr std::size_t kTextSizes = 5;

struct FontSet {
    std::array<ImFont*, kTextSizes> font{};
    std::string file;  ///< of the regular weight; empty for ImGui's own
};

/// Clears the atlas and adds all text sizes at `scale` pixels per unit; figures get one common width.
FontSet build_fonts(ImFontAtlas& atlas, float scale);

}  // namespace claybox::engine
