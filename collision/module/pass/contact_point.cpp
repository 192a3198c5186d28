#include "collision/module/pass/contact_point.hpp"

#include <algorithm>
#include <array>

namespace claybox::collision {

namespace {

/// Barycentric weights: sum of w[i] * d[i] is the origin, if d[0 .. count) surround it.
std::array<double, 4> weights_of_origin(const std::array<Vec3d, 4>& d, std::size_t count) {
    std::array<double, 4> w{};
    if (count == 4) {
        w = {dot(d[1], cross(d[2], d[3])), -dot(d[0], cross(d[2], d[3])), dot(d[0], cross(d[1], d[3])),
             -dot(d[0], cross(d[1], d[2]))};
    } else if (count == 3) {
        const Vec3d normal = cross(d[1] - d[0], d[2] - d[0]);
        w = {dot(cross(d[1], d[2]), normal), dot(cross(d[2], d[0]), normal), dot(cross(d[0], d[1]), normal),
             0};
    } else if (count == 2) {
        const Vec3d along = d[1] - d[0];
        w = {dot(d[1], along), -dot(d[0], along), 0, 0};
    }
    const double sum = w[0] + w[1] + w[2] + w[3];
    for (std::size_t i = 0; i < count; ++i) {
        const double share = w[i] / sum;
        if (!(share >= -0.01 &&
              share <= 1.01)) {  // degenerate or ill-conditioned: the mean is accurate enough
            w.fill(0);
            for (std::size_t k = 0; k < count; ++k) w[k] = 1.0 / static_cast<double>(count);
            return w;
        }
    }
    for (double& share : w) share /= sum;
    return w;
}

Vec3d surrounded_point(const PairBody& a, const PairBody& b, const Certificate& certificate) {
    const std::size_t count = std::clamp<std::size_t>(certificate.pair_count, 1, 4);
    const Matrix34d world_from_a = to_double(a.world_from_body), world_from_b = to_double(b.world_from_body);
    std::array<Vec3d, 4> middle, difference;
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3d in_a = transform_point(world_from_a, a.shape->hull()->vertex(certificate.pairs[i][0]));
        const Vec3d in_b = transform_point(world_from_b, b.shape->hull()->vertex(certificate.pairs[i][1]));
        middle[i] = 0.5 * (in_a + in_b);
        difference[i] = in_a - in_b;
    }
    const std::array<double, 4> weight = weights_of_origin(difference, count);
    Vec3d out;
    for (std::size_t i = 0; i < count; ++i) out += weight[i] * middle[i];
    return out;
}

}  // namespace

Vec3f contact_point(const PairBody& a, const PairBody& b, const Certificate& certificate, const Aabb& box_a,
                    const Aabb& box_b) {
    switch (certificate.kind) {
        case CertificateKind::common_point:
        case CertificateKind::edge_triangle:
        case CertificateKind::contained:
            return cast<float>(certificate.point_w);
        case CertificateKind::surrounded_origin:
            return cast<float>(surrounded_point(a, b, certificate));
        case CertificateKind::none:
        case CertificateKind::separating_axis:
            break;
    }
    return Aabb{max(box_a.min, box_b.min), min(box_a.max, box_b.max)}.centre();
}

}  // namespace claybox::collision
