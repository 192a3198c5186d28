#include "collision/exact/contained.hpp"

#include "collision/exact/number.hpp"

namespace claybox::collision {

namespace {

using Vec3i = Vec3<Integer>;

int grid_of(std::span<const Vec3f> points) {
    int out = kNoExponent;
    for (const Vec3f& p : points)
        for (std::size_t k = 0; k < 3; ++k) out = std::min(out, grid_exponent(p[k]));
    return out;
}

enum class Crossing : unsigned char { none, one, on_surface, uncertain };

/// The ray from the origin along d against the triangle of three points.
Crossing cross_ray(const Vec3i& d, const Vec3i& a, const Vec3i& b, const Vec3i& c) {
    const int ab = dot(d, cross(a, b)).sign(), bc = dot(d, cross(b, c)).sign(),
              ca = dot(d, cross(c, a)).sign();
    if ((ab > 0 || bc > 0 || ca > 0) && (ab < 0 || bc < 0 || ca < 0)) return Crossing::none;
    if (ab == 0 || bc == 0 || ca == 0) return Crossing::uncertain;
    const int height = dot(cross(b - a, c - a), a).sign();  // the sides' sum is dot(normal, d)
    if (height == 0) return Crossing::on_surface;
    return height == ab ? Crossing::one : Crossing::none;
}

}  // namespace

Containment locate_vertex(const Geometry& body, const Matrix34f& world_from_body, std::uint32_t vertex,
                          const Geometry& container, const Matrix34f& world_from_container,
                          const Vec3d& direction_w) {
    const MatrixGrid gb = collision::grid_of(world_from_body), gc = collision::grid_of(world_from_container);
    const Vec3f v = body.positions[vertex];
    const int grid = std::min({gb.translation, gc.translation, gb.linear + grid_of({&v, 1}),
                               gc.linear + grid_of(container.positions), 0});
    const Vec3i from = exact_point(world_from_body, v, grid), d = exact_direction(direction_w);
    bool inside = false;
    for (const Triangle& t : container.topology->triangles) {
        const auto at = [&](int i) {
            return exact_point(world_from_container, container.positions[t.vertices[i]], grid) - from;
        };
        const Crossing c = cross_ray(d, at(0), at(1), at(2));
        if (c == Crossing::on_surface) return Containment::inside;
        if (c == Crossing::uncertain) return Containment::uncertain;
        inside ^= c == Crossing::one;
    }
    return inside ? Containment::inside : Containment::outside;
}

}  // namespace claybox::collision
