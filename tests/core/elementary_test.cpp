#include "collision/core/elementary.hpp"

#include "collision/core/random.hpp"
#include "collision/core/state_hash.hpp"
#include "collision/core/trig.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace claybox::collision {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kRounds = 100'000;

double off(double value, double truth) {
    return std::fabs(value - truth) / std::fabs(truth);
}

// The C library is right to about one bit, which is below all promised errors.
TEST(Elementary, functions_are_as_exact_as_promised) {
    Random random(1);
    for (int i = 0; i < kRounds; ++i) {
        const double large = std::exp2(random.uniform(-1000, 1000)), small = random.uniform(0.5, 2);
        const double x = i % 2 == 0 ? large : small,
                     exponent = random.uniform(-700, 700) / (i % 2 == 0 ? 1 : 500);
        ASSERT_LT(off(cube_root(-x), std::cbrt(-x)), 1e-15) << x;
        ASSERT_LT(off(exponential(exponent), std::exp(exponent)), 1e-15) << exponent;
        const double logarithmic = std::log(x);
        ASSERT_LT(std::fabs(logarithm(x) - logarithmic), std::max(4e-16, 1e-15 * std::fabs(logarithmic)))
            << x;
        const double base = random.uniform(0.01, 100), by = random.uniform(-20, 20);
        ASSERT_LT(off(power(base, by), std::pow(base, by)), 1e-15 * (1 + std::fabs(by * std::log(base))))
            << base << " to the " << by;
        ASSERT_LT(off(hypotenuse(base, by), std::hypot(base, by)), 1e-15);
    }
}

TEST(Elementary, numbers_split_as_in_the_c_library) {
    Random random(1);
    using Limits = std::numeric_limits<double>;
    const auto check = [](double x) {
        int twos = 0;
        const double m = std::frexp(x, &twos);
        const Binary parts = binary(x);
        EXPECT_EQ(parts.m, m) << x;
        EXPECT_EQ(parts.twos, twos) << x;
    };
    for (const double x : {1.0, 0.5, std::nextafter(1.0, 0.0), Limits::max(), Limits::min(),
                           Limits::denorm_min(), std::nextafter(Limits::min(), 0.0)})
        check(x);
    for (int i = 0; i < kRounds; ++i) check(random.uniform(0.5, 1) * std::exp2(random.uniform(-1073, 1024)));
}

TEST(Elementary, whole_powers_are_exact) {
    EXPECT_EQ(power(2, 10), 1024);
    EXPECT_EQ(power(3, 33), 5559060566555523);
    EXPECT_EQ(power(2, -3), 0.125);
    EXPECT_EQ(power(1.5, 0), 1);
    EXPECT_EQ(power(64, 1), 64);
}

TEST(Elementary, limits_are_those_of_the_c_library) {
    const double nothing = std::numeric_limits<double>::quiet_NaN(), least = 5e-324;
    EXPECT_EQ(cube_root(0.0), 0);
    EXPECT_TRUE(std::signbit(cube_root(-0.0)));
    EXPECT_EQ(cube_root(-27), -3);
    EXPECT_EQ(cube_root(-kInfinity), -kInfinity);
    EXPECT_TRUE(std::isnan(cube_root(nothing)));
    EXPECT_LT(off(cube_root(least), std::cbrt(least)), 1e-15);
    EXPECT_EQ(exponential(0), 1);
    EXPECT_EQ(exponential(-745.1), least);
    EXPECT_EQ(exponential(-1000), 0);
    EXPECT_EQ(exponential(-kInfinity), 0);
    EXPECT_EQ(exponential(709.9), kInfinity);
    EXPECT_EQ(exponential(kInfinity), kInfinity);
    EXPECT_TRUE(std::isnan(exponential(nothing)));
    EXPECT_EQ(logarithm(1), 0);
    EXPECT_EQ(logarithm(0), -kInfinity);
    EXPECT_EQ(logarithm(kInfinity), kInfinity);
    EXPECT_TRUE(std::isnan(logarithm(-1)));
    EXPECT_TRUE(std::isnan(logarithm(nothing)));
    EXPECT_LT(off(logarithm(least), std::log(least)), 1e-15);
}

// Recorded. Another compiler, processor or C library has to give the same bits, also of trig.hpp.
TEST(Elementary, all_machines_return_the_same_bits) {
    Random random(2);
    StateHash hash;
    for (int i = 0; i < kRounds; ++i) {
        const double x = random.uniform(0, 10), y = random.uniform(-10, 10);
        hash.add(cube_root(x));
        hash.add(exponential(y));
        hash.add(logarithm(x));
        hash.add(power(x, y));
        hash.add(hypotenuse(x, y));
        hash.add(sin_cos(y).sin);
        hash.add(sin_cos(y).cos);
        hash.add(arc_tangent(y, x));
    }
    EXPECT_EQ(hash.value(), 0xbee44cf8ac798755ull) << std::hex << hash.value();
}

}  // namespace
}  // namespace claybox::collision
