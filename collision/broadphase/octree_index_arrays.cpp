#include "collision/broadphase/octree_index_arrays.hpp"

#include "collision/core/assert.hpp"
#include "collision/core/ids.hpp"

#include <algorithm>
#include <utility>

namespace claybox::collision {

// Four steps of the thesis' kind, then by halves: fixed steps alone would copy large arrays a quadratic
// number of times, and leave places of every length behind.
ArrayPool::ArrayPool(std::uint32_t hysteresis) : hysteresis_(hysteresis) {
    CLAYBOX_ASSERT(hysteresis >= 1);
    constexpr std::uint32_t kSteps = 4, kLargest = 1u << 30;
    capacities_.push_back(0);
    for (std::uint32_t step = 1; step <= kSteps; ++step) capacities_.push_back(step * hysteresis);
    while (capacities_.back() < kLargest)
        capacities_.push_back(capacities_.back() + capacities_.back() / 2 + 1);
    free_.assign(capacities_.size(), kNoIndex);
}

void ArrayPool::push(Array& array, std::uint32_t value) {
    if (array.count == capacities_[array.size_class]) resize(array, array.size_class + 1);
    data_[array.at + array.count++] = value;
}

void ArrayPool::remove_at(Array& array, std::uint32_t index) {
    CLAYBOX_ASSERT(index < array.count);
    data_[array.at + index] = data_[array.at + --array.count];
    if (array.count == 0) {
        resize(array, 0);
    } else if (array.size_class > 1) {
        const std::uint32_t smaller = capacities_[array.size_class - 1];
        if (array.count + std::max(hysteresis_, smaller / 4) <= smaller) resize(array, array.size_class - 1);
    }
}

void ArrayPool::free(Array& array) {
    array.count = 0;
    if (array.size_class > 0) resize(array, 0);
}

void ArrayPool::reset() {
    data_.clear();
    std::fill(free_.begin(), free_.end(), kNoIndex);
}

void ArrayPool::resize(Array& array, std::uint32_t size_class) {
    const std::uint32_t at = size_class > 0 ? take(size_class) : 0;
    std::copy_n(data_.begin() + array.at, array.count, data_.begin() + at);
    if (array.size_class > 0) data_[array.at] = std::exchange(free_[array.size_class], array.at);
    ++(array.size_class == 0 ? counts_.made : size_class == 0 ? counts_.freed : counts_.moved);
    array.at = at;
    array.size_class = size_class;
}

std::uint32_t ArrayPool::take(std::uint32_t size_class) {
    std::uint32_t& first = free_[size_class];
    if (first != kNoIndex) return std::exchange(first, data_[first]);
    const auto at = static_cast<std::uint32_t>(data_.size());
    CLAYBOX_ASSERT(data_.size() + capacities_[size_class] < kNoIndex);
    data_.resize(data_.size() + capacities_[size_class]);
    return at;
}

}  // namespace claybox::collision
