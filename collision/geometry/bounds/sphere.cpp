#include "collision/geometry/bounds/sphere.hpp"

#include "collision/geometry/rounding.hpp"

#include <cmath>

namespace claybox::collision {

bool overlap(const Sphere& a, const Sphere& b) {
    const double reach = static_cast<double>(a.radius) + static_cast<double>(b.radius);
    // Differences, squares and sums have a relative error below 8 units of 2^-53.
    return length_squared(cast<double>(b.centre) - cast<double>(a.centre)) <= reach * reach * (1 + 0x1p-49);
}

Sphere transform_sphere(const Matrix34f& world_from_local, const Sphere& local) {
    // The radius grows by the stretch of the matrix: its columns have unit length, up to a rounding of 2^-25
    // per entry. The centre has an error of half a float step, 2^-24 of each coordinate, and less than 8
    // units of double of the terms.
    constexpr double kMatrixStretch = 1e-6;
    const auto& m = world_from_local.m;
    double terms = 0;
    for (std::size_t i = 0; i < 12; ++i) {
        const float factor = i % 4 == 3 ? 1.0f : local.centre[i % 4];
        terms += std::abs(static_cast<double>(m[i]) * static_cast<double>(factor));
    }
    const Vec3d centre = transform_point(to_double(world_from_local), local.centre);
    const double error =
        0x1p-23 * (std::abs(centre.x) + std::abs(centre.y) + std::abs(centre.z)) + 0x1p-49 * terms + 0x1p-140;
    return {cast<float>(centre), round_up(static_cast<double>(local.radius) * (1 + kMatrixStretch) + error)};
}

}  // namespace claybox::collision
