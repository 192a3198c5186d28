#pragma once
// What broad phases share: pairs gathered by several workers, then put in key order.

#include "collision/core/ids.hpp"

#include <cstdint>
#include <vector>

namespace claybox::collision {

/// Gathers pairs per worker without a lock and sorts them by key. The memory is kept between uses.
class PairCollector {
  public:
    struct alignas(kCacheLine) Worker {
        std::vector<PairKey> pairs;
        std::uint64_t raw = 0;  ///< candidates before the bounds filter
    };

    void begin(unsigned workers);
    Worker& worker(unsigned index) { return workers_[index]; }
    /// Candidates before the bounds filter, summed over the workers since begin().
    std::uint64_t raw() const;
    /// Overwrites `out` with all pairs, sorted; slots are below `slot_count`. Pairs were gathered once each.
    void finish(std::size_t slot_count, std::vector<PairKey>& out);
    std::size_t memory_bytes() const;

  private:
    std::vector<Worker> workers_;
    std::vector<std::uint32_t> place_;  ///< by first slot: where its next pair goes
};

}  // namespace claybox::collision
