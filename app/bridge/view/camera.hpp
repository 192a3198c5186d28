#pragma once
// The camera of the window: orbits around a target or flies. Plain mathematics.

#include "app/scenes/scene.hpp"
#include "engine/render/render_list.hpp"

namespace claybox::app {

/// The part of the window without panels, pixels.
struct FreeArea {
    float x0 = 0, y0 = 0, x1 = 1, y1 = 1;
};

struct Ray {
    glm::dvec3 origin{0}, direction{0, 0, -1};  ///< unit direction, world frame
};

class Camera {
  public:
    /// Resets to the scene's own view.
    void frame(const ViewCamera& view);
    void orbit(float dx_pixels, float dy_pixels);
    /// Positive notches move towards the target.
    void zoom(float notches);
    void pan(float dx_pixels, float dy_pixels, float window_height);
    /// Turns and moves the camera; `move` is right, up and forward, each from -1 to 1.
    void fly(float dx_pixels, float dy_pixels, const glm::vec3& move, float seconds);

    /// The renderer's camera: centred in the free area, with a field of view that shows the whole scene
    /// there.
    engine::CameraData data(int width, int height, float ui_scale, const FreeArea& area) const;

  private:
    glm::vec3 direction() const;  ///< from the eye to the target
    glm::vec3 target_{0};
    float distance_ = 2, yaw_ = 0, pitch_ = 0;
    float home_distance_ = 2, fov_ = 0.48f, near_ = 0.02f, far_ = 50;
};

ViewEye eye_of(const engine::CameraData& camera);
glm::mat4 clip_matrix(const engine::CameraData& camera, int width, int height, float ui_scale);
/// Pixels from the top left; false behind the camera.
bool project(const glm::mat4& clip_from_world, int width, int height, const glm::vec3& p, float& x, float& y);
Ray ray_through(const glm::mat4& clip_from_world, int width, int height, float x, float y);

}  // namespace claybox::app
