#include "engine/render/frame.hpp"

#include "engine/render/camera.hpp"

#include <glm/gtc/matrix_transform.hpp>

#include <algorithm>
#include <cmath>

namespace claybox::engine {

namespace {

// Lengths are fractions of the lit region's half width, so scenes of any size look alike.
constexpr float kNormalOffset = 0.00215f;
constexpr float kShadowDiscTexels = 12;
constexpr float kShadowDepth = 2;  // half widths that the shadow map covers on each side of its centre

struct Backdrop {
    unsigned low, high;
    float sun, sky, ground;
};
constexpr Backdrop kLight{0xF4F1EC, 0xD3DDE4, 0.80f, 0.56f, 0.40f};
constexpr Backdrop kDark{0x2E3036, 0x1D1F24, 0.80f * 0.80f, 0.56f * 0.62f, 0.40f * 0.5f};

}  // namespace

glm::vec3 linear_from_srgb(const glm::vec3& colour) {
    glm::vec3 linear;
    for (int i = 0; i < 3; ++i) {
        const float c = std::clamp(colour[i], 0.0f, 1.0f);
        linear[i] = c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f);
    }
    return linear;
}

glm::vec3 srgb_from_hex(unsigned hex) {
    return glm::vec3(static_cast<float>((hex >> 16) & 255u), static_cast<float>((hex >> 8) & 255u),
                     static_cast<float>(hex & 255u)) /
           255.0f;
}

glm::mat4 shadow_from_world(const LightData& light) {
    const float half = std::max(1e-4f, light.shadow_half_width);
    const glm::vec3 towards = unit_or(light.towards, glm::vec3(0, 1, 0));
    glm::mat4 view = view_from_world(light.shadow_centre + towards * (half * kShadowDepth),
                                     light.shadow_centre, glm::vec3(0, 1, 0));
    const float depth = 2 * kShadowDepth * half;
    const glm::mat4 projection = glm::ortho(-half, half, -half, half, 0.0f, depth);
    const glm::mat4 texture_from_clip =
        glm::scale(glm::translate(glm::mat4(1), glm::vec3(0.5f)), glm::vec3(0.5f));
    return texture_from_clip * projection * view;
}

FrameBlock frame_block(const RenderList& list, const RenderTargetSize& size) {
    const LightData& light = list.light;
    const Backdrop& theme = light.dark_theme ? kDark : kLight;
    FrameBlock block;
    block.clip_from_world = clip_from_world(list.camera, size);
    block.shadow_from_world = shadow_from_world(light);
    block.camera = glm::vec4(list.camera.position, std::clamp(light.occlusion, 0.0f, 1.0f));
    block.sun_towards =
        glm::vec4(unit_or(light.towards, glm::vec3(0, 1, 0)), kNormalOffset * light.shadow_half_width);
    block.sun_colour = glm::vec4(glm::vec3(1, 0.945f, 0.86f) * theme.sun, 0);
    block.sky_colour = glm::vec4(glm::vec3(0.80f, 0.88f, 0.96f) * theme.sky, 0);
    block.ground_colour =
        glm::vec4(glm::vec3(0.78f, 0.70f, 0.60f) * theme.ground, kShadowDiscTexels / kShadowSize);
    block.backdrop_low = glm::vec4(linear_from_srgb(srgb_from_hex(theme.low)), light.shadow_half_width);
    block.backdrop_high = glm::vec4(linear_from_srgb(srgb_from_hex(theme.high)), 0);
    const float fade_end = std::max(light.fade_end, light.fade_start + 1e-3f);
    block.fade = glm::vec4(light.fade_start, fade_end, light.shadow_centre.x, light.shadow_centre.z);
    block.viewport = glm::vec4(static_cast<float>(size.width), static_cast<float>(size.height), size.scale,
                               light.dark_theme ? 1.0f : 0.0f);
    block.target = glm::vec4(list.camera.target, 0);
    return block;
}

}  // namespace claybox::engine
