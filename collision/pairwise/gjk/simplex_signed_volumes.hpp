#pragma once
// The signed volumes sub-algorithm: the point of a simplex nearest to the origin. Its barycentric coordinates
// are ratios of volumes, areas and lengths.
//
// Source: Montanari, Petrinic, Barbieri, Improving the GJK algorithm for faster and more reliable distance
// queries between convex objects, 2017. The origin is projected onto the simplex's affine hull. A point whose
// coordinate differs in sign from the whole is dropped, and the rest is searched. Areas and lengths are
// measured in the coordinate plane or axis where the simplex is largest, which avoids division by small
// numbers. Ours: every point with a differing sign is tried; the paper assumes that the newest point stays.

#include "collision/pairwise/gjk/simplex.hpp"

namespace claybox::collision {

namespace signed_volumes_detail {

/// Points of a simplex with weights; `norm` is the squared length of the weighted sum `at`.
template <class T>
struct Candidate {
    int index[4] = {};
    T weight[4] = {};
    int count = 0;
    Vec3<T> at;
    T norm = std::numeric_limits<T>::infinity();

    /// Replaces this by the other if the other is nearer or this is empty.
    void offer(const Candidate& other) {
        if (count == 0 || other.norm < norm) *this = other;
    }
};

template <class T>
bool same_sign(T a, T b) {
    return (a > 0 && b > 0) || (a < 0 && b < 0);
}

template <class T>
Candidate<T> weighted(const Simplex<T>& s, std::initializer_list<int> index, const T* part, T whole) {
    Candidate<T> out;
    for (const int i : index) {
        out.index[out.count] = i;
        out.weight[out.count] = part[out.count] / whole;
        out.at += out.weight[out.count] * s.point[i].w;
        ++out.count;
    }
    out.norm = length_squared(out.at);
    return out;
}

template <class T>
Candidate<T> one(const Simplex<T>& s, int i) {
    const T all = 1;
    return weighted(s, {i}, &all, all);
}

/// S1D.
template <class T>
Candidate<T> two(const Simplex<T>& s, int i, int j) {
    const Vec3<T>&a = s.point[i].w, &b = s.point[j].w;
    const Vec3<T> t = b - a;
    std::size_t axis = 0;
    for (const std::size_t k : {1, 2})
        if (std::abs(t[k]) > std::abs(t[axis])) axis = k;
    const T square = dot(t, t);
    const T foot = a[axis] - (square > 0 ? dot(a, t) / square : T(0)) * t[axis];
    const T part[2] = {b[axis] - foot, foot - a[axis]};
    if (!same_sign(part[1], t[axis])) return one(s, i);
    if (!same_sign(part[0], t[axis])) return one(s, j);
    return weighted(s, {i, j}, part, part[0] + part[1]);
}

/// Twice the signed area of a triangle in the plane of two coordinates.
template <class T>
T area(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c, std::size_t x, std::size_t y) {
    return (b[x] - a[x]) * (c[y] - a[y]) - (b[y] - a[y]) * (c[x] - a[x]);
}

/// S2D.
template <class T>
Candidate<T> three(const Simplex<T>& s, int i, int j, int k) {
    const Vec3<T>&a = s.point[i].w, &b = s.point[j].w, &c = s.point[k].w;
    const Vec3<T> n = cross(b - a, c - a);
    std::size_t axis = 0;
    for (const std::size_t m : {1, 2})
        if (std::abs(n[m]) > std::abs(n[axis])) axis = m;
    const T square = dot(n, n);
    const Vec3<T> foot = (square > 0 ? dot(a, n) / square : T(0)) * n;
    const std::size_t x = (axis + 1) % 3, y = (axis + 2) % 3;
    const T part[3] = {area(foot, b, c, x, y), area(a, foot, c, x, y), area(a, b, foot, x, y)};
    const bool keeps[3] = {same_sign(part[0], n[axis]), same_sign(part[1], n[axis]),
                           same_sign(part[2], n[axis])};
    if (keeps[0] && keeps[1] && keeps[2]) return weighted(s, {i, j, k}, part, part[0] + part[1] + part[2]);
    Candidate<T> best;
    if (!keeps[0]) best.offer(two(s, j, k));
    if (!keeps[1]) best.offer(two(s, i, k));
    if (!keeps[2]) best.offer(two(s, i, j));
    return best;
}

/// S3D. If the origin is inside, returns all four points with weights.
template <class T>
Candidate<T> four(const Simplex<T>& s) {
    const Vec3<T>&a = s.point[0].w, &b = s.point[1].w, &c = s.point[2].w, &d = s.point[3].w;
    const T part[4] = {dot(b, cross(c, d)), -dot(a, cross(c, d)), dot(a, cross(b, d)), -dot(a, cross(b, c))};
    const T whole = part[0] + part[1] + part[2] + part[3];
    bool inside = true;
    for (const T p : part) inside = inside && same_sign(p, whole);
    if (inside) return weighted(s, {0, 1, 2, 3}, part, whole);
    Candidate<T> best;
    if (!same_sign(part[0], whole)) best.offer(three(s, 1, 2, 3));
    if (!same_sign(part[1], whole)) best.offer(three(s, 0, 2, 3));
    if (!same_sign(part[2], whole)) best.offer(three(s, 0, 1, 3));
    if (!same_sign(part[3], whole)) best.offer(three(s, 0, 1, 2));
    return best;
}

}  // namespace signed_volumes_detail

/// Like reduce_to_nearest.
template <class T>
Vec3<T> reduce_by_signed_volumes(Simplex<T>& s) {
    using namespace signed_volumes_detail;
    const Candidate<T> best = s.count == 1   ? one(s, 0)
                              : s.count == 2 ? two(s, 0, 1)
                              : s.count == 3 ? three(s, 0, 1, 2)
                                             : four(s);
    Simplex<T> reduced;
    for (int i = 0; i < best.count; ++i) {
        reduced.weight[i] = best.weight[i];
        reduced.add(s.point[best.index[i]]);
    }
    s = reduced;
    return best.count == 4 ? Vec3<T>{} : best.at;
}

}  // namespace claybox::collision
