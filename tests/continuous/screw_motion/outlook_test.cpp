// Section 10: balls as the first quadrics, and the screen on a raster device.

#include "collision/continuous/screw_motion/contact/moving_balls.hpp"
#include "collision/continuous/screw_motion/screen/raster_screen.hpp"
#include "collision/core/random.hpp"
#include "collision/core/trig.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/pairwise/raster/raster_software.hpp"
#include "tests/continuous/screw_motion/screw_case.hpp"

#include <cmath>

namespace claybox::test {
namespace {

Vec3d random_vector(Random& random, double size) {
    const double x = random.uniform(-size, size), y = random.uniform(-size, size),
                 z = random.uniform(-size, size);
    return {x, y, z};
}

TEST(ScrewMotion, BU_10_quadric_balls_meet_on_a_screw) {
    // A straight line has a quadratic equation.
    const RelativePath line = RelativePath::of_screw({{}, {1, 0, 0}, 0, 10});
    const BallContact hit = first_ball_contact(line, {{5, 0.6, 0}, 0.7}, {{0, 0, 0}, 0.3});
    ASSERT_TRUE(hit.hit);
    EXPECT_NEAR(hit.time, (5 - 0.8) / 10, 1e-14);
    EXPECT_LT(length(hit.normal - Vec3d{-0.8, -0.6, 0}), 1e-12);
    EXPECT_FALSE(first_ball_contact(line, {{5, 1.1, 0}, 0.7}, {{0, 0, 0}, 0.3}).hit);
    EXPECT_EQ(first_ball_contact(line, {{0.5, 0, 0}, 0.7}, {{0, 0, 0}, 0.3}).time, 0);
    // Screws against small steps.
    Random random(1);
    int hits = 0;
    for (int i = 0; i < 400; ++i) {
        const Screw s{random_vector(random, 2), normalized(random_vector(random, 1)), random.uniform(0, 9),
                      random.uniform(-3, 3)};
        const WorldSphere a{random_vector(random, 2), random.uniform(0.1, 0.9)},
            b{random_vector(random, 2), random.uniform(0.1, 0.9)};
        const RelativePath path = RelativePath::of_screw(s);
        const BallContact found = first_ball_contact(path, a, b);
        const auto gap = [&](double t) {
            return length(path.at(t)(b.centre) - a.centre) - a.radius - b.radius;
        };
        for (double t = 0; t <= 1; t += 1e-3) {
            if (found.hit && t >= found.time) break;
            ASSERT_GT(gap(t), -1e-9);
        }
        if (!found.hit || found.time == 0) continue;
        ++hits;
        ASSERT_NEAR(gap(found.time), 0, 1e-9);
    }
    EXPECT_GT(hits, 30);
}

TEST(ScrewMotion, BU_10_gpu_the_screen_on_a_raster_device_estimates_the_time) {
    Random random(2);
    constexpr int kSize = 256;
    const RasterFrame frame{RasterKind::two_valued, kSize, 1};
    std::vector<std::int32_t> memory(frame.words());
    SoftwareRaster device(memory);
    int hits = 0, misses = 0;
    double worst = 0;
    for (int i = 0; i < 60; ++i) {
        const auto shape =
            make_primitive_shape(Primitive::ellipsoid_hull, 40, 1, static_cast<std::uint64_t>(i)).value();
        ScrewCase c{shape, shape, to_matrix({random_rotation(random, 0, kPi), {}}), {}};
        const Quat turn = random_rotation(random, 0, kPi);
        c.matrix_b = to_matrix({turn, {3, random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5)}});
        const Screw s{{1, -9, 0}, {0, 0, 1}, 0.35, 0};
        c.motion_b = Motion::along(s);
        const ScrewOutcome exact = run(c);
        // The same bodies on a device.
        const auto prepared = prepare_screw_mesh(*shape, shape->geometry());
        const auto* mesh = static_cast<const ScrewMesh*>(prepared.get());
        const ScrewBody a{mesh, to_map(c.matrix_a)}, b{mesh, to_map(c.matrix_b)};
        const RelativePath path = RelativePath::of_screw(s);
        std::vector<ScrewPiece> pieces;
        cut_into_pieces(path, world_sphere(a), world_sphere(b), {}, pieces);
        ScrewMemory work;
        ScreenSettings settings;
        if (!set_up_screen(pieces.at(0), {}, a, b, 0.05, work, settings)) continue;
        const RasterScreen screen = draw_on_device(pieces[0], work.a, work.b, kSize, device);
        ASSERT_TRUE(screen.drawn);
        if (!exact.hit()) {
            ++misses;
            // Never in the middle of a pixel that both cover, up to the straight edges of the drawing.
            EXPECT_TRUE(!screen.near || screen.tau > 0.9 || screen.pixels < kSize) << i;
            continue;
        }
        if (screen.pixels < 200) continue;  // they graze
        ++hits;
        ASSERT_TRUE(screen.near) << i;
        worst = std::max(worst, std::fabs(screen.tau - exact.time()));
    }
    EXPECT_GT(hits, 20);
    EXPECT_GT(misses, 3);
    EXPECT_LT(worst, 0.03);
}

}  // namespace
}  // namespace claybox::test
