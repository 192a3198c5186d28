#pragma once
// Four doubles as two 16-byte vectors, the size that all target processors have. See float4.hpp.

#include <cstddef>
#include <cstdint>

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
