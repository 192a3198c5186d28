// Proofs in float are never wrong, for any finite matrices. Compared with rational arithmetic on pairs whose
// gaps and volumes are about as large as the error bounds.

#include "collision/pairwise/best/quick_proof.hpp"

#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "tests/support/rational.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace claybox::collision {
namespace {

using test::Rational;
using test::Vec3r;

/// A hull with its table.
struct Body {
    ConvexHull hull;
    SupportTable table;

    Body(Primitive primitive, std::uint32_t target_count, const Vec3f& size) {
        std::vector<Vec3f> points = make_primitive(primitive, target_count, 3).positions;
        for (Vec3f& p : points) p = {p.x * size.x, p.y * size.y, p.z * size.z};
        hull = convex_hull(points).value();
        EXPECT_TRUE(table.make(hull));
    }
};

/// Created once, because tables refer to their hulls.
const std::vector<Body>& bodies() {
    static const std::vector<Body> all = [] {
        std::vector<Body> out;
        out.reserve(6);
        out.emplace_back(Primitive::ellipsoid_hull, 24, Vec3f{1, 1, 1});
        out.emplace_back(Primitive::rod_hull, 40, Vec3f{1, 1, 1});
        out.emplace_back(Primitive::box, 8, Vec3f{2, 1, 0.5f});
        out.emplace_back(Primitive::plate_hull, 30, Vec3f{0x1p-40f, 0x1p-40f, 0x1p-40f});
        out.emplace_back(Primitive::cylinder, 20, Vec3f{0x1p40f, 0x1p41f, 0x1p40f});
        out.emplace_back(Primitive::tetrahedron, 4, Vec3f{1, 0, 1});
        return out;
    }();
    return all;
}

float of_size(Random& random, double low, double high) {
    const double v = std::exp2(random.uniform(low, high));
    return random.below(12) == 0 ? 0.0f : static_cast<float>(random.below(2) == 0 ? v : -v);
}

/// Rigid, or with entries of similar or of very different sizes, including denormals.
Matrix34f any_matrix(Random& random, int kind) {
    if (kind < 2) return to_matrix({random_rotation(random, 0, 3), random.unit_vector()});
    Matrix34f m;
    const double middle = kind == 2 ? 0 : random.uniform(-140, 55), spread = kind == 4 ? 40 : 2;
    for (float& e : m.m)
        e = of_size(random, std::max(-149.0, middle - spread), std::min(59.0, middle + spread));
    return m;
}

Vec3r exact_point(const Matrix34f& m, const Vec3f& v) {
    Vec3r out = test::exact(m.translation());
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t k = 0; k < 3; ++k) out[r] += Rational(m.m[4 * r + k]) * Rational(v[k]);
    return out;
}

/// The distance of B's nearest vertex beyond A's furthest vertex along n.
Rational exact_gap(const ConvexHull& a, const Matrix34f& ma, const ConvexHull& b, const Matrix34f& mb,
                   const Vec3r& n) {
    const auto extreme = [&](const ConvexHull& hull, const Matrix34f& m, int sign) {
        Rational best = sign * dot(n, exact_point(m, hull.vertex(0)));
        for (std::uint32_t v = 1; v < hull.vertex_count; ++v)
            best = std::max(best, Rational(sign * dot(n, exact_point(m, hull.vertex(v)))));
        return best;
    };
    return -extreme(b, mb, -1) - extreme(a, ma, 1);
}

bool in_range(const Matrix34f& m) {
    return std::all_of(m.m.begin(), m.m.end(), [](float e) { return std::abs(e) <= 0x1p60f; });
}

/// The result of a search or a bound along an axis.
struct AxisResult {
    float gap;
    bool proven;
};

/// Moves pairs until their gap along an axis, as returned by `evaluate`, is within a few error bounds,
/// positive or negative. Whatever `evaluate` proves must hold in rational arithmetic.
void check_axes(std::uint64_t seed, const std::function<AxisResult(const QuickProof&, Float4)>& evaluate) {
    Random random(seed);
    int proven = 0, close = 0, queried = 0, not_proven = 0;
    for (int round = 0; round < 2000; ++round) {
        const Body &a = bodies()[random.below(bodies().size())], &b = bodies()[random.below(bodies().size())];
        const Matrix34f ma = any_matrix(random, round % 5);
        Matrix34f mb = any_matrix(random, round % 5);
        const Vec3f n = cast<float>(random.unit_vector());
        const Float4 n4{n.x, n.y, n.z, 0};
        for (int push = 0; push < 2; ++push) {
            const QuickProof proof(a.table, ma, b.table, mb);
            const double wanted_gap = random.uniform(-2, 4) * 0x1p-20 * static_cast<double>(proof.size());
            const double shift =
                (wanted_gap - static_cast<double>(evaluate(proof, n4).gap)) / static_cast<double>(dot(n, n));
            for (std::size_t r = 0; r < 3; ++r)
                mb.m[4 * r + 3] = static_cast<float>(static_cast<double>(mb.m[4 * r + 3]) + shift * n[r]);
        }
        if (!in_range(ma) || !in_range(mb)) continue;
        const QuickProof proof(a.table, ma, b.table, mb);
        const AxisResult result = evaluate(proof, n4);
        ++queried;
        if (!result.proven) {
            ++not_proven;
            continue;
        }
        ++proven;
        close += result.gap < 2 * 0x1p-20f * proof.size() ? 1 : 0;
        EXPECT_GT(exact_gap(a.hull, ma, b.hull, mb, test::exact(n)), 0) << round;
    }
    EXPECT_GT(proven, queried / 10);
    EXPECT_GT(close, 20);
    EXPECT_GT(not_proven, queried / 5);
    std::printf("%d of %d proven, %d within two bounds\n", proven, queried, close);
}

TEST(QuickProof, axis_proved_by_a_search_separates_in_rational_arithmetic) {
    check_axes(51, [](const QuickProof& proof, Float4 n) {
        const QuickProof::Step s = proof.search(n);
        return AxisResult{s.gap, proof.proves_separation(s)};
    });
}

TEST(QuickProof, axis_proved_by_bounds_separates_in_rational_arithmetic) {
    check_axes(53, [](const QuickProof& proof, Float4 n) {
        const QuickProof::Bound bound = proof.bound(n);
        return AxisResult{bound.gap, bound.proven};
    });
}

TEST(QuickProof, guessed_axis_separates_most_pairs_with_a_small_gap) {
    Random random(54);
    int separated = 0;
    constexpr int kRounds = 500;
    for (int round = 0; round < kRounds; ++round) {
        const Body &a = bodies()[0], &b = bodies()[1];
        const auto pose = [&] { return to_matrix({random_rotation(random, 0, 3), random.unit_vector()}); };
        const Matrix34f ma = pose();
        Matrix34f mb = pose();
        const Vec3d n = random.unit_vector();
        const double shift =
            0.2 - static_cast<double>(exact_gap(a.hull, ma, b.hull, mb, test::exact(cast<float>(n))));
        for (std::size_t r = 0; r < 3; ++r)
            mb.m[4 * r + 3] = static_cast<float>(static_cast<double>(mb.m[4 * r + 3]) + shift * n[r]);
        const QuickProof proof(a.table, ma, b.table, mb);
        Float4 guess = proof.guess();
        guess = guess * scale_below_one4(largest4(abs4(guess)));
        separated += proof.bound(guess).proven ? 1 : 0;
    }
    std::printf("%d of %d\n", separated, kRounds);
    EXPECT_GT(separated, kRounds * 8 / 10);
}

/// The signs of the four volumes of the origin and three differences: all 1 or all -1 if the origin is
/// inside.
bool surrounds_exactly(const Vec3r (&p)[4]) {
    const int first = dot(p[1], cross(p[2], p[3])).sign();
    return first != 0 && dot(p[0], cross(p[3], p[2])).sign() == first &&
           dot(p[0], cross(p[1], p[3])).sign() == first && dot(p[0], cross(p[2], p[1])).sign() == first;
}

TEST(QuickProof, proved_pairs_surround_the_origin_in_rational_arithmetic) {
    Random random(52);
    int proven = 0, queried = 0, wrong_without = 0;
    for (int round = 0; round < 3000; ++round) {
        const Body &a = bodies()[random.below(bodies().size())], &b = bodies()[random.below(bodies().size())];
        const Matrix34f ma = any_matrix(random, round % 5);
        Matrix34f mb = any_matrix(random, round % 5);
        VertexPair pairs[4];
        for (VertexPair& p : pairs)
            p = {static_cast<std::uint32_t>(random.below(a.hull.vertex_count)),
                 static_cast<std::uint32_t>(random.below(b.hull.vertex_count))};
        // Move B so that the origin is near a face or in the middle of the simplex.
        double weight[4] = {0.3, 0.3, 0.2, 0};
        weight[3] = random.below(2) == 0 ? 0.2 : random.uniform(-1, 1) * std::exp2(random.uniform(-24, -10));
        Vec3d middle;
        double sum = 0;
        for (int i = 0; i < 4; ++i) {
            middle += weight[i] * (transform_point(to_double(ma), a.hull.vertex(pairs[i].a)) -
                                   transform_point(to_double(mb), b.hull.vertex(pairs[i].b)));
            sum += weight[i];
        }
        for (std::size_t r = 0; r < 3; ++r)
            mb.m[4 * r + 3] = static_cast<float>(static_cast<double>(mb.m[4 * r + 3]) + middle[r] / sum);
        if (!in_range(ma) || !in_range(mb)) continue;
        const QuickProof proof(a.table, ma, b.table, mb);
        Vec3r exact[4];
        for (int i = 0; i < 4; ++i)
            exact[i] =
                exact_point(ma, a.hull.vertex(pairs[i].a)) - exact_point(mb, b.hull.vertex(pairs[i].b));
        const WorldDifference difference(ma, mb);
        const auto at = [&](int i) {
            return difference(proof.vertex_a(pairs[i].a), proof.vertex_b(pairs[i].b));
        };
        ++queried;
        const bool truth = surrounds_exactly(exact);
        if (proof.proves_collision(proof.differences(pairs))) {
            ++proven;
            EXPECT_TRUE(truth) << round;
        }
        EXPECT_TRUE(truth || !proof.proves_collision(transpose4(at(0), at(1), at(2), at(3)))) << round;
        // Without the error bound the signs are wrong in some cases, so the pairs are hard enough.
        const Float4 volumes = volumes4(transpose4(at(0), at(1), at(2), at(3)));
        const bool seems = mask_bits4(volumes > Float4{}) == 15 || mask_bits4(volumes < Float4{}) == 15;
        wrong_without += seems && !truth ? 1 : 0;
    }
    EXPECT_GT(proven, queried / 20);
    EXPECT_GT(wrong_without, 5);
    std::printf("%d of %d proven; signs alone would be wrong for %d\n", proven, queried, wrong_without);
}

}  // namespace
}  // namespace claybox::collision
