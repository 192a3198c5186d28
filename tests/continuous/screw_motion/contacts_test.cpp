// Sections 1, 3, 5, 6 and the outlook: contacts, their types and properness, and the options.

#include "collision/continuous/screw_motion/contact/contacts.hpp"

#include "collision/continuous/screw_motion/collision_screen.hpp"
#include "collision/continuous/screw_motion/contact/properness.hpp"
#include "collision/continuous/screw_motion/screw_examples.hpp"
#include "collision/core/random.hpp"
#include "collision/core/trig.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "tests/continuous/screw_motion/screw_case.hpp"
#include "tests/pairwise/counting_new.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace claybox::test {
namespace {

ShapePtr unit_cube() {
    return box({0, 0, 0}, {1, 1, 1});
}

ScrewCase case_of(const ScrewExample& e) {
    ScrewCase c{e.a, e.b, e.matrix_a, e.matrix_b};
    c.motion_a = e.motion_a, c.motion_b = e.motion_b;
    return c;
}

/// B moves by `by`.
ScrewCase straight(const ShapePtr& a, const ShapePtr& b, const Vec3d& at, const Vec3d& by) {
    ScrewCase c{a, b, {}, shifted(at)};
    c.motion_b = move_by(c.matrix_b, by);
    return c;
}

/// Contacts, before resolution, of the search itself.
std::vector<ScrewHit> search(const ScrewCase& c, ScrewOptions options = {}) {
    const auto mesh_a = prepare_screw_mesh(*c.a, c.a->geometry()),
               mesh_b = prepare_screw_mesh(*c.b, c.b->geometry());
    PairBody a, b;
    a.world_from_body = c.matrix_a, b.world_from_body = c.matrix_b;
    const RelativePath path(a, c.motion_a, b, c.motion_b);
    ScrewMemory memory;
    const auto body = [](const std::shared_ptr<const Prepared>& mesh, const Matrix34f& m) {
        return ScrewBody{static_cast<const ScrewMesh*>(mesh.get()), to_map(m)};
    };
    const SearchEnd end =
        search_screw_motion(path, options, body(mesh_a, c.matrix_a), body(mesh_b, c.matrix_b), {}, memory);
    EXPECT_EQ(end, SearchEnd::done);
    return memory.hits;
}

TEST(ScrewMotion, BU_1_io_a_body_that_passes_through_in_one_step_is_found) {
    // Apart at both ends.
    const ScrewCase c = straight(box({-1, -1, -0.01f}, {1, 1, 0.01f}),
                                 box({-0.1f, -0.1f, -0.1f}, {0.1f, 0.1f, 0.1f}), {0.2, 0.1, 5}, {0, 0, -10});
    const ScrewOutcome out = run(c);
    ASSERT_TRUE(out.hit());
    EXPECT_FALSE(out.result.at_start);
    EXPECT_NEAR(out.time(), (5 - 0.11) / 10, 1e-7);
    // All four corners, with all that the paper asks for.
    EXPECT_EQ(out.hits.size(), 4u);
    for (const MotionHit& hit : out.hits) {
        EXPECT_EQ(hit.a.kind, FeatureKind::face);
        EXPECT_EQ(hit.b.kind, FeatureKind::vertex);
        EXPECT_NEAR(hit.point_w.z, 0.01, 1e-7);
        EXPECT_LT(length(hit.normal_w - Vec3d{0, 0, 1}), 1e-7);
        EXPECT_NEAR(hit.properness, 0, 1e-7);
    }
    // An open surface, from both sides.
    const auto sheet = shape_of({{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}, {{0, 1, 2, 3}});
    for (const double side : {1.0, -1.0}) {
        const ScrewOutcome through =
            run(straight(sheet, unit_cube(), {-0.3, -0.4, side * 3 - 0.5}, {0, 0, -side * 6}));
        ASSERT_TRUE(through.hit());
        EXPECT_NEAR(through.time(), 2.5 / 6, 1e-7);
        EXPECT_NEAR(through.hits.at(0).normal_w.z, side, 1e-7);
    }
}

TEST(ScrewMotion, BU_3_multi_figure_1_gives_two_vertex_face_contacts) {
    // Two squares, turned by 45 degrees, of which the motion says that the right corner of A enters the lower
    // left side of B and the left corner of B the upper right side of A: here with a slight shift.
    const auto diamond = extruded({{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}}, 0.5f);
    const auto flat = extruded({{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}}, 0.4f);
    const ScrewOutcome out = run(straight(diamond, flat, {2.4, 2.4, 0}, {-2.2, -2.2, 0}));
    // They move along the diagonal: face to face, so each corner meets the other's side.
    std::set<FeatureKind> kinds_a;
    int proper = 0;
    for (const MotionHit& hit : out.hits) {
        EXPECT_FALSE(hit.a.kind == FeatureKind::vertex && hit.b.kind == FeatureKind::vertex);
        proper += hit.properness >= -1e-6;
    }
    EXPECT_GE(proper, 2);
}

/// Fig. 2: B's profile, moved left by 1.6 against the right side of A, whose face is x = 0.
ScrewCase figure_2(const std::vector<Vec3f>& profile) {
    ScrewCase c{box({-2, -2, -1}, {0, 2, 1}), extruded(profile, 0.5f), {}, shifted({1, 0, 0})};
    c.motion_b = move_by(c.matrix_b, {-1.6, 0, 0});
    return c;
}

/// Distinct times of contacts, and their largest properness.
std::vector<std::pair<double, double>> times_of(const ScrewOutcome& out) {
    std::vector<std::pair<double, double>> times;
    for (const MotionHit& hit : out.hits) {
        if (times.empty() || hit.time > times.back().first + 1e-6) times.push_back({hit.time, -2});
        times.back().second = std::max(times.back().second, hit.properness);
    }
    return times;
}

TEST(ScrewMotion, BU_3_multi_figure_2) {
    // (a) Upright: both left corners at once.
    const auto a = times_of(run(figure_2({{0, -0.5f, 0}, {2, -0.5f, 0}, {2, 0.5f, 0}, {0, 0.5f, 0}})));
    ASSERT_EQ(a.size(), 1u);
    EXPECT_NEAR(a[0].first, 1 / 1.6, 1e-7);
    // (b) Slightly tilted: the lower corner, then the upper one, slightly improper.
    const auto b = times_of(run(figure_2({{0, -0.5f, 0}, {2, -0.5f, 0}, {2, 0.5f, 0}, {0.05f, 0.5f, 0}})));
    ASSERT_EQ(b.size(), 2u);
    EXPECT_GE(b[0].second, -1e-7);
    EXPECT_LT(b[1].second, 0);
    EXPECT_GT(b[1].second, -0.1);
    // (c) Two tips: two proper contacts at different times.
    const auto c =
        times_of(run(figure_2({{0, -0.5f, 0}, {2, -0.5f, 0}, {2, 0.5f, 0}, {0.2f, 0.5f, 0}, {0.6f, 0, 0}})));
    ASSERT_EQ(c.size(), 2u);
    EXPECT_GE(c[0].second, -1e-7);
    EXPECT_GE(c[1].second, -1e-7);
    EXPECT_NEAR(c[1].first, 1.2 / 1.6, 1e-7);
}

TEST(ScrewMotion, BU_5_types_each_has_a_scene) {
    const auto tip = shape_of({{0, 0, 0}, {-1, -1, 1}, {1, -1, 1}, {0, 1, 1}},
                              {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}});
    const auto ridge = extruded({{0, 0, 0}, {1, 1, 0}, {-1, 1, 0}}, 1);  // its edge points to -y along z
    std::set<std::string> seen;
    const auto first = [&](const ScrewCase& c, ContactType expected) {
        const auto hits = search(c);
        ASSERT_FALSE(hits.empty()) << to_string(expected);
        bool found = false;
        for (const ScrewHit& hit : hits)
            if (hit.time < hits[0].time + 1e-9) found |= hit.type == expected;
        EXPECT_TRUE(found) << to_string(expected) << " but " << to_string(hits[0].type);
        seen.insert(to_string(expected));
        // Resolved into VF, FV and EE only.
        for (const ScrewHit& hit : hits) {
            const bool ee = hit.a.kind == FeatureKind::edge && hit.b.kind == FeatureKind::edge;
            const bool fv = hit.a.kind == FeatureKind::face && hit.b.kind == FeatureKind::vertex;
            const bool vf = hit.a.kind == FeatureKind::vertex && hit.b.kind == FeatureKind::face;
            EXPECT_TRUE(ee || fv || vf);
        }
    };
    const auto swapped = [](const ScrewCase& c) {
        ScrewCase s{c.b, c.a, c.matrix_b, c.matrix_a};
        s.motion_a = c.motion_b;
        return s;
    };
    // The tip points down: on a corner, an edge and a face of the cube.
    const ScrewCase on_corner = straight(unit_cube(), tip, {1, 1, 2}, {0, 0, -2});
    const ScrewCase on_edge = straight(unit_cube(), tip, {0.5, 1, 2}, {0, 0, -2});
    const ScrewCase on_face = straight(unit_cube(), tip, {0.5, 0.4, 2}, {0, 0, -2});
    first(on_corner, ContactType::vertex_vertex);
    first(on_edge, ContactType::edge_vertex);
    first(swapped(on_edge), ContactType::vertex_edge);
    first(on_face, ContactType::face_vertex);
    first(swapped(on_face), ContactType::vertex_face);
    // The ridge along z from above on an edge along x of the cube, which looks up after a turn of 45 degrees.
    ScrewCase crossing{unit_cube(), ridge, to_matrix({axis_angle({1, 0, 0}, kPi / 4), {0, 0, 0}}),
                       shifted({0.5, 3, 0.1})};
    crossing.motion_b = move_by(crossing.matrix_b, {0, -3, 0});
    first(crossing, ContactType::edge_edge);
    EXPECT_EQ(seen.size(), 6u);
}

TEST(ScrewMotion, BU_5_proper_fv_of_a_cube_corner_on_a_plate) {
    const Vec3d up{0, 0, 1};
    // A corner with three perpendicular edges that stands on its tip: each rises by 1 / sqrt(3).
    const std::vector<Vec3d> tip{{std::sqrt(2.0 / 3), 0, 1 / std::sqrt(3.0)},
                                 {-std::sqrt(1.0 / 6), std::sqrt(0.5), 1 / std::sqrt(3.0)},
                                 {-std::sqrt(1.0 / 6), -std::sqrt(0.5), 1 / std::sqrt(3.0)}};
    EXPECT_NEAR(vertex_face_properness(tip, up), 1 / std::sqrt(3.0), 1e-15);
    // Flat on its side: 0. From below: -1.
    EXPECT_EQ(vertex_face_properness(std::vector<Vec3d>{{2, 0, 0}, {0, 3, 0}, {0, 0, 1}}, up), 0);
    EXPECT_EQ(vertex_face_properness(std::vector<Vec3d>{{2, 0, 0}, {0, 0, -3}}, up), -1);
    // The same through the whole search: a cube on its tip falls on a plate.
    const Quat turn = axis_angle(normalized(Vec3d{1, -1, 0}), std::acos(1 / std::sqrt(3.0)));
    ScrewCase c{box({-3, -3, -1}, {3, 3, 0}), unit_cube(), {}, to_matrix({turn, {0.1, 0.2, 1}})};
    c.motion_b = move_by(c.matrix_b, {0, 0, -1.5});
    const ScrewOutcome out = run(c);
    ASSERT_FALSE(out.hits.empty());
    EXPECT_NEAR(out.hits[0].properness, 1 / std::sqrt(3.0), 1e-6);
    EXPECT_NEAR(out.hits[0].time, 1 / 1.5, 1e-6);
}

TEST(ScrewMotion, BU_5_proper_ee_of_perpendicular_ridges) {
    // A's ridge along y looks up (z), B's along x looks down. A slope of a and b: (7) is the slope.
    for (const double slope : {0.2, 0.5, 0.8}) {
        const double b = std::sqrt(1 - slope * slope);
        const EdgeAtContact ridge_a{{0, 2, 0}, {-slope, 0, b}, {slope, 0, b}};
        // Seen from below, left of +x is -y.
        const EdgeAtContact ridge_b{{3, 0, 0}, {0, -slope, -b}, {0, slope, -b}};
        const EdgeEdgeProperness p = edge_edge_properness(ridge_a, ridge_b);
        EXPECT_NEAR(p.value, slope, 1e-15);
        EXPECT_NEAR(p.exact, slope, 1e-15);
        EXPECT_LT(length(p.normal - Vec3d{0, 0, 1}), 1e-15);  // from A to B
        // Directions of edges do not matter, with left and right exchanged.
        const EdgeEdgeProperness q =
            edge_edge_properness({-ridge_a.along, ridge_a.right, ridge_a.left}, ridge_b);
        EXPECT_NEAR(q.value, slope, 1e-15);
        // A valley is improper.
        EXPECT_LT(edge_edge_properness({{0, 2, 0}, {slope, 0, b}, {-slope, 0, b}}, ridge_b).value, 0);
        // Not perpendicular: (6) has the sine of the angle as well.
        const EdgeAtContact skew{{1, 1, 0},
                                 normalized(Vec3d{slope, -slope, -b * std::sqrt(2.0)}),
                                 normalized(Vec3d{-slope, slope, -b * std::sqrt(2.0)})};
        const EdgeEdgeProperness s = edge_edge_properness(ridge_a, skew);
        EXPECT_NEAR(s.exact, s.value * std::sqrt(0.5), 1e-12);
    }
}

TEST(ScrewMotion, BU_5_parallel_edges_become_vertex_contacts) {
    // A ridge lands along an edge of the cube: parallel to it, half as long.
    const auto ridge = extruded({{0, 0, 0}, {1, 1, 0}, {-1, 1, 0}}, 0.25f);
    ScrewCase c{unit_cube(), ridge, to_matrix({axis_angle({0, 0, 1}, kPi / 4), {0, 0, 0}}), {}};
    const double top = std::sqrt(2.0);
    c.matrix_b = shifted({0, top + 1, 0.5});
    c.motion_b = move_by(c.matrix_b, {0, -2, 0});
    const auto hits = search(c);
    ASSERT_GE(hits.size(), 2u);
    int ends = 0;
    for (const ScrewHit& hit : hits) {
        if (hit.time > 0.5 + 1e-6) continue;
        EXPECT_NE(hit.type, ContactType::edge_edge);
        ends += hit.b.kind == FeatureKind::vertex;
        EXPECT_NEAR(hit.time, 0.5, 1e-6);
    }
    EXPECT_EQ(ends, 2);
    EXPECT_TRUE(edge_edge_properness({{1, 0, 0}, {}, {}}, {{2, 0, 0}, {}, {}}).parallel);
}

TEST(ScrewMotion, BU_5_resolve_chooses_the_pair_with_the_largest_properness) {
    // A tip on the edge between the top and a side of the cube. It leans over the top: the top is better.
    const auto leaning = shape_of({{0, 0, 0}, {-1, -0.3f, 0.4f}, {-1, 0.3f, 0.4f}, {-0.2f, 0, 1}},
                                  {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}});
    const ScrewCase c = straight(unit_cube(), leaning, {1, 0.5, 2}, {0, 0, -2});
    const auto hits = search(c);
    ASSERT_FALSE(hits.empty());
    EXPECT_EQ(hits[0].type, ContactType::edge_vertex);
    EXPECT_EQ(hits[0].a.kind, FeatureKind::face);
    EXPECT_LT(length(hits[0].normal_w - Vec3d{0, 0, 1}), 1e-9);
    EXPECT_NEAR(hits[0].properness, 0.4 / std::sqrt(1.25), 1e-6);
    // The same tip, turned to lean beside the cube: it stands before the side.
    ScrewCase beside = c;
    beside.matrix_b = to_matrix({axis_angle({0, 1, 0}, -kPi / 2), {2, 0.5, 0.999999}});
    beside.motion_b = move_by(beside.matrix_b, {-2, 0, 0});
    const auto side = search(beside);
    ASSERT_FALSE(side.empty());
    EXPECT_LT(length(side[0].normal_w - Vec3d{1, 0, 0}), 1e-6);
    // Corner on corner: one contact, a vertex and a face.
    const auto tip = shape_of({{0, 0, 0}, {-1, -1, 1}, {1, -1, 1}, {0, 1, 1}},
                              {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}});
    const auto corner = search(straight(unit_cube(), tip, {1, 1, 2}, {0, 0, -2}));
    ASSERT_FALSE(corner.empty());
    EXPECT_EQ(corner[0].type, ContactType::vertex_vertex);
    EXPECT_LT(length(corner[0].normal_w - Vec3d{0, 0, 1}), 1e-9);
}

TEST(ScrewMotion, BU_5_threshold_keeps_or_drops_slightly_improper_contacts) {
    // Fig. 2 (b).
    ScrewCase c = figure_2({{0, -0.5f, 0}, {2, -0.5f, 0}, {2, 0.5f, 0}, {0.05f, 0.5f, 0}});
    EXPECT_EQ(default_values(screw_parameters())[static_cast<std::size_t>(ScrewParameter::threshold)], -0.1);
    EXPECT_EQ(times_of(run(c)).size(), 2u);
    c.set(ScrewParameter::threshold, -1e-6);
    EXPECT_EQ(times_of(run(c)).size(), 1u);
    // The verdict does not depend on what the application drops.
    c.set(ScrewParameter::threshold, 1);
    const ScrewOutcome none = run(c);
    EXPECT_TRUE(none.hits.empty());
    EXPECT_TRUE(none.hit());
    EXPECT_NEAR(none.time(), 1 / 1.6, 1e-7);
}

TEST(ScrewMotion, BU_6_winged_edges_with_left_and_right_faces) {
    for (const ShapePtr& shape : {unit_cube(), make_torus(9, 7, 1, 0.3), make_car()}) {
        const auto prepared = prepare_screw_mesh(*shape, shape->geometry());
        const auto& mesh = static_cast<const ScrewMesh&>(*prepared);
        EXPECT_EQ(mesh.edges.size(), shape->topology().edges.size());
        EXPECT_TRUE(mesh.one_sided);
        for (std::uint32_t e = 0; e < mesh.edges.size(); ++e) {
            const auto& edge = mesh.edges[e];
            // The left face has the edge in this direction, the right one in the other.
            const auto has = [&](std::uint32_t f, std::uint32_t from, std::uint32_t to) {
                const auto loop = mesh.loop(f);
                for (std::size_t i = 0; i < loop.size(); ++i)
                    if (loop[i] == from && loop[(i + 1) % loop.size()] == to) return true;
                return false;
            };
            EXPECT_TRUE(has(edge.left, edge.vertices[0], edge.vertices[1]));
            EXPECT_TRUE(has(edge.right, edge.vertices[1], edge.vertices[0]));
            for (const std::uint32_t v : edge.vertices) {
                const auto around = mesh.edges_of_vertex(v);
                EXPECT_NE(std::find(around.begin(), around.end(), e), around.end());
            }
        }
    }
    // Fig. 12.
    const auto car = make_car();
    EXPECT_EQ(car->topology().vertex_count, 16u);
    EXPECT_EQ(car->topology().edges.size(), 26u);
    EXPECT_EQ(car->topology().polygon_count(), 12u);
    EXPECT_TRUE(car->classification().closed && car->classification().oriented);
    // Non-manifold: three sheets at one edge keep all their faces.
    const auto fan = shape_of({{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {-1, 1, 0}, {-1, -1, 0}},
                              {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}});
    const auto prepared = prepare_screw_mesh(*fan, fan->geometry());
    const auto& mesh = static_cast<const ScrewMesh&>(*prepared);
    std::set<std::uint32_t> faces;
    for (const auto& edge : mesh.edges)
        if (edge.vertices[0] == 0 && edge.vertices[1] == 1) faces.insert({edge.left, edge.right});
    faces.erase(kNoIndex);
    EXPECT_EQ(faces.size(), 3u);
    EXPECT_FALSE(mesh.one_sided);
}

TEST(ScrewMotion, BU_6_time_is_the_whole_difference_and_times_outside_are_dropped) {
    // A cube is moved by 2 towards a face that is 1 away.
    const ScrewOutcome out = run(straight(unit_cube(), unit_cube(), {2, 0.25, 0.25}, {-2, 0, 0}));
    EXPECT_NEAR(out.time(), 0.5, 1e-12);
    // Too short, and away.
    EXPECT_FALSE(run(straight(unit_cube(), unit_cube(), {2, 0.25, 0.25}, {-0.99, 0, 0})).hit());
    EXPECT_FALSE(run(straight(unit_cube(), unit_cube(), {2, 0.25, 0.25}, {2, 0, 0})).hit());
    EXPECT_TRUE(run(straight(unit_cube(), unit_cube(), {2, 0.25, 0.25}, {-1, 0, 0})).hit());
}

TEST(ScrewMotion, BU_9_record_has_all_fields) {
    for (const ScrewExample& e : {cubes_example(), cars_example(), tori_example()}) {
        const ScrewOutcome out = run(case_of(e));
        ASSERT_FALSE(out.hits.empty()) << e.title;
        double before = 0;
        for (const MotionHit& hit : out.hits) {
            EXPECT_GE(hit.time, before);
            before = hit.time;
            EXPECT_LE(hit.time, 1);
            EXPECT_NEAR(length(hit.normal_w), 1, 1e-9);
            EXPECT_GE(hit.properness, -0.1);
            EXPECT_LE(hit.properness, 1);
            const auto& ta = e.a->topology();
            const std::uint32_t count = hit.a.kind == FeatureKind::vertex ? ta.vertex_count
                                        : hit.a.kind == FeatureKind::edge
                                            ? static_cast<std::uint32_t>(ta.edges.size())
                                            : ta.polygon_count();
            EXPECT_LT(hit.a.index, count);
            // The place lies on the feature of B, which rests: on its plane, edge or vertex.
            const Vec3d p = hit.point_w;
            const auto at = [&](std::uint32_t v) {
                return transform_point(to_double(e.matrix_b), e.b->geometry().positions[v]);
            };
            EXPECT_TRUE(hit.b.kind != FeatureKind::vertex || length(p - at(hit.b.index)) < 1e-7);
            if (hit.b.kind == FeatureKind::edge) {
                const auto& ends = e.b->topology().edges[hit.b.index].vertices;
                const Vec3d along = normalized(at(ends[1]) - at(ends[0]));
                EXPECT_LT(length(cross(along, p - at(ends[0]))), 1e-7);
            }
        }
        EXPECT_EQ(out.result.feature_a, out.hits[0].a);
        EXPECT_EQ(out.result.normal_w, out.hits[0].normal_w);
        EXPECT_EQ(out.time(), out.hits[0].time);
    }
}

TEST(ScrewMotion, BU_9_lod_error_shrinks_with_resolution) {
    // Without exact times, those of edges come from the pixels.
    Random random(3);
    double error[3] = {};
    int hits[3] = {};
    for (int i = 0; i < 600; ++i) {
        const Quat turn_a = random_rotation(random, 0, kPi), turn_b = random_rotation(random, 0, kPi);
        ScrewCase c{unit_cube(), unit_cube(), to_matrix({turn_a, {}}), to_matrix({turn_b, {3, 0.2, 0.3}})};
        c.motion_b = Motion::along({{1, -8, 0}, {0, 0, 1}, 0.35, 0});
        const ScrewOutcome exact = run(c);
        if (!exact.hit() || exact.result.feature_a.kind != FeatureKind::edge) continue;
        const double pixels[] = {6, 12, 24};
        for (int k = 0; k < 3; ++k) {
            ScrewCase rough = c;
            rough.set(ScrewParameter::refine, 0);
            rough.set(ScrewParameter::near_pixels, 0);
            rough.set(ScrewParameter::pixels, pixels[k]);
            const ScrewOutcome out = run(rough);
            for (const MotionHit& hit : out.hits)
                if (hit.a == exact.result.feature_a && hit.b == exact.result.feature_b) {
                    error[k] += std::fabs(hit.time - exact.time());
                    ++hits[k];
                    break;
                }
        }
    }
    for (const int count : hits) EXPECT_GT(count, 20);
    EXPECT_LT(error[1] / hits[1], 0.75 * error[0] / hits[0]);
    EXPECT_LT(error[2] / hits[2], 0.75 * error[1] / hits[1]);
    EXPECT_LT(error[0] / hits[0], 0.1);
}

TEST(ScrewMotion, BU_X3_figure_13_three_proper_collisions_and_figure_14_its_screen) {
    const ScrewExample e = tori_example();
    EXPECT_EQ(e.a->topology().polygon_count(), 300u);
    EXPECT_EQ(e.a->topology().edges.size(), 600u);
    ScrewCase c = case_of(e);
    for (const double pixels : {6.0, 12.0, 24.0}) {
        c.set(ScrewParameter::pixels, pixels);
        const ScrewOutcome out = run(c);
        std::vector<MotionHit> proper;
        for (const MotionHit& hit : out.hits)
            if (hit.properness >= 0) proper.push_back(hit);
        ASSERT_EQ(proper.size(), 3u);
        EXPECT_EQ(proper[0].time, out.time());
        // The last one is inside the hole of B, at its back.
        EXPECT_LT(std::hypot(proper[2].point_w.x, proper[2].point_w.z), 0.7);
        EXPECT_LT(proper[2].point_w.z, 0);
        EXPECT_GT(proper[0].point_w.z, 0);
    }
    // Apart at both ends.
    Scratch scratch;
    ContinuousQuery query = query_of(c, scratch);
    EXPECT_FALSE(run(c).result.at_start);
    c.set(ScrewParameter::pixels, 6);
    query = query_of(c, scratch);
    const CollisionScreen screen = draw_collision_screen(query);
    EXPECT_EQ(screen.piece_count, 1u);
    EXPECT_NEAR(screen.angle, 20 * kPi / 180, 1e-12);
    EXPECT_NEAR(screen.error_estimate, 0.044, 1e-3);
    EXPECT_GT(screen.rows, 10);
    EXPECT_GT(screen.columns, 10);
    EXPECT_LT(screen.rows * screen.columns, 200 * 200);
    EXPECT_GT(screen.curves.size(), 400u);
    std::size_t of_b = 0;
    for (const auto& curve : screen.curves) {
        of_b += curve.of_b;
        EXPECT_GE(curve.points.size(), 2u);
        EXPECT_TRUE(curve.is_virtual || curve.edge < 600u);
    }
    EXPECT_GT(of_b, 150u);
    EXPECT_LT(of_b, screen.curves.size() - 150);
    for (const auto& run : screen.runs) {
        EXPECT_TRUE(run.row >= 0 && run.row < screen.rows);
        EXPECT_TRUE(run.first >= screen.first_column && run.last < screen.first_column + screen.columns);
    }
    ASSERT_FALSE(screen.marks.empty());
    for (const auto& mark : screen.marks) {
        EXPECT_GE(mark.r, screen.r_low);
        EXPECT_LE(mark.r, screen.r_low + screen.rows * screen.pixel);
    }
    // A mark lies on curves of both bodies.
    for (const auto& mark : screen.marks) {
        double nearest[2] = {1e9, 1e9};
        for (const auto& curve : screen.curves)
            for (std::size_t i = 0; i + 1 < curve.points.size(); ++i) {
                const auto &p = curve.points[i], &q = curve.points[i + 1];
                const double dr = q.r - p.r, dh = q.h - p.h, squared = dr * dr + dh * dh;
                const double s =
                    squared > 0 ? std::clamp(((mark.r - p.r) * dr + (mark.h - p.h) * dh) / squared, 0.0, 1.0)
                                : 0;
                double& least = nearest[curve.of_b ? 1 : 0];
                least = std::min(least, std::hypot(p.r + s * dr - mark.r, p.h + s * dh - mark.h));
            }
        const bool edges = mark.hit.a.kind == FeatureKind::edge;
        EXPECT_TRUE(!edges || nearest[0] < screen.pixel);
        EXPECT_TRUE(!edges || nearest[1] < screen.pixel);
    }
}

TEST(ScrewMotion, BU_10_pixel_reports_approaches_within_a_pixel) {
    // Two edges pass each other at a distance of half a pixel.
    const auto ridge = extruded({{0, 0, 0}, {1, 1, 0}, {-1, 1, 0}}, 1);
    const double pixel = 1.0 / 12 * std::sqrt(2.0);
    ScrewCase c{ridge, ridge, to_matrix({axis_angle({0, 0, 1}, kPi), {}}), {}};
    // B's edge is turned by 90 degrees and passes above A's, beside it along x.
    c.matrix_b = to_matrix({axis_angle({0, 1, 0}, kPi / 2), {-4, 0.4 * pixel, 0.1}});
    c.motion_b = move_by(c.matrix_b, {8, 0, 0});
    EXPECT_FALSE(run(c).hit());
    c.set(ScrewParameter::near_pixels, 2);
    const auto near = search(c, screw_options(c.parameters));
    ASSERT_FALSE(near.empty());
    for (const ScrewHit& hit : near) EXPECT_TRUE(hit.approach);
    // The verdict is about contact.
    EXPECT_FALSE(run(c).hit());
    EXPECT_FALSE(run(c).hits.empty());
    // Farther than two pixels: no approach.
    c.matrix_b = to_matrix({axis_angle({0, 1, 0}, kPi / 2), {-4, 4 * pixel, 0.1}});
    c.motion_b = move_by(c.matrix_b, {8, 0, 0});
    EXPECT_TRUE(search(c, screw_options(c.parameters)).empty());
}

TEST(ScrewMotion, BU_10_good_starts_from_the_last_placement_apart) {
    // A passes B in the first step without contact. A third body has stopped A halfway, where it overlaps B:
    // the response moved A. The second step starts there.
    const auto cube = unit_cube();
    Scratch scratch;
    PairCache cache;
    ScrewCase c = straight(cube, cube, {3, 0, 0}, {-1, 0, 0});
    c.set(ScrewParameter::last_good, 1);
    MotionHit room[64];
    MotionHitSink sink{room};
    ContinuousQuery first = query_of(c, scratch);
    first.hits = &sink;
    EXPECT_EQ(run_continuous(screw_motion(), first, cache).verdict, Verdict::separated);
    // B is at (0.5, 0.2, 0) now, inside A, and moves away along y.
    ScrewCase inside{cube, cube, {}, shifted({0.5, 0.2, 0})};
    inside.motion_b = move_by(inside.matrix_b, {0, 0.1, 0});
    inside.set(ScrewParameter::last_good, 1);
    ContinuousQuery second = query_of(inside, scratch);
    second.hits = &sink;
    const ContinuousResult result = run_continuous(screw_motion(), second, cache);
    EXPECT_EQ(result.verdict, Verdict::colliding);
    EXPECT_TRUE(result.at_start);
    EXPECT_EQ(result.counters[7], 1u);
    // From (2, 0, 0) to (0.5, 0.3, 0): B's left side met A's right side.
    ASSERT_FALSE(sink.hits().empty());
    EXPECT_LT(length(result.normal_w - Vec3d{1, 0, 0}), 1e-9);
    EXPECT_NEAR(sink.hits()[0].time, 1 / 1.5, 1e-6);
    // Without the option: no direction.
    inside.set(ScrewParameter::last_good, 0);
    const ScrewOutcome plain = run(inside, false);
    EXPECT_TRUE(plain.result.at_start);
    EXPECT_EQ(plain.result.normal_w, Vec3d{});
}

/// The hits of a case with one parameter changed.
ScrewOutcome with(ScrewCase c, ScrewParameter parameter, double value) {
    c.set(parameter, value);
    return run(c);
}

/// Sorted; times to 1e-10, because they are solved in intervals that depend on the pixels.
std::vector<std::tuple<std::uint32_t, std::uint32_t, double>> list_of(const ScrewOutcome& out) {
    std::vector<std::tuple<std::uint32_t, std::uint32_t, double>> list;
    for (const MotionHit& hit : out.hits)
        list.push_back({hit.a.index, hit.b.index, std::round(hit.time * 1e10) * 1e-10});
    std::sort(list.begin(), list.end());
    return list;
}

TEST(ScrewMotion, BU_10_hash_gives_the_same_result) {
    for (const ScrewExample& e : {cubes_example(), cars_example(), tori_example()}) {
        ScrewCase c = case_of(e);
        c.set(ScrewParameter::hierarchy, 0);  // both draw everything
        const ScrewOutcome sweep = run(c), hash = with(c, ScrewParameter::search, 1);
        ASSERT_FALSE(sweep.hits.empty());
        ASSERT_EQ(sweep.hits.size(), hash.hits.size());
        for (std::size_t i = 0; i < sweep.hits.size(); ++i) {
            EXPECT_NEAR(sweep.hits[i].time, hash.hits[i].time, 1e-12);
            EXPECT_EQ(sweep.hits[i].a, hash.hits[i].a);
            EXPECT_EQ(sweep.hits[i].b, hash.hits[i].b);
        }
        EXPECT_EQ(sweep.result.counters[4], hash.result.counters[4]);
    }
}

/// A rack of teeth along x: like the thread of a screw in its hole, both bodies have many layers along the
/// motion.
ShapePtr rack(int teeth, bool mirrored) {
    std::vector<Vec3f> outline;
    const float side = mirrored ? -1.0f : 1.0f;
    outline.push_back({0, -0.5f * side, 0});
    outline.push_back({static_cast<float>(teeth), -0.5f * side, 0});
    for (int i = teeth - 1; i >= 0; --i) {
        outline.push_back({static_cast<float>(i) + 0.55f, 0, 0});
        outline.push_back({static_cast<float>(i) + 0.5f, side, 0});
        outline.push_back({static_cast<float>(i) + 0.25f, side, 0});
        outline.push_back({static_cast<float>(i) + 0.2f, 0, 0});
    }
    if (mirrored) std::reverse(outline.begin(), outline.end());
    return extruded(outline, 0.5f);
}

TEST(ScrewMotion, BU_10_timesort_compares_fewer_pixels_in_threads) {
    // Two racks whose teeth interlock move by a third of a tooth.
    ScrewCase c{rack(24, false), rack(24, true), {}, shifted({0.5, 1.3, 0.05})};
    c.motion_b = move_by(c.matrix_b, {-0.4, 0, 0});
    c.set(ScrewParameter::hierarchy, 0);  // both draw everything
    const ScrewOutcome sweep = run(c), sorted = with(c, ScrewParameter::search, 2);
    ASSERT_FALSE(sweep.result.at_start);
    ASSERT_TRUE(sweep.hit());
    EXPECT_EQ(list_of(sweep), list_of(sorted));
    EXPECT_LT(sorted.result.counters[3] * 3, sweep.result.counters[3]);
    for (const ScrewExample& e : {cubes_example(), cars_example(), tori_example()})
        EXPECT_EQ(list_of(run(case_of(e))), list_of(with(case_of(e), ScrewParameter::search, 2)));
}

TEST(ScrewMotion, BU_10_curves_are_crossed_exactly_whatever_the_pixels) {
    // The pixels only propose; crossings of the exact curves are solved.
    for (const ScrewExample& e : {cubes_example(), cars_example(), tori_example()}) {
        const ScrewOutcome fine = with(case_of(e), ScrewParameter::pixels, 48);
        for (const double pixels : {2.0, 6.0, 24.0}) {
            const ScrewOutcome rough = with(case_of(e), ScrewParameter::pixels, pixels);
            ASSERT_EQ(rough.hits.size(), fine.hits.size()) << e.title << pixels;
            for (std::size_t i = 0; i < fine.hits.size(); ++i)
                EXPECT_NEAR(rough.hits[i].time, fine.hits[i].time, 1e-11);
        }
    }
}

TEST(ScrewMotion, BU_10_hier_leaves_out_far_faces_and_changes_nothing) {
    // A big plate of many faces and a small cube.
    std::vector<Vec3f> p;
    std::vector<std::vector<std::uint32_t>> quads;
    const std::uint32_t n = 40;
    for (std::uint32_t i = 0; i <= n; ++i)
        for (std::uint32_t k = 0; k <= n; ++k)
            p.push_back({static_cast<float>(i) - 20.0f, static_cast<float>(k) - 20.0f, 0});
    for (std::uint32_t i = 0; i < n; ++i)
        for (std::uint32_t k = 0; k < n; ++k)
            quads.push_back(
                {i * (n + 1) + k, (i + 1) * (n + 1) + k, (i + 1) * (n + 1) + k + 1, i * (n + 1) + k + 1});
    ScrewCase c{shape_of(p, quads), unit_cube(), {}, shifted({0.3, 0.4, 2})};
    c.motion_b = Motion::along({{-9, 0, 2}, {0, 1, 0}, 0.3, 0.2});
    const ScrewOutcome near = run(c), all = with(c, ScrewParameter::hierarchy, 0);
    ASSERT_TRUE(near.hit());
    EXPECT_EQ(list_of(near), list_of(all));
    EXPECT_LT(near.result.counters[1] * 5, all.result.counters[1]);
}

TEST(ScrewMotion, BU_3_backup_all_in_a_window_or_the_first_only) {
    const ScrewOutcome out = run(figure_2({{0, -0.5f, 0}, {2, -0.5f, 0}, {2, 0.5f, 0}, {0.05f, 0.5f, 0}}));
    const std::span<const MotionHit> hits = out.hits;
    EXPECT_EQ(simultaneous_hits(hits, 0).size(), 1u);
    EXPECT_EQ(simultaneous_hits(hits, 1).size(), hits.size());
    // The lower corner has two vertices (front and back); the upper ones come 0.05 / 1.6 later.
    const auto at_once = simultaneous_hits(hits, 0.01);
    EXPECT_LT(at_once.size(), hits.size());
    for (const MotionHit& hit : at_once) EXPECT_LE(hit.time, hits[0].time + 0.01);
    EXPECT_EQ(simultaneous_hits(std::span<const MotionHit>{}, 1).size(), 0u);
}

TEST(ScrewMotion, single_precision_and_the_single_screw_agree_with_the_default) {
    for (const ScrewExample& e : {cubes_example(), cars_example(), tori_example()}) {
        EXPECT_EQ(list_of(run(case_of(e))), list_of(with(case_of(e), ScrewParameter::precision, 1)));
        // These motions are one screw anyway.
        const auto given = list_of(run(case_of(e))), one = list_of(with(case_of(e), ScrewParameter::path, 1));
        ASSERT_EQ(given.size(), one.size());
    }
}

TEST(ScrewMotion, allocates_nothing_in_steady_state) {
    for (const ScrewExample& e : {cubes_example(), cars_example(), tori_example()}) {
        const ScrewCase c = case_of(e);
        const auto mesh_a = prepare_screw_mesh(*c.a, c.a->geometry()),
                   mesh_b = prepare_screw_mesh(*c.b, c.b->geometry());
        Scratch scratch;
        PairCache cache;
        MotionHit room[64];
        MotionHitSink sink{room};
        ContinuousQuery query = query_of(c, scratch);
        query.pair.a.prepared = mesh_a.get(), query.pair.b.prepared = mesh_b.get();
        query.hits = &sink;
        for (int i = 0; i < 3; ++i) (void)run_continuous(screw_motion(), query, cache);
        const std::size_t before = allocations_of_this_thread();
        for (int i = 0; i < 5; ++i) (void)run_continuous(screw_motion(), query, cache);
        EXPECT_EQ(allocations_of_this_thread(), before) << e.title;
        EXPECT_FALSE(sink.hits().empty());
    }
}

TEST(ScrewMotion, stops_when_asked) {
    const ScrewCase c = case_of(tori_example());
    Scratch scratch;
    StopSource source;
    ContinuousQuery query = query_of(c, scratch);
    query.pair.stop = StopToken(source);
    source.request_stop();
    PairCache cache;
    const ContinuousResult stopped = run_continuous(screw_motion(), query, cache);
    EXPECT_EQ(stopped.status, QueryStatus::stopped);
    EXPECT_EQ(stopped.verdict, Verdict::undecided);
}

TEST(ScrewMotion, a_path_of_too_many_turns_is_undecided) {
    ScrewCase c{unit_cube(), unit_cube(), {}, shifted({3, 0, 0})};
    c.motion_b = Motion::along({{}, {0, 0, 1}, 1e9, 1});
    EXPECT_EQ(run(c).result.verdict, Verdict::undecided);
    // A thousand turns are decided: B passes A's place on a circle, at every turn.
    c.motion_b = Motion::along({{1.5, 0, 0}, {0, 0, 1}, 2000 * kPi, 0});
    const ScrewOutcome out = run(c, false);
    EXPECT_TRUE(out.hit());
    EXPECT_LT(out.time(), 1e-3);
}

TEST(ScrewMotion, a_full_sink_is_reported) {
    const ScrewCase c = case_of(tori_example());
    Scratch scratch;
    PairCache cache;
    MotionHit room[2];
    MotionHitSink sink{room};
    ContinuousQuery query = query_of(c, scratch);
    query.hits = &sink;
    const ContinuousResult result = run_continuous(screw_motion(), query, cache);
    EXPECT_EQ(result.status, QueryStatus::hits_full);
    EXPECT_EQ(result.verdict, Verdict::colliding);
    EXPECT_EQ(sink.hits().size(), 2u);
}

}  // namespace
}  // namespace claybox::test
