#pragma once

#include "collision/core/ids.hpp"

#include <vector>

namespace claybox::collision {

/// Sorts the indices 0 .. count-1 by key(i) into `out`. Stable; O(count + keys). Keys are below `keys`;
/// indices with key(i) == kNoIndex are skipped. The indices with key k are out[begin[k]] .. out[begin[k + 1]
/// - 1]. Calls key(i) several times.
template <class Key>
void counting_sort(std::size_t count, std::size_t keys, Key&& key, std::vector<std::uint32_t>& begin,
                   std::vector<std::uint32_t>& out) {
    begin.assign(keys + 1, 0);
    for (std::uint32_t i = 0; i < count; ++i)
        if (key(i) != kNoIndex) ++begin[key(i) + 1];
    for (std::size_t k = 0; k < keys; ++k) begin[k + 1] += begin[k];
    out.resize(begin[keys]);
    for (std::uint32_t i = 0; i < count; ++i)
        if (key(i) != kNoIndex) out[begin[key(i)]++] = i;
    for (std::size_t k = keys; k > 0; --k) begin[k] = begin[k - 1];
    begin[0] = 0;
}

}  // namespace claybox::collision
