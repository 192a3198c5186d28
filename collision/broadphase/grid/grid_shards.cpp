#include "collision/broadphase/grid/grid_shards.hpp"

namespace claybox::collision {

std::uint64_t ShardedCellTable::remove_outside(std::uint32_t slot, const CellBox& from, const CellBox& to) {
    std::uint64_t removed = 0;
    from.for_each([&](auto x, auto y, auto z) {
        if (to.contains(x, y, z)) return;
        const CellKey key = make_cell_key(x, y, z);
        shard_of(key).remove(key, slot);
        ++removed;
    });
    return removed;
}

std::uint64_t ShardedCellTable::remove_all(std::uint32_t slot, const CellBox& from) {
    std::uint64_t removed = 0;
    from.for_each([&](auto x, auto y, auto z) {
        const CellKey key = make_cell_key(x, y, z);
        shard_of(key).remove(key, slot);
        ++removed;
    });
    return removed;
}

void ShardedCellTable::clear() {
    for (CellTable& shard : shards_) shard.clear();
}

std::span<ShardedCellTable::Changes> ShardedCellTable::begin_changes(unsigned workers) {
    if (changes_.size() < workers) changes_.resize(workers);
    for (Changes& of_worker : changes_) {
        for (auto& changes : of_worker.of_shard) changes.clear();
        of_worker.unchanged = 0;
    }
    return changes_;
}

std::uint64_t ShardedCellTable::apply_changes(Executor& executor) {
    executor.parallel_for(kShards, 1, [&](std::size_t begin, std::size_t end, unsigned) {
        for (std::size_t s = begin; s < end; ++s)
            for (const Changes& of_worker : changes_)
                for (const Change& c : of_worker.of_shard[s])
                    c.entered ? shards_[s].add(c.key, c.slot) : shards_[s].remove(c.key, c.slot);
    });
    std::uint64_t count = 0;
    for (const Changes& of_worker : changes_)
        for (const auto& of_shard : of_worker.of_shard) count += of_shard.size();
    return count;
}

std::size_t ShardedCellTable::places() const {
    std::size_t out = 0;
    for (const CellTable& shard : shards_) out += shard.places();
    return out;
}

std::size_t ShardedCellTable::memory_bytes() const {
    std::size_t out = changes_.capacity() * sizeof(Changes);
    for (const CellTable& shard : shards_) out += shard.memory_bytes();
    for (const Changes& of_worker : changes_)
        for (const auto& changes : of_worker.of_shard) out += changes.capacity() * sizeof(Change);
    return out;
}

}  // namespace claybox::collision
