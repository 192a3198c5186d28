#include "app/scenes/cage/cage_looks.hpp"

#include "app/scenes/shared/shades.hpp"

namespace claybox::app {

namespace {

constexpr unsigned kFlashSteps = 7, kFadeSteps = 15;
// Numbers of the first look of each kind; look 0 has no hit.
constexpr unsigned kRed = 1, kRedEdges = kRed + kFlashSteps, kFading = kRedEdges + kFlashSteps,
                   kRedWithEdges = kFading + kFadeSteps, kLooks = kRedWithEdges + 2;
static_assert(kLooks <= kMaxLooks);

}  // namespace

std::uint8_t cage_shade(const HitLook& hit, unsigned colour) {
    const auto flash = static_cast<unsigned>(hit.flash * (kFlashSteps - 1) + 0.5f);
    const auto faded = static_cast<unsigned>((1 - hit.edge_tint) * (kFadeSteps + 1) + 0.5f);
    if (hit.tint > 0 && hit.edge_tint > 0.5f)
        return shade_of(kRedWithEdges + (hit.flash > 0.5f ? 1 : 0), colour);
    if (hit.tint > 0) return shade_of(kRed + flash, colour);
    if (flash > 0 || faded == 0) return shade_of(kRedEdges + flash, colour);
    return shade_of(faded <= kFadeSteps ? kFading + faded - 1 : 0, colour);
}

std::span<const Drawable> cage_looks() {
    static const std::vector<Drawable> kTable = [] {
        std::vector<Drawable> looks(kLooks);
        for (unsigned step = 0; step < kFlashSteps; ++step) {
            Drawable &red = looks[kRed + step], &edges = looks[kRedEdges + step];
            red.colliding = true;
            edges.edge_tint = 1;
            red.flash = edges.flash = static_cast<float>(step) / (kFlashSteps - 1);
        }
        for (unsigned bright = 0; bright < 2; ++bright) {
            Drawable& both = looks[kRedWithEdges + bright];
            both.colliding = true;
            both.edge_tint = 1;
            both.flash = static_cast<float>(bright);
        }
        for (unsigned step = 1; step <= kFadeSteps; ++step)
            looks[kFading + step - 1].edge_tint = 1 - static_cast<float>(step) / (kFadeSteps + 1);
        return in_all_colours(looks);
    }();
    return kTable;
}

}  // namespace claybox::app
