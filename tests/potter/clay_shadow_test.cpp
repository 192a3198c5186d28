#include "app/potter/files/clay_shadow.hpp"

#include "collision/core/random.hpp"
#include "tests/potter/probe.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace claybox::app {
namespace {

bool equal_bits(const ClaySnapshot& shadow, const ClaySurface& clay) {
    return shadow.topology == clay.start()->geometry().topology &&
           std::memcmp(shadow.positions.get(), clay.positions().data(),
                       clay.positions().size() * sizeof(Vec3f)) == 0;
}

/// Moves vertices by small random steps: `count` of them, all near each other in memory or anywhere.
void change(ClaySurface& clay, collision::Random& random, std::size_t count, bool anywhere) {
    const std::size_t size = clay.positions().size(), first = random.bits() % size;
    std::vector<std::uint32_t> changed;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t v = anywhere ? random.bits() % size : (first + i) % size;
        const auto vertex = static_cast<std::uint32_t>(v);
        const float step = static_cast<float>(random.bits() % 1000) * 1e-6f;
        clay.set(vertex, clay.positions()[vertex] + Vec3f{step, -step, step});
        changed.push_back(vertex);
    }
    std::sort(changed.begin(), changed.end());
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    clay.commit(changed);
}

std::size_t runs_after(const ClaySurface& clay, std::uint64_t version) {
    const auto& now = clay.run_versions();
    return static_cast<std::size_t>(
        std::count_if(now.begin(), now.end(), [&](std::uint64_t v) { return v > version; }));
}

TEST(ClayShadow, equals_the_clay_bit_for_bit_after_random_changes) {
    ClaySurface clay(clay_shape(ClayShape::pot, 20000));
    ClayShadow shadow;
    collision::Random random(1);
    for (int round = 0; round < 300; ++round) {
        const std::size_t changes = random.bits() % 4;
        for (std::size_t i = 0; i < changes; ++i)
            change(clay, random, 1 + random.bits() % 300, random.bits() % 2 == 0);
        ASSERT_TRUE(shadow.update(clay)) << "a small clay needs one call";
        ASSERT_TRUE(equal_bits(shadow.snapshot(), clay)) << round;
    }
    EXPECT_TRUE(shadow.update(clay));
    EXPECT_EQ(shadow.copied(), 0u) << "nothing has changed";
}

TEST(ClayShadow, equals_the_clay_after_strokes_undo_and_reset) {
    Clay clay(clay_shape(ClayShape::vase, 5000));
    ClayShadow shadow;
    for (std::uint64_t stroke = 0; stroke < 3; ++stroke) {
        push_in(clay, 0.07, 0.02, 100 * stroke + 1);
        ASSERT_TRUE(shadow.update(clay.surface()));
        EXPECT_TRUE(equal_bits(shadow.snapshot(), clay.surface()));
    }
    clay.undo();
    ASSERT_TRUE(shadow.update(clay.surface()));
    EXPECT_TRUE(equal_bits(shadow.snapshot(), clay.surface()));
    clay.reset();
    ASSERT_TRUE(shadow.update(clay.surface()));
    EXPECT_TRUE(equal_bits(shadow.snapshot(), clay.surface()));
}

TEST(ClayShadow, a_call_copies_a_bounded_number_of_runs_and_follows_any_hand) {
    // Large enough for many calls; every frame of this hand changes most of the clay.
    ClaySurface clay(clay_shape(ClayShape::pot, 400000));
    const std::size_t runs = clay.run_versions().size();
    ASSERT_GT(runs, 5 * ClayShadow::kRunsPerCall);
    ClayShadow shadow;
    collision::Random random(2);
    const std::size_t most_calls = runs / ClayShadow::kRunsPerCall + 1;
    for (int saving = 0; saving < 3; ++saving) {
        std::size_t calls = 0;
        std::uint64_t before = clay.version();
        for (bool done = false; !done; ++calls) {
            ASSERT_LE(calls, most_calls);
            change(clay, random, 20000, true);
            done = shadow.update(clay);
            const std::size_t fresh = calls == 0 ? 0 : runs_after(clay, before);
            ASSERT_LE(shadow.copied(), ClayShadow::kRunsPerCall + fresh);
            before = clay.version();
        }
        EXPECT_GT(calls, 1u);
        EXPECT_TRUE(equal_bits(shadow.snapshot(), clay));
    }
}

TEST(ClayShadow, another_topology_starts_again_and_old_snapshots_stay) {
    ClaySurface first(clay_shape(ClayShape::pot, 3000)), second(clay_shape(ClayShape::sphere, 9000));
    ClayShadow shadow;
    collision::Random random(3);
    change(first, random, 50, true);
    ASSERT_TRUE(shadow.update(first));
    const ClaySnapshot kept = shadow.snapshot();
    const std::vector<float> copy(kept.coordinates().begin(), kept.coordinates().end());
    change(second, random, 50, true);
    ASSERT_TRUE(shadow.update(second));
    EXPECT_TRUE(equal_bits(shadow.snapshot(), second));
    shadow.forget();
    EXPECT_EQ(std::memcmp(copy.data(), kept.coordinates().data(), copy.size() * sizeof(float)), 0);
}

TEST(ClayShadow, a_new_clay_of_the_same_shape_is_not_taken_for_the_old_one) {
    const auto shape = clay_shape(ClayShape::pot, 3000);
    ClaySurface first(shape), second(shape);
    ClayShadow shadow;
    collision::Random random(4);
    change(first, random, 50, true);
    ASSERT_TRUE(shadow.update(first));
    change(second, random, 50, true);
    ASSERT_EQ(first.version(), second.version());
    shadow.forget();
    ASSERT_TRUE(shadow.update(second));
    EXPECT_TRUE(equal_bits(shadow.snapshot(), second));
}

}  // namespace
}  // namespace claybox::app
