#include "app/potter/walls/wall_thickness.hpp"

#include "app/potter/shapes/lathe.hpp"
#include "collision/core/trig.hpp"
#include "tests/potter/probe.hpp"

#include <cmath>
#include <random>

namespace claybox::app {
namespace {

constexpr std::size_t kAll = 1'000'000'000;

/// A body with its normals, and its walls measured.
struct Body {
    explicit Body(const collision::PolygonList& polygons)
        : shape(collision::Shape::from_polygons(polygons).value()),
          surface(shape),
          walls(surface.topology(), surface.positions(), surface.normals()) {
        walls.measure(kAll);
    }
    collision::ShapePtr shape;
    ClaySurface surface;
    WallThickness walls;
};

WallThickness measured(const ClaySurface& surface) {
    WallThickness walls(surface.topology(), surface.positions(), surface.normals());
    walls.measure(kAll);
    return walls;
}

/// Where a ray leaves the body, by trying every triangle.
WayOut way_out_by_brute_force(const ClaySurface& surface, const Vec3d& from, const Vec3d& along, double reach,
                              std::uint32_t start) {
    WayOut best{reach, {}};
    for (const collision::Triangle& t : surface.topology().triangles) {
        const auto loop = surface.topology().loop(t.polygon);
        if (std::find(loop.begin(), loop.end(), start) != loop.end()) continue;
        const auto corner = [&](int i) {
            return collision::cast<double>(surface.positions()[t.vertices[i]]);
        };
        const Vec3d a = corner(0), b = corner(1), c = corner(2), normal = cross(b - a, c - a);
        const double slope = dot(normal, along);
        if (!(slope > 0)) continue;
        const double distance = dot(a - from, normal) / slope;
        if (!(distance > 0 && distance < best.distance)) continue;
        const Vec3d p = from + along * distance;
        const double least = -1e-9 * length_squared(normal);
        if (dot(cross(b - a, p - a), normal) >= least && dot(cross(c - b, p - b), normal) >= least &&
            dot(cross(a - c, p - c), normal) >= least)
            best = {distance, normalized(normal)};
    }
    return best;
}

double thickness_by_brute_force(const ClaySurface& surface, std::uint32_t vertex) {
    const auto way_out = [&](const Vec3d& from, const Vec3d& along, double reach, std::uint32_t start) {
        return way_out_by_brute_force(surface, from, along, reach, start);
    };
    return WallMeasure(collision::cast<double>(surface.positions()[vertex]),
                       collision::cast<double>(surface.normals()[vertex]), vertex, way_out)
        .thickness();
}

TEST(WallThickness, a_hollow_cylinder_has_the_thickness_of_its_wall) {
    constexpr double kWall = 0.005, kFloor = 0.008;
    std::vector<ProfilePoint> profile{{0, 0}};
    for (int i = 0; i <= 20; ++i) profile.push_back({0.05, 0.1 * i / 20});
    for (int i = 20; i >= 0; --i) profile.push_back({0.05 - kWall, kFloor + (0.1 - kFloor) * i / 20});
    profile.push_back({0, kFloor});
    const Body body(lathe(profile, 96));
    int inside = 0, on_floor = 0;
    for (std::uint32_t v = 0; v < body.surface.topology().vertex_count; ++v) {
        const Vec3f p = body.surface.positions()[v], n = body.surface.normals()[v];
        const auto wall = static_cast<double>(body.walls.thickness()[v]);
        if (std::abs(n.y) < 0.01f && p.y > 0.02f && p.y < 0.09f) {
            EXPECT_NEAR(wall, kWall, 0.05e-3) << "vertex " << v;
            ++inside;
        }
        if (p.x == 0 && p.z == 0) {
            EXPECT_NEAR(wall, kFloor, 1e-6) << "vertex " << v;
            ++on_floor;
        }
    }
    EXPECT_GT(inside, 2000);
    EXPECT_EQ(on_floor, 2);
    EXPECT_NEAR(static_cast<double>(body.walls.thinnest().thickness), kWall, 0.05e-3);
}

TEST(WallThickness, a_hollow_sphere_has_the_thickness_of_its_shell) {
    constexpr double kOuter = 0.06, kInner = 0.056;
    const auto sphere = [](double radius, bool inwards) {
        std::vector<ProfilePoint> profile;
        for (int i = 0; i <= 48; ++i) {
            const double a = collision::kPi * i / 48;
            profile.push_back({i == 0 || i == 48 ? 0 : radius * std::sin(a), -radius * std::cos(a)});
        }
        collision::PolygonList mesh = lathe(profile, 96);
        for (std::size_t p = 0; inwards && p < mesh.polygon_count(); ++p)
            std::reverse(mesh.indices.begin() + mesh.begin[p], mesh.indices.begin() + mesh.begin[p + 1]);
        return mesh;
    };
    collision::PolygonList both = sphere(kOuter, false);
    const collision::PolygonList cavity = sphere(kInner, true);
    const auto first = static_cast<std::uint32_t>(both.positions.size());
    both.positions.insert(both.positions.end(), cavity.positions.begin(), cavity.positions.end());
    for (std::size_t p = 0; p < cavity.polygon_count(); ++p) {
        std::vector<std::uint32_t> loop;
        for (const std::uint32_t v : cavity.polygon(p)) loop.push_back(first + v);
        both.add_polygon(loop);
    }
    const Body body(both);
    for (std::uint32_t v = 0; v < body.surface.topology().vertex_count; ++v)
        EXPECT_NEAR(static_cast<double>(body.walls.thickness()[v]), kOuter - kInner, 0.1e-3)
            << "vertex " << v;
}

/// A hollow cylinder with a round lip.
ClaySurface cup_with_lip(double wall) {
    constexpr double kRadius = 0.05, kHeight = 0.08, kFloor = 0.018;
    std::vector<ProfilePoint> profile{{0, 0}};
    for (int i = 0; i <= 20; ++i) profile.push_back({kRadius, kHeight * i / 20});
    for (int i = 1; i < 8; ++i) {
        const collision::SinCos turn = collision::sin_cos(collision::kPi * i / 8);
        profile.push_back({kRadius - wall / 2 * (1 - turn.cos), kHeight + wall / 2 * turn.sin});
    }
    for (int i = 20; i >= 0; --i) profile.push_back({kRadius - wall, kFloor + (kHeight - kFloor) * i / 20});
    profile.push_back({0, kFloor});
    return ClaySurface(collision::Shape::from_polygons(lathe(profile, 96)).value());
}

TEST(WallThickness, the_lip_of_a_rim_is_as_thick_as_its_wall) {
    for (const double wall : {0.003, 0.006, 0.010}) {
        const ClaySurface cup = cup_with_lip(wall);
        const WallThickness walls = measured(cup);
        int on_lip = 0;
        for (std::uint32_t v = 0; v < cup.topology().vertex_count; ++v) {
            if (cup.positions()[v].y < 0.0801f) continue;
            EXPECT_NEAR(static_cast<double>(walls.thickness()[v]), wall, 0.2 * wall) << "vertex " << v;
            ++on_lip;
        }
        EXPECT_EQ(on_lip, 7 * 96);
        EXPECT_NEAR(static_cast<double>(walls.thinnest().thickness), wall, 0.1 * wall);
    }
}

TEST(WallThickness, a_sharp_edge_is_no_wall_of_no_thickness) {
    // A disc that ends in an edge like that of a lens.
    const double half_height = 0.012, radius = 0.05;
    std::vector<ProfilePoint> profile;
    for (int i = 0; i <= 40; ++i) profile.push_back({radius * i / 40, -half_height * (40 - i) / 40});
    for (int i = 39; i >= 0; --i) profile.push_back({radius * i / 40, half_height * (40 - i) / 40});
    const ClaySurface lens(collision::Shape::from_polygons(lathe(profile, 192)).value());
    const WallThickness walls = measured(lens);
    EXPECT_GT(walls.thinnest().thickness, 0.0007f);
    EXPECT_LT(walls.thinnest().thickness, 0.003f) << "the edge is thin all the same";
}

TEST(WallThickness, edges_and_corners_of_a_block_are_not_thin) {
    const ClaySurface block(collision::Shape::from_polygons(rounded_disc(0.05, 0.06, 0.004, 4, 96)).value());
    EXPECT_EQ(measured(block).thinnest().vertex, collision::kNoIndex);
}

TEST(WallThickness, thick_bodies_have_no_thin_place) {
    const Clay lump(clay_shape(ClayShape::sphere, 2000));
    const WallThickness walls = measured(lump.surface());
    EXPECT_EQ(walls.thinnest().vertex, collision::kNoIndex);
    EXPECT_EQ(walls.thinnest().thickness, WallThickness::kFar);
}

TEST(WallThickness, every_start_shape_agrees_with_brute_force) {
    for (const ClayShape shape : kTurnedShapes) {
        for (const std::uint32_t polygons : {60u, 1500u}) {
            const Clay clay(clay_shape(shape, polygons));
            const WallThickness walls = measured(clay.surface());
            for (std::uint32_t v = 0; v < clay.topology().vertex_count; ++v)
                ASSERT_NEAR(static_cast<double>(walls.thickness()[v]),
                            thickness_by_brute_force(clay.surface(), v), 1e-7)
                    << "shape " << static_cast<int>(shape) << ", vertex " << v;
        }
    }
}

TEST(WallThickness, after_strokes_it_equals_a_new_measurement_bit_for_bit) {
    Clay clay(clay_shape(ClayShape::pot, 6000));
    WallThickness walls = measured(clay.surface());
    std::mt19937 random(5);
    const auto number = [&](double low, double high) {
        return low + (high - low) * static_cast<double>(random()) / static_cast<double>(random.max());
    };
    for (int stroke = 0; stroke < 25; ++stroke) {
        const double angle = number(0, 6.28), y = number(0.02, 0.15);
        for (std::uint64_t i = 0; i < 6; ++i) {
            const double r = 0.095 - 0.003 * static_cast<double>(i);
            const Vec3d tip{r * std::cos(angle), y, r * std::sin(angle)};
            ClayProbe finger = probe(clay, tip * 1.3, tip, 0.008);
            finger.touch.fresh = i == 0;
            walls.note(clay.push({&finger.touch, 1}, {}, static_cast<std::uint64_t>(stroke) * 20 + i + 1));
            walls.measure(40);
        }
        if (stroke % 6 == 5) walls.note(clay.undo().moved);
    }
    EXPECT_FALSE(walls.up_to_date());
    while (!walls.up_to_date()) walls.measure(200);
    const WallThickness fresh = measured(clay.surface());
    EXPECT_EQ(walls.thickness(), fresh.thickness());
    EXPECT_EQ(walls.thinnest().vertex, fresh.thinnest().vertex);
    EXPECT_EQ(walls.thinnest().thickness, fresh.thinnest().thickness);
    EXPECT_LT(walls.thinnest().thickness, 0.008f);
}

TEST(WallThickness, a_frame_costs_no_more_rays_than_it_may_and_moved_vertices_come_first) {
    Clay clay(clay_shape(ClayShape::pot, 20000));
    WallThickness walls = measured(clay.surface());
    ClayProbe finger = probe(clay, {0.12, 0.07, 0}, {0.085, 0.07, 0}, 0.008);
    const auto moved = clay.push({&finger.touch, 1}, {}, 1);
    ASSERT_GT(moved.size(), 100u);
    walls.note(moved);
    const std::uint64_t before = walls.rays();
    const std::size_t rays = 6 * moved.size();
    walls.measure(rays);
    EXPECT_LT(walls.rays() - before, rays + WallThickness::kMostRays);
    const WallThickness fresh = measured(clay.surface());
    for (const collision::VertexChange& change : moved)
        EXPECT_EQ(walls.thickness()[change.vertex], fresh.thickness()[change.vertex]);
    while (!walls.up_to_date()) walls.measure(500);
    EXPECT_LT(walls.rays() - before, fresh.rays() / 2) << "far walls were measured again";
}

TEST(WallThickness, changed_runs_get_a_newer_version) {
    Clay clay(clay_shape(ClayShape::pot, 20000));
    WallThickness walls = measured(clay.surface());
    const std::vector<float> before = walls.thickness();
    const std::uint64_t version = walls.version();
    ClayProbe finger = probe(clay, {0.12, 0.07, 0}, {0.085, 0.07, 0}, 0.008);
    walls.note(clay.push({&finger.touch, 1}, {}, 1));
    walls.measure(kAll);
    std::size_t changed = 0;
    for (std::size_t v = 0; v < before.size(); ++v) {
        if (before[v] == walls.thickness()[v]) continue;
        ++changed;
        ASSERT_GT(walls.run_versions()[v / WallThickness::kRun], version);
    }
    EXPECT_GT(changed, 10u);
    EXPECT_EQ(walls.version(), version + 1);
    WallThickness fresh(clay.topology(), clay.positions(), clay.surface().normals());
    while (!fresh.up_to_date()) {
        EXPECT_FALSE(fresh.is_known());
        fresh.measure(5000);
    }
    EXPECT_TRUE(fresh.is_known());
}

TEST(WallThickness, a_dent_from_both_sides_makes_the_wall_thin) {
    Clay clay(clay_shape(ClayShape::cylinder, 8000));
    WallThickness walls = measured(clay.surface());
    EXPECT_EQ(walls.thinnest().vertex, collision::kNoIndex);
    const double radius = 0.5 * clay.measure().widest;
    for (int i = 0; i < 200 && walls.thinnest().vertex == collision::kNoIndex; ++i) {
        for (const double side : {-1.0, 1.0}) {
            const double x = radius - 0.0006 * i;
            ClayProbe finger = probe(clay, {side * (x + 0.1), 0.05, 0}, {side * x, 0.05, 0}, 0.008);
            finger.touch.part = side < 0 ? 5 : 6;
            finger.touch.fresh = i == 0;
            walls.note(clay.push({&finger.touch, 1}, {}, static_cast<std::uint64_t>(i) + 1));
        }
        walls.measure(kAll);
    }
    const WallThickness::Place thin = walls.thinnest();
    ASSERT_NE(thin.vertex, collision::kNoIndex);
    EXPECT_LT(std::abs(clay.positions()[thin.vertex].y - 0.05f), 0.03f);
    EXPECT_NEAR(static_cast<double>(thin.thickness), thickness_by_brute_force(clay.surface(), thin.vertex),
                1e-7);
}

}  // namespace
}  // namespace claybox::app
