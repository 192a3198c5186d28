// Johnson's sub-algorithm and signed volumes, compared with GJK's default. Also their own features: all
// subsets, the backup procedure, flat simplices.

#include "collision/core/random.hpp"
#include "collision/pairwise/gjk/simplex_johnson.hpp"
#include "collision/pairwise/gjk/simplex_signed_volumes.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace claybox::collision {
namespace {

template <class T>
using Reduce = Vec3<T> (*)(Simplex<T>&);

template <class T>
Vec3<T> johnson(Simplex<T>& s) {
    return reduce_by_johnson(s);
}

/// A regular tetrahedron, moved so that the given subset of its corners is the feature nearest to the origin.
template <class T>
void expect_every_subset(Reduce<T> reduce, T scale) {
    const Vec3<T> corner[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    for (unsigned subset = 1; subset < 16; ++subset) {
        const int size = std::popcount(subset);
        Vec3<T> mean;
        for (unsigned i = 0; i < 4; ++i)
            if ((subset >> i & 1) != 0) mean += corner[i] / T(size);
        const Vec3<T> origin = size == 4 ? Vec3<T>{} : T(1.5) * mean;
        Simplex<T> s;
        for (std::uint32_t i = 0; i < 4; ++i) s.add({scale * (corner[i] - origin), i, i});
        const Vec3<T> nearest = reduce(s);
        ASSERT_EQ(s.count, size) << "subset " << subset;
        unsigned found = 0;
        for (int i = 0; i < s.count; ++i) {
            found |= 1u << s.point[i].a;
            EXPECT_NEAR(double(s.weight[i]), 1.0 / size, 1e-6);
        }
        EXPECT_EQ(found, subset);
        const Vec3<T> want = size == 4 ? Vec3<T>{} : T(-0.5) * scale * mean;
        EXPECT_LE(length(nearest - want), T(1e-6) * scale);
    }
}

TEST(SubAlgorithms, CN_johnson_finds_each_of_the_15_subsets_of_a_tetrahedron) {
    expect_every_subset<float>(johnson<float>, 1);
    expect_every_subset<double>(johnson<double>, 1);
    // Six-fold products of these would overflow float.
    expect_every_subset<float>(johnson<float>, 0x1p50f);
    expect_every_subset<float>(johnson<float>, 0x1p-50f);
}

TEST(SubAlgorithms, signed_volumes_find_each_of_the_15_subsets_of_a_tetrahedron) {
    expect_every_subset<float>(reduce_by_signed_volumes<float>, 1);
    expect_every_subset<double>(reduce_by_signed_volumes<double>, 1);
}

Simplex<double> random_simplex(Random& random, double flatness) {
    Simplex<double> s;
    const Vec3d centre = random.vector(0, 1.5);
    const auto count = static_cast<std::uint32_t>(1 + random.below(4));
    for (std::uint32_t i = 0; i < count; ++i) {
        Vec3d p = random.unit_vector();
        p.z *= flatness;
        s.add({centre + p, i, i});
    }
    return s;
}

/// v is the nearest point of the hull exactly if no point is further along -v.
double shortfall(const Simplex<double>& points, const Vec3d& v) {
    double out = 0;
    for (int i = 0; i < points.count; ++i) out = std::max(out, dot(v, v) - dot(v, points.point[i].w));
    return out;
}

TEST(SubAlgorithms, CN_johnson_and_signed_volumes_find_the_nearest_point_of_random_simplices) {
    Random random(61);
    int inside = 0;
    for (int round = 0; round < 20000; ++round) {
        const Simplex<double> s = random_simplex(random, 1);
        for (const Reduce<double> reduce : {johnson<double>, reduce_by_signed_volumes<double>}) {
            Simplex<double> by_regions = s, reduced = s;
            const Vec3d want = reduce_to_nearest(by_regions), v = reduce(reduced);
            ASSERT_EQ(reduced.count == 4, by_regions.count == 4) << round;
            inside += reduced.count == 4 ? 1 : 0;
            if (reduced.count == 4) continue;
            EXPECT_LE(length(v - want), 1e-9) << round;
            EXPECT_LE(shortfall(s, v), 1e-9) << round;
            double sum = 0;
            Vec3d blend;
            for (int i = 0; i < reduced.count; ++i) {
                EXPECT_GE(reduced.weight[i], 0);
                sum += reduced.weight[i];
                blend += reduced.weight[i] * reduced.point[i].w;
            }
            EXPECT_NEAR(sum, 1, 1e-12);
            EXPECT_LE(length(blend - v), 1e-12);
        }
    }
    EXPECT_GT(inside, 200);
}

TEST(SubAlgorithms, CN_johnson_backup_answers_if_rounding_rejects_every_subset) {
    // Nearly flat simplices in float: the signs of determinants of four points are pure rounding.
    Random random(62);
    int backups = 0;
    double worst = 0;
    for (int round = 0; round < 200000; ++round) {
        Simplex<double> exact = random_simplex(random, 1e-6);
        Simplex<float> s;
        for (int i = 0; i < exact.count; ++i) {
            const SimplexPoint<double>& p = exact.point[i];
            s.add({cast<float>(p.w), p.a, p.b});
            exact.point[i].w = cast<double>(s.point[i].w);
        }
        bool used = false;
        const Vec3f v = reduce_by_johnson(s, &used);
        ASSERT_GE(s.count, 1);
        if (!used) continue;
        ++backups;
        Simplex<double> by_regions = exact;
        const double want = length(reduce_to_nearest(by_regions)), is = length(cast<double>(v));
        EXPECT_TRUE(std::isfinite(is));
        worst = std::max(worst, is - want);
    }
    EXPECT_GT(backups, 20);
    EXPECT_LT(worst, 0.05) << "the best positive subset is close to the best of all";
}

TEST(SubAlgorithms, degenerate_simplices_reduce_to_their_span) {
    const std::vector<std::vector<Vec3d>> cases = {
        {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}},
        {{1, -1, 0}, {1, 0, 0}, {1, 2, 0}, {1, 4, 0}},
        {{-1, -1, 1}, {3, -1, 1}, {-1, 3, 1}, {1, 1, 1}},
        {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
        {{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}},
        {{2, 0, 0}, {2, 0, 0}, {0, 2, 0}},
    };
    for (const auto& points : cases)
        for (const Reduce<double> reduce : {johnson<double>, reduce_by_signed_volumes<double>}) {
            Simplex<double> s;
            for (const Vec3d& p : points) s.add({p, static_cast<std::uint32_t>(s.count), 0});
            Simplex<double> by_regions = s, reduced = s;
            const Vec3d want = reduce_to_nearest(by_regions), v = reduce(reduced);
            EXPECT_LE(length(v - want), 1e-12);
            EXPECT_GE(reduced.count, 1);
            EXPECT_LE(reduced.count, 3);
        }
}

TEST(SubAlgorithms, overflow_keeps_at_least_one_point) {
    const float big = 0x1p100f, inf = std::numeric_limits<float>::infinity();
    for (const Vec3f& p : {Vec3f{big, -big, big}, Vec3f{inf, 0, -inf}, Vec3f{NAN, 1, 2}})
        for (const Reduce<float> reduce : {johnson<float>, reduce_by_signed_volumes<float>}) {
            Simplex<float> s;
            for (const Vec3f& w : {p, Vec3f{1, 2, big}, Vec3f{-big, 0, 1}, Vec3f{3, -inf, 2}})
                s.add({w, static_cast<std::uint32_t>(s.count), 0});
            reduce(s);
            EXPECT_GE(s.count, 1);
            EXPECT_LE(s.count, 4);
        }
}

}  // namespace
}  // namespace claybox::collision
