#include "app/bridge/view/palette.hpp"

#include <algorithm>

namespace claybox::app {

using engine::MaterialData;

glm::vec3 srgb(unsigned hex) {
    return glm::vec3(static_cast<float>(hex >> 16 & 255u), static_cast<float>(hex >> 8 & 255u),
                     static_cast<float>(hex & 255u)) /
           255.0f;
}

namespace {

const glm::vec3& rgb(SceneColour colour, bool dark) {
    return materials().colour[static_cast<std::size_t>(colour)][dark ? 1 : 0];
}

/// Number `step` of the colours that begin with `first`.
const glm::vec3& rgb(SceneColour first, unsigned step, bool dark) {
    return rgb(static_cast<SceneColour>(static_cast<unsigned>(first) + step), dark);
}

unsigned packed(const glm::vec3& srgb) {
    const glm::uvec3 bytes(glm::clamp(srgb, 0.0f, 1.0f) * 255.0f + 0.5f);
    return bytes.r << 16 | bytes.g << 8 | bytes.b;
}

void dress_body(const Drawable& d, bool dark, MaterialData& m) {
    const glm::vec3 collision = rgb(SceneColour::collision, dark);
    m.albedo = rgb(SceneColour::first_body, d.colour % kBodyColours, dark);
    m.edge_alpha = d.outlined ? 0.6f : 0.0f;
    if (d.outlined && d.edge_tint > 0) {
        m.edge_rgb = packed(glm::mix(0.5f * m.albedo, collision, d.edge_tint));
        m.edge_alpha = 0.6f + 0.4f * d.edge_tint;
    }
    if (!d.colliding) return;
    m.albedo = glm::mix(m.albedo, collision, d.tint);
    m.emission = (dark ? 0.12f : 0.02f) * d.tint;
    if (d.outlined && d.edge_tint <= 0) m.edge_alpha = 0.6f + 0.2f * d.tint;
}

}  // namespace

MaterialData material_of(const Drawable& d, bool dark) {
    MaterialData m = materials().material[static_cast<std::size_t>(d.material)];
    if (d.material == Material::body)
        dress_body(d, dark, m);
    else if (d.material == Material::hand || d.material == Material::hand_active)
        m.edge_alpha = d.outlined ? 0.22f : 0.0f;
    else if (d.outlined)
        m.edge_alpha = d.material == Material::clay ? 0.7f : 0.25f;
    if (d.wetness >= 0) m.wetness = d.wetness;
    m.thin_below = d.thin_below;
    // A hit glows briefly in the colour of collisions, also when the bodies have already separated.
    const float flash = std::clamp(d.flash, 0.0f, 1.0f);
    if (flash > 0 && d.material == Material::body) {
        m.albedo = glm::mix(m.albedo, rgb(SceneColour::collision, dark), flash);
        m.emission += 0.35f * flash;
    }
    // A key gets a warm tint as a fingertip approaches.
    const bool key = d.material == Material::button || d.material == Material::button_pressed ||
                     d.material == Material::toggle_on;
    if (flash > 0 && key) {
        m.albedo = glm::mix(m.albedo, glow_rgb(dark), 0.3f * flash);
        m.emission += 0.04f * flash;
    }
    return m;
}

glm::vec3 ink_rgb(Ink ink, bool dark) {
    return rgb(SceneColour::first_ink, static_cast<unsigned>(ink), dark);
}

glm::vec3 level_rgb(unsigned level, bool dark) {
    const glm::vec3& own = rgb(SceneColour::first_level, level % kLevelColours, dark);
    const bool again = level % kLevelLooks >= kLevelColours;  // the same hues, nearer to the ink
    return again ? glm::mix(own, ink_rgb(Ink::dimension, dark), 0.55f) : own;
}

glm::vec3 load_rgb(unsigned load, bool dark) {
    const glm::vec3 stops[] = {ink_rgb(Ink::separating, dark), ink_rgb(Ink::candidate, dark),
                               ink_rgb(Ink::colliding, dark)};
    const unsigned at = std::min(load, 4u);
    return at % 2 == 0 ? stops[at / 2] : glm::mix(stops[at / 2], stops[at / 2 + 1], 0.5f);
}

glm::vec3 paper_rgb(bool dark) {
    return rgb(SceneColour::paper, dark);
}

glm::vec3 glow_rgb(bool dark) {
    return rgb(SceneColour::glow, dark);
}

}  // namespace claybox::app
