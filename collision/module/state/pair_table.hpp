#pragma once
// State of the pairs whose boxes overlap: the last verdict and the algorithm's cache (temporal coherence).

#include "collision/core/prefetch.hpp"
#include "collision/module/interest.hpp"
#include "collision/pairwise/registry.hpp"
#include "collision/pairwise/separating_vector/gap_search.hpp"

#include <memory>
#include <span>
#include <vector>

namespace claybox::collision {

/// Caches of the searches that race the pair's algorithm.
struct RaceCaches {
    GapMemory gap;
    PairCache point;
};

struct PairState {
    PairCache cache;
    const PairAlgorithm* pool_owner = nullptr;  ///< algorithm that the pool was allocated for
    std::unique_ptr<std::byte[]> pool;
    std::uint64_t data = 0;            ///< Interest::data at the last test
    std::unique_ptr<RaceCaches> race;  ///< null before the first race
    std::uint32_t work = 0;            ///< steps of the last finished test; 0: unknown
    bool colliding = false;
    bool along = false;  ///< the last verdict is about the bodies' motions
};

/// Pairs sorted by key. Between two updates, several workers may use states of different pairs. States move
/// in memory in update() only. Memory is kept between passes.
class PairTable {
  public:
    /// A colliding pair that was dropped from the table.
    struct Ended {
        PairKey key;
        std::uint64_t data;
    };

    static constexpr std::size_t kAhead = 8;  ///< how many pairs before its own a state is prefetched

    std::span<const PairKey> keys() const { return keys_; }
    /// Index of the state of keys()[at].
    std::uint32_t index(std::size_t at) const { return indices_[at]; }
    PairState& state(std::uint32_t index) { return states_[index]; }
    void prefetch_state(std::uint32_t index) const { prefetch(&states_[index], sizeof(PairState)); }
    /// The members that a test of the pair reads first.
    void prefetch_cache(std::uint32_t index) const { prefetch(&states_[index].cache, 128); }
    /// The members behind the cache.
    void prefetch_rest(std::uint32_t index) const {
        const PairState& state = states_[index];
        prefetch(&state.pool_owner, sizeof(PairState) - sizeof(PairCache));
    }
    const std::vector<Ended>& ended() const { return ended_; }

    /// Merges the sorted candidates of a pass. Calls interest_of(key) for each candidate in order; it returns
    /// the interest or null. With an interest, the pair is found or added and test(key, state index,
    /// interest) is called; without one, the pair is dropped. A pair that is not a candidate is dropped when
    /// touched(slot) is true for one of its bodies, and is kept unchanged otherwise.
    template <class InterestOf, class Touched, class Test>
    void update(std::span<const PairKey> candidates, InterestOf&& interest_of, Touched&& touched,
                Test&& test) {
        begin_merge();
        std::size_t old = 0;
        for (const PairKey key : candidates) {
            if (old + kAhead < indices_.size()) prefetch_rest(indices_[old + kAhead]);
            for (; old < keys_.size() && keys_[old] < key; ++old) keep_or_drop(old, touched);
            const bool known = old < keys_.size() && keys_[old] == key;
            const Interest* const interest = interest_of(key);
            if (interest) {
                const std::uint32_t index = known ? indices_[old] : acquire_state();
                keep(key, index);
                test(key, index, *interest);
            } else if (known) {
                drop(old);
            }
            old += known;
        }
        for (; old < keys_.size(); ++old) keep_or_drop(old, touched);
        end_merge();
    }

    /// Clears the algorithms' caches; verdicts stay.
    void clear_caches();
    std::size_t memory_bytes() const;

  private:
    template <class Touched>
    void keep_or_drop(std::size_t old, Touched&& touched) {
        if (touched(first_slot(keys_[old])) || touched(second_slot(keys_[old])))
            drop(old);
        else
            keep(keys_[old], indices_[old]);
    }
    void keep(PairKey key, std::uint32_t index) {
        next_keys_.push_back(key);
        next_indices_.push_back(index);
    }
    void begin_merge();
    void drop(std::size_t old);
    std::uint32_t acquire_state();
    void end_merge();

    std::vector<PairKey> keys_, next_keys_;
    std::vector<std::uint32_t> indices_, next_indices_;  ///< into states_
    std::vector<PairState> states_;
    std::vector<std::uint32_t> free_states_;
    std::vector<Ended> ended_;
};

}  // namespace claybox::collision
