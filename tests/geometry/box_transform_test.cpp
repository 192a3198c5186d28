// The efficient box transforms: their numbers of operations, and that they equal the box of eight transformed
// corners.
#include "collision/geometry/bounds/box_transform.hpp"

#include "collision/core/random.hpp"
#include "collision/geometry/bounds/bounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace claybox::collision {
namespace {

/// A double that counts its operations.
struct Counted {
    static inline int multiplications, additions, comparisons;
    static void clear() { multiplications = additions = comparisons = 0; }
    double v = 0;
    Counted() = default;
    Counted(double value) : v(value) {}  // NOLINT: implicit on purpose
    friend Counted operator*(Counted a, Counted b) { return ++multiplications, Counted(a.v * b.v); }
    friend Counted operator+(Counted a, Counted b) { return ++additions, Counted(a.v + b.v); }
    friend Counted operator-(Counted a, Counted b) { return ++additions, Counted(a.v - b.v); }
    friend bool operator<(Counted a, Counted b) { return ++comparisons, a.v < b.v; }
};

/// Transforms all corners and finds the extremes on each axis.
template <class T>
CornerBox<T> transform_eight_corners(const T* m, const CornerBox<T>& box) {
    CornerBox<T> out;
    for (unsigned corner = 0; corner < 8; ++corner)
        for (std::size_t i = 0; i < 3; ++i) {
            T sum = m[4 * i + 3];
            for (std::size_t j = 0; j < 3; ++j)
                sum = sum + m[4 * i + j] * (corner >> j & 1 ? box.high[j] : box.low[j]);
            if (corner == 0 || sum < out.low[i]) out.low[i] = sum;
            if (corner == 0 || out.high[i] < sum) out.high[i] = sum;
        }
    return out;
}

struct Case {
    Matrix34f matrix;
    CornerBox<float> box;
};
Case random_case(Random& random, int i) {
    Case out;
    if (i % 2)
        out.matrix = to_matrix({random_rotation(random, -3, 3), 10.0 * random.unit_vector()});
    else
        for (float& v : out.matrix.m) v = static_cast<float>(std::ldexp(random.uniform(-1, 1), i % 40 - 20));
    for (std::size_t k = 0; k < 3; ++k) {
        const double a = random.uniform(-5, 5), b = random.uniform(-5, 5);
        out.box.low[k] = static_cast<float>(std::min(a, b));
        out.box.high[k] = static_cast<float>(std::max(a, b));
    }
    return out;
}

template <class T>
std::array<T, 12> numbers(const Matrix34f& m) {
    std::array<T, 12> out;
    for (std::size_t i = 0; i < 12; ++i) out[i] = T(static_cast<double>(m.m[i]));
    return out;
}

TEST(BoxTransform, Z_5_2_1_xform_needs_18_multiplications_18_additions_and_9_comparisons) {
    Random random(21);
    for (int i = 0; i < 100; ++i) {
        const Case c = random_case(random, i);
        const auto m = numbers<Counted>(c.matrix);
        CornerBox<Counted> box;
        DiagonalBox<Counted> other;
        for (std::size_t k = 0; k < 3; ++k) {
            box.low[k] = other.corner[k] = Counted(c.box.low[k]);
            box.high[k] = Counted(c.box.high[k]);
            other.diagonal[k] = Counted(c.box.high[k] - c.box.low[k]);
        }
        const auto expect = [](int multiplications, int additions, int comparisons) {
            EXPECT_EQ(Counted::multiplications, multiplications);
            EXPECT_EQ(Counted::additions, additions);
            EXPECT_EQ(Counted::comparisons, comparisons);
            Counted::clear();
        };
        Counted::clear();
        transform_box(m.data(), box);
        expect(18, 18, 9);
        transform_box(m.data(), other);
        expect(18, 24, 9);
        transform_eight_corners(m.data(), box);
        expect(72, 72, 42);  // the first corner needs no comparison: the thesis counts 48
    }
}

TEST(BoxTransform, Z_5_2_1_xform_both_representations_equal_the_box_of_eight_transformed_corners) {
    Random random(22);
    for (int i = 0; i < 2000; ++i) {
        const Case c = random_case(random, i);
        const CornerBox<float> naive = transform_eight_corners(c.matrix.m.data(), c.box);
        const CornerBox<float> fast = transform_box(c.matrix.m.data(), c.box);
        EXPECT_EQ(fast.low, naive.low);
        EXPECT_EQ(fast.high, naive.high);
        // In double, then rounded: equal up to one float step.
        const auto m = numbers<double>(c.matrix);
        const CornerBox<double> box{cast<double>(c.box.low), cast<double>(c.box.high)};
        const CornerBox<double> exact = transform_eight_corners(m.data(), box);
        const DiagonalBox<double> other =
            transform_box(m.data(), DiagonalBox<double>{box.low, box.high - box.low});
        const Aabb rounded = transform_aabb(c.matrix, {c.box.low, c.box.high});
        constexpr float kFar = std::numeric_limits<float>::max();
        for (std::size_t k = 0; k < 3; ++k) {
            const auto low = static_cast<float>(exact.low[k]), high = static_cast<float>(exact.high[k]);
            const auto is_next = [&](float a, float b) {
                return a == b || std::nextafter(a, kFar) == b || std::nextafter(a, -kFar) == b;
            };
            EXPECT_TRUE(is_next(static_cast<float>(other.corner[k]), low)) << i;
            EXPECT_TRUE(is_next(static_cast<float>(other.corner[k] + other.diagonal[k]), high)) << i;
            EXPECT_TRUE(is_next(rounded.min[k], low)) << "the box that bodies get";
            EXPECT_TRUE(is_next(rounded.max[k], high)) << "the box that bodies get";
        }
    }
}

}  // namespace
}  // namespace claybox::collision
