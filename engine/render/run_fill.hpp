#pragma once
// Writes the instances of a run straight into the upload buffer.

#include "engine/render/batches.hpp"

namespace claybox::engine {

/// The view frustum, for visibility tests of spheres.
class ViewVolume {
  public:
    /// `height`: of the picture, in pixels.
    ViewVolume(const glm::mat4& clip_from_world, float height);
    bool sees(const glm::vec3& centre, float radius) const;
    /// Metres in front of the camera.
    float depth(const glm::vec3& centre) const;
    /// Radius of a sphere in the picture, pixels.
    float pixels(float depth, float radius) const;

  private:
    glm::vec4 planes_[5];  ///< inward unit normals: left, right, bottom, top, near
    glm::vec4 depth_;
    float pixels_per_unit_ = 0;
};

struct RunFill {
    std::size_t visible = 0;
    float largest = 0;  ///< largest radius of a visible body, pixels
};

/// Writes every body of the run to `out` (same length): visible ones from the front, the others from the
/// back. `material_data`: instance data of the run's materials. Bodies with a non-finite position become
/// degenerate.
RunFill fill_run(const InstanceRun& run, std::span<const InstanceData> material_data,
                 const ViewVolume& volume, std::span<InstanceData> out);

}  // namespace claybox::engine
