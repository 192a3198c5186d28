#pragma once
// Four doubles as two 16-byte vectors, the size that all target processors have. See float4.hpp.

#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace claybox::collision {

using Double2 = double __attribute__((vector_size(16)));

struct Double4 {
    Double2 low{}, high{};

    double operator[](std::size_t lane) const { return lane < 2 ? low[lane] : high[lane - 2]; }
};

inline Double4 operator+(const Double4& a, const Double4& b) {
    return {a.low + b.low, a.high + b.high};
}
inline Double4 operator-(const Double4& a, const Double4& b) {
    return {a.low - b.low, a.high - b.high};
}
inline Double4 operator*(const Double4& a, const Double4& b) {
    return {a.low * b.low, a.high * b.high};
}
inline Double4 operator*(double s, const Double4& a) {
    const Double2 both{s, s};
    return {both * a.low, both * a.high};
}
/// Per-lane maximum; b if either is NaN.
inline Double2 max2(Double2 a, Double2 b) {
#if defined(__SSE2__)
    return Double2(_mm_max_pd(__m128d(a), __m128d(b)));
#else
    return Double2{a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1]};
#endif
}
/// Bit i is set if lane i equals s.
inline std::uint32_t equal_bits2(Double2 v, double s) {
#if defined(__SSE2__)
    return static_cast<std::uint32_t>(_mm_movemask_pd(_mm_cmpeq_pd(__m128d(v), _mm_set1_pd(s))));
#else
    return (v[0] == s ? 1u : 0u) | (v[1] == s ? 2u : 0u);
#endif
}
inline Double2 abs2(Double2 v) {
    using Long2 = std::int64_t __attribute__((vector_size(16)));
    return Double2(Long2(v) & Long2{0x7fffffffffffffff, 0x7fffffffffffffff});
}
inline Double4 abs4(const Double4& v) {
    return {abs2(v.low), abs2(v.high)};
}
inline double sum4(const Double4& v) {
    const Double2 s = v.low + v.high;
    return s[0] + s[1];
}

}  // namespace claybox::collision
