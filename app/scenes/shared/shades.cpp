#include "app/scenes/shared/shades.hpp"

namespace claybox::app {

std::vector<Drawable> in_all_colours(std::span<const Drawable> looks) {
    CLAYBOX_ASSERT(looks.size() <= kMaxLooks);
    std::vector<Drawable> out;
    out.reserve(looks.size() * kPaletteSize);
    for (const Drawable& look : looks)
        for (int colour = 0; colour < kPaletteSize; ++colour) {
            out.push_back(look);
            out.back().colour = static_cast<std::uint8_t>(colour);
        }
    return out;
}

std::uint8_t heat_shade(float heat, unsigned colour) {
    return shade_of(static_cast<unsigned>(heat * static_cast<float>(kHeatSteps - 1) + 0.5f), colour);
}

std::span<const Drawable> heat_looks() {
    static const std::vector<Drawable> kLooks = [] {
        std::vector<Drawable> looks(kHeatSteps);
        for (unsigned heat = 1; heat < kHeatSteps; ++heat) {
            looks[heat].colliding = true;
            looks[heat].tint = static_cast<float>(heat) / static_cast<float>(kHeatSteps - 1);
        }
        return in_all_colours(looks);
    }();
    return kLooks;
}

}  // namespace claybox::app
