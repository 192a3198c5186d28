#pragma once
// What is remembered of pairs whose boxes overlap: the verdict of the last test and the algorithm's cache.

#include "collision/module/interest.hpp"
#include "collision/pairwise/registry.hpp"
#include "collision/parts/gap_search.hpp"

#include <memory>
#include <span>
#include <vector>

namespace claybox::collision {

/// What the searches remember that race against a pair's algorithm.
struct RaceMemory {
    GapMemory gap;
    PairCache point;
};

struct PairState {
    PairCache cache;
    const PairAlgorithm* pool_owner = nullptr;  ///< for whom the pool was made
    std::unique_ptr<std::byte[]> pool;
    std::uint64_t data = 0;            ///< Interest::data as of the last test
    std::unique_ptr<RaceMemory> race;  ///< null until there was a race
    std::uint32_t work = 0;            ///< steps of the last test that was finished; 0: not known
    bool colliding = false;
};

/// Pairs sorted by key; their states stay where they are while a pass runs. Memory is kept between passes.
class PairTable {
  public:
    /// A pair that is not in the table any more and was colliding.
    struct Ended {
        PairKey key;
        std::uint64_t data;
    };

    std::span<const PairKey> keys() const { return keys_; }
    PairState& state(std::uint32_t index) { return states_[index]; }
    const std::vector<Ended>& ended() const { return ended_; }

    /// Follows a pass's candidates (sorted): calls wanted(key) for each, in order, which returns the interest
    /// or null; wanted pairs are entered or found, and test(key, state index, interest) is called. A pair
    /// that is not among the candidates is dropped when touched(slot) holds for one of its bodies, and stays
    /// as it is otherwise.
    template <class Wanted, class Touched, class Test>
    void follow(std::span<const PairKey> candidates, Wanted&& wanted, Touched&& touched, Test&& test) {
        begin_merge();
        std::size_t old = 0;
        for (const PairKey key : candidates) {
            for (; old < keys_.size() && keys_[old] < key; ++old) keep_or_drop(old, touched);
            const bool known = old < keys_.size() && keys_[old] == key;
            const Interest* const interest = wanted(key);
            if (interest) {
                const std::uint32_t index = known ? indices_[old] : take_state();
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

    /// Forgets what algorithms have cached; verdicts stay.
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
    std::uint32_t take_state();
    void end_merge();

    std::vector<PairKey> keys_, next_keys_;
    std::vector<std::uint32_t> indices_, next_indices_;  ///< into states_
    std::vector<PairState> states_;
    std::vector<std::uint32_t> free_states_;
    std::vector<Ended> ended_;
};

}  // namespace claybox::collision
