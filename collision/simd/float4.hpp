#pragma once
// Vectors of four floats, as the compilers' own vector type. For small kernels that must be inlined, where
// choosing a target at run time would cost more than the work. No fused operations: every target returns the
// same values.

#include <cstddef>
#include <cstdint>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace claybox::collision {

using Float4 = float __attribute__((vector_size(16)));
using Int4 = std::int32_t __attribute__((vector_size(16)));
using Word4 = std::uint32_t __attribute__((vector_size(16)));  ///< for sums that may wrap

inline Float4 load4(const float* from) {
    Float4 out;
    __builtin_memcpy(&out, from, sizeof out);
    return out;
}
inline void store4(float* to, Float4 v) {
    __builtin_memcpy(to, &v, sizeof v);
}
inline void store4(std::uint32_t* to, Int4 v) {
    __builtin_memcpy(to, &v, sizeof v);
}
inline Int4 load4(const std::int32_t* from) {
    Int4 out;
    __builtin_memcpy(&out, from, sizeof out);
    return out;
}
inline void store4(std::int32_t* to, Int4 v) {
    __builtin_memcpy(to, &v, sizeof v);
}
inline Float4 splat4(float v) {
    return Float4{v, v, v, v};
}

/// The vector (v[A], v[B], v[C], v[D]).
template <int A, int B, int C, int D>
Float4 shuffle4(Float4 v) {
    return __builtin_shufflevector(v, v, A, B, C, D);
}

inline Int4 splat_int4(std::int32_t v) {
    return Int4{v, v, v, v};
}
/// Per lane: `yes` if the mask is all ones, `no` if it is zero.
inline Int4 select4(Int4 mask, Int4 yes, Int4 no) {
    return (mask & yes) | (~mask & no);
}
inline Int4 max4(Int4 a, Int4 b) {
    return select4(Int4(a > b), a, b);
}
inline Int4 min4(Int4 a, Int4 b) {
    return select4(Int4(a < b), a, b);
}

inline Float4 abs4(Float4 v) {
    return Float4(Int4(v) & Int4{0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff});
}
/// Per-lane maximum; b if either is NaN.
inline Float4 max4(Float4 a, Float4 b) {
#if defined(__SSE__)
    return Float4(_mm_max_ps(__m128(a), __m128(b)));
#else
    return a > b ? a : b;
#endif
}
/// Per-lane minimum; b if either is NaN.
inline Float4 min4(Float4 a, Float4 b) {
#if defined(__SSE__)
    return Float4(_mm_min_ps(__m128(a), __m128(b)));
#else
    return a < b ? a : b;
#endif
}
/// Square root of non-negative numbers, correctly rounded.
inline Float4 sqrt4(Float4 v) {
#if defined(__SSE__)
    return Float4(_mm_sqrt_ps(__m128(v)));
#else
    return Float4{__builtin_sqrtf(v[0]), __builtin_sqrtf(v[1]), __builtin_sqrtf(v[2]), __builtin_sqrtf(v[3])};
#endif
}
/// Rounds towards zero. The numbers must fit an int32.
inline Int4 truncate4(Float4 v) {
    return __builtin_convertvector(v, Int4);
}

/// Bit i is the sign bit of lane i.
inline unsigned sign_bits4(Float4 v) {
#if defined(__SSE__)
    return static_cast<unsigned>(_mm_movemask_ps(__m128(v)));
#else
    const Int4 i = Int4(v);
    return (i[0] < 0 ? 1u : 0u) | (i[1] < 0 ? 2u : 0u) | (i[2] < 0 ? 4u : 0u) | (i[3] < 0 ? 8u : 0u);
#endif
}
/// Bit i is set if the comparison holds in lane i.
inline unsigned mask_bits4(Int4 comparison) {
    return sign_bits4(Float4(comparison));
}

/// The largest lane, in every lane.
inline Float4 largest4(Float4 v) {
    const Float4 m = max4(v, shuffle4<2, 3, 0, 1>(v));
    return max4(m, shuffle4<1, 0, 3, 2>(m));
}
/// The smallest lane, in every lane.
inline Float4 smallest4(Float4 v) {
    const Float4 m = min4(v, shuffle4<2, 3, 0, 1>(v));
    return min4(m, shuffle4<1, 0, 3, 2>(m));
}
inline float sum4(Float4 v) {
    const Float4 s = v + shuffle4<2, 3, 0, 1>(v);
    return s[0] + s[1];
}

/// Dot product of (x, y, z); the last lane is ignored.
inline float dot4(Float4 a, Float4 b) {
    const Float4 p = a * b;
    return p[0] + p[1] + p[2];
}
/// Cross product of (x, y, z).
inline Float4 cross4(Float4 a, Float4 b) {
    const auto rotate = [](Float4 v) { return shuffle4<1, 2, 0, 3>(v); };
    return rotate(a * rotate(b) - rotate(a) * b);
}

/// Per lane: the power of two that scales v into [1/2, 1). v must be in [2^-126, 2^126].
inline Float4 scale_below_one4(Float4 v) {
    const Int4 exponent = Int4(v) & Int4{0x7f800000, 0x7f800000, 0x7f800000, 0x7f800000};
    return Float4(Int4{0x7e800000, 0x7e800000, 0x7e800000, 0x7e800000} - exponent);
}

/// Four points, one per lane.
struct Points4 {
    Float4 x, y, z;
};
/// The points whose (x, y, z) are the first three lanes of a, b, c and d.
inline Points4 transpose4(Float4 a, Float4 b, Float4 c, Float4 d) {
    const Float4 ab_xy = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    const Float4 cd_xy = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    const Float4 ab_z = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const Float4 cd_z = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    return {__builtin_shufflevector(ab_xy, cd_xy, 0, 1, 4, 5),
            __builtin_shufflevector(ab_xy, cd_xy, 2, 3, 6, 7),
            __builtin_shufflevector(ab_z, cd_z, 0, 1, 4, 5)};
}

/// Lane i is six times the signed volume of the origin and the other three points. All lanes have the same
/// sign if the points surround the origin.
inline Float4 volumes4(const Points4& p) {
    const auto rotate = [](Float4 v) { return shuffle4<1, 2, 3, 0>(v); };
    const Float4 x1 = rotate(p.x), y1 = rotate(p.y), z1 = rotate(p.z), x2 = rotate(x1), y2 = rotate(y1),
                 z2 = rotate(z1), x3 = rotate(x2), y3 = rotate(y2), z3 = rotate(z2);
    const Float4 volume = x1 * (y2 * z3 - z2 * y3) + y1 * (z2 * x3 - x2 * z3) + z1 * (x2 * y3 - y2 * x3);
    return volume * Float4{1, -1, 1, -1};
}

}  // namespace claybox::collision
