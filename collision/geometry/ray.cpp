#include "collision/geometry/ray.hpp"

#include <algorithm>

namespace claybox::collision {

Status check(const Ray& ray) {
    for (std::size_t k = 0; k < 3; ++k)
        if (!(std::abs(ray.origin[k]) <= kMaxMagnitude))
            return Error{
                "ray: a coordinate of the origin is not finite or has a magnitude above 2^60", {}, 0};
    const Vec3d& d = ray.direction;
    if (!is_finite(d)) return Error{"ray: the direction is not finite", {}, 0};
    const double largest = std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)});
    if (largest == 0) return Error{"ray: the direction is zero", {}, 0};
    if (largest < 0x1p-60 || largest > 0x1p60)
        return Error{"ray: the largest component of the direction is outside 2^-60 to 2^60", {}, 0};
    return Done{};
}

RayBoxTest::RayBoxTest(const Ray& ray, double pad) : origin_(ray.origin), pad_(pad) {
    for (std::size_t k = 0; k < 3; ++k) {
        flat_[k] = std::abs(ray.direction[k]) < kFlat;
        inverse_[k] = flat_[k] ? 0 : 1 / ray.direction[k];
    }
}

}  // namespace claybox::collision
