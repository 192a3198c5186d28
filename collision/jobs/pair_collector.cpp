#include "collision/jobs/pair_collector.hpp"

#include <algorithm>
#include <bit>

namespace claybox::collision {

void PairCollector::begin(unsigned workers) {
    if (workers_.size() < workers) workers_.resize(workers);
    // Any worker may gather any number of pairs, even all of them. Reserve for that case here, so that no
    // worker allocates inside the loop.
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

/// With more slots per pair than this, sorting the pairs is faster than counting by slot.
constexpr std::size_t kSlotsPerPair = 16;
/// Insertion sort is used when no slot has more pairs than this.
constexpr std::size_t kFewKeys = 16;

/// Insertion sort. The keys are grouped by slot already, so no key moves farther than its slot has pairs.
void insert_keys(PairKey* first, const PairKey* last) {
    for (PairKey* next = first; next < last; ++next) {
        const PairKey key = *next;
        PairKey* to = next;
        for (; to > first && to[-1] > key; --to) *to = to[-1];
        *to = key;
    }
}

}  // namespace

// Counting sort by the first slot, then small sorts inside each slot. Linear; a full sort of the pairs would
// cost as much as finding them.
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
    // Sort all keys in one run instead of slot by slot: pair counts per slot are random, and each branch
    // misprediction costs as much as several keys.
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
