#pragma once

#include "collision/core/vec.hpp"

#include <glm/glm.hpp>

namespace claybox::app {

inline glm::vec3 to_glm(const collision::Vec3f& v) {
    return {v.x, v.y, v.z};
}

}  // namespace claybox::app
