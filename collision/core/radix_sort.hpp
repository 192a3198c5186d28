#pragma once
// Maps floats to sortable integers, and sorts 64-bit keys by their upper half.

#include <bit>
#include <cstdint>
#include <vector>

namespace claybox::collision {

/// An integer with the same order as the float. -0 and 0 map to one value. Infinities are allowed, NaN is
/// not.
inline std::uint32_t ordered_bits(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x + 0.0f);
    return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

/// Sorts by the upper 32 bits. Stable; O(n). `scratch` is overwritten; reuse it to avoid allocation.
void radix_sort_upper(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& scratch);

}  // namespace claybox::collision
