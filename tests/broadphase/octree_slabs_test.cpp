// The octree of slabs, with bodies whose slabs are tighter than their boxes.
#include "collision/broadphase/broad_phase.hpp"
#include "collision/core/random.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace claybox::collision {
namespace {

/// Rotated rods with their 14-DOPs.
struct Rods {
    void place(std::uint32_t slot, double reach) {
        if (slot >= boxes.size()) boxes.resize(slot + 1), dops.resize(slot + 1);
        const Aabb local{{-1.0f, -0.05f, -0.05f}, {1.0f, 0.05f, 0.05f}};
        const Matrix34f m = to_matrix({random_rotation(random, 0, 3), random.vector(0, reach)});
        boxes[slot] = transform_aabb(m, local);
        dops[slot] = transform_k_dop(m, local);
    }
    WorldBounds bounds(bool with_slabs = true) const {
        WorldBounds out(boxes);
        if (with_slabs) out.k_dops = dops;
        return out;
    }
    Random random{91};
    std::vector<Aabb> boxes;
    std::vector<KDop> dops;
};

std::unique_ptr<BroadPhase> create(const char* id, double universe, double depth) {
    const BroadPhaseDescriptor& descriptor = *find_broad_phase(id);
    ParameterValues values = default_values(descriptor.parameters);
    values[0] = universe;
    values[1] = depth;
    return descriptor.create(values);
}

TEST(OctreeSlabs, Z_5_6_slab_finds_all_pairs_whose_slabs_overlap_at_any_depth_and_universe) {
    const auto executor = make_thread_executor(3);
    for (const double universe : {0.0, 0.5, 12.0, 500.0})
        for (const double depth : {1.0, 3.0, 8.0}) {
            const auto tested = create("octree_slabs", universe, depth),
                       reference = create("all_pairs", 0, 0);
            Rods rods;
            std::vector<std::uint32_t> moved(200);
            std::iota(moved.begin(), moved.end(), 0u);
            for (const std::uint32_t slot : moved) {
                rods.place(slot, 6);
                tested->insert(slot);
                reference->insert(slot);
            }
            std::vector<PairKey> found, expected;
            std::size_t pairs = 0, dropped = 0;
            for (int frame = 0; frame < 40; ++frame) {
                for (BroadPhase* phase : {tested.get(), reference.get()})
                    phase->update(moved, rods.bounds(), *executor);
                tested->find_pairs(moved, rods.bounds(), *executor, found);
                reference->find_pairs(moved, rods.bounds(), *executor, expected);
                dropped += expected.size();
                filter_pairs(rods.bounds(), kKDopBounds, expected);
                dropped -= expected.size();
                pairs += found.size();
                ASSERT_EQ(found, expected) << universe << " " << depth << " frame " << frame;
                moved.clear();
                for (std::uint32_t slot = 0; slot < 200; ++slot)
                    if (rods.random.below(3) == 0) rods.place(slot, 6), moved.push_back(slot);
            }
            EXPECT_GT(pairs, 1000u);
            EXPECT_GT(dropped, pairs / 4) << "slabs drop pairs of boxes";
        }
}

TEST(OctreeSlabs, Z_5_6_slab_diagonal_planes_save_comparisons_at_the_same_depth) {
    const auto executor = make_serial_executor();
    Rods rods;
    std::vector<std::uint32_t> all(2000);
    std::iota(all.begin(), all.end(), 0u);
    for (const std::uint32_t slot : all) rods.place(slot, 20);
    // Infinite slabs leave only the three planes of the octree.
    Rods unbounded = rods;
    for (KDop& dop : unbounded.dops) dop.low.fill(-1e30f), dop.high.fill(1e30f);
    std::uint64_t raw[2];
    for (const bool with_slabs : {false, true}) {
        const auto phase = create("octree_slabs", 40, 3);
        for (const std::uint32_t slot : all) phase->insert(slot);
        const WorldBounds bounds = with_slabs ? rods.bounds() : unbounded.bounds();
        std::vector<PairKey> found;
        phase->update(all, bounds, *executor);
        phase->find_pairs(all, bounds, *executor, found);
        raw[with_slabs] = phase->counts().raw_candidates;
    }
    EXPECT_LT(3 * raw[1], 2 * raw[0]);
}

}  // namespace
}  // namespace claybox::collision
