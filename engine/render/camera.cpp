#include "engine/render/camera.hpp"

#include <glm/gtc/matrix_transform.hpp>

#include <algorithm>
#include <cmath>

namespace claybox::engine {

namespace {

constexpr float kTiny = 1e-12f;
constexpr float kMaxAngle = 1.55f;       // radians; a wider view would show only its borders
constexpr float kMinTangentGap = 1e-3f;  // minimum gap between opposite sides

struct Depths {
    float near_plane, far_plane;
};

Depths depths_of(const CameraData& camera) {
    const float near_plane = std::max(1e-4f, camera.near_plane);
    return {near_plane, std::max(near_plane * 1.01f, camera.far_plane)};
}

float tangent(float angle) {
    return std::isfinite(angle) ? std::tan(std::clamp(angle, -kMaxAngle, kMaxAngle)) : 0.0f;
}

/// OpenXR's field of view: angles from the eye's axis, each with its own sign.
glm::mat4 eye_projection(const EyeView& eye, const Depths& depths) {
    const float left = tangent(eye.left), down = tangent(eye.down);
    const float right = std::max(tangent(eye.right), left + kMinTangentGap);
    const float up = std::max(tangent(eye.up), down + kMinTangentGap);
    const float n = depths.near_plane, f = depths.far_plane;
    glm::mat4 projection(0);
    projection[0][0] = 2 / (right - left);
    projection[1][1] = 2 / (up - down);
    projection[2] =
        glm::vec4((right + left) / (right - left), (up + down) / (up - down), (f + n) / (n - f), -1);
    projection[3][2] = 2 * f * n / (n - f);
    return projection;
}

glm::mat4 eye_from_world(const glm::vec3& position, const glm::quat& world_from_eye) {
    const float length = glm::length(world_from_eye);
    const bool usable = std::isfinite(length) && length > kTiny;
    const glm::quat turn = usable ? glm::conjugate(world_from_eye) / length : glm::quat(1, 0, 0, 0);
    return glm::translate(glm::mat4_cast(turn), -position);
}

glm::mat4 window_projection(const CameraData& camera, const RenderTargetSize& size, const Depths& depths) {
    const float width = static_cast<float>(std::max(1, size.width));
    const float height = static_cast<float>(std::max(1, size.height));
    const float fov = std::clamp(camera.vertical_fov, 0.01f, 3.0f);
    glm::mat4 projection = glm::perspective(fov, width / height, depths.near_plane, depths.far_plane);
    // View offset in pixels: constant after the division by w, which is -z here.
    projection[2][0] += 2 * camera.shift.x * size.scale / width;
    projection[2][1] -= 2 * camera.shift.y * size.scale / height;
    return projection;
}

}  // namespace

glm::vec3 unit_or(const glm::vec3& v, const glm::vec3& otherwise) {
    const float length = glm::length(v);
    return length > kTiny && std::isfinite(length) ? v / length : otherwise;
}

glm::mat4 view_from_world(const glm::vec3& from, const glm::vec3& towards, const glm::vec3& up) {
    const glm::vec3 back = -unit_or(towards - from, glm::vec3(0, 0, -1));
    glm::vec3 right = glm::cross(up, back);
    if (glm::length(right) < 1e-6f * glm::length(up) || glm::length(up) < kTiny)
        right = glm::cross(std::abs(back.x) < 0.9f ? glm::vec3(1, 0, 0) : glm::vec3(0, 0, 1), back);
    right = glm::normalize(right);
    const glm::vec3 above = glm::cross(back, right);
    glm::mat4 view(1);
    for (int column = 0; column < 3; ++column) {
        view[column][0] = right[column];
        view[column][1] = above[column];
        view[column][2] = back[column];
    }
    view[3] = glm::vec4(-glm::dot(right, from), -glm::dot(above, from), -glm::dot(back, from), 1);
    return view;
}

glm::mat4 clip_from_world(const CameraData& camera, const RenderTargetSize& size) {
    const Depths depths = depths_of(camera);
    if (camera.eye)
        return eye_projection(*camera.eye, depths) *
               eye_from_world(camera.position, camera.eye->world_from_eye);
    return window_projection(camera, size, depths) *
           view_from_world(camera.position, camera.target, camera.up);
}

}  // namespace claybox::engine
