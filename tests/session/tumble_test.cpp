// The sweep of two tumbling bodies over distances.

#include "app/session/compare/tumble.hpp"

#include "collision/geometry/primitives/primitives.hpp"

#include <gtest/gtest.h>

namespace claybox::app {
namespace {

PairSubject tumbling_pair() {
    PairSubject out;
    out.a = collision::make_primitive_shape(collision::Primitive::box, 12, 0.1f, 1).value();
    out.b = collision::make_primitive_shape(collision::Primitive::cylinder, 40, 0.2f, 1).value();
    out.world_from_a = collision::to_matrix(collision::Pose{});
    out.world_from_b = collision::to_matrix(collision::Pose{});
    out.world_from_b.m[3] = 5;  // the sweep sets the distance
    return out;
}

TEST(TumbleSweep, every_algorithm_has_a_point_per_distance_and_exact_ones_find_the_same_hits) {
    TumbleSweep sweep;
    sweep.set_steps(150);
    sweep.start(tumbling_pair(), collision::default_settings());
    ASSERT_TRUE(sweep.running());
    int slices = 1;
    while (!sweep.advance(0)) ++slices;
    EXPECT_GE(slices, 1000) << "a slice of no time is one step";
    EXPECT_EQ(sweep.done(), sweep.total());
    ASSERT_GT(sweep.curves().size(), 15u);
    for (std::size_t d = 0; d < TumbleSweep::kDistances; ++d) {
        std::optional<std::uint32_t> solid;
        for (const TumbleCurve& curve : sweep.curves()) {
            ASSERT_EQ(curve.points.size(), TumbleSweep::kDistances);
            const TumblePoint& p = curve.points[d];
            EXPECT_GT(p.mean_ns, 0);
            EXPECT_GE(p.max_ns, p.mean_ns);
            const bool whole = p.queries == 150;  // a slow machine may make fewer steps
            if (!whole || !curve.algorithm->exact || curve.algorithm->meaning != collision::Meaning::solid)
                continue;
            if (!solid) solid = p.colliding;
            EXPECT_EQ(p.colliding, *solid) << curve.algorithm->id;
        }
        ASSERT_TRUE(solid);
        if (d == 0) {
            EXPECT_EQ(*solid, 150u) << "deep inside each other";
        }
        if (d + 1 == TumbleSweep::kDistances) {
            EXPECT_EQ(*solid, 0u) << "beyond the bounding spheres";
        }
    }
}

TEST(TumbleSweep, a_cancelled_sweep_keeps_its_points) {
    TumbleSweep sweep;
    sweep.set_steps(20);
    sweep.start(tumbling_pair(), collision::default_settings());
    while (sweep.done() < 5) sweep.advance(0);
    sweep.cancel();
    EXPECT_FALSE(sweep.advance(1));
    EXPECT_EQ(sweep.done(), 5u);
    EXPECT_FALSE(sweep.curves().front().points.empty());
    sweep.clear();
    sweep.start({}, collision::default_settings());
    EXPECT_FALSE(sweep.running()) << "there are no bodies";
}

}  // namespace
}  // namespace claybox::app
