#include "collision/geometry/transform.hpp"

#include "collision/core/random.hpp"
#include "collision/core/trig.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace claybox::collision {
namespace {

Pose random_pose(Random& random) {
    return {random_rotation(random, -3, 3), random.vector(0, 10)};
}

void expect_near(const Vec3d& a, const Vec3d& b, double tolerance) {
    EXPECT_LE(length(a - b), tolerance);
}

TEST(Transform, rotations_are_right_handed) {
    expect_near(rotate(axis_angle({0, 1, 0}, kPi / 2), {0, 0, 1}), {1, 0, 0}, 1e-15);
    expect_near(rotate(axis_angle({0, 0, 1}, kPi / 2), {1, 0, 0}), {0, 1, 0}, 1e-15);
}

TEST(Transform, random_rotations_are_the_same_with_every_compiler) {
    Random random(7), by_hand(7);
    for (int i = 0; i < 20; ++i) {
        const double angle = by_hand.uniform(0.5, 3);
        const Vec3d axis = by_hand.unit_vector();
        EXPECT_EQ(random_rotation(random, 0.5, 3), axis_angle(axis, angle));
    }
    EXPECT_EQ(random.bits(), by_hand.bits());
}

TEST(Transform, composition_and_inverse_agree_with_transformed_points) {
    Random random(1);
    for (int i = 0; i < 200; ++i) {
        const Pose a = random_pose(random), b = random_pose(random);
        const Vec3d p = random.unit_vector() * 5.0;
        expect_near(transform_point(a * b, p), transform_point(a, transform_point(b, p)), 1e-13);
        expect_near(transform_point(inverse(a), transform_point(a, p)), p, 1e-13);
        expect_near(transform_point(to_double(to_matrix(a)), p), transform_point(a, p), 1e-5);
    }
}

TEST(Transform, slerp_follows_the_shorter_arc_at_constant_speed) {
    const Quat from = axis_angle({1, 0, 0}, 0.3), to = axis_angle({1, 0, 0}, 1.1);
    const Quat minus{-to.w, -to.x, -to.y, -to.z};
    for (const Quat& end : {to, minus}) {
        const Quat q = slerp(from, end, 0.25), expected = axis_angle({1, 0, 0}, 0.5);
        EXPECT_NEAR(q.w, expected.w, 1e-15);
        EXPECT_NEAR(q.x, expected.x, 1e-15);
    }
    EXPECT_NEAR(slerp(from, from, 0.5).w, from.w, 1e-15);
}

TEST(Transform, normalized_handles_extreme_magnitudes) {
    const Quat large = normalized(Quat{1e200, 1e200, 0, 0}), small = normalized(Quat{0, 1e-300, 0, 0});
    EXPECT_NEAR(large.w, std::sqrt(0.5), 1e-15);
    EXPECT_EQ(small.x, 1);
    EXPECT_EQ(normalized(Quat{0, 0, 0, 0}), Quat{});
}

TEST(Transform, relative_matrix_transforms_from_b_to_a) {
    Random random(2);
    for (int i = 0; i < 100; ++i) {
        const Matrix34f a = to_matrix(random_pose(random)), b = to_matrix(random_pose(random));
        Matrix34f a_from_b;
        ASSERT_TRUE(relative_matrix(a, b, a_from_b));
        const Vec3d p = random.unit_vector();
        expect_near(transform_point(to_double(a), transform_point(to_double(a_from_b), p)),
                    transform_point(to_double(b), p), 1e-5);
    }
    Matrix34f flat, out;
    flat.m[10] = 0;
    EXPECT_FALSE(relative_matrix(flat, Matrix34f{}, out));
    EXPECT_EQ(out, Matrix34f{});
}

TEST(Transform, invalid_poses_and_matrices_are_errors) {
    const double inf = std::numeric_limits<double>::infinity();
    EXPECT_FALSE(checked(Pose{{0, 0, 0, 0}, {}}));
    EXPECT_FALSE(checked(Pose{{1, 0, 0, 0}, {inf, 0, 0}}));
    EXPECT_FALSE(checked(Pose{{1, 0, 0, 0}, {0, 0x1.1p60, 0}}));
    EXPECT_FALSE(checked(Pose{{std::nan(""), 0, 0, 0}, {}}));
    const auto good = checked(Pose{{2, 0, 0, 0}, {1, 2, 0x1p60}});
    ASSERT_TRUE(good);
    EXPECT_EQ(good.value().rotation.w, 1);
    Matrix34f m;
    EXPECT_TRUE(check(m));
    m.m[5] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_FALSE(check(m));
    m.m[5] = 0x1.2p60f;
    EXPECT_FALSE(check(m));
}

TEST(Screw, screw_connects_two_poses) {
    Random random(3);
    for (int i = 0; i < 300; ++i) {
        const Pose from = random_pose(random);
        Pose to = random_pose(random);
        if (i % 3 == 0) to.rotation = from.rotation;
        if (i % 3 == 1) to.rotation = normalized(axis_angle(random.unit_vector(), 1e-6) * from.rotation);
        const Screw screw = screw_between(from, to);
        const Pose end = advance(from, screw, 1.0), start = advance(from, screw, 0.0);
        for (const Vec3d& p : {Vec3d{0, 0, 0}, Vec3d{1, 0, 0}, Vec3d{0, 1, -2}}) {
            // A rotation of 1e-6 puts the axis at a distance of 1e7, which costs that many digits.
            expect_near(transform_point(end, p), transform_point(to, p), i % 3 == 1 ? 1e-7 : 1e-12);
            expect_near(transform_point(start, p), transform_point(from, p), i % 3 == 1 ? 1e-7 : 1e-12);
        }
    }
}

TEST(Screw, screw_moves_around_and_along_its_axis) {
    const Screw screw{{1, 0, 0}, {0, 1, 0}, kPi, 2.0};
    const Pose half = advance(Pose{}, screw, 0.5);
    expect_near(half.translation, {1, 1, 1}, 1e-15);
}

}  // namespace
}  // namespace claybox::collision
