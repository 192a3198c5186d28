#pragma once
// Instances of a run, written straight into what is uploaded.

#include "engine/render/batches.hpp"

namespace claybox::engine {

/// What the camera sees, for balls.
class ViewVolume {
  public:
    /// `height` of the picture in pixels.
    ViewVolume(const glm::mat4& clip_from_world, float height);
    bool sees(const glm::vec3& centre, float radius) const;
    /// Metres before the camera.
    float depth(const glm::vec3& centre) const;
    /// Radius of a ball in the picture, pixels.
    float pixels(float depth, float radius) const;

  private:
    glm::vec4 planes_[5];  ///< unit normals inward: left, right, bottom, top, near
    glm::vec4 depth_;
    float pixels_per_unit_ = 0;
};

struct RunFill {
    std::size_t seen = 0;
    float largest = 0;  ///< radius of a seen body, pixels
};

/// Writes every body of the run to `out` (as long as the run): those that are seen from the front, the others
/// from the back. `looks` are those of the run's materials. Bodies whose place is not finite become nothing.
RunFill fill_run(const InstanceRun& run, std::span<const InstanceData> looks, const ViewVolume& volume,
                 std::span<InstanceData> out);

}  // namespace claybox::engine
