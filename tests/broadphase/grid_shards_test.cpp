// A grid updated by several workers has the same cells and pairs as a grid updated by one.

#include "collision/broadphase/grid/grid_shards.hpp"

#include "collision/broadphase/broad_phase.hpp"
#include "collision/core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace claybox::collision {
namespace {

std::unique_ptr<BroadPhase> make_grid(bool all_workers) {
    const BroadPhaseDescriptor& descriptor = *find_broad_phase("grid");
    ParameterValues values = default_values(descriptor.parameters);
    values[find_parameter(descriptor.parameters, "updates")] = all_workers ? 1 : 0;
    values[find_parameter(descriptor.parameters, "cell_size")] = 1;
    values[find_parameter(descriptor.parameters, "cells_per_body")] = 60;
    return descriptor.create(values);
}

Aabb random_box(Random& random) {
    const auto place = [&] { return static_cast<float>(random.uniform(-8, 8)); };
    const Vec3f low{place(), place(), place()};
    const double size = random.below(20) == 0 ? 6 : 0.8;  // some occupy too many cells
    const auto side = [&] { return static_cast<float>(random.uniform(0.1, size)); };
    return {low, {low.x + side(), low.y + side(), low.z + side()}};
}

/// Two grids in which bodies move, appear and disappear.
class TwinGrids {
  public:
    explicit TwinGrids(unsigned workers) : together_executor_(make_thread_executor(workers)) {}

    void step() {
        for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
            if (random_.below(100) < 3) toggle(slot);
            if (present_[slot] && random_.below(4) != 0) boxes_[slot] = random_box(random_);
        }
        std::vector<std::uint32_t> moved;
        for (std::uint32_t slot = 0; slot < kSlots; ++slot)
            if (present_[slot]) moved.push_back(slot);
        alone_->update(moved, boxes_, *alone_executor_);
        together_->update(moved, boxes_, *together_executor_);
        std::vector<PairKey> pairs, same;
        alone_->find_pairs(moved, boxes_, *alone_executor_, pairs);
        together_->find_pairs(moved, boxes_, *together_executor_, same);
        ASSERT_EQ(pairs, same);
        found_ += pairs.size();
        EXPECT_EQ(alone_->counts().cells_changed, together_->counts().cells_changed);
        EXPECT_EQ(alone_->counts().unchanged, together_->counts().unchanged);
        EXPECT_EQ(alone_->counts().raw_candidates, together_->counts().raw_candidates);
        StructureView cells, same_cells;
        cells.begin({100000});
        same_cells.begin({100000});
        alone_->view(cells);
        together_->view(same_cells);
        EXPECT_EQ(cells.boxes().size(), same_cells.boxes().size());
    }
    std::size_t found() const { return found_; }

  private:
    static constexpr std::uint32_t kSlots = 1200;

    void toggle(std::uint32_t slot) {
        present_[slot] = !present_[slot];
        for (BroadPhase* grid : {alone_.get(), together_.get()})
            present_[slot] ? grid->insert(slot) : grid->remove(slot);
    }

    Random random_{11};
    std::vector<Aabb> boxes_ = std::vector<Aabb>(kSlots, Aabb{{0, 0, 0}, {1, 1, 1}});
    std::vector<unsigned char> present_ = std::vector<unsigned char>(kSlots, 0);
    std::unique_ptr<BroadPhase> alone_ = make_grid(false), together_ = make_grid(true);
    std::unique_ptr<Executor> alone_executor_ = make_serial_executor(), together_executor_;
    std::size_t found_ = 0;
};

TEST(Grid, Z_6_gridpar_update_by_several_workers_gives_the_cells_of_one_worker) {
    for (const unsigned workers : {1u, 2u, 3u, 5u}) {
        TwinGrids grids(workers);
        for (int round = 0; round < 60; ++round) grids.step();
        EXPECT_GT(grids.found(), 1000u);
    }
}

// Each shard is changed by one worker; two at once would lose entries.
TEST(ShardedCellTable, Z_6_gridpar_all_recorded_changes_are_applied) {
    ShardedCellTable table;
    std::map<CellKey, std::set<std::uint32_t>> expected;
    const auto executor = make_thread_executor(3);
    Random random(5);
    for (int round = 0; round < 20; ++round) {
        const auto recorded = table.begin_changes(3);
        std::uint64_t changes = 0;
        for (std::uint32_t i = 0; i < 3000; ++i) {
            const auto c = [&] { return static_cast<std::int32_t>(random.below(9)); };
            const std::int32_t z = c(), y = c(), x = c();
            const CellKey key = make_cell_key(x, y, z);
            const std::uint32_t slot = static_cast<std::uint32_t>(random.below(200));
            if (!expected[key].insert(slot).second) continue;
            recorded[i % 3].record(key, slot, true);
            ++changes;
        }
        ASSERT_EQ(table.apply_changes(*executor), changes);
        for (auto& [key, slots] : expected) {
            std::set<std::uint32_t> there;
            table.for_each(key, [&](std::uint32_t slot) { there.insert(slot); });
            ASSERT_EQ(there, slots);
            if (slots.size() > 50) {
                table.remove_all(
                    *slots.begin(),
                    {{cell_coordinate(key, 0), cell_coordinate(key, 1), cell_coordinate(key, 2)},
                     {cell_coordinate(key, 0), cell_coordinate(key, 1), cell_coordinate(key, 2)}});
                slots.erase(slots.begin());
            }
        }
    }
}

}  // namespace
}  // namespace claybox::collision
