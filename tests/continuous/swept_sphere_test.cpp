// A moving ball against a polygon, compared with independent rational arithmetic: the ball touches the
// polygon if the distance between the path and the polygon is at most the radius.

#include "collision/continuous/swept_sphere.hpp"

#include "collision/core/random.hpp"
#include "tests/support/rational.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace claybox::collision {
namespace {

using test::exact;
using test::Rational;
using test::Vec3r;

Rational clamped(const Rational& x) {
    return x < 0 ? Rational(0) : x > 1 ? Rational(1) : x;
}

Rational point_to_segment(const Vec3r& p, const Vec3r& a, const Vec3r& b) {
    const Vec3r along = b - a;
    const Rational squared = dot(along, along);
    const Vec3r from = p - (squared == 0 ? a : a + along * clamped(Rational(dot(p - a, along) / squared)));
    return dot(from, from);
}

/// Squared distance of two segments: the minimum over the four ends and, if the lines' closest points are on
/// both segments, over these.
Rational segment_to_segment(const Vec3r& p, const Vec3r& q, const Vec3r& a, const Vec3r& b) {
    Rational least = std::min({point_to_segment(p, a, b), point_to_segment(q, a, b),
                               point_to_segment(a, p, q), point_to_segment(b, p, q)});
    const Vec3r u = q - p, v = b - a, w = p - a;
    const Rational uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), det = uu * vv - uv * uv;
    if (det == 0) return least;
    const Rational s = (uv * dot(v, w) - vv * dot(u, w)) / det, t = (uu * dot(v, w) - uv * dot(u, w)) / det;
    if (s < 0 || s > 1 || t < 0 || t > 1) return least;
    const Vec3r gap = w + u * s - v * t;
    return std::min(least, Rational(dot(gap, gap)));
}

struct Polygon {
    std::vector<Vec3r> corner;
    Vec3r normal;
    explicit Polygon(std::span<const Vec3d> given) {
        for (const Vec3d& p : given) corner.push_back(exact(p));
        normal = cross(corner[1] - corner[0], corner[2] - corner[0]);
    }
    Rational height(const Vec3r& p) const { return dot(normal, p - corner[0]); }
    bool over(const Vec3r& p) const {
        for (std::size_t i = 0; i < corner.size(); ++i) {
            const Vec3r& a = corner[i];
            if (dot(cross(normal, corner[(i + 1) % corner.size()] - a), p - a) < 0) return false;
        }
        return true;
    }
    /// Squared distance to the polygon.
    Rational to(const Vec3r& p) const {
        const Rational h = height(p);
        if (over(p)) return h * h / dot(normal, normal);
        Rational least = point_to_segment(p, corner.back(), corner.front());
        for (std::size_t i = 0; i + 1 < corner.size(); ++i)
            least = std::min(least, point_to_segment(p, corner[i], corner[i + 1]));
        return least;
    }
    Rational to(const Vec3r& p, const Vec3r& q) const {
        Rational least = std::min(to(p), to(q));
        for (std::size_t i = 0; i < corner.size(); ++i)
            least = std::min(least, segment_to_segment(p, q, corner[i], corner[(i + 1) % corner.size()]));
        const Rational hp = height(p), hq = height(q);
        if ((hp <= 0) != (hq <= 0) && over(p + (q - p) * Rational(hp / (hp - hq)))) return 0;
        return least;
    }
};

struct Case {
    MovingBall ball;
    std::vector<Vec3d> polygon;
};

/// Whether rational arithmetic finds a contact, from either side or from the front.
bool has_contact(const Case& c, SweptSide side) {
    const Polygon polygon(c.polygon);
    const Vec3r p = exact(c.ball.from);
    Vec3r q = exact(c.ball.to);
    const Rational r(c.ball.radius), squared = r * r;
    if (side == SweptSide::both) return polygon.to(p, q) <= squared;
    const Rational hp = polygon.height(p), hq = polygon.height(q);
    if (hp < 0) return false;
    if (polygon.to(p) <= squared) return true;
    if (hq >= hp) return false;
    if (hq < 0) q = p + (q - p) * Rational(hp / (hp - hq));  // the part of the path that is not behind
    return polygon.to(p, q) <= squared;
}

double scale_of(const Case& c) {
    double s = c.ball.radius;
    const auto add = [&](const Vec3d& p) { s = std::max({s, std::abs(p.x), std::abs(p.y), std::abs(p.z)}); };
    add(c.ball.from), add(c.ball.to);
    for (const Vec3d& p : c.polygon) add(p);
    return s;
}

/// Checks every property of one answer; `tally` counts the kinds of answers.
struct Tally {
    int hits = 0, misses = 0, faces = 0, edges = 0, corners = 0, starts = 0, by_integers = 0;
};
void check(const Case& c, Tally& tally) {
    for (const SweptSide side : {SweptSide::both, SweptSide::front}) {
        const SweptContact quick = sweep_ball(c.ball, c.polygon, side);
        const SweptContact slow = sweep_ball_exact(c.ball, c.polygon, side);
        ASSERT_EQ(quick.hit, has_contact(c, side));
        ASSERT_EQ(slow.hit, quick.hit);
        ASSERT_EQ(slow.at_start, quick.at_start);
        ASSERT_EQ(slow.time, quick.time);
        ASSERT_EQ(slow.feature == SweptFeature::face, quick.feature == SweptFeature::face);
        tally.by_integers += quick.by_integers;
        ++(quick.hit ? tally.hits : tally.misses);
        if (!quick.hit) continue;
        ++(quick.feature == SweptFeature::face   ? tally.faces
           : quick.feature == SweptFeature::edge ? tally.edges
                                                 : tally.corners);
        tally.starts += quick.at_start;
        const Polygon polygon(c.polygon);
        const Vec3r p = exact(c.ball.from), q = exact(c.ball.to);
        const Rational r(c.ball.radius);
        ASSERT_EQ(quick.at_start, polygon.to(p) <= r * r);
        ASSERT_TRUE(quick.time >= 0 && quick.time <= 1);
        if (quick.at_start) {
            ASSERT_EQ(quick.time, 0);
            continue;
        }
        const double s = scale_of(c);
        const Rational off =
            Rational(std::ldexp(s, -44) * (quick.feature == SweptFeature::face ? 1 : 1 + s / c.ball.radius));
        const Vec3r there = p + (q - p) * Rational(quick.time);
        const Rational distance = polygon.to(there);
        ASSERT_LE(distance, (r + off) * (r + off)) << "touches at the returned time";
        const Rational inner = r > off ? Rational(r - off) : Rational(0);
        ASSERT_GE(distance, inner * inner) << "and has not penetrated yet";
        ASSERT_GE(polygon.to(p, there), inner * inner) << "nor at any earlier time";
        if (quick.feature == SweptFeature::face) {
            const Rational h = polygon.height(there);
            ASSERT_LE(h * h, (r + off) * (r + off) * dot(polygon.normal, polygon.normal));
        }
    }
}

std::vector<Vec3d> rectangle(double x, double y) {
    return {{-x, -y, 0}, {x, -y, 0}, {x, y, 0}, {-x, y, 0}};
}

TEST(SweptSphere, random_paths_against_a_rectangle_match_rational_arithmetic) {
    Random random(7);
    Tally tally;
    for (int i = 0; i < 1500; ++i) {
        const auto place = [&](double size) {
            return Vec3d{random.uniform(-size, size), random.uniform(-size, size),
                         random.uniform(-size, size)};
        };
        const Case c{{place(0.05), place(0.05), random.uniform(0.001, 0.012)}, rectangle(0.016, 0.021)};
        check(c, tally);
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(tally.hits, 500);
    EXPECT_GT(tally.misses, 500);
    EXPECT_GT(tally.faces, 150);
    EXPECT_GT(tally.edges, 100);
    EXPECT_GT(tally.corners, 20);
    EXPECT_EQ(tally.by_integers, 0) << "the filter decides all generic cases";
}

TEST(SweptSphere, random_triangles_match_rational_arithmetic) {
    Random random(8);
    Tally tally;
    for (int i = 0; i < 800; ++i) {
        Case c;
        for (int k = 0; k < 3; ++k) c.polygon.push_back(random.vector(0.2, 1.0));
        c.ball = {random.vector(0.3, 2), random.vector(0.3, 2), random.uniform(0.01, 0.4)};
        check(c, tally);
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(tally.faces, 50);
    EXPECT_GT(tally.edges, 50);
    EXPECT_GT(tally.corners, 25);
    EXPECT_GT(tally.starts, 50);
}

// Small integers: degenerate cases occur all the time.
TEST(SweptSphere, lattice_paths_touch_and_graze_like_rational_arithmetic) {
    Random random(9);
    Tally tally;
    for (int i = 0; i < 2500; ++i) {
        const auto place = [&] {
            return Vec3d{static_cast<double>(random.below(9)) - 4, static_cast<double>(random.below(9)) - 4,
                         static_cast<double>(random.below(7)) - 3};
        };
        Case c{{place(), place(), static_cast<double>(random.below(4))}, rectangle(2, 1)};
        if (i % 3 == 0) c.polygon = {{0, 0, 0}, {3, 0, 0}, {0, 2, 0}};
        if (i % 7 == 0) c.ball.to = c.ball.from;
        if (c.ball.radius == 0) c.ball.radius = 0.5;
        SCOPED_TRACE(testing::Message()
                     << "from " << c.ball.from.x << ' ' << c.ball.from.y << ' ' << c.ball.from.z << " to "
                     << c.ball.to.x << ' ' << c.ball.to.y << ' ' << c.ball.to.z << " radius " << c.ball.radius
                     << " corners " << c.polygon.size());
        check(c, tally);
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(tally.by_integers, 200);
    EXPECT_GT(tally.hits, 600);
    EXPECT_GT(tally.misses, 600);
}

constexpr double kRadius = 0.0075, kX = 0.016, kY = 0.021;

SweptContact sweep(const Vec3d& from, const Vec3d& to, SweptSide side = SweptSide::front,
                   double radius = kRadius) {
    return sweep_ball({from, to, radius}, rectangle(kX, kY), side);
}

TEST(SweptSphere, touching_is_a_contact_and_one_ulp_less_is_not) {
    const auto above = [](double z) { return sweep({0.001, 0, 0.03}, {0.002, 0, z}); };
    EXPECT_TRUE(above(kRadius).hit);
    EXPECT_EQ(above(kRadius).time, 1);
    EXPECT_EQ(above(kRadius).feature, SweptFeature::face);
    EXPECT_FALSE(above(std::nextafter(kRadius, 1)).hit);
    EXPECT_TRUE(above(std::nextafter(kRadius, 0)).hit);
}

TEST(SweptSphere, the_border_belongs_to_the_face_and_one_ulp_further_to_the_edge) {
    const auto beside = [](double x) { return sweep({x, 0.001, 0.03}, {x, 0.002, -0.01}); };
    EXPECT_EQ(beside(kX).feature, SweptFeature::face);
    const SweptContact out = beside(std::nextafter(kX, 1));
    EXPECT_TRUE(out.hit);
    EXPECT_EQ(out.feature, SweptFeature::edge);
    const SweptContact corner = sweep({kX, kY, 0.03}, {kX, kY, -0.01});
    EXPECT_EQ(corner.feature, SweptFeature::face);
    EXPECT_TRUE(corner.by_integers);
}

TEST(SweptSphere, grazing_an_edge_or_a_corner_is_decided_to_the_ulp) {
    // Along the edge at a distance of one radius, in the plane of the face: on either side, front or back.
    const auto beside = [](double x) { return sweep({x, -1, 0}, {x, 1, 0}, SweptSide::both, 0.25).hit; };
    constexpr double kTouch = 0.015625 + 0.25;
    const auto square = [](double x) {
        return sweep_ball({{x, -1, 0}, {x, 1, 0}, 0.25}, rectangle(0.015625, 0.03125), SweptSide::both);
    };
    EXPECT_TRUE(square(kTouch).hit);
    EXPECT_FALSE(square(std::nextafter(kTouch, 1)).hit);
    EXPECT_TRUE(beside(kX + 0.2499));
    // Past a corner: the path is 5 from it, a right triangle of 3, 4, 5.
    const std::vector<Vec3d> polygon = {{-8, -8, 0}, {0, -8, 0}, {0, 0, 0}, {-8, 0, 0}};
    const MovingBall grazing{{3 - 40, 4 + 30, 0}, {3 + 40, 4 - 30, 0}, 5};
    EXPECT_TRUE(sweep_ball(grazing, polygon, SweptSide::both).hit);
    EXPECT_EQ(sweep_ball(grazing, polygon, SweptSide::both).feature, SweptFeature::corner);
    EXPECT_NEAR(sweep_ball(grazing, polygon, SweptSide::both).time, 0.5, 1e-12);
    MovingBall less = grazing;
    less.radius = std::nextafter(5.0, 0);
    EXPECT_FALSE(sweep_ball(less, polygon, SweptSide::both).hit);
}

TEST(SweptSphere, front_side_ignores_contacts_from_behind) {
    EXPECT_TRUE(sweep({0, 0, 0.05}, {0, 0, -0.05}).hit);
    EXPECT_FALSE(sweep({0, 0, -0.05}, {0, 0, 0.05}).hit) << "from behind";
    EXPECT_TRUE(sweep({0, 0, -0.05}, {0, 0, 0.05}, SweptSide::both).hit);
    EXPECT_FALSE(sweep({0.05, 0, 0.004}, {0, 0, 0.004}).hit) << "along the face";
    EXPECT_FALSE(sweep({0.05, 0, 0.004}, {0, 0, 0.005}).hit) << "moving away";
    EXPECT_EQ(sweep({0.05, 0, 0.005}, {0, 0, 0.004}).feature, SweptFeature::edge) << "in from the side";
    EXPECT_FALSE(sweep({0.05, 0, 0.003}, {0.02, 0, -0.02}).hit) << "past the edge to behind";
    EXPECT_TRUE(sweep({0, 0, 0.004}, {0, 0, 0.05}).at_start);
}

TEST(SweptSphere, zero_length_zero_radius_and_flat_polygons_are_handled) {
    EXPECT_TRUE(sweep({0, 0, kRadius}, {0, 0, kRadius}).at_start);
    EXPECT_FALSE(sweep({0, 0, 0.008}, {0, 0, 0.008}).hit);
    EXPECT_FALSE(sweep({0, 0, 0.008}, {0, 0, 0.008}).by_integers);
    EXPECT_TRUE(sweep({0, 0, 1}, {0.01, 0, -1}, SweptSide::front, 0).hit);
    const std::vector<Vec3d> line = {{-1, 0, 0}, {1, 0, 0}, {0, 0, 0}}, point(3, Vec3d{1, 0, 0});
    const MovingBall ball{{0, 2, 0}, {0, 0.5, 0}, 0.5};
    EXPECT_TRUE(sweep_ball(ball, line, SweptSide::both).hit);
    EXPECT_FALSE(sweep_ball(ball, line, SweptSide::front).hit) << "a line has no front";
    EXPECT_FALSE(sweep_ball(ball, point, SweptSide::both).hit);
    EXPECT_TRUE(sweep_ball({{1, 2, 0}, {1, 0.5, 0}, 0.5}, point, SweptSide::both).hit);
}

TEST(SweptSphere, non_finite_input_has_no_contact) {
    const double bad[] = {NAN, INFINITY, -INFINITY, 0x1p61};
    for (const double x : bad) {
        EXPECT_FALSE(sweep({x, 0, 0.05}, {0, 0, -0.05}).hit);
        EXPECT_FALSE(sweep({0, 0, 0.05}, {0, 0, x}).hit);
        EXPECT_FALSE(sweep({0, 0, 0.05}, {0, 0, -0.05}, SweptSide::both, x).hit);
    }
    EXPECT_FALSE(sweep({0, 0, 0.05}, {0, 0, -0.05}, SweptSide::both, -1).hit);
    EXPECT_FALSE(sweep_ball({{0, 0, 1}, {0, 0, -1}, 1}, {}, SweptSide::both).hit);
}

TEST(SweptSphere, very_different_magnitudes_are_decided) {
    const double tiny = 0x1p-300;
    const SweptContact met = sweep({0, 0, kRadius + 0.5}, {tiny, tiny, kRadius});
    EXPECT_TRUE(met.hit);
    EXPECT_TRUE(sweep({kX, 0, 1}, {kX, tiny, 0}).feature == SweptFeature::face);
    EXPECT_TRUE(sweep({0x1p59, 0, 0x1p59}, {0, 0, 0}).hit);
}

}  // namespace
}  // namespace claybox::collision
