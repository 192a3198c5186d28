#pragma once
// The point of a simplex nearest to the origin, for walks over a Minkowski difference.
// Source: Johnson's sub-algorithm in the form of regions. Every face that may have the origin on its outer
// side is searched, and the nearest result wins. Degenerate simplices need no special case: a face without a
// normal has no inner side, so its edges are searched.

#include "collision/core/ids.hpp"
#include "collision/core/vec.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace claybox::collision {

/// A point of the difference A - B with the hull vertices that define it.
template <class T>
struct SimplexPoint {
    Vec3<T> w;
    std::uint32_t a = kNoIndex, b = kNoIndex;
};

/// One to four points. reduce_to_nearest() sets `weight` to the barycentric coordinates of the nearest point.
template <class T>
struct Simplex {
    SimplexPoint<T> point[4];
    T weight[4] = {};
    int count = 0;

    void add(const SimplexPoint<T>& p) { point[count++] = p; }
    bool contains(const SimplexPoint<T>& p) const {
        for (int i = 0; i < count; ++i)
            if (point[i].a == p.a && point[i].b == p.b) return true;
        return false;
    }
};

namespace simplex_detail {

/// The nearest result so far.
template <class T>
struct Nearest {
    Vec3<T> at;
    T norm = 0;
    int count = 0;  ///< 0: empty
    int index[3] = {};
    T weight[3] = {};

    /// Accepts the point if it is nearer than the best so far. NaN never replaces a number.
    bool accept(const Vec3<T>& p) {
        const T n = length_squared(p);
        if (count != 0 && !(n < norm)) return false;
        at = p;
        norm = n;
        return true;
    }
};

template <class T>
void offer_point(const Simplex<T>& s, int i, Nearest<T>& best) {
    if (!best.accept(s.point[i].w)) return;
    best.count = 1;
    best.index[0] = i;
    best.weight[0] = 1;
}

template <class T>
void offer_segment(const Simplex<T>& s, int i, int j, Nearest<T>& best) {
    const Vec3<T>& a = s.point[i].w;
    const Vec3<T> ab = s.point[j].w - a;
    const T along = -dot(a, ab);
    const T whole = dot(ab, ab);
    if (!(along > 0)) return offer_point(s, i, best);
    if (!(along < whole)) return offer_point(s, j, best);
    const T t = along / whole;
    if (!best.accept(a + t * ab)) return;
    best.count = 2;
    best.index[0] = i;
    best.index[1] = j;
    best.weight[0] = 1 - t;
    best.weight[1] = t;
}

/// A triangle flatter than this fraction of its longest edge is searched by its edges: its inside could gain
/// less than the rounding of its corners.
template <class T>
constexpr T kSliver = std::numeric_limits<T>::epsilon() * T(64);
/// A face's normal and side are certain beyond this fraction of the product of the lengths involved.
template <class T>
constexpr T kCertainSide = std::numeric_limits<T>::epsilon() * T(8);

/// Searches the inside of triangle (i, j, k), whose longest edge is (i, j), or its edges. The component along
/// the longest edge is removed first: with the normal alone, a thin triangle would amplify rounding errors.
template <class T>
void offer_long_triangle(const Simplex<T>& s, int i, int j, int k, Nearest<T>& best) {
    const Vec3<T>& a = s.point[i].w;
    const Vec3<T> ab = s.point[j].w - a, ac = s.point[k].w - a;
    const T whole = dot(ab, ab);
    const T a_along = dot(a, ab) / whole, c_along = dot(ac, ab) / whole;
    const Vec3<T> foot = a - a_along * ab, height = ac - c_along * ab;
    const T height_2 = dot(height, height);
    const bool sliver = !(height_2 > kSliver<T> * kSliver<T> * whole);
    const T weight_k = -dot(foot, height) / height_2;
    const T weight_j = -a_along - weight_k * c_along;
    const T weight_i = T(1) - weight_j - weight_k;
    if (!sliver && weight_i > 0 && weight_j > 0 && weight_k > 0) {
        const Vec3<T> n = cross(ab, height);
        if (!best.accept(n * (dot(n, foot) / dot(n, n)))) return;
        best.count = 3;
        best.index[0] = i;
        best.index[1] = j;
        best.index[2] = k;
        best.weight[0] = weight_i;
        best.weight[1] = weight_j;
        best.weight[2] = weight_k;
        return;
    }
    if (sliver || !(weight_i > 0)) offer_segment(s, j, k, best);
    if (sliver || !(weight_j > 0)) offer_segment(s, k, i, best);
    if (sliver || !(weight_k > 0)) offer_segment(s, i, j, best);
}

template <class T>
void offer_triangle(const Simplex<T>& s, int i, int j, int k, Nearest<T>& best) {
    const T ij = length_squared(s.point[j].w - s.point[i].w);
    const T jk = length_squared(s.point[k].w - s.point[j].w);
    const T ki = length_squared(s.point[i].w - s.point[k].w);
    if (ij >= jk && ij >= ki) return offer_long_triangle(s, i, j, k, best);
    if (jk >= ki) return offer_long_triangle(s, j, k, i, best);
    offer_long_triangle(s, k, i, j, best);
}

template <class T>
T largest(const Vec3<T>& v) {
    return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

/// Whether the origin is certainly on the same side of face (i, j, k) as `apex`. If not, searches the face.
template <class T>
bool inside_face(const Simplex<T>& s, int i, int j, int k, int apex, Nearest<T>& best) {
    const Vec3<T>& a = s.point[i].w;
    const Vec3<T> ab = s.point[j].w - a, ac = s.point[k].w - a, ad = s.point[apex].w - a;
    const Vec3<T> n = cross(ab, ac);
    const T origin_side = -dot(n, a);
    const T apex_side = dot(n, ad);
    if ((origin_side > 0 && apex_side > 0) || (origin_side < 0 && apex_side < 0)) {
        const T unit = kCertainSide<T> * largest(ab) * largest(ac);
        if (std::abs(origin_side) > unit * largest(a) && std::abs(apex_side) > unit * largest(ad))
            return true;
    }
    offer_triangle(s, i, j, k, best);
    return false;
}

}  // namespace simplex_detail

/// Reduces `s` (one to four points) to the smallest sub-simplex that contains its point nearest to the
/// origin, sets the weights and returns that point. If the origin is strictly inside four points, as computed
/// in T, keeps all four and returns zero. An origin on a face belongs to the face. `is_step`: the last of
/// four points was found along the nearest point of the others. The face of the others need not be searched
/// then.
template <class T>
Vec3<T> reduce_to_nearest(Simplex<T>& s, bool is_step = false) {
    using namespace simplex_detail;
    Nearest<T> best;
    if (s.count == 1) {
        offer_point(s, 0, best);
    } else if (s.count == 2) {
        offer_segment(s, 0, 1, best);
    } else if (s.count == 3) {
        offer_triangle(s, 0, 1, 2, best);
    } else {
        const bool in_0 = inside_face(s, 1, 2, 3, 0, best);
        const bool in_1 = inside_face(s, 0, 2, 3, 1, best);
        const bool in_2 = inside_face(s, 0, 1, 3, 2, best);
        const bool in_first = in_0 && in_1 && in_2;
        if ((!is_step || in_first) && inside_face(s, 0, 1, 2, 3, best) && in_first) return {};
    }
    Simplex<T> reduced;
    for (int i = 0; i < best.count; ++i) {
        reduced.weight[i] = best.weight[i];
        reduced.add(s.point[best.index[i]]);
    }
    s = reduced;
    return best.at;
}

}  // namespace claybox::collision
