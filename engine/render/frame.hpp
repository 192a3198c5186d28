#pragma once
// Per-frame shader data and the sun's projection.

#include "engine/render/passes/occluders.hpp"
#include "engine/render/renderer.hpp"

#include <glm/glm.hpp>

namespace claybox::engine {

constexpr int kShadowSize = 2048;
constexpr GLuint kFrameBinding = 0;
constexpr GLint kShadowUnit = 0, kGlyphUnit = 1, kOccluderUnit = 2, kBoardUnit = 3, kVertexUnit = 4;

/// Layout of the block in shaders/shared/frame.glsl (std140).
struct FrameBlock {
    glm::mat4 clip_from_world{1};
    glm::mat4 shadow_from_world{1};
    glm::vec4 camera{0}, sun_towards{0}, sun_colour{0}, sky_colour{0}, ground_colour{0};
    glm::vec4 backdrop_low{0}, backdrop_high{0}, fade{0}, viewport{0}, target{0}, cells{0};
    glm::vec4 occluders[kMaxOccluders]{};
};

glm::vec3 linear_from_srgb(const glm::vec3& colour);
/// 0xRRGGBB to sRGB components.
glm::vec3 srgb_from_hex(unsigned hex);

/// World to shadow-map texture coordinates and depth, all in 0..1.
glm::mat4 shadow_from_world(const LightData& light);

/// The block without the occluders and the flag for shadow casters.
FrameBlock frame_block(const RenderList& list, const RenderTargetSize& size);

}  // namespace claybox::engine
