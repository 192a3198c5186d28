// Compares every proven bound of collision/exact with the exact value in rationals, for numbers of all
// magnitudes including subnormals, and for sums that nearly cancel.

#include "collision/core/random.hpp"
#include "collision/exact/edge_triangle.hpp"
#include "collision/exact/solid_bounds.hpp"
#include "tests/support/rational.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace claybox::collision {
namespace {

using test::Rational;
using test::Vec3r;

/// Records the largest ratio of an error to its bound. A ratio above 1 refutes the bound; a ratio near 0
/// means that the test proves little.
struct BoundCheck {
    double worst = 0;
    int beyond = 0, all = 0;

    void add(const Rational& computed, const Rational& exact, double bound) {
        const Rational error = abs(computed - exact);
        ++all;
        beyond += error > Rational(bound) ? 1 : 0;
        if (bound > 0) worst = std::max(worst, static_cast<double>(Rational(error / Rational(bound))));
    }
    void expect(double least_worst) const {
        EXPECT_EQ(beyond, 0) << "of " << all;
        EXPECT_GT(worst, least_worst);
        std::printf("%d values, largest error %.3f of its bound\n", all, worst);
    }
};

/// Random numbers of one of five kinds: usual magnitudes, nearly equal magnitudes, the whole allowed range,
/// or one of its ends.
class Numbers {
  public:
    explicit Numbers(std::uint64_t seed) : random_(seed) { next_kind(); }

    void next_kind() {
        low_ = -3;
        high_ = 3;
        switch (random_.below(5)) {
            case 0:
                return;
            case 4:  // nearly equal magnitudes: sums cancel most
                low_ = 0, high_ = 0.01;
                return;
            case 1:
                low_ = -149, high_ = 59;
                return;
            case 2:
                low_ = -149, high_ = -120;
                return;
            default:
                low_ = 50, high_ = 59;
        }
    }
    float number() {
        if (random_.below(12) == 0) return 0;
        const double v = std::exp2(random_.uniform(low_, high_));
        return static_cast<float>(random_.below(2) == 0 ? v : -v);
    }
    Vec3f vector() { return {number(), number(), number()}; }
    Matrix34f matrix() {
        Matrix34f m;
        for (float& e : m.m) e = number();
        return m;
    }
    Random& random() { return random_; }

  private:
    Random random_;
    double low_ = 0, high_ = 0;
};

Vec3r linear(const Matrix34f& m, const Vec3f& v) {
    Vec3r out;
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t k = 0; k < 3; ++k) out[r] += Rational(m.m[4 * r + k]) * Rational(v[k]);
    return out;
}

/// A hull of a few points without adjacency, under a random matrix.
struct Cloud {
    ConvexHull hull;
    Matrix34f matrix;
    Aabb box;

    explicit Cloud(Numbers& numbers) : matrix(numbers.matrix()) {
        for (int i = 0; i < 5; ++i) {
            const Vec3f p = numbers.vector();
            hull.x.push_back(p.x);
            hull.y.push_back(p.y);
            hull.z.push_back(p.z);
            box.add(p);
        }
        hull.vertex_count = 5;
    }
    /// Chooses the translation that moves one point close to the origin.
    void bring_to_origin(std::uint32_t v) {
        for (std::size_t r = 0; r < 3; ++r) {
            matrix.m[4 * r + 3] = 0;
            const auto at = static_cast<float>(static_cast<double>(linear(matrix, hull.vertex(v))[r]));
            if (std::abs(at) <= kMaxMagnitude) matrix.m[4 * r + 3] = -at;
        }
    }
    SolidSide side() const { return {&hull, &matrix, &box}; }
    Vec3r exact(std::uint32_t v) const {
        return linear(matrix, hull.vertex(v)) + test::exact(matrix.translation());
    }
};

TEST(ExactBounds, running_error_bounds_hold_for_random_polynomials) {
    Numbers numbers(1);
    BoundCheck check;
    for (int round = 0; round < 4000; ++round) {
        numbers.next_kind();
        std::vector<Approx> value;
        std::vector<Rational> exact;
        for (int i = 0; i < 4; ++i) {
            const float f = numbers.number();
            value.push_back({f, 0});
            exact.push_back(f);
        }
        for (int step = 0; step < 8; ++step) {
            const std::size_t i = numbers.random().below(value.size()),
                              j = numbers.random().below(value.size());
            const auto which = numbers.random().below(4);
            value.push_back(which == 0   ? value[i] + value[j]
                            : which == 1 ? value[i] - value[j]
                            : which == 2 ? -value[i]
                                         : value[i] * value[j]);
            exact.push_back(which == 0   ? exact[i] + exact[j]
                            : which == 1 ? exact[i] - exact[j]
                            : which == 2 ? Rational(-exact[i])
                                         : Rational(exact[i] * exact[j]));
            if (!std::isfinite(value.back().v) || !std::isfinite(value.back().e)) {
                value.pop_back();  // such a value never decides anything
                exact.pop_back();
                continue;
            }
            check.add(value.back().v, exact.back(), value.back().e);
            const int sign = certain_sign(value.back());
            EXPECT_TRUE(sign == kUnknownSign || sign == exact.back().sign());
        }
    }
    check.expect(0.3);
}

TEST(ExactBounds, infinities_and_nan_have_no_certain_sign) {
    const double infinity = std::numeric_limits<double>::infinity();
    for (const Approx& a : {Approx{infinity, 1}, Approx{-infinity, 1}, Approx{infinity, infinity},
                            Approx{1, infinity}, Approx{std::nan(""), 0}, Approx{1, std::nan("")}})
        EXPECT_EQ(certain_sign(a), kUnknownSign);
}

TEST(ExactBounds, functional_of_an_exact_axis_is_within_its_bound) {
    Numbers numbers(2);
    BoundCheck values, differences;
    for (int round = 0; round < 1200; ++round) {
        numbers.next_kind();
        const Cloud cloud(numbers);
        const double size = std::exp2(numbers.random().uniform(-190, 190));
        Vec3d n = size * numbers.random().unit_vector();
        if (round % 3 == 0) n[numbers.random().below(3)] *= 0x1p-600;
        const Functional f = functional(cloud.side(), n);
        const Vec3r g = test::exact(f.g);
        for (std::uint32_t i = 0; i < 5; ++i) {
            const double v = value_at(f, cloud.hull, i);
            values.add(v, dot(test::exact(n), linear(cloud.matrix, cloud.hull.vertex(i))), f.error);
            const double gain = value_at(f, cloud.hull, (i + 1) % 5) - v;
            differences.add(
                gain, dot(g, test::exact(cloud.hull.vertex((i + 1) % 5)) - test::exact(cloud.hull.vertex(i))),
                f.error);
        }
    }
    values.expect(0.1);
    differences.expect(0.1);
}

TEST(ExactBounds, functional_of_an_uncertain_axis_is_within_its_bound) {
    Numbers numbers(3);
    BoundCheck values;
    for (int round = 0; round < 1200; ++round) {
        numbers.next_kind();
        const Cloud cloud(numbers);
        Vec3<Approx> n;
        Vec3r exact;
        const double error = std::exp2(numbers.random().uniform(-70, -30));
        for (std::size_t k = 0; k < 3; ++k) {
            n[k] = {numbers.random().uniform(-1, 1), error};
            exact[k] = Rational(n[k].v) + Rational(error) * Rational(round % 2 == 0 ? 1 : -1);
        }
        const Functional f = functional(cloud.side(), n);
        for (std::uint32_t i = 0; i < 5; ++i)
            values.add(value_at(f, cloud.hull, i), dot(exact, linear(cloud.matrix, cloud.hull.vertex(i))),
                       f.error);
    }
    values.expect(0.5);
}

TEST(ExactBounds, differences_and_their_determinants_are_within_their_bounds) {
    Numbers numbers(4);
    BoundCheck coordinates, determinants;
    for (int round = 0; round < 1200; ++round) {
        numbers.next_kind();
        Cloud a(numbers), b(numbers);
        if (round % 2 == 0) {
            a.bring_to_origin(0);
            b.bring_to_origin(0);
        }
        const VertexPair pairs[4] = {{0, 0}, {1, 2}, {3, 1}, {4, 4}};
        const Differences d = differences(a.side(), b.side(), pairs);
        Vec3r exact[4];
        for (std::size_t i = 0; i < 4; ++i) {
            exact[i] = a.exact(pairs[i].a) - b.exact(pairs[i].b);
            for (std::size_t k = 0; k < 3; ++k) coordinates.add(d.point[i][k], exact[i][k], d.error[k]);
        }
        for (std::size_t i = 0; i < 4; ++i) {
            const std::size_t j = (i + 1) % 4, k = (i + 2) % 4;
            determinants.add(dot(d.point[i], cross(d.point[j], d.point[k])),
                             dot(exact[i], cross(exact[j], exact[k])), d.determinant_error);
        }
    }
    coordinates.expect(0.05);
    determinants.expect(0.01);
}

TEST(ExactBounds, work_frames_and_edge_triangle_volumes_are_within_their_bounds) {
    Numbers numbers(5);
    BoundCheck coordinates, volumes, thirds;
    for (int round = 0; round < 1200; ++round) {
        numbers.next_kind();
        Cloud a(numbers), b(numbers);
        if (round % 2 == 0) a.bring_to_origin(1);
        const Vec3f origin = b.matrix.translation();
        Vec3d point[5];
        Vec3r exact[5];
        double error = 0;
        for (std::uint32_t i = 0; i < 5; ++i) {
            const Cloud& c = i < 3 ? a : b;
            const Vec3f reach{std::max(std::abs(c.box.min.x), std::abs(c.box.max.x)),
                              std::max(std::abs(c.box.min.y), std::abs(c.box.max.y)),
                              std::max(std::abs(c.box.min.z), std::abs(c.box.max.z))};
            const WorkFrame frame(c.matrix, origin, reach);
            point[i] = transform_point(frame.work_from_local, c.hull.vertex(i));
            exact[i] = c.exact(i) - test::exact(origin);
            error = std::max(error, frame.error);
            for (std::size_t k = 0; k < 3; ++k) coordinates.add(point[i][k], exact[i][k], frame.error);
        }
        double largest = 0;
        Vec3d from[4];
        Vec3r exact_from[4];
        for (int i = 0; i < 4; ++i) {
            from[i] = point[i + 1] - point[0];
            exact_from[i] = exact[i + 1] - exact[0];
            for (std::size_t k = 0; k < 3; ++k) largest = std::max(largest, std::abs(from[i][k]));
        }
        const auto [u, v, p, q] = from;
        const auto [eu, ev, ep, eq] = exact_from;
        const EdgeTriangleBounds bounds = edge_triangle_bounds(largest, error);
        if (largest == 0) continue;  // the filter decides nothing
        const Vec3d n = cross(u, v), w = cross(p, q);
        const Vec3r en = cross(eu, ev), ew = cross(ep, eq);
        volumes.add(dot(n, p), dot(en, ep), bounds.volume);
        volumes.add(dot(n, q), dot(en, eq), bounds.volume);
        volumes.add(dot(w, u), dot(ew, eu), bounds.volume);
        thirds.add((dot(n, q) - dot(n, p)) - dot(w, u) + dot(w, v),
                   dot(en, eq) - dot(en, ep) - dot(ew, eu) + dot(ew, ev), bounds.third);
    }
    coordinates.expect(0.05);
    volumes.expect(0.003);
    thirds.expect(0.001);
}

TEST(ExactBounds, exact_points_are_exact_and_to_double_is_within_its_bound) {
    Numbers numbers(6);
    BoundCheck doubles;
    for (int round = 0; round < 800; ++round) {
        numbers.next_kind();
        const Cloud c(numbers);
        const MatrixGrid grid = grid_of(c.matrix);
        int lowest = kNoExponent;
        for (std::uint32_t i = 0; i < 5; ++i)
            for (std::size_t k = 0; k < 3; ++k) lowest = std::min(lowest, grid_exponent(c.hull.vertex(i)[k]));
        const int exponent = std::min({grid.linear + lowest, grid.translation, 0});
        const Rational unit(boost::multiprecision::cpp_int(1), boost::multiprecision::cpp_int(1)
                                                                   << static_cast<unsigned>(-exponent));
        for (std::uint32_t i = 0; i < 5; ++i) {
            const Vec3<Integer> point = exact_point(c.matrix, c.hull.vertex(i), exponent);
            for (std::size_t k = 0; k < 3; ++k) {
                const Rational value = Rational(boost::multiprecision::cpp_int(point[k])) * unit;
                EXPECT_EQ(value, c.exact(i)[k]);
                const double near = to_double(point[k], exponent);
                doubles.add(near, value, std::abs(near) * 0x1p-50);
            }
        }
    }
    doubles.expect(0.01);
}

}  // namespace
}  // namespace claybox::collision
