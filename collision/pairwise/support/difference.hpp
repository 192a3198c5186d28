#pragma once
// The Minkowski difference A - B of two hulls under their matrices, point by point, in any floating-point
// type.

#include "collision/geometry/hull/hull.hpp"
#include "collision/geometry/transform.hpp"

#include <algorithm>
#include <type_traits>

namespace claybox::collision {

/// Both hulls with their matrices. Coordinates are relative to A's translation, so bodies far from the
/// world's origin lose no precision. Borrows the hulls.
template <class T>
struct Difference {
    const ConvexHull* a = nullptr;
    const ConvexHull* b = nullptr;
    Matrix34<T> about_a_from_a, about_a_from_b;

    Vec3<T> point_a(std::uint32_t v) const { return transform_point(about_a_from_a, a->vertex(v)); }
    Vec3<T> point_b(std::uint32_t v) const { return transform_point(about_a_from_b, b->vertex(v)); }
};

template <class T>
Difference<T> make_difference(const ConvexHull& a, const Matrix34f& world_from_a, const ConvexHull& b,
                              const Matrix34f& world_from_b) {
    using Wide = std::conditional_t<std::is_same_v<T, float>, double, T>;
    Difference<T> out{&a, &b, {}, {}};
    for (std::size_t i = 0; i < 12; ++i) {
        const bool translation = i % 4 == 3;
        out.about_a_from_a.m[i] = translation ? T(0) : T(world_from_a.m[i]);
        out.about_a_from_b.m[i] =
            translation ? T(Wide(world_from_b.m[i]) - Wide(world_from_a.m[i])) : T(world_from_b.m[i]);
    }
    return out;
}

/// The largest dot(n, a - b) over all vertices. For unit n this is how far B must move along n until the
/// bodies only touch. Negative if n already separates them. O(vertices).
template <class T>
T reach_along(const Difference<T>& d, const Vec3<T>& n) {
    const Vec3<T> in_a = transpose_vector(d.about_a_from_a, n), in_b = transpose_vector(d.about_a_from_b, n);
    T top = dot(in_a, cast<T>(d.a->vertex(0))), bottom = dot(in_b, cast<T>(d.b->vertex(0)));
    for (std::uint32_t i = 1; i < d.a->vertex_count; ++i)
        top = std::max(top, dot(in_a, cast<T>(d.a->vertex(i))));
    for (std::uint32_t i = 1; i < d.b->vertex_count; ++i)
        bottom = std::min(bottom, dot(in_b, cast<T>(d.b->vertex(i))));
    return top - bottom - dot(n, d.about_a_from_b.translation());
}

}  // namespace claybox::collision
