#include "collision/core/assert.hpp"
#include "collision/core/function_ref.hpp"
#include "collision/core/ids.hpp"
#include "collision/core/random.hpp"
#include "collision/core/result.hpp"
#include "collision/core/state_hash.hpp"
#include "collision/core/trig.hpp"
#include "collision/core/vec.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <stdexcept>

namespace claybox::collision {
namespace {

TEST(Vec, operations_return_expected_values) {
    const Vec3d x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
    EXPECT_EQ(cross(x, y), z);
    EXPECT_EQ(cross(y, z), x);
    EXPECT_EQ(dot(x + 2.0 * y, y), 2.0);
    EXPECT_EQ(normalized(Vec3d{}, y), y);
    EXPECT_EQ(length(Vec3d{2, 3, 6}), 7.0);
    EXPECT_FALSE(is_finite(Vec3f{0, std::numeric_limits<float>::infinity(), 0}));
    EXPECT_EQ(min(Vec3f{1, 5, 3}, Vec3f{2, 4, 3}), (Vec3f{1, 4, 3}));
    EXPECT_EQ(max(Vec3f{1, 5, 3}, Vec3f{2, 4, 3}), (Vec3f{2, 5, 3}));
}

TEST(Random, a_seed_determines_the_numbers) {
    Random a(1), b(1), c(2);
    const std::uint64_t first = a.bits();
    EXPECT_EQ(first, b.bits());
    EXPECT_NE(first, c.bits());
    // The published first output of SplitMix64 from state 0.
    EXPECT_EQ(mix64(0), 0xe220a8397b1dcdafull);
}

TEST(Random, numbers_fill_their_ranges) {
    Random random(3);
    std::set<std::uint64_t> seen;
    double sum = 0;
    for (int i = 0; i < 10000; ++i) {
        const double u = random.uniform();
        ASSERT_GE(u, 0.0);
        ASSERT_LT(u, 1.0);
        sum += u;
        seen.insert(random.below(7));
        const Vec3d d = random.unit_vector();
        ASSERT_NEAR(length(d), 1.0, 1e-15);
    }
    EXPECT_NEAR(sum / 10000, 0.5, 0.02);
    EXPECT_EQ(seen.size(), 7u);
    EXPECT_EQ(*seen.rbegin(), 6u);
}

TEST(StateHash, hash_depends_on_values_and_order) {
    const auto of = [](std::initializer_list<double> values) {
        StateHash hash;
        for (const double v : values) hash.add(v);
        return hash.value();
    };
    EXPECT_EQ(of({1, 2}), of({1, 2}));
    EXPECT_NE(of({1, 2}), of({2, 1}));
    EXPECT_NE(of({1}), of({1, 0}));
    EXPECT_EQ(of({0.0}), of({-0.0}));
}

TEST(Result, result_holds_a_value_or_an_error_with_file_and_line) {
    const Result<int> good = 5, bad = Error{"expected a number", "mesh.obj", 12};
    ASSERT_TRUE(good);
    EXPECT_EQ(good.value(), 5);
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().text(), "mesh.obj:12: expected a number");
    EXPECT_EQ((Error{"no", {}, 3}.text()), "line 3: no");
    EXPECT_EQ((Error{"no", {}, 0}.text()), "no");
}

TEST(Ids, pair_keys_are_unordered_and_sort_like_pairs) {
    EXPECT_EQ(make_pair_key(7, 3), make_pair_key(3, 7));
    EXPECT_EQ(first_slot(make_pair_key(7, 3)), 3u);
    EXPECT_EQ(second_slot(make_pair_key(7, 3)), 7u);
    EXPECT_LT(make_pair_key(1, 9), make_pair_key(2, 3));
    EXPECT_FALSE(BodyId{});
    EXPECT_TRUE((BodyId{0, 0}));
}

TEST(FunctionRef, calls_the_referenced_callable) {
    int calls = 0;
    const auto count = [&](int n) { return calls += n; };
    const FunctionRef<int(int)> f = count;
    EXPECT_EQ(f(2), 2);
    EXPECT_EQ(f(3), 5);
}

TEST(Trig, sin_cos_and_arc_tangent_match_the_standard_library) {
    Random random(4);
    for (int i = 0; i < 100000; ++i) {
        const double x = random.uniform(-1, 1) * (i % 2 == 0 ? 10 : 1e5);
        const SinCos a = sin_cos(x);
        ASSERT_NEAR(a.sin, std::sin(x), 4e-16);
        ASSERT_NEAR(a.cos, std::cos(x), 4e-16);
        const double u = random.uniform(-1, 1), v = random.uniform(-1, 1);
        ASSERT_NEAR(arc_tangent(v, u), std::atan2(v, u), 1e-15);
    }
    EXPECT_EQ(sin_cos(0).sin, 0.0);
    EXPECT_EQ(sin_cos(0).cos, 1.0);
    EXPECT_EQ(arc_tangent(0, 0), 0.0);
    EXPECT_EQ(arc_tangent(0, 1), 0.0);
    EXPECT_NEAR(arc_tangent(0, -1), kPi, 1e-15);
    EXPECT_NEAR(arc_tangent(1e-300, 1e-300), kPi / 4, 1e-15);
    EXPECT_NEAR(arc_tangent(-1e300, 0), -kPi / 2, 1e-15);
}

#if defined(CLAYBOX_ASSERTIONS)
TEST(Assert, failed_assertion_calls_the_handler_with_its_expression) {
    set_assert_handler(
        [](const char* expression, const char*, int) { throw std::runtime_error(expression); });
    std::string caught;
    try {
        CLAYBOX_ASSERT(1 + 1 == 3);
    } catch (const std::runtime_error& e) {
        caught = e.what();
    }
    set_assert_handler(nullptr);
    EXPECT_EQ(caught, "1 + 1 == 3");
}
#endif

}  // namespace
}  // namespace claybox::collision
