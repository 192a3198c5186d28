#pragma once
// Floats as sortable integers, and a sort of 64-bit keys by their upper half.

#include <bit>
#include <cstdint>
#include <vector>

namespace claybox::collision {

/// Integers in the order of the floats; -0 and 0 are one value. For infinities too, not for NaN.
inline std::uint32_t ordered_bits(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x + 0.0f);
    return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

/// Sorts by the upper 32 bits; keys that agree in them keep their order. Linear; `scratch` keeps its memory.
void radix_sort_upper(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& scratch);

}  // namespace claybox::collision
