#pragma once
// Closest points of segments and triangles. Every answer is measured between two points that lie on the two
// sets, so that rounding never makes a distance too small by more than the rounding of the points
// themselves; triangles without area are the segments or points that they span. The scalar is double, long
// double or Wide: who needs more digits than one of them has asks the next.

#include "collision/core/vec.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>

#include <limits>

namespace claybox::collision {

/// 256 bits: the digits of any gap that is not smaller than 2^-200 of the coordinates. Never allocates.
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

/// Of the segments from p and from q along u and v. A segment may be a point.
template <class T>
ClosestPair<T> closest_of_segments(const Vec3<T>& p, const Vec3<T>& u, const Vec3<T>& q, const Vec3<T>& v);

/// Of a point, which is `a` of the pair, and a triangle.
template <class T>
ClosestPair<T> closest_of_point(const Vec3<T>& point, const TriangleCorners<T>& triangle);

/// Of two triangles. Where their squared distance is proven to be larger than `limit`, some pair of points
/// farther apart than that may be returned instead. Of triangles that meet the distance is as near to zero as
/// rounding permits. Coordinates other than zero between 2^-200 and 2^120 in magnitude, so that no product
/// leaves the range of double.
template <class T>
ClosestPair<T> closest_of_triangles(const TriangleCorners<T>& a, const TriangleCorners<T>& b, const T& limit);

}  // namespace claybox::collision
