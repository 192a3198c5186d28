#pragma once
// Converts points and poses to Bullet's types.

#include "collision/geometry/transform.hpp"

#include <LinearMath/btTransform.h>

namespace claybox::bench {

inline btVector3 to_bullet(const collision::Vec3f& v) {
    return {v.x, v.y, v.z};
}

inline btTransform to_bullet(const collision::Matrix34f& m) {
    const btMatrix3x3 linear(m(0, 0), m(0, 1), m(0, 2), m(1, 0), m(1, 1), m(1, 2), m(2, 0), m(2, 1), m(2, 2));
    return btTransform(linear, to_bullet(m.translation()));
}

}  // namespace claybox::bench
