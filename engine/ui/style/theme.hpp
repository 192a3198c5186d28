#pragma once
// Colours of the panels: one accent colour; signal colours always come with a shape or a word.

#include <cstdint>

namespace claybox::engine {

/// ImGui's packing: red in the lowest byte, straight alpha in the highest.
using Colour = std::uint32_t;

/// From 0xRRGGBB.
constexpr Colour colour(std::uint32_t rgb, float alpha = 1.0f) {
    const std::uint32_t r = rgb >> 16 & 255, g = rgb >> 8 & 255, b = rgb & 255;
    return r | g << 8 | b << 16 | static_cast<std::uint32_t>(alpha * 255.0f + 0.5f) << 24;
}
/// The same colour with its alpha multiplied.
constexpr Colour faded(Colour c, float alpha) {
    return (c & 0x00ffffffu) | static_cast<std::uint32_t>(static_cast<float>(c >> 24) * alpha + 0.5f) << 24;
}

struct Theme {
    bool dark = false;
    Colour panel, header, frame, line, ink, secondary, accent, on_accent;
    Colour teal, amber, crimson, violet;
    Colour hover;  ///< overlay of the element under the pointer
};

/// The light or the dark theme; static lifetime.
const Theme& theme_of(bool dark);

/// Stage colours of the flame strip; readable under white text in both themes.
inline constexpr Colour kStageColours[] = {colour(0x7E8B99), colour(0x75835A), colour(0x2A8C82),
                                           colour(0xA88AA6), colour(0x5C6068), colour(0x8A6B52),
                                           colour(0x9AA0A8)};

}  // namespace claybox::engine
