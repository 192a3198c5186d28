#pragma once
// The plain cell table, divided into shards that several workers change in parallel (Zachmann 1994, chapter
// 6, proposes a lock per cell). No locks: first, workers record the changes of their bodies per shard; then
// one worker per shard applies them.

#include "collision/broadphase/grid/grid_cells.hpp"
#include "collision/jobs/executor.hpp"

namespace claybox::collision {

/// As CellTable. The order within a cell's list depends on the workers; reported pairs do not.
class ShardedCellTable {
  public:
    static constexpr std::size_t kShards = 16;

    void add(CellKey key, std::uint32_t slot) { shard_of(key).add(key, slot); }
    std::uint64_t remove_outside(std::uint32_t slot, const CellBox& from, const CellBox& to);
    std::uint64_t remove_all(std::uint32_t slot, const CellBox& from);
    void clear();

    /// A cell entered or left by a body.
    struct Change {
        CellKey key;
        std::uint32_t slot;
        bool entered;
    };
    /// The changes recorded by one worker in one update.
    struct alignas(kCacheLine) Changes {
        std::array<std::vector<Change>, kShards> of_shard;
        std::uint64_t unchanged = 0;  ///< bodies without a change

        void record(CellKey key, std::uint32_t slot, bool entered) {
            of_shard[shard_number(key)].push_back({key, slot, entered});
        }
    };
    /// Returns empty change lists, one per worker.
    std::span<Changes> begin_changes(unsigned workers);
    /// Applies all recorded changes. Returns their number.
    std::uint64_t apply_changes(Executor& executor);

    template <class Visit>
    void for_each(CellKey key, Visit&& visit) const {
        shards_[shard_number(key)].for_each(key, visit);
    }
    std::size_t places() const;
    /// Calls visit(table, first, last) for the parts of the shards that make up places [begin, end).
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
    /// The top bits of the hash: the tables use the low bits.
    static std::size_t shard_number(CellKey key) { return mix64(key) >> 60; }
    CellTable& shard_of(CellKey key) { return shards_[shard_number(key)]; }

    std::array<CellTable, kShards> shards_;
    std::vector<Changes> changes_;  ///< by worker
};

}  // namespace claybox::collision
