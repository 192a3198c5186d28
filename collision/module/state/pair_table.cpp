#include "collision/module/state/pair_table.hpp"

namespace claybox::collision {

void PairTable::begin_merge() {
    next_keys_.clear();
    next_indices_.clear();
    ended_.clear();
}

void PairTable::drop(std::size_t old) {
    PairState& state = states_[indices_[old]];
    if (state.colliding) ended_.push_back({keys_[old], state.data});
    state.colliding = state.along = false;
    state.cache.clear();
    state.work = 0;
    free_states_.push_back(indices_[old]);
}

std::uint32_t PairTable::acquire_state() {
    if (free_states_.empty()) {
        states_.emplace_back();
        free_states_.reserve(states_.capacity());
        return static_cast<std::uint32_t>(states_.size() - 1);
    }
    const std::uint32_t index = free_states_.back();
    free_states_.pop_back();
    return index;
}

void PairTable::end_merge() {
    keys_.swap(next_keys_);
    indices_.swap(next_indices_);
}

void PairTable::clear_caches() {
    for (PairState& state : states_) {
        state.cache.clear();
        state.cache.set_pool({});
        state.pool.reset();
        state.pool_owner = nullptr;
        state.work = 0;
    }
}

std::size_t PairTable::memory_bytes() const {
    return (keys_.capacity() + next_keys_.capacity()) * sizeof(PairKey) +
           (indices_.capacity() + next_indices_.capacity() + free_states_.capacity()) *
               sizeof(std::uint32_t) +
           states_.capacity() * sizeof(PairState) + ended_.capacity() * sizeof(Ended);
}

}  // namespace claybox::collision
