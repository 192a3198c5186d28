#include "collision/geometry/predicates.hpp"

#include "collision/core/random.hpp"
#include "tests/support/rational.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace claybox::collision {
namespace {

using test::exact_orient3d;

// Floats of very different magnitudes, including subnormals and the largest allowed.
float wild_float(Random& random) {
    const int exponent = static_cast<int>(random.below(205)) - 149;
    return static_cast<float>(std::ldexp(random.uniform(-1, 1), exponent + 5));
}

TEST(Predicates, orient3d_agrees_with_rationals_for_floats_of_all_magnitudes) {
    Random random(1);
    for (int i = 0; i < 2000; ++i) {
        Vec3f p[4];
        for (Vec3f& v : p) v = {wild_float(random), wild_float(random), wild_float(random)};
        EXPECT_EQ(orient3d(p[0], p[1], p[2], p[3]), exact_orient3d(p[0], p[1], p[2], p[3]));
    }
}

TEST(Predicates, orient3d_decides_one_float_step_from_a_plane) {
    Random random(2);
    int zeros = 0, others = 0;
    for (int i = 0; i < 3000; ++i) {
        Vec3f p[3];
        for (Vec3f& v : p) v = cast<float>(random.unit_vector());
        const double s = random.uniform(-2, 2), t = random.uniform(-2, 2);
        const Vec3d a = cast<double>(p[0]);
        Vec3f d = cast<float>(a + s * (cast<double>(p[1]) - a) + t * (cast<double>(p[2]) - a));
        if (i % 3 == 0) {
            p[0].z = p[1].z = p[2].z = d.z = 0.1f;
            if (i % 2 == 0) d.z = std::nextafter(d.z, 1.0f);
        }
        const int expected = exact_orient3d(p[0], p[1], p[2], d);
        expected == 0 ? ++zeros : ++others;
        EXPECT_EQ(orient3d(p[0], p[1], p[2], d), expected);
    }
    EXPECT_GT(zeros, 400);
    EXPECT_GT(others, 1000);
}

TEST(Predicates, orient3d_agrees_with_rationals_for_doubles) {
    Random random(3);
    for (int i = 0; i < 1000; ++i) {
        Vec3d p[3];
        for (Vec3d& v : p) v = random.unit_vector();
        const Vec3d d = p[0] + random.uniform(-2, 2) * (p[1] - p[0]) + random.uniform(-2, 2) * (p[2] - p[0]);
        EXPECT_EQ(orient3d(p[0], p[1], p[2], d), exact_orient3d(p[0], p[1], p[2], d));
    }
}

TEST(Predicates, orient2d_agrees_with_rationals_near_a_line) {
    Random random(4);
    int undecided_by_rounding = 0;
    for (int i = 0; i < 3000; ++i) {
        const Vec3d a = random.unit_vector(), b = random.unit_vector();
        const double t = random.uniform(-3, 3);
        const double cx = a.x + t * (b.x - a.x), cy = a.y + t * (b.y - a.y);
        using test::Rational;
        const Rational det = (Rational(b.x) - Rational(a.x)) * (Rational(cy) - Rational(a.y)) -
                             (Rational(b.y) - Rational(a.y)) * (Rational(cx) - Rational(a.x));
        EXPECT_EQ(orient2d(a.x, a.y, b.x, b.y, cx, cy), det.sign());
        const double rounded = (b.x - a.x) * (cy - a.y) - (b.y - a.y) * (cx - a.x);
        if ((rounded > 0) - (rounded < 0) != det.sign()) ++undecided_by_rounding;
    }
    EXPECT_GT(undecided_by_rounding, 100);  // the cases are hard enough to mean something
}

TEST(Predicates, collinear_is_exact) {
    EXPECT_TRUE(collinear({0, 0, 0}, {0.1f, 0.2f, 0.3f}, {0.2f, 0.4f, 0.6f}));
    EXPECT_TRUE(collinear({1, 2, 3}, {1, 2, 3}, {5, 6, 7}));
    EXPECT_FALSE(collinear({0, 0, 0}, {0.1f, 0.2f, 0.3f}, {0.2f, 0.4f, std::nextafter(0.6f, 1.0f)}));
    const float tiny = std::numeric_limits<float>::denorm_min();
    EXPECT_FALSE(collinear({0, 0, 0}, {tiny, 0, 0}, {0, tiny, 0}));
}

TEST(Predicates, exact_sum_does_not_round) {
    ExactSum sum;
    sum.add(0x1p60);
    sum.add(0x1p-60);
    sum.add(-0x1p60);
    EXPECT_EQ(sum.estimate(), 0x1p-60);
    sum.add_product(-0x1p-30, 0x1p-30);
    EXPECT_EQ(sum.sign(), 0);
}

}  // namespace
}  // namespace claybox::collision
