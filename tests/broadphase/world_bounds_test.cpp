// Finer bounds used by broad phases and passes to drop pairs.
#include "collision/broadphase/world_bounds.hpp"

#include <gtest/gtest.h>

namespace claybox::collision {
namespace {

TEST(WorldBounds, pairs_are_dropped_by_available_bounds_of_the_given_kinds) {
    const std::vector<Aabb> boxes(3, Aabb{{0, 0, 0}, {1, 1, 1}});
    const std::vector<Sphere> spheres{{{0, 0, 0}, 1}, {{2, 0, 0}, 1}, {{2.5f, 0, 0}, 1}};
    std::vector<KDop> k_dops(3, diagonals_of(boxes[0]));
    k_dops[1] = diagonals_of({{9, 9, 9}, {10, 10, 10}});
    const std::vector<OrientedBox> oriented{orient(boxes[0]), orient(Aabb{{5, 5, 5}, {6, 6, 6}}),
                                            orient(Aabb{{0.5f, 0.5f, 0.5f}, {9, 9, 9}})};
    const std::vector<PairKey> all{make_pair_key(0, 1), make_pair_key(0, 2), make_pair_key(1, 2)};
    const auto left = [&](const WorldBounds& bounds, BoundKinds kinds) {
        std::vector<PairKey> pairs = all;
        filter_pairs(bounds, kinds, pairs);
        return pairs;
    };
    WorldBounds bounds(boxes);
    const BoundKinds every = kSphereBounds | kOrientedBounds | kKDopBounds;
    EXPECT_EQ(left(bounds, every), all) << "no finer bounds available";
    bounds.spheres = spheres;
    bounds.k_dops = k_dops;
    bounds.oriented = oriented;
    EXPECT_EQ(left(bounds, 0), all);
    EXPECT_EQ(left(bounds, kSphereBounds), (std::vector<PairKey>{all[0], all[2]})) << "touching counts";
    EXPECT_EQ(left(bounds, kKDopBounds), std::vector<PairKey>{all[1]});
    EXPECT_EQ(left(bounds, kOrientedBounds), (std::vector<PairKey>{all[1], all[2]}));
    EXPECT_EQ(left(bounds, every), std::vector<PairKey>{});
}

}  // namespace
}  // namespace claybox::collision
