#include "app/bridge/palette.hpp"

#include <algorithm>
#include <iterator>

namespace claybox::app {

using engine::MaterialData;
using engine::Surface;

glm::vec3 srgb(unsigned hex) {
    return glm::vec3(static_cast<float>(hex >> 16 & 255u), static_cast<float>(hex >> 8 & 255u),
                     static_cast<float>(hex & 255u)) /
           255.0f;
}

namespace {

struct Look {
    Surface surface;
    unsigned albedo;
    float spec, gloss;
};

/// In the order of Material.
constexpr Look kLooks[] = {
    {Surface::matte, 0xC9A08A, 0.05f, 18},    // body
    {Surface::clay, 0xB0937D, 0.05f, 18},     // clay
    {Surface::matte, 0xE6D6C6, 0.06f, 20},    // hand
    {Surface::matte, 0xC8643C, 0.06f, 20},    // hand_active
    {Surface::glass, 0xEDF7FF, 0, 1},         // glass
    {Surface::matte, 0x7D8187, 0.25f, 30},    // frame
    {Surface::matte, 0xB98A66, 0.05f, 18},    // corner
    {Surface::plinth, 0xF1EDE6, 0.03f, 12},   // plinth
    {Surface::floor, 0xE9E4DB, 0.02f, 12},    // floor
    {Surface::wood, 0xC6A580, 0.06f, 22},     // table
    {Surface::matte, 0x8F8C87, 0.26f, 46},    // wheel_head
    {Surface::matte, 0xC9BCA8, 0.04f, 16},    // bat
    {Surface::matte, 0x9A7E6A, 0.12f, 30},    // slurry
    {Surface::matte, 0x6A6E76, 0.10f, 26},    // desk_case
    {Surface::matte, 0xE9E3D9, 0.05f, 20},    // desk_plate
    {Surface::matte, 0x54575F, 0.05f, 18},    // desk_well
    {Surface::matte, 0xF3EDE3, 0.08f, 26},    // button
    {Surface::matte, 0xDCE2E3, 0.08f, 26},    // button_cool
    {Surface::matte, 0xF0D9C6, 0.08f, 26},    // button_pressed
    {Surface::matte, 0xB9B2A6, 0.2f, 40},     // light_off
    {Surface::emissive, 0xF2B84B, 0.1f, 30},  // light_on
    {Surface::matte, 0xC8643C, 0.08f, 26},    // toggle_on
    {Surface::matte, 0xF1E0CF, 0.03f, 14},    // shelf
    {Surface::clay, 0xC4D6DC, 0.2f, 60},      // glazed_blue
    {Surface::clay, 0xE8E6D2, 0.2f, 60},      // glazed_cream
};
static_assert(std::size(kLooks) == static_cast<std::size_t>(Material::glazed_cream) + 1);

constexpr unsigned kPalette[8] = {0xC9A08A, 0xA6B59B, 0x9DB3C6, 0xCBB88F,
                                  0xB59DB3, 0xAEB289, 0x9CA8B6, 0xCBA3A6};
constexpr unsigned kColliding = 0xB8323F;

void dress_body(const Drawable& d, bool dark, MaterialData& m) {
    m.albedo = srgb(kPalette[d.colour % 8]);
    m.edge_alpha = d.outlined ? 0.6f : 0.0f;
    if (!d.colliding) return;
    m.albedo = glm::mix(m.albedo, srgb(kColliding), d.tint);
    m.emission = (dark ? 0.12f : 0.02f) * d.tint;
    m.edge_alpha = d.outlined ? 0.6f + 0.2f * d.tint : 0.0f;
}

}  // namespace

MaterialData material_of(const Drawable& d, bool dark) {
    const Look look = kLooks[static_cast<std::size_t>(d.material)];
    MaterialData m;
    m.surface = look.surface;
    m.albedo = srgb(look.albedo);
    m.spec = look.spec;
    m.gloss = look.gloss;
    if (d.material == Material::body)
        dress_body(d, dark, m);
    else if (d.material == Material::hand || d.material == Material::hand_active)
        m.edge_alpha = d.outlined ? 0.22f : 0.0f;
    else if (d.outlined)
        m.edge_alpha = 0.25f;
    if (d.material == Material::light_on) m.emission = 0.75f;
    if (d.material == Material::plinth) m.grid = 0.25f;
    if (d.material == Material::glazed_blue || d.material == Material::glazed_cream) m.wetness = 1.6f;
    if (d.wetness >= 0) m.wetness = d.wetness;
    // A hit glows in the colour of collisions for a moment, also when the bodies have already parted.
    const float flash = std::clamp(d.flash, 0.0f, 1.0f);
    if (flash > 0 && d.material == Material::body) {
        m.albedo = glm::mix(m.albedo, srgb(kColliding), flash);
        m.emission += 0.35f * flash;
    }
    // A key grows warm as a fingertip comes near.
    const bool key = d.material == Material::button || d.material == Material::button_pressed ||
                     d.material == Material::toggle_on;
    if (flash > 0 && key) {
        m.albedo = glm::mix(m.albedo, srgb(0xF2B84B), 0.3f * flash);
        m.emission += 0.04f * flash;
    }
    return m;
}

glm::vec3 ink_rgb(Ink ink, bool dark) {
    switch (ink) {
        case Ink::witness:
            return srgb(dark ? 0xB79CF0 : 0x6A4FA3);
        case Ink::separating:
            return srgb(dark ? 0x4FB5AA : 0x2A8C82);
        case Ink::colliding:
            return srgb(dark ? 0xE2606B : 0xB8323F);
        case Ink::candidate:
            return srgb(0xD9A441);
        case Ink::accent:
            return srgb(dark ? 0xDB7A52 : 0xC8643C);
        case Ink::dimension:
            return srgb(dark ? 0xF0ECE5 : 0x2B2D33);
        case Ink::bounds:
            return srgb(dark ? 0x9AA6B8 : 0x5C6068);
        case Ink::grid:
            return srgb(dark ? 0x44474F : 0x5C6068);
    }
    return srgb(0x2B2D33);
}

glm::vec3 level_rgb(unsigned level, bool dark) {
    static constexpr unsigned kColours[2][kLevelColours] = {
        {0x2A8C82, 0x3F6E9E, 0xB07A14, 0xC8643C, 0x7A57A8, 0x5E8A33},
        {0x4FB5AA, 0x7FA9D6, 0xD9A441, 0xDB7A52, 0xB79CF0, 0x9CC46E}};
    const unsigned colour = kColours[dark ? 1 : 0][level % kLevelColours];
    return srgb(colour);
}

glm::vec3 paper_rgb(bool dark) {
    return srgb(dark ? 0x2A2C32 : 0xFAF8F5);
}

}  // namespace claybox::app
