#include "collision/pairwise/mesh/mesh_frame.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace claybox::collision {

namespace {

Vec3f reach_of(const Aabb& box) {
    Vec3f out;
    for (std::size_t k = 0; k < 3; ++k) out[k] = std::max(std::abs(box.min[k]), std::abs(box.max[k]));
    return out;
}

}  // namespace

MeshFrame::MeshFrame(const Geometry& g, const Matrix34f& world_from_local, const Vec3f& origin_w)
    : geometry(&g),
      topology(g.topology.get()),
      frame(world_from_local, origin_w, reach_of(g.box)),
      pad{frame.error, frame.error, frame.error} {}

Aabb outward(const BoxD& box, const Vec3d& pad) {
    const auto slack = [](double v, double p) { return p + std::abs(v) * 0x1p-23 + 0x1p-148; };
    Aabb out;
    for (std::size_t k = 0; k < 3; ++k) {
        constexpr double kMax = std::numeric_limits<float>::max();
        const double low = box.min[k] - slack(box.min[k], pad[k]),
                     high = box.max[k] + slack(box.max[k], pad[k]);
        out.min[k] = low > -kMax ? static_cast<float>(std::min(low, kMax)) : -HUGE_VALF;
        out.max[k] = high < kMax ? static_cast<float>(std::max(high, -kMax)) : HUGE_VALF;
    }
    return out;
}

Aabb MeshFrame::polygon_box(std::uint32_t polygon) const {
    BoxD out;
    for (const std::uint32_t v : topology->loop(polygon)) out.add(at(v));
    return outward(out, pad);
}

/// The box of the transformed local box. Its terms have the magnitudes that frame.error covers.
Aabb MeshFrame::object_box() const {
    const Aabb& local = geometry->box;
    const auto& m = frame.work_from_local.m;
    BoxD out;
    for (std::size_t r = 0; r < 3; ++r) {
        out.min[r] = out.max[r] = m[4 * r + 3];
        for (std::size_t k = 0; k < 3; ++k) {
            const double low = m[4 * r + k] * local.min[k], high = m[4 * r + k] * local.max[k];
            out.min[r] += std::min(low, high);
            out.max[r] += std::max(low, high);
        }
    }
    return outward(out, pad);
}

std::array<Vec3d, 3> rough_inverse(const Matrix34d& m) {
    const Vec3d x{m(0, 0), m(1, 0), m(2, 0)}, y{m(0, 1), m(1, 1), m(2, 1)}, z{m(0, 2), m(1, 2), m(2, 2)};
    const Vec3d yz = cross(y, z);
    const double s = 1 / dot(x, yz);
    return {yz * s, cross(z, x) * s, cross(x, y) * s};
}

/// Let y = L x + t be the image of a local point x. For any N: x = N (y - t) - (N L - I) x, so an inexact
/// inverse costs |N L - I| |x| and nothing else. The factors of 2^-50 exceed the roundings of the sums next
/// to them.
Aabb MeshFrame::local_box(const Aabb& work) const {
    const auto inverse = rough_inverse(frame.work_from_local);
    const Vec3f reach = reach_of(geometry->box);
    BoxD out;
    Vec3d grow;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3d& n = inverse[k];
        out.min[k] = out.max[k] = 0;
        for (std::size_t r = 0; r < 3; ++r) {
            const double t = frame.work_from_local.m[4 * r + 3];
            const double low = n[r] * (work.min[r] - t), high = n[r] * (work.max[r] - t);
            out.min[k] += std::min(low, high);
            out.max[k] += std::max(low, high);
            const double size = std::max(std::abs(work.min[r]), std::abs(work.max[r])) + std::abs(t);
            grow[k] += std::abs(n[r]) * (size * 0x1p-50 + frame.error);
        }
        for (std::size_t j = 0; j < 3; ++j) {
            double product = 0, size = 1;
            for (std::size_t r = 0; r < 3; ++r) {
                product += n[r] * frame.work_from_local.m[4 * r + j];
                size += std::abs(n[r] * frame.work_from_local.m[4 * r + j]);
            }
            grow[k] += (std::abs(product - (j == k ? 1 : 0)) + size * 0x1p-50) * reach[j];
        }
    }
    if (!is_finite(out.min) || !is_finite(out.max) || !is_finite(grow)) return kEverywhere;
    return outward(out, grow);
}

}  // namespace claybox::collision
