// Candidates of world queries: every broad phase compared with loops over the boxes.
#include "collision/broadphase/broad_phase.hpp"
#include "collision/core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string>

namespace claybox::collision {
namespace {

Aabb box_at(const Vec3d& centre, const Vec3d& half) {
    Aabb box;
    box.add(cast<float>(centre - half));
    box.add(cast<float>(centre + half));
    return box;
}

Vec3d random_point(Random& random, double extent) {
    return {random.uniform(-extent, extent), random.uniform(-extent, extent),
            random.uniform(-extent, extent)};
}

/// Mostly about 1 m; sometimes huge, flat, a point, or distant.
Aabb random_box(Random& random, double extent) {
    const Vec3d centre = random_point(random, extent);
    switch (random.below(30)) {
        case 0:
            return box_at(centre, {20, 25, 15});
        case 1:
            return box_at(centre, {1e-6, 1e-6, 1e-6});
        case 2:
            return box_at(centre, {});
        case 3:
            return box_at(centre, {30, 0.1, 0.1});
        case 4:
            return box_at(1e6 * centre, {1, 1, 1});
        case 5:
            return box_at({}, {0x1p61, 0x1p61, 0x1p61});
        default:
            return box_at(centre, {random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0.2, 1)});
    }
}

class BroadPhaseQueries : public testing::TestWithParam<const BroadPhaseDescriptor*> {};

INSTANTIATE_TEST_SUITE_P(Registry, BroadPhaseQueries,
                         testing::ValuesIn(broad_phases().begin(), broad_phases().end()),
                         [](const auto& row) { return std::string(row.param->id); });

/// A structure and the boxes of its bodies; boxes of other slots are empty.
struct TestWorld {
    std::unique_ptr<BroadPhase> phase;
    std::unique_ptr<Executor> executor = make_serial_executor();
    std::vector<Aabb> boxes;
    WalkScratch scratch;
    std::vector<std::uint32_t> moved;

    TestWorld(const BroadPhaseDescriptor& descriptor, const ParameterValues& values, std::size_t slots)
        : phase(descriptor.create(values)), boxes(slots) {}

    void step(Random& random, double extent) {
        const double move_probability = random.below(3) == 0 ? 1.0 : 0.05;
        moved.clear();
        for (std::uint32_t slot = 0; slot < boxes.size(); ++slot) {
            const bool here = !boxes[slot].empty();
            if (!here && random.below(4) == 0) {
                boxes[slot] = random_box(random, extent);
                phase->insert(slot);
                moved.push_back(slot);
            } else if (here && random.below(20) == 0) {
                phase->remove(slot);
                boxes[slot] = {};
            } else if (here && random.uniform() < move_probability) {
                const Vec3f by = cast<float>(random.vector(0, 0.4));
                boxes[slot].min += by;
                boxes[slot].max += by;
                moved.push_back(slot);
            }
        }
        phase->update(moved, boxes, *executor);
    }
    std::vector<std::uint32_t> overlapping(const Aabb& box) {
        std::vector<std::uint32_t> out;
        phase->overlapping(box, boxes, scratch, [&](std::uint32_t slot) {
            out.push_back(slot);
            return true;
        });
        std::sort(out.begin(), out.end());
        return out;
    }
    std::vector<std::uint32_t> along(const RayPart& part) {
        std::vector<std::uint32_t> out;
        phase->along_ray(part, boxes, scratch, [&](std::uint32_t slot) {
            out.push_back(slot);
            return part.end;
        });
        std::sort(out.begin(), out.end());
        return out;
    }
};

std::vector<std::uint32_t> expected_in(const std::vector<Aabb>& boxes, const Aabb& box) {
    std::vector<std::uint32_t> out;
    for (std::uint32_t slot = 0; slot < boxes.size(); ++slot)
        if (!boxes[slot].empty() && overlap(boxes[slot], box)) out.push_back(slot);
    return out;
}

std::vector<std::uint32_t> expected_along(const std::vector<Aabb>& boxes, const RayPart& part) {
    const RayBoxTest test(part.ray);
    std::vector<std::uint32_t> out;
    for (std::uint32_t slot = 0; slot < boxes.size(); ++slot)
        if (!boxes[slot].empty() && test.enter(boxes[slot], part.begin, part.end) <= part.end)
            out.push_back(slot);
    return out;
}

/// Includes rays along axes and coordinate planes, from inside and from far away, short and long.
RayPart random_part(Random& random, double extent) {
    RayPart part;
    part.ray.origin = random_point(random, random.below(4) == 0 ? 50 * extent : extent);
    part.ray.direction =
        random.below(2) == 0 ? random.unit_vector() : random_point(random, extent) - part.ray.origin;
    if (random.below(4) == 0) part.ray.direction[random.below(3)] = 0;
    if (random.below(8) == 0) part.ray.direction = Vec3d{0, 0, 0};
    if (part.ray.direction == Vec3d{0, 0, 0})
        part.ray.direction[random.below(3)] = random.below(2) == 0 ? -3 : 0.5;
    part.begin = random.below(4) == 0 ? random.uniform(0, 3) : 0;
    constexpr double kReach[] = {0, 1, 20, 1e4, 1e20};
    part.end = part.begin + kReach[random.below(5)];
    return part;
}

std::vector<ParameterValues> choices_of(const BroadPhaseDescriptor& descriptor) {
    std::vector<ParameterValues> out{default_values(descriptor.parameters)};
    for (std::size_t i = 0; i < descriptor.parameters.size(); ++i) {
        const Parameter& p = descriptor.parameters[i];
        if (p.kind != ParameterKind::choice && p.kind != ParameterKind::toggle) continue;
        for (double value = p.min; value <= p.max; ++value) {
            out.push_back(out.front());
            out.back()[i] = value;
        }
    }
    return out;
}

TEST_P(BroadPhaseQueries, find_the_bodies_of_a_box_and_of_a_ray_after_random_changes) {
    for (const ParameterValues& values : choices_of(*GetParam()))
        for (const double extent : {3.0, 25.0}) {
            TestWorld world(*GetParam(), values, 260);
            Random random(77);
            std::size_t visits = 0;
            for (int step = 0; step < 25; ++step) {
                world.step(random, extent);
                for (int i = 0; i < 12; ++i) {
                    const Aabb box = random_box(random, extent);
                    ASSERT_EQ(world.overlapping(box), expected_in(world.boxes, box)) << "step " << step;
                    const RayPart part = random_part(random, extent);
                    const auto along = world.along(part);
                    ASSERT_EQ(along, expected_along(world.boxes, part)) << "step " << step << " ray " << i;
                    visits += along.size();
                }
            }
            EXPECT_GT(visits, 1000u);
        }
}

TEST_P(BroadPhaseQueries, visit_each_body_of_a_large_world_once_and_stop_at_the_given_end) {
    TestWorld world(*GetParam(), default_values(GetParam()->parameters), 4000);
    Random random(5);
    for (std::uint32_t slot = 0; slot < world.boxes.size(); ++slot) {
        world.boxes[slot] = box_at(random_point(random, 15), {0.4, 0.4, 0.4});
        world.phase->insert(slot);
        world.moved.push_back(slot);
    }
    world.phase->update(world.moved, world.boxes, *world.executor);
    for (int i = 0; i < 200; ++i) {
        const RayPart part = random_part(random, 15);
        const RayBoxTest test(part.ray);
        ASSERT_EQ(world.along(part), expected_along(world.boxes, part));
        // Finds the nearest box with a shrinking end.
        double nearest = RayBoxTest::kNever, end = part.end;
        for (const Aabb& box : world.boxes)
            nearest = std::min(nearest, test.enter(box, part.begin, part.end));
        double found = RayBoxTest::kNever;
        world.phase->along_ray(part, world.boxes, world.scratch, [&](std::uint32_t slot) {
            const double enter = test.enter(world.boxes[slot], part.begin, part.end);
            EXPECT_LE(enter, end) << "beyond the current end";
            found = std::min(found, enter);
            return end = std::min(end, enter);
        });
        ASSERT_EQ(found, nearest);
        int visits = 0;
        world.phase->along_ray(part, world.boxes, world.scratch, [&](std::uint32_t) {
            ++visits;
            return -1.0;
        });
        ASSERT_EQ(visits, nearest < RayBoxTest::kNever ? 1 : 0);
        visits = 0;
        world.phase->overlapping(box_at({}, {5, 5, 5}), world.boxes, world.scratch,
                                 [&](std::uint32_t) { return ++visits < 3; });
        ASSERT_EQ(visits, 3);
    }
}

TEST_P(BroadPhaseQueries, empty_structure_has_no_candidates) {
    TestWorld world(*GetParam(), default_values(GetParam()->parameters), 0);
    EXPECT_TRUE(world.overlapping(box_at({}, {1, 1, 1})).empty());
    EXPECT_TRUE(world.along({{{}, {1, 0, 0}}, 0, 1e6}).empty());
    world.boxes.resize(3);
    world.boxes[1] = box_at({}, {1, 1, 1});
    world.phase->insert(1);
    world.moved = {1};
    world.phase->update(world.moved, world.boxes, *world.executor);
    EXPECT_EQ(world.along({{{-5, 1, 1}, {1, 0, 0}}, 0, 1e6}), std::vector<std::uint32_t>{1}) << "touching";
    world.phase->remove(1);
    world.boxes[1] = {};
    EXPECT_TRUE(world.overlapping(box_at({}, {1, 1, 1})).empty());
    EXPECT_TRUE(world.along({{{-5, 0, 0}, {1, 0, 0}}, 0, 1e6}).empty());
}

TEST(RayBoxTest, never_misses_a_box_that_the_ray_intersects_exactly) {
    // Corners on a coarse grid, and directions that reach them exactly.
    Random random(3);
    const auto coarse = [&](double scale) { return scale * std::floor(random.uniform(-64, 64)); };
    for (int i = 0; i < 20000; ++i) {
        const double scale = std::ldexp(1.0, static_cast<int>(random.below(41)) - 20);
        const Vec3d corner{coarse(scale), coarse(scale), coarse(scale)};
        const Vec3d origin{coarse(1), coarse(1), coarse(1)};
        Ray ray{origin, corner - origin};
        if (!check(ray).ok()) continue;
        const Vec3d size{scale * random.below(3), scale * random.below(3), scale * random.below(3)};
        const Aabb box{cast<float>(corner), cast<float>(corner + size)};
        EXPECT_LE(RayBoxTest(ray).enter(box, 0, 1), 1.0);
        EXPECT_LE(RayBoxTest(ray).enter(box, 1, 1), 1.0);
    }
    const Aabb unit{{0, 0, 0}, {1, 1, 1}};
    EXPECT_EQ(RayBoxTest({{-1, 2, 0}, {1, 0, 0}}).enter(unit, 0, 1e9), RayBoxTest::kNever);
    EXPECT_EQ(RayBoxTest({{-1, 0, 0}, {-1, 0, 0}}).enter(unit, 0, 1e9), RayBoxTest::kNever);
    EXPECT_EQ(RayBoxTest({{-1, 0, 0}, {1, 0, 0}}).enter(unit, 0, 0.5), RayBoxTest::kNever);
    EXPECT_EQ(RayBoxTest({{-1, 0.5, 0.5}, {1, 0x1p-1000, 0}}).enter(unit, 2.5, 9), RayBoxTest::kNever);
}

TEST(RayBoxTest, rays_without_a_direction_or_with_invalid_numbers_are_errors) {
    const double nan = std::numeric_limits<double>::quiet_NaN(), inf = RayBoxTest::kNever;
    EXPECT_FALSE(check(Ray{{}, {}}).ok());
    EXPECT_FALSE(check(Ray{{nan, 0, 0}, {1, 0, 0}}).ok());
    EXPECT_FALSE(check(Ray{{0, 0x1p61, 0}, {1, 0, 0}}).ok());
    EXPECT_FALSE(check(Ray{{}, {1, nan, 0}}).ok());
    EXPECT_FALSE(check(Ray{{}, {inf, 0, 0}}).ok());
    EXPECT_FALSE(check(Ray{{}, {0x1p-61, 0, 0}}).ok());
    EXPECT_FALSE(check(Ray{{}, {0x1p61, 0, 0}}).ok());
    EXPECT_TRUE(check(Ray{{0, 0, 0x1p60}, {0x1p-60, 0, 1e-300}}).ok());
}

}  // namespace
}  // namespace claybox::collision
