#pragma once
/// \file
/// Three-component vectors over any scalar. We do not use GLM: the exact layer needs big integers and doubles
/// with error bounds as scalars, GLM's static checks reject them, and our components start at zero.

#include <cmath>
#include <cstddef>

// This also applies to programs that include the library: the linker keeps one copy of each inline function,
// so one file compiled with these flags could change the answers everywhere.
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__)
#error "claybox needs IEEE arithmetic for its proofs: compile without -ffast-math and -Ofast"
#endif

namespace claybox::collision {

/// A point, direction or extent. Variable names end with the frame: `p_w` is in the world frame, `axis_a` in
/// the frame of body A. The components start at zero.
template <class T>
struct Vec3 {
    T x{};  ///< component along the first axis
    T y{};  ///< component along the second axis
    T z{};  ///< component along the third axis

    /// Component i: 0 is x, 1 is y, every other index is z.
    constexpr T& operator[](std::size_t i) { return i == 0 ? x : i == 1 ? y : z; }
    /// Component i, read only.
    constexpr const T& operator[](std::size_t i) const { return i == 0 ? x : i == 1 ? y : z; }
    /// Adds b component by component.
    constexpr Vec3& operator+=(const Vec3& b) { return *this = *this + b; }
    /// Subtracts b component by component.
    constexpr Vec3& operator-=(const Vec3& b) { return *this = *this - b; }
    /// Multiplies every component by s.
    constexpr Vec3& operator*=(const T& s) { return *this = *this * s; }

    /// Component-wise sum.
    friend constexpr Vec3 operator+(const Vec3& a, const Vec3& b) {
        return {a.x + b.x, a.y + b.y, a.z + b.z};
    }
    /// Component-wise difference.
    friend constexpr Vec3 operator-(const Vec3& a, const Vec3& b) {
        return {a.x - b.x, a.y - b.y, a.z - b.z};
    }
    /// The opposite vector.
    friend constexpr Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
    /// The vector scaled by s.
    friend constexpr Vec3 operator*(const Vec3& a, const T& s) { return {a.x * s, a.y * s, a.z * s}; }
    /// The vector scaled by s.
    friend constexpr Vec3 operator*(const T& s, const Vec3& a) { return {a.x * s, a.y * s, a.z * s}; }
    /// Every component divided by s.
    friend constexpr Vec3 operator/(const Vec3& a, const T& s) { return {a.x / s, a.y / s, a.z / s}; }
    /// Whether all components are equal; -0 equals 0.
    friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};

/// Coordinates as shapes and matrices store them.
using Vec3f = Vec3<float>;
/// Coordinates as poses, rays and results have them.
using Vec3d = Vec3<double>;

/// Scalar product, rounded like the scalar type.
template <class T>
constexpr T dot(const Vec3<T>& a, const Vec3<T>& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// Cross product, right-handed.
template <class T>
constexpr Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Square of the Euclidean length.
template <class T>
constexpr T length_squared(const Vec3<T>& a) {
    return dot(a, a);
}

/// Euclidean length.
template <class T>
T length(const Vec3<T>& a) {
    return std::sqrt(dot(a, a));
}

/// The unit vector along `a`, or `fallback` if the length of `a` is zero.
template <class T>
Vec3<T> normalized(const Vec3<T>& a, const Vec3<T>& fallback = {T(1), T(0), T(0)}) {
    const T l = length(a);
    return l > T(0) ? a / l : fallback;
}

/// Component-wise minimum.
template <class T>
constexpr Vec3<T> min(const Vec3<T>& a, const Vec3<T>& b) {
    return {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}

/// Component-wise maximum.
template <class T>
constexpr Vec3<T> max(const Vec3<T>& a, const Vec3<T>& b) {
    return {a.x < b.x ? b.x : a.x, a.y < b.y ? b.y : a.y, a.z < b.z ? b.z : a.z};
}

/// Component-wise conversion: `cast<double>(v)`.
template <class To, class From>
constexpr Vec3<To> cast(const Vec3<From>& a) {
    return {static_cast<To>(a.x), static_cast<To>(a.y), static_cast<To>(a.z)};
}

/// Whether no component is infinite or NaN.
template <class T>
bool is_finite(const Vec3<T>& a) {
    return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

}  // namespace claybox::collision
