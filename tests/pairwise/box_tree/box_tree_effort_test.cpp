// The cost of a step of interval splitting: the scalar is replaced by a number that counts its
// multiplications and divisions.

#include "collision/core/random.hpp"
#include "collision/geometry/transform.hpp"
#include "collision/pairwise/box_tree/intervals.hpp"

#include <gtest/gtest.h>

namespace claybox::test {
namespace {

using namespace collision;

/// A double that counts its operations.
struct Counted {
    double v = 0;
    static inline std::uint64_t products = 0, quotients = 0;

    Counted() = default;
    Counted(double value) : v(value) {}
    explicit operator double() const { return v; }
    friend Counted operator+(Counted a, Counted b) { return a.v + b.v; }
    friend Counted operator-(Counted a, Counted b) { return a.v - b.v; }
    friend Counted operator-(Counted a) { return -a.v; }
    friend Counted operator*(Counted a, Counted b) {
        ++products;
        return a.v * b.v;
    }
    [[maybe_unused]] friend Counted operator/(Counted a, Counted b) {
        ++quotients;
        return a.v / b.v;
    }
    Counted& operator*=(Counted o) { return *this = *this * o; }
    friend bool operator<(Counted a, Counted b) { return a.v < b.v; }
    friend bool operator>(Counted a, Counted b) { return a.v > b.v; }
    friend bool operator<=(Counted a, Counted b) { return a.v <= b.v; }
};

using Numbers = std::array<std::array<Counted, 3>, 2>;

/// Two boxes of size 1 at a distance, in random relative rotation.
struct Scene {
    std::array<std::array<std::array<double, 3>, 3>, 2> axes{};
    Numbers low, size, origin;

    Scene(Random& random, double distance) {
        const Pose a_from_b{random_rotation(random, 0.2, 2.9), distance * random.unit_vector()};
        for (std::size_t s = 0; s < 2; ++s) {
            const Pose other_from_own = s == 0 ? inverse(a_from_b) : a_from_b;
            for (std::size_t k = 0; k < 3; ++k) {
                Vec3d unit;
                unit[k] = 1;
                const Vec3d turned = rotate(other_from_own.rotation, unit);
                axes[s][k] = {turned.x, turned.y, turned.z};
                low[s][k] = -0.5;
                size[s][k] = 1;
            }
            const Vec3d corner = transform_point(other_from_own, {-0.5, -0.5, -0.5});
            for (std::size_t k = 0; k < 3; ++k) origin[s][k] = corner[k];
        }
    }
    BoxTreeFrames<Counted> frames() const { return {axes, {}, {{{9, 9, 9}, {9, 9, 9}}}}; }
};

struct Cost {
    std::uint64_t products = 0, quotients = 0;
};
template <class Step>
Cost cost_of(Step&& step) {
    Counted::products = Counted::quotients = 0;
    step();
    return {Counted::products, Counted::quotients};
}

template <bool Flags>
Cost cost_of_cuts(const Scene& scene, const BoxTreeProducts<Counted>* table, int cuts) {
    const BoxTreeFrames<Counted> frames = scene.frames();
    const IntervalSplitter<Counted, Flags> splitter(frames, table);
    BoxPair<Counted> pair = splitter.first(scene.low, scene.size, scene.origin), left, right;
    Random random(5);
    return cost_of([&] {
        for (int i = 0; i < cuts && pair.boxes_overlap(); ++i) {
            const std::size_t s = random.below(2), axis = random.below(3);
            const Counted part = pair.side[s].size[axis].v / 2;
            splitter.split(pair, s, axis, pair.side[s].low[axis] + part, part, left, right);
            pair = left.boxes_overlap() ? left : right;
        }
    });
}

TEST(BoxTreeEffort, Z_3_6_1_splitx_y_z_a_cut_computes_four_edges_and_no_quotient) {
    Random random(1);
    for (int i = 0; i < 50; ++i) {
        const Scene scene(random, 0.4);
        const BoxTreeFrames<Counted> frames = scene.frames();
        const IntervalSplitter<Counted> splitter(frames);
        BoxPair<Counted> pair, left, right;
        const Cost first = cost_of([&] { pair = splitter.first(scene.low, scene.size, scene.origin); });
        for (std::size_t s = 0; s < 2; ++s)
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const Cost one = cost_of([&] {
                    splitter.split(pair, s, axis, pair.side[s].low[axis] + 0.375, 0.375, left, right);
                });
                // One plane against three families of the other box: 3 each. Four new edges, of two families,
                // against three pairs of planes: 3 each. Two corners: 3 each.
                EXPECT_LE(one.products, 3u * 3 + 2 * 3 * 3 + 2 * 3);
                EXPECT_EQ(one.quotients, 0u);
                // From scratch, two boxes would be computed, each at the cost of the first.
                EXPECT_LT(4 * one.products, 2 * first.products);
            }
        EXPECT_EQ(first.quotients, 0u);
    }
}

TEST(BoxTreeEffort, Z_3_6_1_enter_flags_and_quotients_are_computed_once_per_traversal) {
    Random random(2);
    const Scene scene(random, 0.3);
    // Quotients are computed in double before the conversion to scalars; 200 cuts compute none.
    const BoxTreeFrames<Counted> frames = scene.frames();
    EXPECT_EQ(cost_of_cuts<true>(scene, nullptr, 200).quotients, 0u);
    EXPECT_EQ(sizeof(frames.side[0].enters), 9u) << "one flag per family and axis, not per edge";
}

TEST(BoxTreeEffort, Z_3_6_4_mid_tables_replace_the_products_of_sizes) {
    Random random(3);
    std::uint64_t with = 0, without = 0;
    for (int i = 0; i < 50; ++i) {
        const Scene scene(random, 0.5);
        const BoxTreeProducts<Counted> products(scene.frames(), scene.size);
        with += cost_of_cuts<true>(scene, &products, 12).products;
        without += cost_of_cuts<true>(scene, nullptr, 12).products;
    }
    EXPECT_LT(with, without * 3 / 4);
}

TEST(BoxTreeEffort, Z_3_6_4_outside_flags_skip_families_that_are_outside) {
    Random random(4);
    std::uint64_t with = 0, without = 0;
    for (int i = 0; i < 200; ++i) {
        const Scene scene(random, 1.1);
        with += cost_of_cuts<true>(scene, nullptr, 12).products;
        without += cost_of_cuts<false>(scene, nullptr, 12).products;
    }
    EXPECT_LT(with, without);
    EXPECT_GT(with, without / 3);
}

}  // namespace
}  // namespace claybox::test
