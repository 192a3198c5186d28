#pragma once
// Colours of the panels. One accent; the signal colours always come with a shape or a word.

#include <cstdint>

namespace claybox::engine {

/// Packed as ImGui packs it: red in the lowest byte, straight alpha in the highest.
using Colour = std::uint32_t;

/// From 0xRRGGBB as in a style guide.
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
    Colour hover;  ///< laid over what the pointer is on
};

/// The light or the dark theme; lives for ever.
const Theme& theme_of(bool dark);

/// Colours of the flame strip by stage: they carry white text in both themes.
inline constexpr Colour kStageColours[] = {colour(0x7E8B99), colour(0x75835A), colour(0x2A8C82),
                                           colour(0xA88AA6), colour(0x5C6068), colour(0x8A6B52),
                                           colour(0x9AA0A8)};

}  // namespace claybox::engine
