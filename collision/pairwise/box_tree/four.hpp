#pragma once
// Four numbers, one per edge of a family. Float uses a vector; other scalars use four separate operations.

#include "collision/simd/float4.hpp"

#include <algorithm>

namespace claybox::collision {

template <class T>
struct Four {
    T lane[4];

    static Four of(const T& a, const T& b, const T& c, const T& d) { return {{a, b, c, d}}; }
    static Four all(const T& v) { return of(v, v, v, v); }
    static Four load(const T (&from)[4]) { return of(from[0], from[1], from[2], from[3]); }
    void store(T (&to)[4]) const { std::copy(lane, lane + 4, to); }

    friend Four operator+(const Four& a, const Four& b) {
        return each(a, b, [](const T& x, const T& y) { return x + y; });
    }
    friend Four operator-(const Four& a, const Four& b) {
        return each(a, b, [](const T& x, const T& y) { return x - y; });
    }
    /// Per lane; a if one is NaN.
    friend Four smaller(const Four& a, const Four& b) {
        return each(a, b, [](const T& x, const T& y) { return std::min(x, y); });
    }
    friend Four larger(const Four& a, const Four& b) {
        return each(a, b, [](const T& x, const T& y) { return std::max(x, y); });
    }
    /// Bit i: a <= b in lane i.
    friend unsigned at_most(const Four& a, const Four& b) {
        unsigned out = 0;
        for (unsigned i = 0; i < 4; ++i) out |= static_cast<unsigned>(a.lane[i] <= b.lane[i]) << i;
        return out;
    }

  private:
    static Four each(const Four& a, const Four& b, const auto& f) {
        return {{f(a.lane[0], b.lane[0]), f(a.lane[1], b.lane[1]), f(a.lane[2], b.lane[2]),
                 f(a.lane[3], b.lane[3])}};
    }
};

template <>
struct Four<float> {
    Float4 lane;

    static Four of(float a, float b, float c, float d) { return {Float4{a, b, c, d}}; }
    static Four all(float v) { return {splat4(v)}; }
    static Four load(const float (&from)[4]) { return {load4(from)}; }
    void store(float (&to)[4]) const { store4(to, lane); }

    friend Four operator+(const Four& a, const Four& b) { return {a.lane + b.lane}; }
    friend Four operator-(const Four& a, const Four& b) { return {a.lane - b.lane}; }
    friend Four smaller(const Four& a, const Four& b) { return {min4(b.lane, a.lane)}; }
    friend Four larger(const Four& a, const Four& b) { return {max4(b.lane, a.lane)}; }
    friend unsigned at_most(const Four& a, const Four& b) { return mask_bits4(a.lane <= b.lane); }
};

}  // namespace claybox::collision
