#include "app/scenes/workbench/start_set.hpp"

#include "app/scenes/shared/body_shapes.hpp"
#include "collision/core/elementary.hpp"
#include "collision/core/trig.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {

using collision::Quat;
using collision::Vec3d;

namespace {

Quat turned(double x, double y, double z) {
    constexpr double kDegree = collision::kPi / 180;
    return collision::normalized(collision::axis_angle({0, 1, 0}, y * kDegree) *
                                 collision::axis_angle({1, 0, 0}, x * kDegree) *
                                 collision::axis_angle({0, 0, 1}, z * kDegree));
}

PlacedBody placed(const char* shape, double size, const Vec3d& at, const Quat& rotation) {
    return {shape, size, {rotation, at}, {}, {}};
}

std::vector<PlacedBody> fixed_set() {
    return {placed("ring", 160, {-0.52, 0.30, 0.02}, turned(66, 0, 12)),
            placed("hexagonal_rod", 105, {-0.52, 0.30, 0.02}, turned(60, 8, 16)),
            placed("cube", 105, {-0.02, 0.22, 0.14}, turned(18, 32, 0)),
            placed("dodecahedron", 95, {0.12, 0.30, 0.11}, turned(12, 20, 30)),
            placed("vase", 150, {0.52, 0.18, 0.12}, turned(0, 20, 0)),
            placed("gear", 120, {0.70, 0.46, -0.14}, turned(64, 28, 0)),
            placed("tetra_flake", 130, {0.20, 0.58, -0.22}, turned(8, 24, 4)),
            placed("octagonal_slab", 110, {-0.28, 0.60, -0.20}, turned(30, -20, 24)),
            placed("ball", 80, {-0.82, 0.56, -0.22}, turned(0, 0, 0)),
            placed("truncated_octahedron", 85, {-0.26, 0.14, -0.26}, turned(24, 40, 0))};
}

}  // namespace

std::vector<PlacedBody> start_set(std::size_t count, std::uint64_t seed) {
    std::vector<PlacedBody> out = fixed_set();
    if (count <= out.size()) {
        out.resize(count);
        return out;
    }
    out.clear();
    const auto names = body_shape_names();
    const Vec3d low = collision::cast<double>(kBenchRoom.min),
                side = collision::cast<double>(kBenchRoom.max - kBenchRoom.min);
    double cell = collision::cube_root(side.x * side.y * side.z / static_cast<double>(count));
    const auto fit = [&](std::size_t k) { return std::max(1.0, std::floor(side[k] / cell)); };
    while (fit(0) * fit(1) * fit(2) < static_cast<double>(count)) cell *= 0.98;
    const auto nx = static_cast<std::size_t>(fit(0)), nz = static_cast<std::size_t>(fit(2));
    const double size = std::clamp(std::floor(1000 * 0.45 * cell), kMinBodySize, 90.0);
    collision::Random random(collision::mix64(seed ^ 11));
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3d at{static_cast<double>(i % nx) + 0.5, static_cast<double>(i / (nx * nz)) + 0.5,
                       static_cast<double>(i / nx % nz) + 0.5};
        out.push_back({names[i % names.size()],
                       size,
                       {collision::random_rotation(random, 0, collision::kPi), low + at * cell},
                       {},
                       {}});
    }
    return out;
}

std::vector<PlacedBody> mesh_set(std::size_t meshes) {
    constexpr std::size_t kColumns = 5;
    constexpr double kMeshSize = 130, kStep = 0.33;  // millimetres; metres between neighbours
    std::vector<PlacedBody> out;
    for (std::size_t i = 0; i < std::min(meshes, kMaxPlacedBodies); ++i) {
        const std::size_t row = i / kColumns, in_row = std::min(kColumns, meshes - row * kColumns);
        const double x = static_cast<double>(i % kColumns) - 0.5 * static_cast<double>(in_row - 1);
        const Vec3d at{x * kStep, 0.2 + kStep * static_cast<double>(row % 2),
                       -kStep * static_cast<double>(row / 2 % 2)};
        out.push_back({"mesh" + std::to_string(i + 1), kMeshSize, {turned(0, 25, 0), at}, {}, {}});
    }
    return out;
}

}  // namespace claybox::app
