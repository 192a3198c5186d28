#pragma once
// Closest points of segments and triangles. Every distance is measured between two points that lie on the two
// sets, so it is never too small by more than the rounding of these points. Triangles without area are the
// segments or points that they span. The scalar is double, long double or Wide; a caller that needs more
// digits uses the next wider one.

#include "collision/core/vec.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>

#include <limits>

namespace claybox::collision {

/// 256 bits: enough digits for any gap of at least 2^-200 of the coordinates. Never allocates.
using Wide = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<256, boost::multiprecision::digit_base_2>,
    boost::multiprecision::et_off>;

/// One closest point of each of two sets.
template <class T>
struct ClosestPair {
    T squared{};  ///< square of the distance
    Vec3<T> a, b;
};

template <class T>
struct TriangleCorners {
    Vec3<T> p[3];
};

/// Closest points of the segments from p along u and from q along v. A segment may be a point.
template <class T>
ClosestPair<T> closest_of_segments(const Vec3<T>& p, const Vec3<T>& u, const Vec3<T>& q, const Vec3<T>& v);

/// Closest points of a point (`a` of the pair) and a triangle.
template <class T>
ClosestPair<T> closest_of_point(const Vec3<T>& point, const TriangleCorners<T>& triangle);

/// Closest points of two triangles. If their squared distance provably exceeds `limit`, any pair of points
/// farther apart than that may be returned. For intersecting triangles the distance is zero up to rounding.
/// Non-zero coordinates must be between 2^-200 and 2^120 in magnitude, so that no product leaves the range of
/// double.
template <class T>
ClosestPair<T> closest_of_triangles(const TriangleCorners<T>& a, const TriangleCorners<T>& b, const T& limit);

}  // namespace claybox::collision
