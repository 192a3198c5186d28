#pragma once
// Camera matrices. No OpenGL calls.

#include "engine/render/render_list.hpp"
#include "engine/render/renderer.hpp"

namespace claybox::engine {

/// The unit vector, or `otherwise` for a zero or non-finite vector.
glm::vec3 unit_or(const glm::vec3& v, const glm::vec3& otherwise);

/// World to a camera at `from` that looks along -Z. Handles a direction parallel to `up` and a zero
/// direction.
glm::mat4 view_from_world(const glm::vec3& from, const glm::vec3& towards, const glm::vec3& up);

/// Handles cameras that look straight up, down or at their own position, and clamps angles out of range.
glm::mat4 clip_from_world(const CameraData& camera, const RenderTargetSize& size);

}  // namespace claybox::engine
