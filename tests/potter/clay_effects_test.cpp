// What touches do to clay: the methods of the thesis' Potter (8.1), what it proposes, and the other effects.

#include "app/potter/touch/touched_polygons.hpp"
#include "collision/core/random.hpp"
#include "tests/potter/probe.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace claybox::app {
namespace {

constexpr double kRadius = 0.075;  // of the sphere; its centre is at this height

Vec3f area_of(const Clay& clay, std::uint32_t polygon, const std::vector<Vec3f>& at) {
    const auto loop = clay.topology().loop(polygon);
    Vec3f out;
    for (std::size_t i = 1; i + 1 < loop.size(); ++i)
        out += cross(at[loop[i]] - at[loop[0]], at[loop[i + 1]] - at[loop[0]]);
    return out;
}

std::size_t flipped(const Clay& clay) {
    std::size_t count = 0;
    for (std::uint32_t p = 0; p < clay.topology().polygon_count(); ++p)
        count += dot(area_of(clay, p, clay.positions()), area_of(clay, p, clay.start_positions())) <= 0;
    return count;
}

ClayTouch touch_of(std::span<const std::uint32_t> polygons) {
    return {{0, 0.07, 0}, {0, 0.07, 0}, 0.008, polygons, {}, {}, 6, false};
}

constexpr ClayBrush kFacets{0.03, 0.25, ClayEffect::facets, false};

TEST(ClayShapes, Z_8_shapes_load_at_each_resolution_with_quadrangles_and_triangles) {
    for (int kind = 0; kind < kClayShapeCount; ++kind) {
        for (const std::uint32_t polygons : {10u, 1000u, 10000u}) {
            for (const ClayFaces faces : {ClayFaces::quadrangles, ClayFaces::triangles}) {
                const auto shape = clay_shape(static_cast<ClayShape>(kind), polygons, faces);
                const std::string name = std::string(kClayShapeIds[kind]) + " " + std::to_string(polygons);
                const collision::Classification& c = shape->classification();
                EXPECT_TRUE(c.closed && c.manifold && c.oriented) << name;
                if (polygons >= 1000) {
                    EXPECT_NEAR(c.polygons, polygons, 0.06 * polygons) << name;
                }
                EXPECT_LE(c.polygons, polygons < 500 ? 1000u : 10600u) << name;
                EXPECT_EQ(shape->geometry().box.min.y, 0) << name;
                if (faces == ClayFaces::triangles) {
                    EXPECT_EQ(c.polygons, c.triangles) << name;
                }
            }
        }
    }
}

TEST(ClayShapes, Z_8_shapes_reach_ten_and_a_million_polygons) {
    EXPECT_LE(clay_shape(ClayShape::sphere, 10)->topology().polygon_count(), 16u);
    EXPECT_NEAR(clay_shape(ClayShape::torus, 1'000'000)->topology().polygon_count(), 1e6, 1e4);
}

TEST(TouchedPolygons, Z_8_1_collect_an_edge_of_the_clay_is_two_polygons_and_none_is_listed_twice) {
    const auto shape = clay_shape(ClayShape::sphere, 500);
    const collision::Topology& t = shape->topology();
    collision::Hit by_edge, by_polygon, diagonal;
    by_edge.edge = 7;
    by_edge.edge_of_b = true;
    by_polygon.polygon = t.edges[7].polygons[0];
    by_polygon.edge_of_b = false;
    diagonal.edge = collision::kNoIndex;
    diagonal.edge_of_b = true;
    std::vector<std::uint32_t> polygons;
    for (const collision::Hit& hit : {by_edge, by_polygon, by_edge, diagonal})
        add_touched_polygons(t, hit, true, polygons);
    make_unique(polygons);
    std::vector<std::uint32_t> expected(std::begin(t.edges[7].polygons), std::end(t.edges[7].polygons));
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(polygons, expected);
    polygons.clear();
    add_touched_polygons(t, by_edge, false, polygons);  // the edge is the hand's
    EXPECT_EQ(polygons, std::vector<std::uint32_t>{by_edge.polygon});
}

TEST(ClayFacets, Z_8_1_collect_a_polygon_that_two_parts_report_moves_once) {
    Clay once(clay_shape(ClayShape::sphere, 500)), twice(clay_shape(ClayShape::sphere, 500));
    const std::uint32_t polygon = 100, doubled[] = {100, 100};
    const ClayTouch single = touch_of({&polygon, 1});
    const std::array both{touch_of(doubled), touch_of({&polygon, 1})};
    once.push({&single, 1}, kFacets, 1);
    twice.push(both, kFacets, 1);
    EXPECT_EQ(once.positions(), twice.positions());
}

TEST(ClayFacets, Z_8_1_move_a_touched_polygon_moves_by_the_step_against_its_normal) {
    Clay clay(clay_shape(ClayShape::sphere, 500));
    const std::uint32_t polygon = 100;
    const ClayTouch touch = touch_of({&polygon, 1});
    const Vec3f area = area_of(clay, polygon, clay.start_positions());
    const auto changes = clay.push({&touch, 1}, kFacets, 1);
    const auto loop = clay.topology().loop(polygon);
    ASSERT_EQ(changes.size(), loop.size());
    const Vec3f offset = area / length(area) * static_cast<float>(-0.25 * kFacetStep);
    for (const std::uint32_t v : loop)
        EXPECT_LT(length(clay.positions()[v] - clay.start_positions()[v] - offset), 1e-8f);
    EXPECT_EQ(clay.angles().given_up(), 0u);
}

TEST(ClaySurface, Z_8_1_normals_of_each_affected_polygon_and_vertex_are_computed_once) {
    Clay clay(clay_shape(ClayShape::torus, 4000));
    const std::uint32_t polygon = 1000;
    const ClayTouch touch = touch_of({&polygon, 1});
    clay.push({&touch, 1}, kFacets, 1);
    // Figure 8.2: around a quadrangle, the eight polygons next to it and sixteen vertices.
    EXPECT_EQ(clay.surface().last_work().polygons, 9u);
    EXPECT_EQ(clay.surface().last_work().vertices, 16u);
}

TEST(AngleLimit, Z_8_1_cancer_angles_stay_in_range_except_those_that_are_counted) {
    Clay clay(clay_shape(ClayShape::sphere, 2000));
    collision::Random random(11);
    for (std::uint64_t stroke = 0; stroke < 500; ++stroke) {
        const Vec3d direction = random.unit_vector();
        const Vec3d at = Vec3d{0, kRadius, 0} + direction * (kRadius - 0.003);
        if (at.y < 0.02) continue;
        ClayProbe finger = probe(clay, at, at + direction * 0.03, 0.008);
        clay.push({&finger.touch, 1}, kFacets, 100 * stroke);
    }
    const auto& now = clay.positions();
    std::size_t outside = 0, touched = 0;
    for (std::uint32_t e = 0; e < clay.topology().edges.size(); ++e) {
        const collision::Edge& edge = clay.topology().edges[e];
        bool moved = false;
        for (const std::uint32_t p : edge.polygons)
            for (const std::uint32_t v : clay.topology().loop(p))
                moved |= !(now[v] == clay.start_positions()[v]);
        if (!moved) continue;
        ++touched;
        const double angle = clay.angles().angle(e, now);
        const bool bad = angle < AngleLimit::kLow || angle > AngleLimit::kHigh;
        outside += bad;
        EXPECT_EQ(bad, clay.angles().is_given_up(e)) << e << ": " << angle;
    }
    EXPECT_EQ(outside, clay.angles().given_up());
    EXPECT_GT(touched, 2000u);
    EXPECT_LT(static_cast<double>(outside), 0.1 * static_cast<double>(touched));
    RecordProperty("edges_touched", static_cast<int>(touched));
    RecordProperty("edges_given_up", static_cast<int>(outside));
}

TEST(ClayDrag, Z_8_1_m1_the_clay_at_the_contact_follows_the_path_of_the_finger) {
    Clay clay(clay_shape(ClayShape::sphere, 20000));
    Vec3d at{kRadius, kRadius, 0};
    const auto nearest =
        static_cast<std::size_t>(std::min_element(clay.positions().begin(), clay.positions().end(),
                                                  [&](const Vec3f& a, const Vec3f& b) {
                                                      return length(collision::cast<double>(a) - at) <
                                                             length(collision::cast<double>(b) - at);
                                                  }) -
                                 clay.positions().begin());
    const ClayBrush grab{0.03, 0.55, ClayEffect::grab, false};
    const Vec3d motion{0.0004, 0.0010, 0};
    for (std::uint64_t frame = 1; frame <= 10; ++frame) {
        at += motion;
        ClayProbe finger = probe(clay, at, at + Vec3d{0.02, 0, 0}, 0.008);
        finger.points = {at};
        finger.touch.hit_points = finger.points;
        finger.touch.motion = motion;
        clay.push({&finger.touch, 1}, grab, frame);
    }
    const Vec3d path = collision::cast<double>(clay.positions()[nearest] - clay.start_positions()[nearest]);
    EXPECT_LT(length(path - 10.0 * motion), 0.15 * length(10.0 * motion));
    EXPECT_EQ(flipped(clay), 0u);
}

TEST(Clay, Z_8_1_m2_the_vicinity_follows_smoothly_and_nothing_folds) {
    for (const double radius : {0.02, 0.04}) {
        Clay clay(clay_shape(ClayShape::sphere, 20000));
        push_in(clay, kRadius, 0.012, 1, {radius, 0.55, ClayEffect::push, false});
        EXPECT_EQ(flipped(clay), 0u);
        double inner = 0, middle = 0, outer = 0;
        for (std::size_t v = 0; v < clay.positions().size(); ++v) {
            const double moved = static_cast<double>(length(clay.positions()[v] - clay.start_positions()[v]));
            const double away =
                length(collision::cast<double>(clay.start_positions()[v]) - Vec3d{kRadius, 0.07, 0});
            (away < 0.3 * radius   ? inner
             : away < 0.8 * radius ? middle
                                   : outer) = std::max(away < 0.3 * radius   ? inner
                                                       : away < 0.8 * radius ? middle
                                                                             : outer,
                                                       moved);
        }
        EXPECT_GT(inner, middle);
        EXPECT_GT(middle, outer);
        EXPECT_GT(middle, 0.002) << "the clay around a finger of 8 mm follows";
    }
}

TEST(Clay, Z_8_1_m3_the_volume_stays_within_a_thousandth_if_it_is_kept) {
    for (const bool keep : {false, true}) {
        Clay clay(clay_shape(ClayShape::pot, 20000));
        const auto start = clay.positions();
        const double before = clay.measure().volume;
        collision::Random random(5);
        std::uint64_t frame = 0;
        for (int stroke = 0; stroke < 40; ++stroke, frame += 100) {
            const double angle = random.uniform(0, 6.28), height = random.uniform(0.04, 0.12);
            const Vec3d out{std::cos(angle), 0, std::sin(angle)};
            for (int i = 0; i < 8; ++i) {
                const Vec3d tip = out * (0.094 - i * 1e-3) + Vec3d{0, height, 0};
                ClayProbe finger = probe(clay, tip + out * 0.03, tip, 0.008);
                finger.touch.fresh = i == 0;
                clay.push({&finger.touch, 1}, {0.03, 0.55, ClayEffect::push, keep}, ++frame);
            }
        }
        const double drift = std::abs(clay.measure().volume / before - 1);
        EXPECT_EQ(drift < 1e-3, keep) << drift;
        EXPECT_EQ(flipped(clay), 0u);
        while (clay.stroke_count() > 0) clay.undo();
        EXPECT_EQ(clay.positions(), start);
    }
}

/// Clay with bumps of a fingertip's size on it.
Clay bumpy_sphere() {
    collision::PolygonList mesh = make_clay(ClayShape::sphere, 20000);
    for (Vec3f& p : mesh.positions) {
        const Vec3f out = p - Vec3f{0, static_cast<float>(kRadius), 0};
        const double bump = std::sin(140 * static_cast<double>(out.x)) *
                            std::sin(140 * static_cast<double>(out.y)) *
                            std::sin(140 * static_cast<double>(out.z));
        p = p + out * static_cast<float>(0.02 * bump);
    }
    return Clay(collision::Shape::from_polygons(mesh).value());
}

/// Touches the clay at (kRadius, kRadius, 0) in 20 frames.
void touch_often(Clay& clay, ClayEffect effect, double radius = 0.03) {
    const Vec3d at{kRadius, kRadius, 0};
    for (std::uint64_t frame = 1; frame <= 20; ++frame) {
        ClayProbe finger = probe(clay, at, at + Vec3d{0.03, 0, 0}, 0.008);
        clay.push({&finger.touch, 1}, {radius, 0.55, effect, false}, frame);
    }
}

/// Mean square distance of the vertices near the touch from a sphere around their common centre.
double roughness(const Clay& clay) {
    double sum = 0, square = 0, count = 0;
    for (const Vec3f& p : clay.positions()) {
        if (length(collision::cast<double>(p) - Vec3d{kRadius, kRadius, 0}) > 0.015) continue;
        const double r = length(collision::cast<double>(p) - Vec3d{0, kRadius, 0});
        sum += r;
        square += r * r;
        ++count;
    }
    return square / count - sum / count * (sum / count);
}

TEST(ClayEffects, inflate_adds_clay_and_deflate_removes_it) {
    const auto change = [](ClayEffect effect) {
        Clay clay(clay_shape(ClayShape::sphere, 20000));
        const double before = clay.measure().volume;
        touch_often(clay, effect);
        EXPECT_EQ(flipped(clay), 0u);
        return clay.measure().volume / before - 1;
    };
    EXPECT_GT(change(ClayEffect::inflate), 0.001);
    EXPECT_LT(change(ClayEffect::deflate), -0.001);
}

/// Holds a finger through the wall of a pot for two seconds. The direction of the finger is -X.
void hold_in_wall(Clay& clay, ClayEffect effect) {
    constexpr double kHeight = 0.07;
    double outside = 0;
    for (const Vec3f& p : clay.positions())
        if (std::abs(static_cast<double>(p.y) - kHeight) < 0.003)
            outside = std::max(outside, std::hypot(static_cast<double>(p.x), static_cast<double>(p.z)));
    for (std::uint64_t frame = 1; frame <= 120; ++frame) {
        const Vec3d tip{outside - 0.004, kHeight, 0};
        ClayProbe finger = probe(clay, tip + Vec3d{0.03, 0, 0}, tip, 0.008);
        finger.touch.fresh = frame == 1;
        clay.push({&finger.touch, 1}, {0.03, 0.55, effect, false}, frame);
    }
}

bool is_inner(const Vec3f& p, const Vec3f& normal) {
    const Vec3f axial{p.x, 0, p.z};
    return dot(normal, axial) < -0.5f * length(axial);
}

/// Smallest distance of the moved clay of the outer side from the inner side of the pot, negative where it
/// has passed through.
float least_gap(const Clay& clay, const std::vector<Vec3f>& start, const std::vector<Vec3f>& normals) {
    float least = 1;
    for (std::size_t v = 0; v < start.size(); ++v) {
        const Vec3f& p = clay.positions()[v];
        if (p == start[v] || is_inner(start[v], normals[v])) continue;
        float nearest = 1, gap = 1;
        for (std::size_t w = 0; w < start.size(); ++w) {
            const Vec3f way = clay.positions()[w] - p;
            if (!is_inner(start[w], normals[w]) || dot(way, way) >= nearest) continue;
            nearest = dot(way, way);
            gap = dot(way, clay.surface().normals()[w]);
        }
        least = std::min(least, gap);
    }
    return least;
}

TEST(ClayEffects, clay_that_moves_inward_never_passes_through_the_other_side_of_a_wall) {
    for (const ClayEffect effect :
         {ClayEffect::deflate, ClayEffect::carve, ClayEffect::pinch, ClayEffect::crease}) {
        Clay clay(clay_shape(ClayShape::pot, 20000));
        const auto start = clay.positions();
        const auto normals = clay.surface().normals();
        const double before = clay.measure().volume;
        hold_in_wall(clay, effect);
        const char* name = kClayEffectIds[static_cast<int>(effect)];
        const float gap = least_gap(clay, start, normals);
        // Two seconds of drawing together at one place need new polygons, which this clay does not get.
        if (effect == ClayEffect::deflate || effect == ClayEffect::carve) {
            EXPECT_EQ(flipped(clay), 0u) << name;
        }
        EXPECT_LT(clay.measure().volume, before) << name;
        EXPECT_GT(clay.measure().volume, 0.9 * before) << name;
        EXPECT_GT(gap, 0.0007f) << name;
        EXPECT_LT(gap, 0.0060f) << name << ": the wall of 8 mm has become thinner";
    }
}

TEST(ClayEffects, inflate_and_deflate_move_the_touched_side_of_a_wall_only) {
    for (const ClayEffect effect : {ClayEffect::inflate, ClayEffect::deflate}) {
        Clay clay(clay_shape(ClayShape::pot, 40000));
        const auto start = clay.positions();
        const auto normals = clay.surface().normals();
        hold_in_wall(clay, effect);
        std::size_t outer = 0;
        for (std::size_t v = 0; v < start.size(); ++v) {
            if (!is_inner(start[v], normals[v])) {
                if (!(clay.positions()[v] == start[v])) ++outer;
                continue;
            }
            ASSERT_LT(length(clay.positions()[v] - start[v]), 5e-4f)
                << kClayEffectIds[static_cast<int>(effect)];
        }
        EXPECT_GT(outer, 100u);
    }
}

TEST(ClayEffects, smooth_weakens_bumps_and_keeps_the_volume) {
    Clay clay = bumpy_sphere();
    const double before = clay.measure().volume, rough = roughness(clay);
    touch_often(clay, ClayEffect::smooth);
    EXPECT_LT(roughness(clay), 0.95 * rough);
    EXPECT_NEAR(clay.measure().volume / before, 1, 2e-4);
    EXPECT_EQ(flipped(clay), 0u);
}

TEST(ClayEffects, smooth_hardly_moves_a_sphere) {
    Clay clay(clay_shape(ClayShape::sphere, 20000));
    touch_often(clay, ClayEffect::smooth);
    EXPECT_NEAR(clay.measure().volume / Clay(clay_shape(ClayShape::sphere, 20000)).measure().volume, 1, 1e-4);
}

TEST(ClayEffects, flatten_moves_clay_to_a_plane) {
    Clay clay(clay_shape(ClayShape::sphere, 20000));
    const auto height_range = [&] {
        double low = 1, high = 0;
        for (const Vec3f& p : clay.positions()) {
            if (std::hypot(static_cast<double>(p.y) - kRadius, static_cast<double>(p.z)) > 0.012 || p.x < 0)
                continue;
            low = std::min(low, static_cast<double>(p.x));
            high = std::max(high, static_cast<double>(p.x));
        }
        return high - low;
    };
    const double before = height_range();
    touch_often(clay, ClayEffect::flatten);
    EXPECT_LT(height_range(), 0.5 * before);
    EXPECT_EQ(flipped(clay), 0u);
}

TEST(ClayEffects, pinch_draws_the_clay_together) {
    Clay clay(clay_shape(ClayShape::sphere, 20000));
    const auto near = [&] {
        return std::count_if(clay.positions().begin(), clay.positions().end(), [](const Vec3f& p) {
            return length(collision::cast<double>(p) - Vec3d{kRadius, kRadius, 0}) < 0.01;
        });
    };
    const auto before = near();
    touch_often(clay, ClayEffect::pinch);
    EXPECT_GT(near(), before * 11 / 10);
    EXPECT_EQ(flipped(clay), 0u);
}

TEST(ClayEffects, nothing_moves_beyond_the_radius_and_undo_and_redo_are_exact) {
    for (const ClayEffect effect :
         {ClayEffect::push, ClayEffect::grab, ClayEffect::inflate, ClayEffect::deflate, ClayEffect::smooth,
          ClayEffect::flatten, ClayEffect::pinch, ClayEffect::crease, ClayEffect::add, ClayEffect::carve}) {
        Clay clay = bumpy_sphere();
        const auto start = clay.positions();
        touch_often(clay, effect, 0.02);
        const auto changed = clay.positions();
        for (std::size_t v = 0; v < start.size(); ++v) {
            if (length(collision::cast<double>(start[v]) - Vec3d{kRadius, kRadius, 0}) < 0.045) continue;
            ASSERT_EQ(changed[v], start[v]) << kClayEffectIds[static_cast<int>(effect)];
        }
        clay.undo();
        EXPECT_EQ(clay.positions(), start);
        clay.redo();
        EXPECT_EQ(clay.positions(), changed);
    }
}

TEST(Push, Z_8_othertool_clay_yields_until_it_has_left_a_block) {
    Clay clay(clay_shape(ClayShape::cylinder, 20000));
    float side = 0;
    for (const Vec3f& p : clay.positions()) side = std::max(side, p.x);
    // A block of 30 mm, whose face stands 4 mm inside the clay.
    const Vec3d centre{static_cast<double>(side) - 0.004 + 0.015, 0.07, 0};
    std::vector<ToolPlane> planes;
    for (const Vec3d& n : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}})
        for (const double sign : {1.0, -1.0}) planes.push_back({n * sign, dot(n * sign, centre) + 0.015});
    const auto inside = [&](const Vec3f& p) {
        return std::all_of(planes.begin(), planes.end(), [&](const ToolPlane& plane) {
            return dot(plane.normal, collision::cast<double>(p)) < plane.offset - 0.0005;
        });
    };
    const auto count = [&] {
        return std::count_if(clay.positions().begin(), clay.positions().end(), inside);
    };
    ASSERT_GT(count(), 20);
    for (std::uint64_t frame = 1; frame <= 60; ++frame) {
        ClayProbe block = probe(clay, centre, centre + Vec3d{1e-9, 0, 0}, 0.026);
        std::erase_if(block.polygons, [&](std::uint32_t p) {
            const auto loop = clay.topology().loop(p);
            return std::none_of(loop.begin(), loop.end(),
                                [&](auto v) { return inside(clay.positions()[v]); });
        });
        block.touch.polygons = block.polygons;
        block.touch.hit_points = {};
        block.touch.to = centre;
        block.touch.planes = planes;
        block.touch.fresh = frame == 1;
        clay.push({&block.touch, 1}, {}, frame);
    }
    EXPECT_EQ(count(), 0);
    float dent = side;
    for (const Vec3f& p : clay.positions())
        if (p.x > 0 && std::abs(p.y - 0.07f) < 0.008f && std::abs(p.z) < 0.008f) dent = std::min(dent, p.x);
    EXPECT_GT(dent, side - 0.012f) << "and not much farther";
}

}  // namespace
}  // namespace claybox::app
