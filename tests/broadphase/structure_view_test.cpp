// Boxes kept by structure views, and placement of interval bars.

#include "collision/broadphase/structure_view.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace claybox::collision {
namespace {

Aabb unit_at(float x) {
    return {{x, 0, 0}, {x + 1, 1, 1}};
}

TEST(StructureView, keeps_at_most_the_limit_spread_over_all_boxes) {
    for (const std::uint32_t limit : {1u, 7u, 64u, 1000u}) {
        StructureView view;
        view.begin({limit});
        for (int i = 0; i < 999; ++i) view.add(unit_at(static_cast<float>(i)), 0);
        EXPECT_EQ(view.total(), 999u);
        ASSERT_LE(view.boxes().size(), limit);
        EXPECT_GE(2 * view.boxes().size(), std::min<std::size_t>(limit, 999));
        const float step = limit < 999 && limit > 1 ? view.boxes()[1].box.min.x : 1;
        for (std::size_t i = 0; i < view.boxes().size(); ++i)
            EXPECT_EQ(view.boxes()[i].box.min.x, step * static_cast<float>(i)) << "evenly spaced";
        EXPECT_GT(view.boxes().back().box.min.x + 2 * step, limit == 1 ? 0.0f : 998.0f);
    }
}

TEST(StructureView, one_level_can_be_shown_and_all_levels_are_counted) {
    StructureView view;
    view.begin({100, 2});
    for (std::uint32_t i = 0; i < 30; ++i) view.add(unit_at(static_cast<float>(i)), i % 5);
    EXPECT_EQ(view.levels(), 5u);
    ASSERT_EQ(view.boxes().size(), 6u);
    for (const ViewBox& box : view.boxes()) EXPECT_EQ(box.level, 2u);
    view.begin({});
    view.add(unit_at(0), 0);
    EXPECT_TRUE(view.boxes().empty());
}

TEST(IntervalBars, overlapping_bars_use_different_lanes_and_lanes_are_reused) {
    StructureView view;
    view.begin({100});
    IntervalBars bars({{0, 0, 0}, {10, 1, 4}});
    for (const auto& [low, high] : {std::pair{0.f, 3.f}, {1.f, 2.f}, {2.f, 5.f}, {3.5f, 4.f}, {6.f, 9.f}})
        bars.add(low, high);
    bars.show(0, view);
    std::vector<float> lanes;
    for (const auto& [box, axis] : view.boxes()) {
        EXPECT_EQ(axis, 0u);
        EXPECT_GT(box.min.z, 4) << "in front of the bodies";
        EXPECT_EQ(box.min.z, box.max.z);
        lanes.push_back(box.min.z);
    }
    ASSERT_EQ(lanes.size(), 5u);
    EXPECT_LT(lanes[0], lanes[1]);
    EXPECT_LT(lanes[1], lanes[2]) << "intervals that touch overlap";
    EXPECT_EQ(lanes[3], lanes[0]);
    EXPECT_EQ(lanes[4], lanes[0]);
}

}  // namespace
}  // namespace claybox::collision
