#include "app/bridge/edit/pointer_drag.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {
namespace {

constexpr double kRadiansPerPixel = 0.01;
constexpr double kNotch = 1.06;                       // factor of the depth per notch of the wheel
constexpr double kNearest = 0.05, kFarthest = 100.0;  // metres

}  // namespace

ViewFrame view_frame(const engine::CameraData& camera) {
    ViewFrame out;
    out.position = camera.position;
    out.forward = glm::normalize(glm::dvec3(camera.target) - glm::dvec3(camera.position));
    out.right = glm::normalize(glm::cross(out.forward, glm::dvec3(camera.up)));
    out.up = glm::cross(out.right, out.forward);
    return out;
}

glm::dvec3 at_depth(const Ray& ray, const ViewFrame& view, double depth) {
    const double along = std::max(glm::dot(ray.direction, view.forward), 1e-3);
    return ray.origin +
           ray.direction * ((depth - glm::dot(ray.origin - view.position, view.forward)) / along);
}

void PointerDrag::begin(std::uint32_t body, const collision::Pose& pose) {
    const collision::Vec3d& p = pose.translation;
    const collision::Quat& q = pose.rotation;
    body_ = body;
    place_ = {p.x, p.y, p.z};
    rotation_ = glm::dquat(q.w, q.x, q.y, q.z);
}

void PointerDrag::begin(std::uint32_t body, const collision::Pose& pose, const Ray& ray,
                        const ViewFrame& view) {
    begin(body, pose);
    depth_ = std::clamp(glm::dot(place_ - view.position, view.forward), kNearest, kFarthest);
    offset_ = place_ - at_depth(ray, view, depth_);
}

void PointerDrag::move(const Ray& ray, const ViewFrame& view) {
    place_ = at_depth(ray, view, depth_) + offset_;
}

void PointerDrag::turn(double dx, double dy, const ViewFrame& view) {
    const glm::dquat turn =
        glm::angleAxis(dx * kRadiansPerPixel, view.up) * glm::angleAxis(dy * kRadiansPerPixel, view.right);
    rotation_ = glm::normalize(turn * rotation_);
}

void PointerDrag::shift(const glm::dvec3& way, const ViewFrame& view) {
    const double depth = std::clamp(glm::dot(place_ - view.position, view.forward), kNearest, kFarthest);
    place_ += depth * (way.x * view.right + way.y * view.up + way.z * view.forward);
}

void PointerDrag::push(double notches) {
    if (!std::isfinite(notches)) return;
    depth_ = std::clamp(depth_ * std::pow(kNotch, std::clamp(notches, -50.0, 50.0)), kNearest, kFarthest);
}

collision::Pose PointerDrag::pose() const {
    const auto limited = [](double v) { return std::clamp(v, -kMaxPlace, kMaxPlace); };
    return {{rotation_.w, rotation_.x, rotation_.y, rotation_.z},
            {limited(place_.x), limited(place_.y), limited(place_.z)}};
}

}  // namespace claybox::app
