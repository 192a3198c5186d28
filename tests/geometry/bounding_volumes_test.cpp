// Checks in rationals that spheres, 14-DOPs and oriented boxes contain their points, and that overlap tests
// have no false negatives.
#include "collision/core/random.hpp"
#include "collision/geometry/bounds/k_dop.hpp"
#include "collision/geometry/bounds/oriented_box.hpp"
#include "collision/geometry/bounds/sphere.hpp"
#include "tests/support/rational.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace claybox::collision {
namespace {

using test::exact;
using test::exactly_transformed;
using test::Rational;
using test::Vec3r;

Matrix34f random_turn(Random& random, double distance) {
    return to_matrix({random_rotation(random, -3, 3), random.unit_vector() * distance});
}

/// Rods, plates, points and blocks of many sizes, at many distances from the origin.
Aabb random_local(Random& random, int i) {
    const Vec3d at = std::ldexp(1.0, i % 20 - 10) * random.vector(0, 1);
    Vec3d half{random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)};
    for (std::size_t k = 0; k < 3; ++k)
        if (random.below(4) == 0) half[k] *= random.below(2) == 0 ? 0.0 : 1e-3;
    return {cast<float>(at - half), cast<float>(at + half)};
}

Vec3f random_point(Random& random, const Aabb& box) {
    Vec3f p;
    for (std::size_t k = 0; k < 3; ++k) {
        const auto dice = random.below(3);
        const auto t = static_cast<float>(random.uniform());
        p[k] = dice == 0 ? box.min[k] : dice == 1 ? box.max[k] : box.min[k] + t * (box.max[k] - box.min[k]);
        p[k] = std::min(std::max(p[k], box.min[k]), box.max[k]);
    }
    return p;
}

Vec3d in_box(const OrientedBox& box, const Vec3d& t) {
    Vec3d p = cast<double>(box.centre);
    for (std::size_t i = 0; i < 3; ++i)
        p += t[i] * static_cast<double>(box.extent[i]) * cast<double>(box.axis[i]);
    return p;
}

TEST(BoundingVolumes, Z_5_2_bv_spheres_slabs_and_oriented_boxes_contain_every_point_in_rationals) {
    Random random(11);
    for (int i = 0; i < 400; ++i) {
        const Aabb local = random_local(random, i);
        const Matrix34f m = random_turn(random, std::ldexp(1.0, static_cast<int>(random.below(20)) - 4));
        std::vector<Vec3f> points;
        for (int k = 0; k < 8; ++k) points.push_back(random_point(random, local));
        const Sphere sphere = transform_sphere(m, bounding_sphere(points));
        const KDop of_box = transform_k_dop(m, local), of_points = transform_k_dop(m, points);
        const OrientedBox oriented = orient(m, local);
        const Aabb around = bound(oriented);
        for (const Vec3f& p : points) {
            const Vec3r q = exactly_transformed(m, p), d = q - exact(sphere.centre);
            EXPECT_LE(dot(d, d), Rational(sphere.radius) * Rational(sphere.radius));
            for (std::size_t k = 0; k < kDiagonals; ++k) {
                Rational along;
                for (std::size_t c = 0; c < 3; ++c) along += kDiagonalSigns[k][c] * q[c];
                for (const KDop& dop : {of_box, of_points})
                    EXPECT_TRUE(Rational(dop.low[k]) <= along && along <= Rational(dop.high[k]));
            }
            // The point of the oriented box with the same coordinates is within the skin.
            for (std::size_t row = 0; row < 3; ++row) {
                Rational nearest = Rational(oriented.centre[row]);
                for (std::size_t k = 0; k < 3; ++k) {
                    const Rational centre(0.5 * static_cast<double>(local.min[k]) +
                                          0.5 * static_cast<double>(local.max[k]));
                    const Rational along = Rational(p[k]) - centre;
                    EXPECT_LE(Rational(abs(along)), Rational(oriented.extent[k]));
                    nearest += Rational(oriented.axis[k][row]) * along;
                }
                EXPECT_LE(Rational(abs(q[row] - nearest)), Rational(oriented.slack));
                EXPECT_TRUE(Rational(around.min[row]) <= q[row] && q[row] <= Rational(around.max[row]));
            }
        }
    }
}

TEST(BoundingVolumes, volumes_with_a_common_point_always_overlap) {
    Random random(12);
    int apart = 0;
    for (int i = 0; i < 4000; ++i) {
        const Aabb la = random_local(random, i), lb = random_local(random, i + 7);
        const Matrix34f ma = random_turn(random, 5);
        Matrix34f mb = random_turn(random, 5);
        const Vec3f pa = random_point(random, la), pb = random_point(random, lb);
        // Move b's point onto a's point. The translation is rounded, so b's box is enlarged by more than the
        // rounding.
        const Vec3d target = transform_point(to_double(ma), pa), now = transform_point(to_double(mb), pb);
        for (std::size_t k = 0; k < 3; ++k)
            mb.m[4 * k + 3] = static_cast<float>(static_cast<double>(mb.m[4 * k + 3]) + target[k] - now[k]);
        const OrientedBox a = orient(ma, la), b = orient(mb, grown(lb, 1e-4f));
        EXPECT_TRUE(overlap(a, b)) << i;
        EXPECT_TRUE(overlap(transform_k_dop(ma, la), transform_k_dop(mb, grown(lb, 1e-4f))));
        EXPECT_TRUE(overlap(a, bound(b)));
        OrientedBox far = b;
        far.centre += cast<float>(random.vector(0, 3));
        EXPECT_EQ(overlap(a, far), overlap(far, a)) << "overlap must be symmetric";
        apart += !overlap(a, far);
    }
    EXPECT_GT(apart, 500);
}

/// An upper bound of the distance of two boxes, by coordinate descent from several starts.
double distance_upper_bound(const OrientedBox& a, const OrientedBox& b, Random& random) {
    double best = 1e300;
    for (int start = 0; start < 8; ++start) {
        Vec3d s{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}, t = s;
        for (int step = 0; step < 400; ++step)
            for (std::size_t k = 0; k < 3; ++k)
                for (const bool first : {true, false}) {
                    // Minimise along one edge direction with the others fixed.
                    const OrientedBox& box = first ? a : b;
                    Vec3d& here = first ? s : t;
                    const Vec3d edge = cast<double>(box.axis[k]) * static_cast<double>(box.extent[k]);
                    const double square = length_squared(edge);
                    if (square == 0) continue;
                    const Vec3d gap = first ? in_box(b, t) - in_box(a, s) : in_box(a, s) - in_box(b, t);
                    here[k] = std::fmin(1.0, std::fmax(-1.0, here[k] + dot(gap, edge) / square));
                }
        best = std::fmin(best, length(in_box(a, s) - in_box(b, t)));
    }
    return best;
}

TEST(BoundingVolumes, overlapping_oriented_boxes_are_close_to_each_other) {
    Random random(13);
    int overlapping = 0;
    for (int i = 0; i < 600; ++i) {
        const Aabb local_a = random_local(random, 11);
        const OrientedBox a = orient(random_turn(random, 0.5), local_a);
        const Aabb local_b = random_local(random, 11);
        const OrientedBox b = orient(random_turn(random, random.uniform(0.2, 2.5)), local_b);
        if (!overlap(a, b)) continue;
        ++overlapping;
        // Coordinate descent stops early on long thin boxes. The limit is far above the skins, but far below
        // the gaps that a missing axis would tolerate.
        EXPECT_LT(distance_upper_bound(a, b, random), 0.02) << i;
    }
    EXPECT_GT(overlapping, 50);
}

TEST(BoundingVolumes, spheres_one_rounding_step_apart_do_not_overlap) {
    EXPECT_TRUE(overlap(Sphere{{0, 0, 0}, 1}, Sphere{{2, 0, 0}, 1}));
    EXPECT_FALSE(overlap(Sphere{{0, 0, 0}, 1}, Sphere{{std::nextafter(2.0f, 3.0f), 0, 0}, 1}));
    EXPECT_TRUE(overlap(Sphere{{1e-30f, 0, 0}, 0}, Sphere{{1e-30f, 0, 0}, 0}));
    EXPECT_FALSE(overlap(Sphere{{1e-30f, 0, 0}, 0}, Sphere{{2e-30f, 0, 0}, 0}));
    EXPECT_FALSE(overlap(KDop{}, diagonals_of({{-1, -1, -1}, {1, 1, 1}})))
        << "an empty volume overlaps nothing";
}

}  // namespace
}  // namespace claybox::collision
