#pragma once
// Four floats at once, on every processor that we build for: the compilers' own vector type, so that small
// kernels are inlined where a run-time choice of the target would cost more than the work. No fused
// operations, so every target gives the same values.

#include <cstddef>
#include <cstdint>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace claybox::collision {

using Float4 = float __attribute__((vector_size(16)));
using Int4 = std::int32_t __attribute__((vector_size(16)));

inline Float4 load4(const float* from) {
    Float4 out;
    __builtin_memcpy(&out, from, sizeof out);
    return out;
}
inline void store4(float* to, Float4 v) {
    __builtin_memcpy(to, &v, sizeof v);
}
inline Float4 splat4(float v) {
    return Float4{v, v, v, v};
}

/// The lanes that are named, in their order.
template <int A, int B, int C, int D>
Float4 lanes4(Float4 v) {
    return __builtin_shufflevector(v, v, A, B, C, D);
}

inline Float4 abs4(Float4 v) {
    return Float4(Int4(v) & Int4{0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff});
}
/// b where one of the two is not a number.
inline Float4 max4(Float4 a, Float4 b) {
#if defined(__SSE__)
    return Float4(_mm_max_ps(__m128(a), __m128(b)));
#else
    return a > b ? a : b;
#endif
}

/// Bit i is the sign bit of lane i.
inline unsigned signs4(Float4 v) {
#if defined(__SSE__)
    return static_cast<unsigned>(_mm_movemask_ps(__m128(v)));
#else
    const Int4 i = Int4(v);
    return (i[0] < 0 ? 1u : 0u) | (i[1] < 0 ? 2u : 0u) | (i[2] < 0 ? 4u : 0u) | (i[3] < 0 ? 8u : 0u);
#endif
}
/// Bit i is set where a comparison held in lane i.
inline unsigned bits4(Int4 comparison) {
    return signs4(Float4(comparison));
}

/// In every lane: the largest of all.
inline Float4 largest4(Float4 v) {
    const Float4 m = max4(v, lanes4<2, 3, 0, 1>(v));
    return max4(m, lanes4<1, 0, 3, 2>(m));
}
inline float sum4(Float4 v) {
    const Float4 s = v + lanes4<2, 3, 0, 1>(v);
    return s[0] + s[1];
}

/// Four points, one a lane, from four loads of x, y, z and anything.
struct Points4 {
    Float4 x, y, z;
};
inline Points4 transpose4(Float4 a, Float4 b, Float4 c, Float4 d) {
    const Float4 ab_xy = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    const Float4 cd_xy = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    const Float4 ab_z = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const Float4 cd_z = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    return {__builtin_shufflevector(ab_xy, cd_xy, 0, 1, 4, 5),
            __builtin_shufflevector(ab_xy, cd_xy, 2, 3, 6, 7),
            __builtin_shufflevector(ab_z, cd_z, 0, 1, 4, 5)};
}

}  // namespace claybox::collision
