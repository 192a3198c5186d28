#pragma once
// Rational numbers for checks that must not depend on the code under test.

#include "collision/core/vec.hpp"
#include "collision/geometry/transform.hpp"

#include <boost/multiprecision/cpp_int.hpp>

namespace claybox::test {

using Rational = boost::multiprecision::cpp_rational;
using Vec3r = collision::Vec3<Rational>;

template <class T>
Vec3r exact(const collision::Vec3<T>& v) {
    return {Rational(v.x), Rational(v.y), Rational(v.z)};
}

inline Vec3r exactly_transformed(const collision::Matrix34f& m, const collision::Vec3f& p) {
    Vec3r out;
    for (std::size_t row = 0; row < 3; ++row) {
        out[row] = Rational(m.m[4 * row + 3]);
        for (std::size_t k = 0; k < 3; ++k) out[row] += Rational(m.m[4 * row + k]) * Rational(p[k]);
    }
    return out;
}

/// The sign of dot((b - a) x (c - a), d - a), in rationals.
template <class T>
int exact_orient3d(const collision::Vec3<T>& a, const collision::Vec3<T>& b, const collision::Vec3<T>& c,
                   const collision::Vec3<T>& d) {
    const Vec3r o = exact(a);
    const Rational det = collision::dot(collision::cross(exact(b) - o, exact(c) - o), exact(d) - o);
    return det.sign();
}

}  // namespace claybox::test
