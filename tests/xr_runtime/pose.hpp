#pragma once
// Poses in double precision, so the script's floats arrive unchanged.

#include <glm/ext/quaternion_double.hpp>
#include <glm/ext/vector_double3.hpp>
#include <glm/gtc/quaternion.hpp>
#include <openxr/openxr.h>

#include <cmath>

namespace claybox::xr_runtime {

/// Named `a_from_b`: metres, +Y up.
struct Pose {
    glm::dvec3 position{0};
    glm::dquat rotation{1, 0, 0, 0};
};

inline Pose operator*(const Pose& a_from_b, const Pose& b_from_c) {
    return {a_from_b.position + a_from_b.rotation * b_from_c.position, a_from_b.rotation * b_from_c.rotation};
}

inline Pose inverse(const Pose& a_from_b) {
    const glm::dquat back = glm::conjugate(a_from_b.rotation);
    return {back * -a_from_b.position, back};
}

/// Interpolates from a to b; returns exactly a at 0.
inline Pose mix(const Pose& a, const Pose& b, double share) {
    if (share == 0) return a;
    return {glm::mix(a.position, b.position, share), glm::slerp(a.rotation, b.rotation, share)};
}

inline XrPosef to_xr(const Pose& pose) {
    const glm::vec3 p(pose.position);
    const glm::quat q(pose.rotation);
    return {{q.x, q.y, q.z, q.w}, {p.x, p.y, p.z}};
}

inline Pose from_xr(const XrPosef& pose) {
    const XrQuaternionf& q = pose.orientation;
    return {{pose.position.x, pose.position.y, pose.position.z}, {q.w, q.x, q.y, q.z}};
}

/// The tolerance of 1 % is the specification's.
inline bool is_valid_pose(const XrPosef& pose) {
    const Pose p = from_xr(pose);
    return std::abs(glm::length(p.rotation) - 1) < 0.01 && std::isfinite(glm::dot(p.position, p.position));
}

}  // namespace claybox::xr_runtime
