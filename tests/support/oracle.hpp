#pragma once
// An independent oracle: checks answers in exact integers, without any arithmetic of the library. World
// points are exact, and the claims of certificates are evaluated. Whether the hull of some points contains
// the origin is decided by testing every simplex of them (Caratheodory's theorem). Simple and slow on
// purpose.

#include "collision/pairwise/registry.hpp"

#include <boost/multiprecision/cpp_int.hpp>

#include <span>

namespace claybox::test {

using BigInteger =
    boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>, boost::multiprecision::et_off>;
using BigPoint = collision::Vec3<BigInteger>;

/// matrix * v times 2^298, which is always an integer.
BigPoint exact_world_point(const collision::Matrix34f& matrix, const collision::Vec3f& v);

/// Whether the closed convex hull of the points contains the origin. Any number of points, any dimension.
bool hull_contains_origin(std::span<const BigPoint> points);

/// Whether the hulls of two point sets share a point. Tests all differences; for small sets.
bool hulls_intersect(std::span<const BigPoint> a, std::span<const BigPoint> b);

/// Whether the closed triangles of the two surfaces share a point. Tests all pairs of triangles; for small
/// meshes.
bool surfaces_intersect(const collision::PairBody& a, const collision::PairBody& b);

/// Whether no point is in front of a face of the hull. For a hull of dimension 1 or 0, whether all points are
/// on its line or at its point.
bool hull_contains(const collision::ConvexHull& hull, std::span<const collision::Vec3f> points);

enum class ProofCheck : unsigned char {
    proven,
    refuted,
    not_checked,  ///< no certificate, or a kind that the oracle does not check
};

/// Checks whether the result's certificate proves its verdict.
ProofCheck check_proof(const collision::PairQuery& query, const collision::PairResult& result);

}  // namespace claybox::test
