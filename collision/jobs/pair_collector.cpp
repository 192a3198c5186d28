#include "collision/jobs/pair_collector.hpp"

#include <algorithm>
#include <bit>

namespace claybox::collision {

void PairCollector::begin(unsigned workers) {
    if (workers_.size() < workers) workers_.resize(workers);
    // Who gathers how much is chance, up to one worker all of it: room is made here for that, so that no
    // worker has to make it in the loop.
    std::size_t all = 0;
    for (const Worker& worker : workers_) all += worker.pairs.size();
    for (Worker& worker : workers_) {
        worker.pairs.clear();
        worker.pairs.reserve(std::bit_ceil(all));
        worker.raw = 0;
    }
}

std::uint64_t PairCollector::raw() const {
    std::uint64_t sum = 0;
    for (const Worker& worker : workers_) sum += worker.raw;
    return sum;
}

namespace {

/// Of so many slots at least one has a pair, or sorting the pairs is quicker than counting by slot.
constexpr std::size_t kSlotsPerPair = 16;
constexpr std::size_t kFewKeys = 16;

/// Nearly sorted already: no key is farther from its place than its slot has pairs.
void insert_keys(PairKey* first, PairKey* last) {
    for (PairKey* next = first; next < last; ++next) {
        const PairKey key = *next;
        PairKey* to = next;
        for (; to > first && to[-1] > key; --to) *to = to[-1];
        *to = key;
    }
}

}  // namespace

// A counting sort by the first slot and small sorts inside: linear, where a sort of all pairs would cost as
// much as finding them.
void PairCollector::finish(std::size_t slot_count, std::vector<PairKey>& out) {
    std::size_t pairs = 0;
    for (const Worker& worker : workers_) pairs += worker.pairs.size();
    if (pairs * kSlotsPerPair < slot_count) {
        out.clear();
        for (const Worker& worker : workers_) out.insert(out.end(), worker.pairs.begin(), worker.pairs.end());
        std::sort(out.begin(), out.end());
        return;
    }
    place_.assign(slot_count + 1, 0);
    for (const Worker& worker : workers_)
        for (const PairKey key : worker.pairs) ++place_[first_slot(key) + 1];
    std::uint32_t most = 0;
    for (std::size_t slot = 0; slot < slot_count; ++slot) {
        most = std::max(most, place_[slot + 1]);
        place_[slot + 1] += place_[slot];
    }
    out.resize(place_[slot_count]);
    for (const Worker& worker : workers_)
        for (const PairKey key : worker.pairs) out[place_[first_slot(key)]++] = key;
    // As a whole, not slot by slot: how many pairs a slot has is chance, and each wrong guess of the
    // processor costs as much as several keys.
    if (most <= kFewKeys) {
        insert_keys(out.data(), out.data() + out.size());
        return;
    }
    std::size_t begin = 0;
    for (std::size_t slot = 0; slot < slot_count; begin = place_[slot++])
        std::sort(out.data() + begin, out.data() + place_[slot]);
}

std::size_t PairCollector::memory_bytes() const {
    std::size_t bytes = workers_.capacity() * sizeof(Worker) + place_.capacity() * sizeof(std::uint32_t);
    for (const Worker& worker : workers_) bytes += worker.pairs.capacity() * sizeof(PairKey);
    return bytes;
}

}  // namespace claybox::collision
