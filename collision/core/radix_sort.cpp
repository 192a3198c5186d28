#include "collision/core/radix_sort.hpp"

#include <array>
#include <cstddef>

namespace claybox::collision {

// Digits have 11 bits: three passes suffice, and the counters of one pass fit the first-level cache.
void radix_sort_upper(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& scratch) {
    constexpr unsigned kDigit = 11, kPasses = 3;
    constexpr std::size_t kValues = std::size_t{1} << kDigit;
    std::array<std::array<std::uint32_t, kValues>, kPasses> place{};
    const auto digit = [](std::uint64_t key, unsigned pass) {
        return static_cast<std::size_t>(key >> (32 + kDigit * pass)) & (kValues - 1);
    };
    for (const std::uint64_t key : keys)
        for (unsigned pass = 0; pass < kPasses; ++pass) ++place[pass][digit(key, pass)];
    scratch.resize(keys.size());
    for (unsigned pass = 0; pass < kPasses; ++pass) {
        std::uint32_t sum = 0;
        bool one_value = false;  // all keys share this digit: the pass would change nothing
        for (std::uint32_t& entry : place[pass]) {
            const std::uint32_t count = entry;
            one_value |= count == keys.size();
            entry = sum;
            sum += count;
        }
        if (one_value) continue;
        for (const std::uint64_t key : keys) scratch[place[pass][digit(key, pass)]++] = key;
        keys.swap(scratch);
    }
}

}  // namespace claybox::collision
