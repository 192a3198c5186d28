#pragma once
// The error bounds of rung 2 and of the double half of rung 3 for solids, apart from the decisions, so that
// tests can hold each against rationals. Their derivations stand at the definitions in solid.cpp.

#include "collision/exact/number.hpp"
#include "collision/exact/solid.hpp"

namespace claybox::collision {

/// A linear functional on the vertices of one hull in its own frame, g.v in double, and how far such a value
/// may be from that of the exact functional.
struct Functional {
    Vec3d g;
    double error = 0;
};

/// Of n.(M v), M being the linear part. The error also bounds how far the difference of two values is from
/// the difference that g itself has, without rounding.
Functional functional(const SolidSide& side, const Vec3d& n);
/// The same for a direction of about 1 that is itself uncertain.
Functional functional(const SolidSide& side, const Vec3<Approx>& n);

inline double value_at(const Functional& f, const ConvexHull& hull, std::uint32_t v) {
    return f.g.x * hull.x[v] + f.g.y * hull.y[v] + f.g.z * hull.z[v];
}

/// Four differences a - b in plain double.
struct Differences {
    Vec3d point[4];
    Vec3d error;                   ///< of each coordinate
    double determinant_error = 0;  ///< of dot(p, cross(q, r)) for any three of them
};
Differences differences(const SolidSide& a, const SolidSide& b, std::span<const VertexPair, 4> pairs);

}  // namespace claybox::collision
