#include "collision/core/random.hpp"
#include "collision/pairwise/mesh/triangle_distance.hpp"
#include "tests/potter/probe.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace claybox::app {
namespace {

TEST(ClayShapes, are_closed_manifolds_on_the_bat_with_the_requested_polygon_count) {
    for (const ClayShape kind : kTurnedShapes) {
        for (const std::uint32_t polygons : {500u, 5000u, 20000u}) {
            const auto shape = clay_shape(kind, polygons);
            const collision::Classification& c = shape->classification();
            EXPECT_TRUE(c.closed && c.manifold && c.oriented)
                << kClayShapeIds[static_cast<int>(kind)] << polygons;
            EXPECT_EQ(c.components, 1u);
            EXPECT_NEAR(c.polygons, polygons, 0.06 * polygons);
            EXPECT_NEAR(shape->geometry().box.min.y, 0, 1e-6);
            EXPECT_GT(enclosed_volume(shape->topology(), shape->geometry().positions), 1e-4)
                << "polygons face outward";
        }
    }
}

TEST(ClayShapes, the_pot_has_the_designed_measures) {
    const Clay pot(clay_shape(ClayShape::pot, 20000));
    const ClayMeasures m = pot.measure();
    EXPECT_NEAR(m.height, 0.162, 0.003);
    EXPECT_NEAR(m.widest, 0.176, 0.005);
    EXPECT_NEAR(m.mouth, 0.140, 0.006);
    EXPECT_EQ(m.polygons_moved, 0u);
}

TEST(Clay, volume_of_a_sphere_is_correct) {
    const Clay ball(clay_shape(ClayShape::sphere, 100000));
    const double exact = 4.0 / 3 * std::numbers::pi * std::pow(0.075, 3);
    EXPECT_NEAR(ball.measure().volume, exact, 2e-3 * exact);
}

TEST(Clay, a_push_makes_a_smooth_dent_at_the_finger) {
    Clay clay(clay_shape(ClayShape::sphere, 20000));
    const double before = clay.measure().volume;
    push_in(clay, 0.075, 0.010);
    const ClayMeasures after = clay.measure();
    EXPECT_LT(after.volume, before - 1e-6);
    EXPECT_GT(after.volume, 0.9 * before);
    EXPECT_GT(after.polygons_moved, 20u);
    double deepest = 0, far_moved = 0, steepest = 0;
    const auto &now = clay.positions(), &start = clay.start_positions();
    for (std::size_t v = 0; v < now.size(); ++v) {
        const double moved = static_cast<double>(length(now[v] - start[v]));
        const double away = static_cast<double>(length(start[v] - Vec3f{0.075f, 0.07f, 0}));
        deepest = std::max(deepest, moved);
        if (away > 0.045) far_moved = std::max(far_moved, moved);
    }
    for (const collision::Edge& e : clay.topology().edges) {
        const Vec3f a = now[e.vertices[0]] - start[e.vertices[0]],
                    b = now[e.vertices[1]] - start[e.vertices[1]];
        const float l = length(start[e.vertices[0]] - start[e.vertices[1]]);
        if (l > 5e-4f) steepest = std::max(steepest, static_cast<double>(length(a - b) / l));
    }
    EXPECT_GT(deepest, 0.006);
    EXPECT_LT(deepest, 0.013);
    EXPECT_EQ(far_moved, 0);
    EXPECT_LT(steepest, 1.2) << "a dent, no spikes";
}

TEST(Clay, a_wall_bends_and_its_sides_do_not_pass_through_each_other) {
    Clay pot(clay_shape(ClayShape::pot, 20000));
    push_in(pot, 0.088, 0.025);
    EXPECT_GT(pot.measure().polygons_moved, 100u);
    // No fold: compared with the start, the normal of every triangle turns by less than a right angle.
    const auto& t = pot.topology();
    const auto normal = [&](const std::vector<Vec3f>& p, const collision::Triangle& tri) {
        return cross(p[tri.vertices[1]] - p[tri.vertices[0]], p[tri.vertices[2]] - p[tri.vertices[0]]);
    };
    std::size_t folded = 0;
    for (const collision::Triangle& tri : t.triangles) {
        const Vec3f a = normal(pot.start_positions(), tri), b = normal(pot.positions(), tri);
        if (length(a) > 1e-9f && dot(a, b) <= 0) ++folded;
    }
    EXPECT_EQ(folded, 0u);
}

TEST(Clay, every_point_moves_along_the_mean_of_the_nearby_normals) {
    // A wide hand part touches a ball at two places, half a radian apart. At each place, the clay follows the
    // local normals; between them, their mean.
    Clay clay(clay_shape(ClayShape::sphere, 20000));
    const Vec3d middle{0, 0.075, 0};
    ClayProbe both;
    for (const double angle : {-0.25, 0.25}) {
        const Vec3d out{std::cos(angle), 0, std::sin(angle)};
        ClayProbe one = probe(clay, middle + out * 0.10, middle + out * 0.075, 0.004);
        both.polygons.insert(both.polygons.end(), one.polygons.begin(), one.polygons.end());
    }
    both.touch = {
        middle + Vec3d{0.20, 0, 0}, middle + Vec3d{0.11, 0, 0}, 0.055, both.polygons, {}, {}, 6, true};
    ASSERT_GT(both.polygons.size(), 8u);
    clay.push({&both.touch, 1}, {0.03, 0.5}, 1);
    for (const double angle : {-0.25, 0.0, 0.25}) {
        const Vec3d out{std::cos(angle), 0, std::sin(angle)};
        double largest = 0;
        Vec3d direction;
        for (std::size_t v = 0; v < clay.positions().size(); ++v) {
            const Vec3d p = collision::cast<double>(clay.start_positions()[v]) - middle;
            const Vec3d moved = collision::cast<double>(clay.positions()[v] - clay.start_positions()[v]);
            if (length(p - out * 0.075) > 0.003 || length(moved) <= largest) continue;
            largest = length(moved);
            direction = moved / largest;
        }
        EXPECT_GT(largest, 2e-4) << angle;
        EXPECT_LT(dot(direction, out), -0.985) << angle;
    }
}

TEST(Clay, Z_8_1_normals_incremental_updates_equal_a_fresh_surface) {
    Clay clay(clay_shape(ClayShape::pot, 20000));
    push_in(clay, 0.088, 0.012);
    const ClaySurface& now = clay.surface();
    ClaySurface fresh(clay.start());
    std::vector<std::uint32_t> all(clay.positions().size());
    for (std::uint32_t v = 0; v < all.size(); ++v) {
        all[v] = v;
        fresh.set(v, clay.positions()[v]);
    }
    fresh.commit(all);
    EXPECT_EQ(now.normals(), fresh.normals());
    const ClayMeasures a = now.measure(), b = fresh.measure();
    EXPECT_EQ(a.volume, b.volume);
    EXPECT_EQ(a.height, b.height);
    EXPECT_EQ(a.widest, b.widest);
    EXPECT_EQ(a.mouth, b.mouth);
    EXPECT_EQ(a.polygons_moved, b.polygons_moved);
    // The areas of polygons are floats.
    const double volume = enclosed_volume(clay.topology(), clay.positions());
    EXPECT_NEAR(a.volume, volume, 1e-8 * volume);
    // The cavity at the outer border of the dent keeps its old value, because nothing has moved there.
    for (std::size_t v = 0; v < all.size(); ++v) ASSERT_NEAR(now.cavity()[v], fresh.cavity()[v], 0.05);
}

TEST(Clay, only_changed_runs_get_a_newer_version) {
    Clay clay(clay_shape(ClayShape::pot, 80000));
    const std::uint64_t before = clay.version();
    const auto positions = clay.positions();
    const auto normals = clay.surface().normals();
    push_in(clay, 0.088, 0.004);
    const auto& runs = clay.surface().run_versions();
    for (std::size_t v = 0; v < positions.size(); ++v) {
        const bool same = positions[v] == clay.positions()[v] && normals[v] == clay.surface().normals()[v];
        ASSERT_TRUE(same || runs[v / ClaySurface::kRun] > before) << v;
    }
    const auto newer = std::count_if(runs.begin(), runs.end(), [&](auto r) { return r > before; });
    EXPECT_GT(newer, 0);
    EXPECT_LT(static_cast<std::size_t>(newer), runs.size() / 2);
}

TEST(ClayShapes, grooves_are_dark_and_ridges_are_not) {
    const Clay pot(clay_shape(ClayShape::pot, 80000));
    // Down one side of the belly: as many valleys as two helices of 10.5 turns leave there.
    std::vector<std::pair<float, float>> side;  // height, cavity
    for (std::size_t v = 0; v < pot.positions().size(); ++v) {
        const Vec3f& p = pot.positions()[v];
        const bool outside = dot(pot.surface().normals()[v], Vec3f{p.x, 0, p.z}) > 0;
        if (outside && p.z == 0 && p.x > 0 && p.y > 0.03f && p.y < 0.14f)
            side.emplace_back(p.y, pot.surface().cavity()[v]);
    }
    std::sort(side.begin(), side.end());
    int valleys = 0;
    bool in = false;
    for (const auto& [y, cavity] : side) {
        if (!in && cavity < 0.6f) ++valleys;
        in = cavity < 0.6f || (in && cavity < 0.75f);
    }
    EXPECT_NEAR(valleys, 21 * 0.11 / 0.162, 3);
}

TEST(Clay, undo_restores_every_stroke_bit_for_bit) {
    Clay clay(clay_shape(ClayShape::pot, 5000));
    const auto start = clay.positions();
    push_in(clay, 0.088, 0.006, 1);
    const auto first = clay.positions();
    push_in(clay, 0.082, 0.008, 100);
    EXPECT_EQ(clay.stroke_count(), 2u);
    EXPECT_NE(clay.positions(), first);
    EXPECT_FALSE(clay.undo().empty());
    EXPECT_EQ(clay.positions(), first);
    EXPECT_FALSE(clay.undo().empty());
    EXPECT_EQ(clay.positions(), start);
    EXPECT_EQ(clay.measure().polygons_moved, 0u);
    EXPECT_TRUE(clay.undo().empty());
}

TEST(Clay, reset_restores_the_start_and_can_be_undone) {
    Clay clay(clay_shape(ClayShape::pot, 5000));
    push_in(clay, 0.088, 0.006);
    const auto dented = clay.positions();
    const auto changes = clay.reset();
    EXPECT_FALSE(changes.empty());
    EXPECT_EQ(clay.positions(), clay.start_positions());
    EXPECT_TRUE(clay.reset().empty());
    clay.undo();
    EXPECT_EQ(clay.positions(), dented);
}

TEST(Clay, reported_changes_are_exactly_the_moved_vertices) {
    Clay clay(clay_shape(ClayShape::pot, 5000));
    auto copy = clay.positions();
    for (int i = 0; i < 6; ++i) {
        const double x = 0.094 - i * 1e-3;
        ClayProbe finger = probe(clay, {x + 0.03, 0.07, 0}, {x, 0.07, 0}, 0.008);
        for (const auto& change : clay.push({&finger.touch, 1}, {}, static_cast<std::uint64_t>(i + 1))) {
            EXPECT_NE(copy[change.vertex], change.position);
            copy[change.vertex] = change.position;
        }
    }
    EXPECT_EQ(copy, clay.positions());
}

TEST(Clay, pushing_from_inside_widens_the_pot) {
    Clay pot(clay_shape(ClayShape::pot, 20000));
    const double before = pot.measure().widest;
    for (int i = 0; i < 20; ++i) {
        const double x = 0.070 + i * 1e-3;
        ClayProbe finger = probe(pot, {x, 0.10, 0}, {x, 0.07, 0}, 0.008);
        finger.touch.fresh = i == 0;
        pot.push({&finger.touch, 1}, {}, static_cast<std::uint64_t>(i + 1));
    }
    EXPECT_GT(pot.measure().widest, before + 0.004);
}

TEST(Clay, stays_finite_and_above_the_bat_under_random_pushes) {
    Clay clay(clay_shape(ClayShape::bowl, 3000));
    collision::Random random(7);
    for (std::uint64_t i = 1; i < 300; ++i) {
        const Vec3d from{random.uniform(-0.12, 0.12), random.uniform(-0.02, 0.12),
                         random.uniform(-0.12, 0.12)};
        const double radius = random.uniform(0.004, 0.03);
        ClayProbe finger = probe(clay, from, from + random.unit_vector() * 0.03, radius);
        finger.touch.part = static_cast<std::uint32_t>(i % kClayParts);
        finger.touch.fresh = i % 5 == 0;
        clay.push({&finger.touch, 1}, {random.uniform(0.005, 0.08), random.uniform(0, 1)}, i * 3);
    }
    for (const Vec3f& p : clay.positions()) {
        ASSERT_TRUE(collision::is_finite(p));
        ASSERT_GE(p.y, 0);
        ASSERT_LT(length(p), 1.0f);
    }
}

TEST(ClaySurface, distance_to_a_segment_equals_the_brute_force_distance) {
    constexpr double kReach = 0.03, kFar = std::numeric_limits<double>::infinity();
    for (const std::uint32_t polygons : {500u, 20000u}) {
        Clay clay(clay_shape(ClayShape::pot, polygons));
        push_in(clay, 0.085, 0.02);
        const ClaySurface& surface = clay.surface();
        const collision::Topology& t = surface.topology();
        collision::Random random(7);
        int near = 0;
        for (int i = 0; i < 120; ++i) {
            const Vec3d from = random.vector(0.04, 0.12) + Vec3d{0, 0.08, 0};
            const Vec3d to = from + random.vector(0.0, 0.02);
            double square = kReach * kReach;
            for (std::uint32_t p = 0; p < t.polygon_count(); ++p) {
                for (const collision::Triangle& triangle : t.triangles_of(p)) {
                    const auto corner = [&](int k) {
                        return collision::cast<double>(clay.positions()[triangle.vertices[k]]);
                    };
                    square =
                        std::min(square, collision::closest_of_triangles<double>(
                                             {{from, to, to}}, {{corner(0), corner(1), corner(2)}}, square)
                                             .squared);
                }
            }
            const double brute = std::sqrt(square), found = surface.distance(from, to, kReach);
            if (brute == kReach) {
                EXPECT_EQ(found, kFar);
                continue;
            }
            ++near;
            EXPECT_GE(found, brute - 1e-12) << "a distance between points of both";
            EXPECT_NEAR(found, brute, 1e-9) << polygons << " " << i;
        }
        EXPECT_GT(near, 50);
    }
}

}  // namespace
}  // namespace claybox::app
