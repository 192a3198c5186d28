#pragma once
// Many small arrays in one block of memory. An array grows when it is full. It shrinks only after losing
// clearly more than one growth step (hysteresis), so adding and removing one element repeatedly copies
// nothing.

#include "collision/core/assert.hpp"
#include "collision/core/ids.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace claybox::collision {

/// Value must be trivially copyable. Not thread-safe.
template <class Value>
class ArrayPool {
  public:
    /// Handle of one array. An empty array owns no memory.
    struct Array {
        std::uint32_t at = 0;  ///< index of the first element in the block
        std::uint32_t count = 0;
        std::uint32_t size_class = 0;
    };
    /// How often an array allocated its first memory, freed its last memory, and moved to other memory.
    struct Counts {
        std::uint64_t made = 0, freed = 0, moved = 0;
    };

    /// `hysteresis` >= 1: the step by which small arrays grow, and the minimum loss before they shrink.
    /// Capacities grow by four fixed steps, then by half their size. Fixed steps alone would copy large
    /// arrays quadratically often and fragment the block into free ranges of every length.
    explicit ArrayPool(std::uint32_t hysteresis) : hysteresis_(hysteresis) {
        CLAYBOX_ASSERT(hysteresis >= 1);
        constexpr std::uint32_t kSteps = 4, kLargest = 1u << 30;
        capacities_.push_back(0);
        for (std::uint32_t step = 1; step <= kSteps; ++step) capacities_.push_back(step * hysteresis);
        while (capacities_.back() < kLargest)
            capacities_.push_back(capacities_.back() + capacities_.back() / 2 + 1);
        free_.resize(capacities_.size());
    }

    std::span<const Value> values(const Array& array) const { return {data_.data() + array.at, array.count}; }
    std::span<Value> values(const Array& array) { return {data_.data() + array.at, array.count}; }

    void push(Array& array, const Value& value) {
        if (array.count == capacities_[array.size_class]) resize(array, array.size_class + 1);
        data_[array.at + array.count++] = value;
    }
    /// Moves the last element into the place of the removed one.
    void remove_at(Array& array, std::uint32_t index) {
        CLAYBOX_ASSERT(index < array.count);
        data_[array.at + index] = data_[array.at + --array.count];
        if (array.count == 0) {
            resize(array, 0);
        } else if (array.size_class > 1) {
            const std::uint32_t smaller = capacities_[array.size_class - 1];
            if (array.count + std::max(hysteresis_, smaller / 4) <= smaller)
                resize(array, array.size_class - 1);
        }
    }
    void free(Array& array) {
        array.count = 0;
        if (array.size_class > 0) resize(array, 0);
    }
    /// Invalidates all arrays; keeps the memory and the counts.
    void reset() {
        data_.clear();
        for (auto& ranges : free_) ranges.clear();
    }

    const Counts& counts() const { return counts_; }
    std::uint32_t capacity(const Array& array) const { return capacities_[array.size_class]; }
    std::size_t memory_bytes() const {
        std::size_t bytes = data_.capacity() * sizeof(Value) +
                            capacities_.capacity() * sizeof(std::uint32_t) +
                            free_.capacity() * sizeof(std::vector<std::uint32_t>);
        for (const auto& ranges : free_) bytes += ranges.capacity() * sizeof(std::uint32_t);
        return bytes;
    }

  private:
    void resize(Array& array, std::uint32_t size_class) {
        const std::uint32_t at = size_class > 0 ? allocate(size_class) : 0;
        std::copy_n(data_.begin() + array.at, array.count, data_.begin() + at);
        if (array.size_class > 0) free_[array.size_class].push_back(array.at);
        ++(array.size_class == 0 ? counts_.made : size_class == 0 ? counts_.freed : counts_.moved);
        array.at = at;
        array.size_class = size_class;
    }
    std::uint32_t allocate(std::uint32_t size_class) {
        std::vector<std::uint32_t>& ranges = free_[size_class];
        if (!ranges.empty()) {
            const std::uint32_t at = ranges.back();
            ranges.pop_back();
            return at;
        }
        const std::size_t at = data_.size();
        CLAYBOX_ASSERT(at + capacities_[size_class] < kNoIndex);
        data_.resize(at + capacities_[size_class]);
        return static_cast<std::uint32_t>(at);
    }

    std::uint32_t hysteresis_;
    std::vector<std::uint32_t> capacities_;         ///< per size class; class 0 has no memory
    std::vector<std::vector<std::uint32_t>> free_;  ///< per size class: starts of unused ranges
    std::vector<Value> data_;
    Counts counts_;
};

}  // namespace claybox::collision
