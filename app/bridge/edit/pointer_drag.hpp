#pragma once
// A body that follows the mouse: in the plane through it that faces the camera, nearer and farther with the
// wheel, turned with Ctrl. Keys do the same with the selected body. Plain mathematics.

#include "app/bridge/view/camera.hpp"
#include "app/scenes/body_edit.hpp"

#include <glm/gtc/quaternion.hpp>

namespace claybox::app {

/// Where the viewer is and looks. World frame, unit vectors.
struct ViewFrame {
    glm::dvec3 position{0}, right{1, 0, 0}, up{0, 1, 0}, forward{0, 0, -1};
};
ViewFrame view_frame(const engine::CameraData& camera);
/// The point of the ray at this depth along the view.
glm::dvec3 at_depth(const Ray& ray, const ViewFrame& view, double depth);

class PointerDrag {
  public:
    bool active() const { return body_ != collision::kNoIndex; }
    std::uint32_t body() const { return body_; }
    /// `ray` goes through the pointer.
    void begin(std::uint32_t body, const collision::Pose& pose, const Ray& ray, const ViewFrame& view);
    /// By keys instead of a pointer; afterwards only shift() and turn() may be called.
    void begin(std::uint32_t body, const collision::Pose& pose);
    void end() { body_ = collision::kNoIndex; }
    void move(const Ray& ray, const ViewFrame& view);
    /// Turns the body as if the mouse rolled it.
    void turn(double dx_pixels, double dy_pixels, const ViewFrame& view);
    /// `way`: to the right, up and away, as shares of the distance from the viewer.
    void shift(const glm::dvec3& way, const ViewFrame& view);
    /// Positive notches move the body away.
    void push(double notches);
    collision::Pose pose() const;

  private:
    std::uint32_t body_ = collision::kNoIndex;
    glm::dquat rotation_{1, 0, 0, 0};
    glm::dvec3 place_{0}, offset_{0};  ///< offset: of the body from the pointer, when the drag began
    double depth_ = 1;                 ///< of the pointer along the view, metres
};

}  // namespace claybox::app
