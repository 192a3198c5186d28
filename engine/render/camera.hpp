#pragma once
// From a camera to the matrix that all of the picture shares. No OpenGL.

#include "engine/render/render_list.hpp"
#include "engine/render/renderer.hpp"

namespace claybox::engine {

/// `otherwise` for a vector without length or with numbers that are none.
glm::vec3 unit_or(const glm::vec3& v, const glm::vec3& otherwise);

/// World to an eye at `from` that looks along -Z. Also good when the way is parallel to `up` or has no
/// length.
glm::mat4 view_from_world(const glm::vec3& from, const glm::vec3& towards, const glm::vec3& up);

/// Good for a camera that looks straight up or down, or at its own position, and for angles out of range.
glm::mat4 clip_from_world(const CameraData& camera, const RenderTargetSize& size);

}  // namespace claybox::engine
