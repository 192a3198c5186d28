#include "collision/jobs/pair_collector.hpp"

#include <algorithm>

namespace claybox::collision {

void PairCollector::begin(unsigned workers) {
    if (workers_.size() < workers) workers_.resize(workers);
    for (Worker& worker : workers_) {
        worker.pairs.clear();
        worker.raw = 0;
    }
}

std::uint64_t PairCollector::raw() const {
    std::uint64_t sum = 0;
    for (const Worker& worker : workers_) sum += worker.raw;
    return sum;
}

// A counting sort by the first slot and small sorts inside: linear, where a sort of all pairs would cost as
// much as finding them.
void PairCollector::finish(std::size_t slot_count, std::vector<PairKey>& out) {
    place_.assign(slot_count + 1, 0);
    for (const Worker& worker : workers_)
        for (const PairKey key : worker.pairs) ++place_[first_slot(key) + 1];
    for (std::size_t slot = 0; slot < slot_count; ++slot) place_[slot + 1] += place_[slot];
    out.resize(place_[slot_count]);
    for (const Worker& worker : workers_)
        for (const PairKey key : worker.pairs) out[place_[first_slot(key)]++] = key;
    std::size_t begin = 0;
    for (std::size_t slot = 0; slot < slot_count; ++slot) {
        const std::size_t end = place_[slot];
        if (end - begin > 1)
            std::sort(out.begin() + static_cast<std::ptrdiff_t>(begin),
                      out.begin() + static_cast<std::ptrdiff_t>(end));
        begin = end;
    }
}

std::size_t PairCollector::memory_bytes() const {
    std::size_t bytes = workers_.capacity() * sizeof(Worker) + place_.capacity() * sizeof(std::uint32_t);
    for (const Worker& worker : workers_) bytes += worker.pairs.capacity() * sizeof(PairKey);
    return bytes;
}

}  // namespace claybox::collision
