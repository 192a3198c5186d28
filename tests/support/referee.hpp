#pragma once
// Checks answers in integers of its own, sharing no arithmetic with the library: world points are exact, what
// certificates claim is evaluated, and whether the origin lies in the hull of some points is decided by
// trying every simplex of them (Caratheodory). Slow and plain on purpose.

#include "collision/pairwise/registry.hpp"

#include <boost/multiprecision/cpp_int.hpp>

#include <span>

namespace claybox::test {

using BigInteger =
    boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>, boost::multiprecision::et_off>;
using BigPoint = collision::Vec3<BigInteger>;

/// matrix * v times 2^298, which makes every such point an integer.
BigPoint exact_world_point(const collision::Matrix34f& matrix, const collision::Vec3f& v);

/// Whether the origin lies in the closed convex hull of the points; any number of them, any dimension.
bool hull_holds_origin(std::span<const BigPoint> points);

/// Whether the hulls of two point sets share a point, by their differences: for small sets.
bool hulls_meet(std::span<const BigPoint> a, std::span<const BigPoint> b);

/// Whether the closed triangles of the two surfaces share a point, triangle by triangle: for small meshes.
bool surfaces_meet(const collision::PairBody& a, const collision::PairBody& b);

/// Whether no point lies in front of a face of the hull; of flat hulls the points only have to lie in its
/// plane, on its line or at its point.
bool hull_holds(const collision::ConvexHull& hull, std::span<const collision::Vec3f> points);

enum class Ruling : unsigned char {
    proven,
    refuted,
    not_checked,  ///< a kind of certificate that this referee does not know, or none
};

/// Whether the certificate proves the verdict.
Ruling judge(const collision::PairQuery& query, const collision::PairResult& result);

}  // namespace claybox::test
