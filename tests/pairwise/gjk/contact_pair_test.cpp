// The contact pair of colliding bodies, compared with the depth and direction of the expanding polytope and
// of the separating axis test.

#include "collision/pairwise/gjk/contact_pair.hpp"

#include "tests/pairwise/pairs.hpp"

#include <cmath>

namespace claybox::test {
namespace {

SolidSide side(const Shape& shape, const Matrix34f& m) {
    return {shape.hull(), &m, &shape.geometry().box};
}

/// Upper bound of a point's distance outside a body's faces.
double outside(const Shape& shape, const Matrix34f& matrix, const Vec3d& p) {
    const Matrix34d m = to_double(matrix);
    const ConvexHull& hull = *shape.hull();
    double most = -1e300;
    for (std::size_t f = 0; f < hull.faces.polygon_count(); ++f) {
        const auto loop = hull.faces.polygon(f);
        const auto corner = [&](std::size_t i) { return transform_point(m, hull.vertex(loop[i])); };
        Vec3d n;
        for (std::size_t i = 1; i + 1 < loop.size(); ++i)
            n += cross(corner(i) - corner(0), corner(i + 1) - corner(0));
        most = std::max(most, dot(normalized(n), p - corner(0)));
    }
    return most;
}

double furthest(const Shape& shape, const Matrix34f& m, const Vec3d& n) {
    double out = -1e300;
    for (std::uint32_t v = 0; v < shape.hull()->vertex_count; ++v)
        out = std::max(out, dot(n, transform_point(to_double(m), shape.hull()->vertex(v))));
    return out;
}

void expect_contact(const Pair& p, double depth, const Vec3d& n) {
    const ContactPair c = contact_pair(side(*p.a, p.world_from_a), side(*p.b, p.world_from_b), depth, n);
    constexpr double kNear = 1e-7;  // bodies of 2 m whose vertices are rounded
    EXPECT_NEAR(length(c.a_w - c.b_w - depth * n), 0, kNear);
    EXPECT_LT(outside(*p.a, p.world_from_a, c.a_w), kNear) << "the first point is in A";
    EXPECT_LT(outside(*p.b, p.world_from_b, c.b_w), kNear) << "the second point is in B";
    EXPECT_NEAR(dot(n, c.a_w), furthest(*p.a, p.world_from_a, n), kNear) << "deepest of A";
    EXPECT_NEAR(dot(-n, c.b_w), furthest(*p.b, p.world_from_b, -n), kNear) << "deepest of B";
}

TEST(ContactPair, CW_7_contact_points_differ_by_the_depth_and_are_deepest_on_both_sides) {
    const PairAlgorithm& gjk = *find_pair_algorithm("gjk");
    const PairAlgorithm& sat = *find_pair_algorithm("sat_brute");
    std::uint32_t queried = 0, compared = 0;
    for (const Pair& p : random_pairs(500, 401)) {
        const PairResult r = query_pair(gjk, p, kWantDepth);
        if (r.verdict != Verdict::colliding) continue;
        expect_contact(p, r.depth, r.depth_direction_w);
        ++queried;
        if (!applies(sat, p)) continue;
        const PairResult s = query_pair(sat, p, kWantDepth);
        EXPECT_NEAR(s.depth, r.depth, 1e-9);
        expect_contact(p, s.depth, s.depth_direction_w);
        ++compared;
    }
    EXPECT_GT(queried, 150u);
    EXPECT_GT(compared, 100u);
}

TEST(ContactPair, finds_the_corner_and_face_of_overlapping_boxes) {
    const ShapePtr box = make_primitive_shape(Primitive::box, 6, 1, 1).value();
    const double half = static_cast<double>(box->geometry().box.max.x);
    // A corner of B, with its diagonal turned downwards, in the middle of A's upper face.
    const Vec3d diagonal = normalized(Vec3d{1, 1, 1}), down{0, -1, 0};
    const Quat turn = axis_angle(normalized(cross(diagonal, down)), std::acos(dot(diagonal, down)));
    Pair p{box, box, {}, to_matrix({turn, {0, half + half * std::sqrt(3.0) - 0.05, 0}})};
    const PairResult r = query_pair(*find_pair_algorithm("gjk"), p, kWantDepth);
    ASSERT_EQ(r.verdict, Verdict::colliding);
    EXPECT_NEAR(r.depth, 0.05, 1e-6);
    const ContactPair c =
        contact_pair(side(*p.a, p.world_from_a), side(*p.b, p.world_from_b), r.depth, r.depth_direction_w);
    EXPECT_NEAR(length(c.a_w - Vec3d{0, half, 0}), 0, 1e-6);
    EXPECT_NEAR(length(c.b_w - Vec3d{0, half - 0.05, 0}), 0, 1e-6);
}

TEST(ContactPair, accepts_points_segments_flat_and_touching_bodies_of_every_size) {
    const auto hull = [](std::vector<Vec3f> points) { return Shape::from_hull(points).value(); };
    const ShapePtr point = hull({{0, 0, 0}}), segment = hull({{-1, 0, 0}, {1, 0, 0}});
    const ShapePtr square = hull({{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}});
    const ShapePtr box = make_primitive_shape(Primitive::box, 6, 1, 1).value();
    for (const ShapePtr& a : {point, segment, square, box})
        for (const ShapePtr& b : {point, segment, square, box})
            for (const int exponent : {-40, 0, 40}) {
                Pair p{a, b, {}, {}};
                for (std::size_t i : {0u, 5u, 10u})
                    p.world_from_a.m[i] = p.world_from_b.m[i] = std::ldexp(1.0f, exponent);
                const PairResult r = query_pair(*find_pair_algorithm("gjk"), p, kWantDepth);
                ASSERT_EQ(r.verdict, Verdict::colliding);
                const ContactPair c = contact_pair(side(*p.a, p.world_from_a), side(*p.b, p.world_from_b),
                                                   r.depth, r.depth_direction_w);
                ASSERT_TRUE(is_finite(c.a_w) && is_finite(c.b_w));
                EXPECT_NEAR(length(c.a_w - c.b_w - r.depth * r.depth_direction_w), 0,
                            std::ldexp(1e-9, exponent));
            }
}

}  // namespace
}  // namespace claybox::test
