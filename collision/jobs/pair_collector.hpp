#pragma once
// Gathers the pairs that several workers find, then sorts them. Shared by the broad phases.

#include "collision/core/ids.hpp"

#include <cstdint>
#include <vector>

namespace claybox::collision {

/// Each worker writes to its own list, without a lock. The memory is reused between calls.
class PairCollector {
  public:
    struct alignas(kCacheLine) Worker {
        std::vector<PairKey> pairs;
        std::uint64_t raw = 0;  ///< number of candidates before the bounds filter
    };

    /// Empties the lists of workers 0 .. workers-1.
    void begin(unsigned workers);
    Worker& worker(unsigned index) { return workers_[index]; }
    /// Number of candidates before the bounds filter, summed over the workers since begin().
    std::uint64_t raw() const;
    /// Overwrites `out` with all pairs, sorted by key. Slots must be below `slot_count`. Duplicates are kept,
    /// so workers must gather each pair once.
    void finish(std::size_t slot_count, std::vector<PairKey>& out);
    std::size_t memory_bytes() const;

  private:
    std::vector<Worker> workers_;
    std::vector<std::uint32_t> place_;  ///< per first slot: index of its next pair
};

}  // namespace claybox::collision
