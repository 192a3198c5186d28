// The searches and proofs that linear motion of convex bodies is made of.

#include "collision/continuous/best/gap_along.hpp"
#include "collision/continuous/linear/linear_pair.hpp"
#include "collision/continuous/linear/piercing.hpp"
#include "collision/pairwise/support/hill_climb.hpp"
#include "collision/pairwise/support/small_scan.hpp"
#include "collision/simd/support_scan.hpp"
#include "tests/continuous/motions.hpp"

#include <cmath>
#include <limits>

namespace claybox::test {
namespace {

ConvexHull random_hull(Random& random, int points, double size) {
    std::vector<Vec3f> out;
    for (int i = 0; i < points; ++i) out.push_back(cast<float>(size * random.unit_vector()));
    return convex_hull(out).value();
}

TEST(LinearSearch, quick_climbs_and_small_scans_find_the_vertex_of_a_full_scan) {
    Random random(7);
    const float infinity = std::numeric_limits<float>::infinity();
    for (const int points : {4, 7, 20, 32, 70, 200, 900}) {
        const ConvexHull hull = random_hull(random, points, 3);
        const QuickClimb climb(hull);
        const auto count = static_cast<std::uint32_t>(hull.x.size());
        for (int i = 0; i < 2000; ++i) {
            const Vec3f d = cast<float>(random.unit_vector());
            const std::uint32_t best = support_scan(hull.x.data(), hull.y.data(), hull.z.data(), count, d);
            if (hull.vertex_count <= kSmallScan) {
                EXPECT_EQ(scan_small(hull, d), best);
            }
            const float height = value_along(hull, d, climb.furthest(d));
            EXPECT_GE(height, value_along(hull, d, best) - 1e-5f);
        }
        for (const Vec3f& d : {Vec3f{}, Vec3f{0, 0, -1}, Vec3f{infinity, 0, 0}, Vec3f{NAN, 1, 0}}) {
            EXPECT_LT(climb.furthest(d), hull.vertex_count);
            if (hull.vertex_count <= kSmallScan) {
                EXPECT_LT(scan_small(hull, d), hull.vertex_count);
            }
        }
    }
}

TEST(LinearSearch, a_direction_of_size_one_differs_by_a_power_of_two) {
    for (const double scale : {1.0, 3e-200, 7e250, 0.4}) {
        const Vec3d v = scale * Vec3d{0.3, -1, 0.25}, n = with_size_one(v);
        EXPECT_GE(std::abs(n.y), 1);
        EXPECT_LT(std::abs(n.y), 2);
        EXPECT_EQ(n.x * v.y, n.y * v.x);
        int exponent;
        EXPECT_EQ(std::frexp(n.y / v.y, &exponent), 0.5);
    }
    for (const Vec3d& v : {Vec3d{}, Vec3d{HUGE_VAL, 1, 1}, Vec3d{1e-310, 0, 0}})
        EXPECT_EQ(with_size_one(v), (Vec3d{1, 0, 0}));
}

TEST(LinearSearch, one_bound_and_running_bounds_agree_on_piercings) {
    Random random(8);
    int certain = 0;
    for (int round = 0; round < 300; ++round) {
        const double size = std::pow(10.0, random.uniform(-4, 4));
        const ConvexHull hull_a = random_hull(random, 6, size), hull_b = random_hull(random, 6, size);
        Aabb box_a, box_b;
        for (std::uint32_t v = 0; v < hull_a.vertex_count; ++v) box_a.add(hull_a.vertex(v));
        for (std::uint32_t v = 0; v < hull_b.vertex_count; ++v) box_b.add(hull_b.vertex(v));
        const Vec3d at_a = size * random.uniform(0, 5) * random.unit_vector();
        const Vec3d at_b = size * random.uniform(0, 5) * random.unit_vector();
        const Matrix34f world_a = to_matrix({random_rotation(random, 0, 3), at_a});
        const Matrix34f world_b = to_matrix({random_rotation(random, 0, 3), at_b});
        const SolidSide a{&hull_a, &world_a, &box_a}, b{&hull_b, &world_b, &box_b};
        const SolidSweep sweep{cast<float>(at_a), cast<float>(2.0 * at_a - at_b)};
        for (int i = 0; i < 100; ++i) {
            VertexPair pairs[4];
            for (VertexPair& p : pairs)
                p = {static_cast<std::uint32_t>(random.uniform(0, hull_a.vertex_count)),
                     static_cast<std::uint32_t>(random.uniform(0, hull_b.vertex_count))};
            const Piercing one = pierce_with_one_bound(a, b, sweep, pairs);
            const Piercing running = pierce_with_running_bounds(a, b, sweep, pairs);
            if (!one.is_certain) continue;
            ++certain;
            ASSERT_TRUE(running.is_certain);
            EXPECT_GE(one.time_high, running.time_high * (1 - 1e-15));
            EXPECT_LT(one.time_high - running.time_high, 1e-9);
            EXPECT_GT(dot(one.normal, running.normal), 0);
        }
    }
    EXPECT_GT(certain, 100);
}

TEST(LinearSearch, a_step_along_a_direction_keeps_the_bodies_apart) {
    Random random(9);
    int steps = 0;
    for (const MovingPair& p : screw_pairs(300, 44)) {
        Scratch scratch;
        const ContinuousQuery query = make_query(p, scratch);
        const Vec3d origin = cast<double>(query.pair.a.world_from_body.translation());
        AdvanceSide a(query.pair.a, query.motion_a, origin), b(query.pair.b, query.motion_b, origin);
        a.move_to(0);
        b.move_to(0);
        const Vec3d n =
            normalized(b.at.base + b.centre() - a.at.base - a.centre() + 0.2 * random.unit_vector());
        a.furthest(n);
        b.furthest(-n);
        GapAlong gap(a, b, n, 0);
        if (!(gap.now() > 0)) continue;
        ++steps;
        const double step = longest_step(gap, 1, 1e-3, 0);
        EXPECT_LE(step, 1);
        for (int i = 0; i <= 50; ++i) {
            double slope;
            EXPECT_GE(gap.after(step * i / 50, slope), -1e-12);
        }
    }
    EXPECT_GT(steps, 50);
}

}  // namespace
}  // namespace claybox::test
