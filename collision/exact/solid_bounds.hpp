#pragma once
// The error bounds of rung 2, and of the double arithmetic in rung 3, for solids. They are separate functions
// so that tests can compare each with rationals. Their derivations are in solid.cpp.

#include "collision/exact/number.hpp"
#include "collision/exact/solid.hpp"

namespace claybox::collision {

/// A linear functional v -> g.v on the vertices of one hull, in the hull's frame, in double. `error` bounds
/// the distance from the value of the exact functional.
struct Functional {
    Vec3d g;
    double error = 0;
};

/// The functional n.(M v), where M is the linear part. The error also bounds the rounding of the difference
/// of two values, relative to the exact difference for g.
Functional functional(const SolidSide& side, const Vec3d& n);
/// The same for a direction of magnitude about 1 with an error bound.
Functional functional(const SolidSide& side, const Vec3<Approx>& n);

inline double value_at(const Functional& f, const ConvexHull& hull, std::uint32_t v) {
    return f.g.x * hull.x[v] + f.g.y * hull.y[v] + f.g.z * hull.z[v];
}

/// Four differences a - b in plain double.
struct Differences {
    Vec3d point[4];
    Vec3d error;                   ///< bound per coordinate
    double determinant_error = 0;  ///< bound for dot(p, cross(q, r)) of any three points
};
Differences differences(const SolidSide& a, const SolidSide& b, std::span<const VertexPair, 4> pairs);

}  // namespace claybox::collision
