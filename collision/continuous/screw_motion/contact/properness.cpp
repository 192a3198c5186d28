#include "collision/continuous/screw_motion/contact/properness.hpp"

#include <algorithm>

namespace claybox::collision {

double vertex_face_properness(std::span<const Vec3d> edges_from_vertex, const Vec3d& outward) {
    double least = 1;
    for (const Vec3d& e : edges_from_vertex) {
        const double size = length(e);
        if (size > 0) least = std::min(least, dot(e, outward) / size);
    }
    return std::max(least, -1.0);
}

EdgeEdgeProperness edge_edge_properness(const EdgeAtContact& a, const EdgeAtContact& b, double least_sine) {
    EdgeEdgeProperness out;
    const double size_a = length(a.along), size_b = length(b.along);
    if (!(size_a > 0) || !(size_b > 0)) {
        out.parallel = true;
        return out;
    }
    const Vec3d ea = a.along / size_a, eb = b.along / size_b, across = cross(ea, eb);
    const double sine = length(across);
    if (!(sine > least_sine)) {
        out.parallel = true;
        return out;
    }
    const auto value = [&](const Vec3d& n) {
        const auto term = [](const Vec3d& side, const Vec3d& normal) {
            return normal == Vec3d{} ? 1.0 : dot(side, normal);
        };
        const Vec3d na = cross(n, ea), nb = cross(n, eb);
        return std::min({term(na, a.left), term(-na, a.right), term(-nb, b.left), term(nb, b.right)});
    };
    const Vec3d n = across / sine;
    const double plus = value(n), minus = value(-n);
    out.normal = plus >= minus ? n : -n;
    out.value = std::max(plus, minus);
    out.exact = out.value * sine;
    return out;
}

}  // namespace claybox::collision
