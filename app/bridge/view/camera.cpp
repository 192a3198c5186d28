#include "app/bridge/view/camera.hpp"

#include "engine/render/camera.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {
namespace {

constexpr float kRadiansPerPixel = 0.006f;
constexpr float kMaxPitch = 1.52f;
/// Scenes are composed for a free area of this aspect ratio; narrower areas get a wider field of view.
constexpr float kComposedAspect = 1.28f;

}  // namespace

glm::vec3 Camera::direction() const {
    return {-std::sin(yaw_) * std::cos(pitch_), -std::sin(pitch_), -std::cos(yaw_) * std::cos(pitch_)};
}

void Camera::frame(const ViewCamera& view) {
    target_ = {view.target.x, view.target.y, view.target.z};
    const glm::vec3 back = glm::vec3(view.position.x, view.position.y, view.position.z) - target_;
    distance_ = home_distance_ = std::max(glm::length(back), 1e-4f);
    yaw_ = std::atan2(back.x, back.z);
    pitch_ = std::asin(std::clamp(back.y / distance_, -1.0f, 1.0f));
    fov_ = view.vertical_fov;
    near_ = view.near_plane;
    far_ = view.far_plane;
}

void Camera::orbit(float dx, float dy) {
    // A device can send any number; an infinite angle would never become finite again.
    constexpr float kMaxPixels = 1e6f;
    if (!(std::abs(dx) <= kMaxPixels && std::abs(dy) <= kMaxPixels)) return;
    yaw_ -= dx * kRadiansPerPixel;
    pitch_ = std::clamp(pitch_ + dy * kRadiansPerPixel, -kMaxPitch, kMaxPitch);
}

void Camera::zoom(float notches) {
    if (std::isnan(notches)) return;
    distance_ =
        std::clamp(distance_ * std::pow(0.9f, notches), 0.05f * home_distance_, 8.0f * home_distance_);
}

void Camera::pan(float dx, float dy, float window_height) {
    const float metres = 2 * std::tan(0.5f * fov_) * distance_ / std::max(window_height, 1.0f);
    const glm::vec3 right = glm::normalize(glm::cross(direction(), glm::vec3(0, 1, 0)));
    const glm::vec3 up = glm::cross(right, direction());
    target_ += (-dx * right + dy * up) * metres;
}

void Camera::fly(float dx, float dy, const glm::vec3& move, float seconds) {
    const glm::vec3 eye = target_ - direction() * distance_;
    yaw_ -= dx * kRadiansPerPixel * 0.6f;
    pitch_ = std::clamp(pitch_ + dy * kRadiansPerPixel * 0.6f, -kMaxPitch, kMaxPitch);
    const glm::vec3 forward = direction(), right = glm::normalize(glm::cross(forward, glm::vec3(0, 1, 0)));
    const float step = 0.6f * home_distance_ * seconds;
    target_ =
        eye + forward * distance_ + (right * move.x + glm::vec3(0, 1, 0) * move.y + forward * move.z) * step;
}

engine::CameraData Camera::data(int width, int height, float ui_scale, const FreeArea& area) const {
    engine::CameraData c;
    c.position = target_ - direction() * distance_;
    c.target = target_;
    const float free_width = std::max(area.x1 - area.x0, 1.0f),
                free_height = std::max(area.y1 - area.y0, 1.0f);
    // A wider field of view instead of a larger distance keeps the composition.
    const auto full = static_cast<float>(height);
    const float fit = std::max(1.0f, kComposedAspect * std::min(full, free_height * 1.06f) / free_width);
    c.vertical_fov = 2 * std::atan(std::tan(0.5f * fov_) * fit);
    c.near_plane = std::min(near_, 0.2f * distance_);
    c.far_plane = std::max(far_, 6 * distance_);
    c.shift.x = (0.5f * static_cast<float>(width) - 0.5f * (area.x0 + area.x1)) / std::max(ui_scale, 0.01f);
    c.shift.y = (0.5f * full - 0.5f * (area.y0 + area.y1)) / std::max(ui_scale, 0.01f);
    return c;
}

ViewEye eye_of(const engine::CameraData& camera) {
    return {{camera.position.x, camera.position.y, camera.position.z},
            {camera.target.x, camera.target.y, camera.target.z}};
}

glm::mat4 clip_matrix(const engine::CameraData& camera, int width, int height, float ui_scale) {
    return engine::clip_from_world(camera, {width, height, ui_scale});
}

bool project(const glm::mat4& clip_from_world, int width, int height, const glm::vec3& p, float& x,
             float& y) {
    const glm::vec4 clip = clip_from_world * glm::vec4(p, 1);
    if (!(clip.w > 1e-6f)) return false;
    x = (0.5f + 0.5f * clip.x / clip.w) * static_cast<float>(width);
    y = (0.5f - 0.5f * clip.y / clip.w) * static_cast<float>(height);
    return std::isfinite(x) && std::isfinite(y);
}

Ray ray_through(const glm::mat4& clip_from_world, int width, int height, float x, float y) {
    const glm::dmat4 world_from_clip = glm::inverse(glm::dmat4(clip_from_world));
    const double cx = 2.0 * static_cast<double>(x) / std::max(width, 1) - 1,
                 cy = 1 - 2.0 * static_cast<double>(y) / std::max(height, 1);
    glm::dvec4 near_point = world_from_clip * glm::dvec4(cx, cy, -1, 1);
    glm::dvec4 far_point = world_from_clip * glm::dvec4(cx, cy, 1, 1);
    near_point /= near_point.w;
    far_point /= far_point.w;
    const glm::dvec3 along = glm::dvec3(far_point) - glm::dvec3(near_point);
    return {glm::dvec3(near_point), along / std::max(glm::length(along), 1e-12)};
}

}  // namespace claybox::app
