#include "collision/exact/solid.hpp"

#include "collision/core/random.hpp"
#include "tests/exact/cloud.hpp"
#include "tests/support/truth.hpp"

#include <gtest/gtest.h>

#include <map>

namespace claybox::collision {
namespace {

/// The verdict of the exact decision. Checks its certificate, and that rung 2 does not contradict it.
bool decide(const Cloud& a, const Cloud& b) {
    const SolidDecision d = decide_solid_exact(a.side(), b.side());
    EXPECT_TRUE(certify_solid(a.side(), b.side(), d.certificate));
    if (d.colliding) {
        for (int i = 0; i < 3; ++i) {
            std::uint32_t sa = 0, sb = 0;
            const Vec3d axis{i == 0 ? 1.0 : 0.1, i == 1 ? -1.0 : 0.2, i == 2 ? 1.0 : 0.0};
            EXPECT_FALSE(proves_separation(a.side(), b.side(), axis, sa, sb));
        }
    } else {
        VertexPair pairs[4];
        for (std::uint32_t i = 0; i < 4; ++i) pairs[i] = {i % a.hull.vertex_count, i % b.hull.vertex_count};
        EXPECT_FALSE(proves_collision(a.side(), b.side(), pairs));
    }
    return d.colliding;
}

Matrix34f scaling(float s) {
    Matrix34f m;
    for (std::size_t i : {0u, 5u, 10u}) m.m[i] = s;
    return m;
}

TEST(SolidExact, agrees_with_the_ground_truth_in_both_orders) {
    std::map<std::string, std::pair<int, int>> by_class;
    for (const auto& q : test::truth_lines("convex.jsonl")) {
        if (q["a"]["kind"] != "vertices" || q["b"]["kind"] != "vertices") continue;
        const Cloud a = read_cloud(q["a"], q["matrix_a"]), b = read_cloud(q["b"], q["matrix_b"]);
        const bool want = q["collide"];
        auto& [right, all] = by_class[q["class"]];
        all += 2;
        right += decide(a, b) == want;
        right += decide(b, a) == want;
    }
    EXPECT_GT(by_class.size(), 20u);
    for (const auto& [name, count] : by_class) {
        std::printf("%-22s %4d of %4d\n", name.c_str(), count.first, count.second);
        EXPECT_EQ(count.first, count.second) << name;
    }
}

/// Rung 2 on hulls with adjacency: the axis of the ground truth proves nearly every separated pair, from any
/// start vertex, and never a colliding pair. Proofs in double agree with exact ones.
TEST(SolidProof, axes_of_the_ground_truth_are_proven_in_double) {
    int separated = 0, proven = 0;
    for (const auto& q : test::truth_lines("convex.jsonl")) {
        if (q["a"]["kind"] != "vertices" || q["b"]["kind"] != "vertices") continue;
        Cloud clouds[2] = {read_cloud(q["a"], q["matrix_a"]), read_cloud(q["b"], q["matrix_b"])};
        for (Cloud& c : clouds) {
            std::vector<Vec3f> points;
            for (std::uint32_t i = 0; i < c.hull.vertex_count; ++i) points.push_back(c.hull.vertex(i));
            auto hull = convex_hull(points);
            ASSERT_TRUE(hull.ok());
            c.hull = std::move(hull.value());
        }
        const SolidSide a = clouds[0].side(), b = clouds[1].side();
        const bool collide = q["collide"];
        EXPECT_EQ(decide_solid_exact(a, b).colliding, collide) << q["id"];
        const auto entries = q.value(collide ? "depth_dir" : "separating_axis", nlohmann::json{});
        if (!entries.is_array()) continue;
        const Vec3d axis{entries[0], entries[1], entries[2]};
        std::uint32_t support_a = 77, support_b = 0;
        const bool proof = proves_separation(a, b, axis, support_a, support_b);
        if (collide) {
            EXPECT_FALSE(proof) << q["id"];
            continue;
        }
        ++separated;
        proven += proof;
        if (!proof) continue;
        Certificate c;
        c.kind = CertificateKind::separating_axis;
        c.axis_w = axis;
        EXPECT_TRUE(certify_solid(a, b, c)) << q["id"];
    }
    std::printf("proven in double: %d of %d separated\n", proven, separated);
    EXPECT_GT(proven, separated * 9 / 10);
}

TEST(SolidProof, simplex_around_the_origin_is_proven) {
    const Cloud a = make_cloud({{1, 0, -0.5f}, {-1, 1, -0.5f}, {-1, -1, -0.5f}, {0, 0, 1}});
    const Cloud origin = make_cloud({{0, 0, 0}});
    const VertexPair inside[4] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}};
    EXPECT_TRUE(proves_collision(a.side(), origin.side(), inside));
    const VertexPair mirrored[4] = {{1, 0}, {0, 0}, {2, 0}, {3, 0}};
    EXPECT_TRUE(proves_collision(a.side(), origin.side(), mirrored));
    const VertexPair flat[4] = {{0, 0}, {1, 0}, {2, 0}, {2, 0}};
    EXPECT_FALSE(proves_collision(a.side(), origin.side(), flat));
    for (std::size_t k : {3u, 7u, 11u}) {
        Matrix34f shift;
        shift.m[k] = 1;  // on a face or outside, so it must not be proven
        EXPECT_FALSE(proves_collision(a.side(), make_cloud({{0, 0, 0}}, shift).side(), inside));
    }
}

/// A point in double as a cloud: three floats whose sum has its first 72 bits.
Cloud precise_point(const Vec3d& p) {
    Matrix34f m;
    for (std::size_t r = 0; r < 3; ++r) {
        double rest = p[r];
        for (std::size_t k = 0; k < 3; ++k) {
            m.m[4 * r + k] = static_cast<float>(rest);
            rest -= static_cast<double>(m.m[4 * r + k]);
        }
        m.m[4 * r + 3] = 0;
    }
    return make_cloud({{1, 1, 1}}, m);
}

TEST(SolidProof, proofs_are_never_wrong_near_rounding_errors) {
    // A point a few double ulps above or below a face of a tetrahedron. Every proof must be true, and from
    // some distance on nearly every case must be proven.
    Random random(5);
    int proven[2] = {}, close = 0, far = 0;
    for (int i = 0; i < 4000; ++i) {
        Matrix34f m;
        for (float& entry : m.m) entry = static_cast<float>(random.uniform(-1, 1));
        std::vector<Vec3f> corners;
        for (int k = 0; k < 4; ++k) corners.push_back(cast<float>(random.unit_vector()));
        const Cloud a = make_cloud(corners, m);
        Vec3d c[4];
        for (std::uint32_t k = 0; k < 4; ++k) c[k] = transform_point(to_double(m), a.hull.vertex(k));
        Vec3d n = normalized(cross(c[1] - c[0], c[2] - c[0]));
        if (dot(n, c[3] - c[0]) > 0) n = -n;
        const double u = random.uniform(0.1, 0.4), v = random.uniform(0.1, 0.4);
        const bool near = i % 2 == 0;
        const double offset = near ? std::exp2(random.uniform(-60, -46)) : 0x1p-30;
        const bool outside = random.below(2) == 0;
        const Cloud b =
            precise_point(c[0] + u * (c[1] - c[0]) + v * (c[2] - c[0]) + (outside ? offset : -offset) * n);
        const VertexPair pairs[4] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}};
        std::uint32_t support_a = 0, support_b = 0;
        const bool apart = proves_separation(a.side(), b.side(), n, support_a, support_b);
        const bool overlapping = proves_collision(a.side(), b.side(), pairs);
        const bool colliding = decide_solid_exact(a.side(), b.side()).colliding;
        EXPECT_FALSE(apart && colliding) << i;
        EXPECT_FALSE(overlapping && !colliding) << i;
        proven[near ? 0 : 1] += apart || overlapping ? 1 : 0;
        ++(near ? close : far);
    }
    EXPECT_GT(proven[0], close / 10);
    EXPECT_LT(proven[0], close * 9 / 10);
    EXPECT_GT(proven[1], far * 95 / 100);
}

TEST(SolidExact, coincident_and_flat_sets_collide) {
    const Cloud point = make_cloud({{1, 2, 3}});
    const Cloud repeated = make_cloud({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}});
    const Cloud segment = make_cloud({{0, 0, 3}, {2, 4, 3}});
    const Cloud flat = make_cloud({{0, 0, 3}, {4, 0, 3}, {4, 4, 3}, {0, 4, 3}, {2, 2, 3}});
    for (const Cloud* a : {&point, &repeated, &segment, &flat})
        for (const Cloud* b : {&point, &repeated, &segment, &flat}) EXPECT_TRUE(decide(*a, *b));
}

TEST(SolidExact, one_ulp_decides_between_touching_and_separated) {
    const std::vector<Vec3f> cube{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                  {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
    const Cloud a = make_cloud(cube);
    Matrix34f shift;
    for (std::size_t k : {3u, 7u, 11u}) {
        for (int steps = -1; steps <= 1; ++steps) {
            shift = Matrix34f{};
            shift.m[k] = steps == 0 ? 1.0f : std::nextafter(1.0f, steps < 0 ? 0.0f : 2.0f);
            EXPECT_EQ(decide(a, make_cloud(cube, shift)), steps <= 0);
            EXPECT_EQ(decide(make_cloud(cube, shift), a), steps <= 0);
        }
    }
}

TEST(SolidExact, all_magnitudes_are_decided) {
    const std::vector<Vec3f> tetra{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, -1, -1}};
    for (float s : {0x1p-149f, 0x1p-126f, 0x1p-60f, 1.0f, 0x1p60f}) {
        Matrix34f far = scaling(s), near = scaling(s);
        far.m[3] = 0x1p60f;
        EXPECT_EQ(decide(make_cloud(tetra, scaling(s)), make_cloud(tetra, near)), true);
        EXPECT_EQ(decide(make_cloud(tetra, scaling(s)), make_cloud(tetra, far)), s == 0x1p60f);
        near.m[3] = 2 * s;  // a placement in which the boxes touch
        EXPECT_EQ(decide(make_cloud(tetra, scaling(s)), make_cloud(tetra, near)),
                  decide(make_cloud(tetra), make_cloud(tetra, [] {
                             Matrix34f m;
                             m.m[3] = 2;
                             return m;
                         }())));
    }
    EXPECT_TRUE(decide(make_cloud(tetra, scaling(0)), make_cloud({{0, 0, 0}})));
    EXPECT_FALSE(decide(make_cloud(tetra, scaling(0)), make_cloud({{0x1p-149f, 0, 0}})));
}

/// Lattice sets are often flat or touching. Permuting the axes, mirroring and scaling by powers of two must
/// not change the verdict.
TEST(SolidExact, verdicts_of_lattice_sets_are_invariant_under_exact_maps) {
    Random random(20261);
    int colliding = 0;
    constexpr int kPairs = 2000;
    for (int round = 0; round < kPairs; ++round) {
        const auto cloud = [&] {
            std::vector<Vec3f> points(1 + random.below(6));
            for (Vec3f& p : points)
                for (std::size_t k = 0; k < 3; ++k) p[k] = static_cast<float>(random.below(4));
            return points;
        };
        const auto pa = cloud(), pb = cloud();
        Matrix34f shift;
        for (std::size_t k : {3u, 7u, 11u}) shift.m[k] = static_cast<float>(random.below(3)) - 1;
        const bool want = decide(make_cloud(pa), make_cloud(pb, shift));
        colliding += want;
        EXPECT_EQ(decide(make_cloud(pb, shift), make_cloud(pa)), want);
        const int exponent = static_cast<int>(random.below(40)) - 20;
        const float s = std::ldexp(random.below(2) == 0 ? 1.0f : -1.0f, exponent);
        Matrix34f turn_a = scaling(0), turn_b = scaling(0);
        for (std::size_t r = 0; r < 3; ++r) {  // rows x -> y -> z -> x, times s
            turn_a.m[4 * r + (r + 1) % 3] = turn_b.m[4 * r + (r + 1) % 3] = s;
            turn_b.m[4 * r + 3] = s * shift.m[4 * ((r + 1) % 3) + 3];
        }
        EXPECT_EQ(decide(make_cloud(pa, turn_a), make_cloud(pb, turn_b)), want);
    }
    EXPECT_GT(colliding, kPairs * 3 / 10);
    EXPECT_LT(colliding, kPairs * 7 / 10);
}

TEST(SolidExact, the_verdict_does_not_depend_on_the_hint) {
    Random random(7);
    for (int round = 0; round < 300; ++round) {
        std::vector<Vec3f> pa(8), pb(8);
        for (auto* points : {&pa, &pb})
            for (Vec3f& p : *points) p = cast<float>(random.unit_vector());
        Matrix34f shift;
        shift.m[3] = static_cast<float>(random.uniform(1, 2));
        const Cloud a = make_cloud(pa), b = make_cloud(pb, shift);
        const bool want = decide_solid_exact(a.side(), b.side()).colliding;
        VertexPair hint[4];
        for (VertexPair& h : hint)
            h = {static_cast<std::uint32_t>(random.below(9)), static_cast<std::uint32_t>(random.below(9))};
        const SolidDecision d = decide_solid_exact(a.side(), b.side(), hint);
        EXPECT_EQ(d.colliding, want);
        EXPECT_TRUE(certify_solid(a.side(), b.side(), d.certificate));
    }
}

TEST(SolidCertificate, wrong_certificates_are_rejected) {
    const Cloud a = make_cloud({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
    Matrix34f shift;
    shift.m[3] = 2;
    const Cloud b = make_cloud({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, shift);
    Certificate c;
    EXPECT_FALSE(certify_solid(a.side(), b.side(), c));
    c.kind = CertificateKind::separating_axis;
    EXPECT_FALSE(certify_solid(a.side(), b.side(), c));
    c.axis_w = {1, 0, 0};
    EXPECT_TRUE(certify_solid(a.side(), b.side(), c));
    EXPECT_FALSE(certify_solid(b.side(), a.side(), c));
    c.axis_w = {-1, 0, 0};
    EXPECT_FALSE(certify_solid(a.side(), b.side(), c));
    c.kind = CertificateKind::surrounded_origin;
    c.pair_count = 4;
    for (std::uint32_t i = 0; i < 4; ++i) c.pairs[i][0] = c.pairs[i][1] = i;
    EXPECT_FALSE(certify_solid(a.side(), b.side(), c));
    EXPECT_TRUE(certify_solid(a.side(), a.side(), c));
    c.pairs[2][0] = 99;
    EXPECT_FALSE(certify_solid(a.side(), a.side(), c));
    c.kind = CertificateKind::common_point;
    c.point_w = {0.25, 0.25, 0.5};
    EXPECT_TRUE(certify_solid(a.side(), a.side(), c));
    EXPECT_FALSE(certify_solid(a.side(), b.side(), c));
    c.point_w = {0.25, 0.25, std::nextafter(0.5, 1.0)};
    EXPECT_FALSE(certify_solid(a.side(), a.side(), c));
}

}  // namespace
}  // namespace claybox::collision
