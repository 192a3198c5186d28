#pragma once
// Many small arrays of numbers in one block of memory. An array grows when it is full and shrinks only when
// it has lost clearly more than a step again (hysteresis), so that a number that comes and goes moves
// nothing.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace claybox::collision {

class ArrayPool {
  public:
    /// An array without elements owns no memory.
    struct Array {
        std::uint32_t at = 0;
        std::uint32_t count = 0;
        std::uint32_t size_class = 0;
    };
    /// What malloc, free and realloc are in the thesis.
    struct Counts {
        std::uint64_t made = 0, freed = 0, moved = 0;
    };

    /// `hysteresis` >= 1: the step by which small arrays grow, and the least loss before they shrink.
    explicit ArrayPool(std::uint32_t hysteresis);

    std::span<const std::uint32_t> values(const Array& array) const {
        return {data_.data() + array.at, array.count};
    }
    void push(Array& array, std::uint32_t value);
    /// The last element takes the place of the removed one.
    void remove_at(Array& array, std::uint32_t index);
    void free(Array& array);
    /// All arrays become invalid; memory and counts are kept.
    void reset();

    const Counts& counts() const { return counts_; }
    std::uint32_t capacity(const Array& array) const { return capacities_[array.size_class]; }
    std::size_t memory_bytes() const {
        return (data_.capacity() + capacities_.capacity() + free_.capacity()) * sizeof(std::uint32_t);
    }

  private:
    void resize(Array& array, std::uint32_t size_class);
    std::uint32_t take(std::uint32_t size_class);

    std::uint32_t hysteresis_;
    std::vector<std::uint32_t> capacities_;  ///< by size class; class 0 is no memory
    std::vector<std::uint32_t> free_;  ///< by size class: the first free place, linked through the places
    std::vector<std::uint32_t> data_;
    Counts counts_;
};

}  // namespace claybox::collision
