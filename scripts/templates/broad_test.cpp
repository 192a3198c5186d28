// Properties of @id@ in addition to the comparison with all_pairs that tests/broadphase/broad_phase_test.cpp makes for
// every broad phase.
#include "collision/broadphase/broad_phase.hpp"

#include <gtest/gtest.h>

namespace claybox::collision {
namespace {

TEST(@class@, removed_bodies_are_no_longer_reported) {
    const BroadPhaseDescriptor& descriptor = *find_broad_phase("@id@");
    const auto phase = descriptor.create(default_values(descriptor.parameters));
    const auto executor = make_serial_executor();
    const std::vector<Aabb> boxes(2, Aabb{{0, 0, 0}, {1, 1, 1}});
    const std::vector<std::uint32_t> both{0, 1}, first{0};
    WorldBounds bounds;
    bounds.boxes = boxes;
    for (const std::uint32_t slot : both) phase->insert(slot);
    std::vector<PairKey> pairs;
    phase->update(both, bounds, *executor);
    phase->find_pairs(both, bounds, *executor, pairs);
    EXPECT_EQ(pairs, std::vector<PairKey>{make_pair_key(0, 1)});
    phase->remove(1);
    phase->update(first, bounds, *executor);
    phase->find_pairs(first, bounds, *executor, pairs);
    EXPECT_TRUE(pairs.empty());
}

}  // namespace
}  // namespace claybox::collision
