// Compares the exact linear program with the ground truth and with the exact walk, which shares no steps with
// it.

#include "collision/exact/solid_lp.hpp"

#include "collision/core/random.hpp"
#include "tests/exact/cloud.hpp"
#include "tests/support/truth.hpp"

#include <gtest/gtest.h>

#include <map>

namespace claybox::collision {
namespace {

using Answer = LpDecision::Answer;

/// Runs the linear program and checks its certificate.
LpDecision decide(const Cloud& a, const Cloud& b, const LpRules& rules) {
    const LpDecision d = decide_solid_lp(a.side(), b.side(), rules);
    EXPECT_NE(d.answer, Answer::none);
    EXPECT_TRUE(certify_solid(a.side(), b.side(), d.certificate));
    EXPECT_EQ(d.certificate.kind == CertificateKind::separating_axis, d.answer == Answer::separated);
    if (rules.arithmetic == LpArithmetic::rational) {
        EXPECT_GT(d.exact_signs, 0u);
    }
    return d;
}

constexpr LpRules kAllRules[] = {{LpArithmetic::filtered, LpPricing::steepest},
                                 {LpArithmetic::filtered, LpPricing::bland},
                                 {LpArithmetic::rational, LpPricing::steepest},
                                 {LpArithmetic::rational, LpPricing::bland}};

TEST(SolidLp, agrees_with_the_ground_truth_in_both_orders_with_all_rules) {
    std::uint32_t queries = 0, max_pivots = 0;
    for (const auto& q : test::truth_lines("convex.jsonl")) {
        const Cloud a = read_cloud(q["a"], q["matrix_a"]), b = read_cloud(q["b"], q["matrix_b"]);
        const bool small = a.hull.vertex_count + b.hull.vertex_count <= 40;
        const Answer want = q["collide"].get<bool>() ? Answer::colliding : Answer::separated;
        for (const LpRules& rules : kAllRules) {
            const bool plain =
                rules.arithmetic == LpArithmetic::filtered && rules.pricing == LpPricing::steepest;
            if (!plain && !small) continue;
            const LpDecision d = decide(a, b, rules);
            EXPECT_EQ(d.answer, want) << q["id"];
            EXPECT_EQ(decide(b, a, rules).answer, want) << q["id"];
            if (plain) max_pivots = std::max(max_pivots, d.pivots);
            queries += 2;
        }
    }
    EXPECT_GT(queries, 2000u);
    std::printf("%u queries, at most %u pivots\n", queries, max_pivots);
}

/// Few points on a small grid, often repeated, collinear or coplanar. They produce many touching pairs and
/// degenerate bases.
std::vector<Vec3f> lattice_points(Random& random, std::uint64_t dimension) {
    std::vector<Vec3f> out(1 + random.below(9));
    for (Vec3f& p : out) {
        for (std::size_t k = 0; k < dimension; ++k) p[k] = static_cast<float>(random.below(4)) - 1.5f;
    }
    return out;
}

Matrix34f lattice_matrix(Random& random) {
    Matrix34f m;
    for (float& entry : m.m) entry = static_cast<float>(random.below(5)) - 2.0f;  // often singular
    for (std::size_t i : {3u, 7u, 11u}) m.m[i] = static_cast<float>(random.below(3)) - 1.0f;
    return m;
}

TEST(SolidLp, lattice_sets_of_every_dimension_agree_with_the_exact_walk) {
    Random random(41);
    std::uint32_t colliding = 0, degenerate = 0, bland = 0;
    constexpr int kPairs = 6000;
    for (int i = 0; i < kPairs; ++i) {
        const auto lattice_cloud = [&] {
            const Matrix34f matrix = lattice_matrix(random);
            return make_cloud(lattice_points(random, std::min<std::uint64_t>(3, random.below(6))), matrix);
        };
        const Cloud a = lattice_cloud(), b = lattice_cloud();
        const bool want = decide_solid_exact(a.side(), b.side()).colliding;
        for (const LpRules& rules : kAllRules) {
            const LpDecision d = decide(a, b, rules);
            EXPECT_EQ(d.answer == Answer::colliding, want) << i;
            degenerate += d.degenerate_pivots;
            bland += d.bland_pivots;
        }
        colliding += want ? 1 : 0;
    }
    EXPECT_GT(colliding, kPairs * 2 / 10);
    EXPECT_LT(colliding, kPairs * 8 / 10);
    EXPECT_GT(degenerate, 1000u);
    EXPECT_GT(bland, 1000u);
}

TEST(SolidLp, one_ulp_decides_between_touching_and_separated) {
    std::vector<Vec3f> corners;
    for (int i = 0; i < 8; ++i)
        corners.push_back(
            {(i & 1) != 0 ? 1.0f : -1.0f, (i & 2) != 0 ? 1.0f : -1.0f, (i & 4) != 0 ? 1.0f : -1.0f});
    Matrix34f touching, apart;
    touching.m[3] = touching.m[7] = touching.m[11] = 2;
    apart = touching;
    apart.m[7] = std::nextafter(2.0f, 3.0f);
    const Cloud box = make_cloud(corners);
    for (const LpRules& rules : kAllRules) {
        EXPECT_EQ(decide(box, make_cloud(corners, touching), rules).answer, Answer::colliding);
        EXPECT_EQ(decide(box, make_cloud(corners, apart), rules).answer, Answer::separated);
    }
}

TEST(SolidLp, all_magnitudes_are_decided) {
    Random random(43);
    std::uint32_t colliding = 0;
    constexpr int kPairs = 1500;
    for (int i = 0; i < kPairs; ++i) {
        Cloud cloud[2];
        for (Cloud& c : cloud) {
            std::vector<Vec3f> points(2 + random.below(9));
            const double reach = std::exp2(random.uniform(-149, 60));
            for (Vec3f& p : points) p = cast<float>(random.vector(0, reach));
            Matrix34f m;
            const double scale = std::exp2(random.uniform(-149, 60));
            for (float& entry : m.m) entry = static_cast<float>(random.uniform(-scale, scale));
            c = make_cloud(points, m);
        }
        const bool want = decide_solid_exact(cloud[0].side(), cloud[1].side()).colliding;
        for (const LpRules& rules : kAllRules)
            EXPECT_EQ(decide(cloud[0], cloud[1], rules).answer == Answer::colliding, want) << i;
        decide_solid_lp(cloud[0].side(), cloud[1].side(), {LpArithmetic::rounded, LpPricing::steepest});
        colliding += want ? 1 : 0;
    }
    EXPECT_GT(colliding, 20u);
}

TEST(SolidLp, pivots_do_not_grow_with_the_number_of_vertices) {
    Random random(44);
    std::vector<Vec3f> points(500);
    for (Vec3f& p : points) p = cast<float>(random.unit_vector());
    std::uint32_t pivots = 0;
    constexpr int kPairs = 100;
    for (int i = 0; i < kPairs; ++i) {
        Matrix34f m = to_matrix({axis_angle(random.unit_vector(), 1), random.vector(1.9, 2.05)});
        pivots += decide(make_cloud(points), make_cloud(points, m), {}).pivots;
    }
    EXPECT_LT(pivots, 20u * kPairs);
}

}  // namespace
}  // namespace claybox::collision
