#pragma once
// The plain cell table in shards, so that several workers can change it at once (Zachmann 1994, chapter 6,
// proposes a lock for each cell). Here no lock is needed: first the workers write down the changes of their
// bodies, by shard; then each shard is changed by one worker.

#include "collision/broadphase/grid_cells.hpp"
#include "collision/jobs/executor.hpp"

namespace claybox::collision {

/// As CellTable. The order in a cell's list depends on who wrote down what; nothing that is told does.
class ShardedCellTable {
  public:
    static constexpr std::size_t kShards = 16;

    void add(CellKey key, std::uint32_t slot) { shard_of(key).add(key, slot); }
    std::uint64_t remove_outside(std::uint32_t slot, const CellBox& from, const CellBox& to);
    std::uint64_t remove_all(std::uint32_t slot, const CellBox& from);
    void clear();

    /// A worker's changes of one update.
    struct Change {
        CellKey key;
        std::uint32_t slot;
        bool entered;
    };
    struct alignas(kCacheLine) Notes {
        std::array<std::vector<Change>, kShards> of_shard;
        std::uint64_t unchanged = 0;  ///< bodies

        void note(CellKey key, std::uint32_t slot, bool entered) {
            of_shard[shard_number(key)].push_back({key, slot, entered});
        }
    };
    /// For so many workers, without changes.
    std::span<Notes> begin_notes(unsigned workers);
    /// Makes all that was noted; how many changes there were.
    std::uint64_t apply_notes(Executor& executor);

    template <class Visit>
    void for_each(CellKey key, Visit&& visit) const {
        shards_[shard_number(key)].for_each(key, visit);
    }
    std::size_t places() const;
    /// Calls visit(table, begin, end) with the tables and their places that places [begin, end) are.
    template <class Visit>
    void for_tables(std::size_t begin, std::size_t end, Visit&& visit) const {
        std::size_t first = 0;
        for (const CellTable& shard : shards_) {
            const std::size_t last = first + shard.places();
            if (begin < last && first < end)
                visit(shard, begin > first ? begin - first : 0, (end < last ? end : last) - first);
            first = last;
        }
    }
    template <class Visit>
    void for_each_cell(Visit&& visit) const {
        for (const CellTable& shard : shards_) shard.for_each_cell(visit);
    }
    std::size_t memory_bytes() const;

  private:
    /// Bits of the hash that the tables themselves do not use until they are very large.
    static std::size_t shard_number(CellKey key) { return mix64(key) >> 60; }
    CellTable& shard_of(CellKey key) { return shards_[shard_number(key)]; }

    std::array<CellTable, kShards> shards_;
    std::vector<Notes> notes_;  ///< by worker
};

}  // namespace claybox::collision
