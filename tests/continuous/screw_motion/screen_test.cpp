// Sections 4.2, 7, 8 and 9: facing, projection, doppelling, drawing and scanning.

#include "collision/continuous/screw_motion/screen/outline.hpp"
#include "collision/continuous/screw_motion/screw_examples.hpp"
#include "collision/core/trig.hpp"
#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "tests/continuous/screw_motion/screw_case.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace claybox::test {
namespace {

Vec3d random_vector(Random& random, double size) {
    const double x = random.uniform(-size, size), y = random.uniform(-size, size),
                 z = random.uniform(-size, size);
    return {x, y, z};
}

struct Screen {
    std::shared_ptr<const Prepared> mesh_a, mesh_b;
    RelativePath path = RelativePath::of_screw({});
    ScrewBody a, b;
    ScrewMemory memory;
    ScrewPiece piece;
    ScreenSettings settings;
    bool may_touch = false;
};

/// The screen of the first piece of a motion of B; A stays.
void draw(const ShapePtr& a, const Matrix34f& ma, const ShapePtr& b, const Matrix34f& mb, const Screw& screw,
          const ScrewOptions& options, Screen& out, CurveSink* sink_a = nullptr,
          CurveSink* sink_b = nullptr) {
    out.mesh_a = prepare_screw_mesh(*a, a->geometry());
    out.mesh_b = prepare_screw_mesh(*b, b->geometry());
    out.a = {static_cast<const ScrewMesh*>(out.mesh_a.get()), to_map(ma)};
    out.b = {static_cast<const ScrewMesh*>(out.mesh_b.get()), to_map(mb)};
    out.path = RelativePath::of_screw(screw);
    std::vector<ScrewPiece> pieces;
    cut_into_pieces(out.path, world_sphere(out.a), world_sphere(out.b), {}, pieces);
    out.piece = pieces[0];
    out.may_touch = set_up_screen(out.piece, options, out.a, out.b, pixel_size(out.a, out.b, options.pixels),
                                  out.memory, out.settings);
    if (out.may_touch) draw_screen(out.piece, out.settings, out.memory, sink_a, sink_b);
}

/// The screen of an example whose B stays.
void draw(const ScrewExample& e, const ScrewOptions& options, Screen& out) {
    out.mesh_a = prepare_screw_mesh(*e.a, e.a->geometry());
    out.mesh_b = prepare_screw_mesh(*e.b, e.b->geometry());
    out.a = {static_cast<const ScrewMesh*>(out.mesh_a.get()), to_map(e.matrix_a)};
    out.b = {static_cast<const ScrewMesh*>(out.mesh_b.get()), to_map(e.matrix_b)};
    PairBody a, b;
    a.world_from_body = e.matrix_a, b.world_from_body = e.matrix_b;
    out.path = RelativePath(a, e.motion_a, b, e.motion_b);
    std::vector<ScrewPiece> pieces;
    cut_into_pieces(out.path, world_sphere(out.a), world_sphere(out.b), {}, pieces);
    out.piece = pieces.at(0);
    out.may_touch = set_up_screen(out.piece, options, out.a, out.b, pixel_size(out.a, out.b, options.pixels),
                                  out.memory, out.settings);
    if (out.may_touch) draw_screen(out.piece, out.settings, out.memory);
}

ScrewOptions whole() {
    ScrewOptions o;
    o.whole_screen = true;
    o.hierarchy = false;
    return o;
}

ShapePtr cube() {
    return box({-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f});
}

Screw random_screw(Random& random) {
    return {random_vector(random, 2), normalized(random_vector(random, 1)), random.uniform(0.05, 1.5),
            random.uniform(-2, 2)};
}

TEST(ScrewMotion, BU_4_2_facing_is_constant_along_the_motion) {
    Random random(1);
    for (int i = 0; i < 1000; ++i) {
        const double angle = random.uniform(0, 1.5), pitch = random.uniform(-1, 1);
        const Screw s{{}, {0, 1, 0}, angle, pitch};
        const Vec3d n = normalized(random_vector(random, 1)), x = random_vector(random, 3);
        const double before = facing(n, x, angle, pitch);
        EXPECT_NEAR(before, dot(n, screw_velocity(s, x)), 1e-12);
        const RigidMap m = screw_map(s, random.uniform(0, 1));
        EXPECT_NEAR(facing(m.turn(n), m(x), angle, pitch), before, 1e-12);
    }
}

/// Length of the edges that bound each face, forward for B.
std::map<std::uint32_t, double> facing_lengths(const Screen& screen, const SideScreen& side) {
    std::map<std::uint32_t, double> out;
    (void)screen;
    for (const SubEdge& e : side.edges)
        for (const std::uint32_t f : {e.left, e.right})
            if (f != kNoIndex && !e.is_virtual()) out[f] += length(e.q - e.p);
    return out;
}

TEST(ScrewMotion, BU_4_2_facing_of_the_cube_of_figure_5) {
    // The cube of Fig. 5 spirals upward about a vertical axis behind it. In F: axis y, the cube in front at
    // z = 3. It moves to the right (+x) and up. Backward: left face, bottom face, half of near and far.
    Screen screen;
    const Screw up{{0, 0, 0}, {0, 1, 0}, 0.4, 0.3};
    draw(cube(), shifted({0, 0, 3}), cube(), shifted({0, 0, 3}), up, whole(), screen);
    ASSERT_TRUE(screen.may_touch);
    std::map<std::string, double> length_of;
    const auto name = [&](const SideScreen& side, std::uint32_t f) {
        // Back in the world, where the faces have names.
        const Vec3d n = screen.piece.frame_from_world.turn_back(side.normals[f]);
        return std::string(n.x < -0.9   ? "left"
                           : n.x > 0.9  ? "right"
                           : n.y < -0.9 ? "bottom"
                           : n.y > 0.9  ? "top"
                           : n.z > 0.9  ? "near"
                                        : "far");
    };
    for (const auto& [f, size] : facing_lengths(screen, screen.memory.a))
        length_of[name(screen.memory.a, f)] = size;
    EXPECT_NEAR(length_of["left"], 4, 1e-6);
    EXPECT_NEAR(length_of["bottom"], 4, 1e-6);
    // Half of the rim of near and far: a side of 1 and two halves.
    EXPECT_NEAR(length_of["near"], 2, 1e-4);
    EXPECT_NEAR(length_of["far"], 2, 1e-4);
    EXPECT_EQ(length_of.count("right") + length_of.count("top"), 0u);
    // B's forward faces are the others.
    length_of.clear();
    for (const auto& [f, size] : facing_lengths(screen, screen.memory.b))
        length_of[name(screen.memory.b, f)] = size;
    EXPECT_NEAR(length_of["right"], 4, 1e-6);
    EXPECT_NEAR(length_of["top"], 4, 1e-6);
    EXPECT_NEAR(length_of["near"], 2, 1e-4);
    EXPECT_EQ(length_of.count("left") + length_of.count("bottom"), 0u);
    // One virtual edge closes each half face.
    EXPECT_EQ(screen.memory.a.virtual_edges, 2u);
}

TEST(ScrewMotion, BU_4_2_discard_of_edges_without_a_facing_face) {
    const auto torus = make_torus(25, 12, 1, 0.4);
    Screen culled, kept;
    ScrewOptions all = whole();
    all.cull = false;
    const Screw s{{5, 0, 0}, {0, 0, 1}, 0.3, 0.4};
    draw(torus, {}, torus, {}, s, whole(), culled);
    draw(torus, {}, torus, {}, s, all, kept);
    EXPECT_EQ(kept.memory.a.edges.size(), 600u);
    EXPECT_LT(culled.memory.a.edges.size(), 420u);
    EXPECT_GT(culled.memory.a.discarded, 200u);
    for (const SubEdge& e : culled.memory.a.edges) EXPECT_TRUE(e.left != kNoIndex || e.right != kNoIndex);
}

TEST(ScrewMotion, BU_9_2_parts_partition_the_facing_part_of_each_edge) {
    Random random(2);
    int parts = 0, virtual_edges = 0;
    for (int i = 0; i < 200; ++i) {
        const auto shape = i % 2 == 0 ? cube() : make_torus(12, 8, 1, 0.4);
        Screen screen;
        const Matrix34f m = to_matrix({random_rotation(random, 0, kPi), {}});
        draw(shape, m, shape, m, random_screw(random), whole(), screen);
        if (!screen.may_touch) continue;
        for (const SideScreen* side : {&screen.memory.a, &screen.memory.b}) {
            std::map<std::uint32_t, std::vector<std::pair<float, float>>> of_edge;
            for (const SubEdge& e : side->edges) {
                virtual_edges += e.is_virtual();
                if (e.is_virtual() || e.shift != 0) continue;
                of_edge[e.edge].push_back({e.s0, e.s1});
                ++parts;
            }
            const double sign = side->is_b ? 1 : -1;
            for (std::uint32_t e = 0; e < side->mesh->edges.size(); ++e) {
                const auto& edge = side->mesh->edges[e];
                auto& found = of_edge[e];
                std::sort(found.begin(), found.end());
                // Apart from the cut of doppelling, which splits parts, at most three.
                ASSERT_LE(found.size(), screen.settings.wraps ? 6u : 3u);
                for (std::size_t k = 0; k + 1 < found.size(); ++k)
                    ASSERT_LE(found[k].second, found[k + 1].first + 1e-6f);
                for (double s = 0.005; s < 1; s += 0.01) {
                    const Vec3d x = side->points[edge.vertices[0]] +
                                    s * (side->points[edge.vertices[1]] - side->points[edge.vertices[0]]);
                    const auto faces = [&](std::uint32_t f) {
                        return sign * facing(side->normals[f], x, screen.piece.angle, screen.piece.pitch);
                    };
                    const double most = std::max(faces(edge.left), faces(edge.right));
                    if (std::fabs(most) < 1e-4) continue;
                    int covered = 0;
                    for (const auto& [s0, s1] : found)
                        covered += s0 <= static_cast<float>(s) && static_cast<float>(s) <= s1;
                    ASSERT_EQ(covered > 0, most > 0) << "edge " << e << " at " << s;
                }
            }
        }
    }
    EXPECT_GT(parts, 10000);
    EXPECT_GT(virtual_edges, 1000);
}

TEST(ScrewMotion, BU_7_proj_flow_changes_only_the_time) {
    Random random(3);
    for (int i = 0; i < 2000; ++i) {
        const double angle = random.uniform(0.01, 1), pitch = random.uniform(-2, 2);
        const Vec3d x = random_vector(random, 2);
        const double r = std::hypot(x.x, x.z), phi = std::atan2(x.x, x.z), tau = random.uniform(-1, 1);
        const ScreenPoint p = project_to_screen(r, phi, x.y, angle, pitch);
        const ScreenPoint q = project_to_screen(r, phi + angle * tau, x.y + pitch * tau, angle, pitch);
        EXPECT_NEAR(q.t - p.t, tau, 1e-11);
        EXPECT_NEAR(q.h, p.h, 1e-11);
        EXPECT_EQ(q.r, p.r);
        // h measures lengths: at fixed r, a step across the flow has its length.
        const double d = std::hypot(pitch, r * angle), step = 0.1;
        const ScreenPoint s =
            project_to_screen(r, phi - step * pitch / d / r, x.y + step * r * angle / d, angle, pitch);
        EXPECT_NEAR(s.h - p.h, step, 1e-10);
        EXPECT_NEAR(s.t, p.t, 1e-10);
        // The kernel's quick projection agrees.
        ScrewPiece piece;
        piece.angle = angle, piece.pitch = pitch;
        const ScreenPoint quick = project_point(piece, x, 0);
        EXPECT_NEAR(quick.r, p.r, 1e-14);
        EXPECT_NEAR(quick.h, p.h, 1e-7);
        EXPECT_NEAR(quick.t, p.t, 4e-8 / angle);
    }
    for (int i = 0; i < 100000; ++i) {
        const double a = random.uniform(-4, 4);
        const SinCos q = quick_sin_cos(a);
        ASSERT_NEAR(q.sin, std::sin(a), 5e-16);
        ASSERT_NEAR(q.cos, std::cos(a), 5e-16);
        ASSERT_NEAR(quick_angle(q.sin, q.cos), std::atan2(q.sin, q.cos), 1e-8);
    }
}

TEST(ScrewMotion, BU_7_axis_and_translation) {
    // On the axis: h = 0 and t = y / g.
    const ScreenPoint p = project_to_screen(0, 0, 3, 0.5, 2);
    EXPECT_EQ(p.h, 0);
    EXPECT_EQ(p.t, 1.5);
    // A vertex on the axis of a rotation never moves and is not drawn; nothing is infinite.
    const auto octahedron =
        shape_of({{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
                 {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}});
    Screen screen;
    draw(octahedron, {}, octahedron, {}, {{}, {0, 1, 0}, 0.7, 0}, whole(), screen);
    ASSERT_TRUE(screen.may_touch);
    for (const VertexPixel& v : screen.memory.a.vertices) {
        const Vec3d& x = screen.memory.a.points[v.vertex];
        EXPECT_GT(std::hypot(x.x, x.z), 0.5);
        EXPECT_TRUE(std::isfinite(v.at.h) && std::isfinite(v.at.t));
    }
    for (const SubEdge& e : screen.memory.a.edges)
        EXPECT_TRUE(std::isfinite(e.t_low) && std::isfinite(e.t_high));
    // A translation: orthogonal projection. Distances across the motion are kept, and t is that along it.
    Screen straight;
    draw(cube(), {}, cube(), shifted({3, 0.2, 0}), {{}, {-1, 0, 0}, 0, 4}, whole(), straight);
    ASSERT_TRUE(straight.may_touch);
    const auto& v = straight.memory.b.vertices;
    // The front and the sides, which are parallel to the motion and count as facing.
    ASSERT_EQ(v.size(), 8u);
    for (const VertexPixel& q : v)
        for (const VertexPixel& w : v) {
            const Vec3d d = straight.memory.b.points[q.vertex] - straight.memory.b.points[w.vertex];
            EXPECT_NEAR(std::hypot(q.at.r - w.at.r, q.at.h - w.at.h), std::hypot(d.x, d.z), 1e-12);
            EXPECT_NEAR(q.at.t - w.at.t, d.y / 4, 1e-12);
        }
    // Almost a translation: the answers join.
    const auto time = [](double angle) {
        ScrewCase c{cube(), cube(), {}, shifted({3, 0.2, 0.1})};
        // The arc of radius R = 4 / angle through a displacement of -4 along x.
        c.motion_b = angle == 0 ? Motion::along({{}, {-1, 0, 0}, 0, 4})
                                : Motion::along({{3, -4 / angle, 0}, {0, 0, 1}, angle, 0});
        return run(c).time();
    };
    EXPECT_NEAR(time(0), 0.5, 1e-7);
    for (const double angle : {1e-3, 1e-5, 1e-7, 1e-9, 1e-12})
        EXPECT_NEAR(time(angle), 0.5, angle + 1e-6) << angle;
}

TEST(ScrewMotion, BU_8_doppel_scene_turned_about_the_axis_by_any_angle) {
    Random random(5);
    const auto star = extruded({{1, 0, 0},
                                {0.3f, 0.3f, 0},
                                {0, 1, 0},
                                {-0.3f, 0.3f, 0},
                                {-1, 0, 0},
                                {-0.3f, -0.3f, 0},
                                {0, -1, 0},
                                {0.3f, -0.3f, 0}},
                               0.25f);
    std::uint32_t doppelled = 0;
    int hits = 0;
    for (int i = 0; i < 120; ++i) {
        // B turns about an axis that passes through or near A: azimuths cover the whole circle.
        ScrewCase c{star, i % 2 == 0 ? star : cube()};
        const Vec3d axis = normalized(random_vector(random, 1)), point = random_vector(random, 0.4);
        const Pose pose_a{random_rotation(random, 0, kPi), {}};
        const Pose pose_b{random_rotation(random, 0, kPi), random_vector(random, 1.6)};
        const double angle = random.uniform(0.2, 1.5), pitch = random.uniform(-1, 1);
        double expected = -1;
        std::vector<double> times;
        for (int k = 0; k < 12; ++k) {
            const Pose turn{axis_angle(axis, k * kPi / 6 + 0.05),
                            point - rotate(axis_angle(axis, k * kPi / 6 + 0.05), point)};
            c.matrix_a = to_matrix(turn * pose_a), c.matrix_b = to_matrix(turn * pose_b);
            c.motion_b = Motion::along({point, axis, angle, pitch});
            const ScrewOutcome out = run(c);
            doppelled += out.result.counters[6];
            const double time = out.hit() ? out.time() : 2;
            if (k == 0) expected = time;
            ASSERT_NEAR(time, expected, 3e-6) << "scene " << i << " turned " << k;
        }
        hits += expected > 0 && expected < 2;
    }
    EXPECT_GT(hits, 8);
    EXPECT_GT(doppelled, 1000u);
}

TEST(ScrewMotion, BU_8_virtual_edges_bound_faces_and_are_never_reported) {
    Random random(6);
    const auto torus = make_torus(12, 8, 1, 0.4);
    std::size_t virtual_edges = 0, pairs = 0;
    for (int i = 0; i < 60; ++i) {
        Screen screen;
        Screw s = random_screw(random);
        s.point = random_vector(random, 0.5);
        draw(torus, {}, cube(), shifted(random_vector(random, 1.5)), s, whole(), screen);
        if (!screen.may_touch) continue;
        for (const EdgePair& pair : screen.memory.scan.edge_pairs) {
            ++pairs;
            EXPECT_FALSE(screen.memory.a.edges[pair.a].is_virtual());
            EXPECT_FALSE(screen.memory.b.edges[pair.b].is_virtual());
        }
        for (const SideScreen* side : {&screen.memory.a, &screen.memory.b})
            for (const SubEdge& e : side->edges) {
                if (!e.is_virtual()) continue;
                ++virtual_edges;
                // It bounds one face and lies in its plane.
                ASSERT_TRUE(e.left != kNoIndex && e.right == kNoIndex);
                const Vec3d& n = side->normals[e.left];
                const Vec3d& corner = side->points[side->mesh->loop(e.left)[0]];
                EXPECT_LT(std::fabs(dot(n, e.p - corner)), 2e-6);
                EXPECT_LT(std::fabs(dot(n, e.q - corner)), 2e-6);
            }
    }
    EXPECT_GT(virtual_edges, 500u);
    EXPECT_GT(pairs, 500u);
}

TEST(ScrewMotion, BU_9_1_spheres_never_reject_a_true_hit) {
    Random random(7);
    int rejected = 0, kept = 0;
    for (int i = 0; i < 4000; ++i) {
        const Screw s = random_screw(random);
        const WorldSphere a{random_vector(random, 3), random.uniform(0.1, 1.5)},
            b{random_vector(random, 3), random.uniform(0.1, 1.5)};
        ScrewPiece piece;
        piece.angle = s.angle, piece.pitch = s.pitch;
        place_frame(s, a, b, piece);
        const bool may = may_touch(piece, a, b, 0);
        double nearest = 1e9;
        for (int k = 0; k <= 200; ++k)
            nearest =
                std::min(nearest, length(screw_map(s, k / 200.0)(b.centre) - a.centre) - a.radius - b.radius);
        ASSERT_TRUE(may || nearest > 0);
        ++(may ? kept : rejected);
    }
    EXPECT_GT(rejected, 800);
    EXPECT_GT(kept, 500);
}

/// Keeps all polylines.
struct Polylines : CurveSink {
    std::vector<std::vector<std::pair<ScreenPoint, ScreenPoint>>> of_edge;
    void piece(std::uint32_t edge, const ScreenPoint& from, const ScreenPoint& to) override {
        if (of_edge.size() <= edge) of_edge.resize(edge + 1);
        of_edge[edge].push_back({from, to});
    }
};

double distance_to(const ScreenPoint& p, const std::pair<ScreenPoint, ScreenPoint>& piece) {
    const double dr = piece.second.r - piece.first.r, dh = piece.second.h - piece.first.h;
    const double squared = dr * dr + dh * dh;
    const double s =
        squared > 0
            ? std::clamp(((p.r - piece.first.r) * dr + (p.h - piece.first.h) * dh) / squared, 0.0, 1.0)
            : 0;
    return std::hypot(piece.first.r + s * dr - p.r, piece.first.h + s * dh - p.h);
}

TEST(ScrewMotion, BU_9_3_polylines_and_pixels_follow_the_exact_curves) {
    Random random(8);
    double worst = 0;
    for (int i = 0; i < 120; ++i) {
        Screen screen;
        Polylines lines_a, lines_b;
        Screw s = random_screw(random);
        if (i % 3 == 0) s.point = random_vector(random, 0.3);  // near or through the bodies
        ScrewOptions options = whole();
        options.pixels = i % 2 == 0 ? 6 : 24;
        options.single_precision = i % 5 == 0;
        const auto star = make_torus(8, 6, 1, 0.4);
        draw(star, {}, cube(), shifted(random_vector(random, 1.5)), s, options, screen, &lines_a, &lines_b);
        if (!screen.may_touch) continue;
        const double pixel = screen.settings.pixel;
        std::set<std::tuple<int, int, std::uint32_t>> filled;
        for (const PixelRun& run : screen.memory.b.runs)
            for (int h = run.h_min; h <= run.h_max && h < run.h_min + 4000; ++h)
                filled.insert({run.row, h, run.edge});
        for (std::uint32_t e = 0; e < screen.memory.b.edges.size(); ++e) {
            const SubEdge& edge = screen.memory.b.edges[e];
            for (double u = 0; u <= 1; u += 0.02) {
                Vec3d x = edge.p + u * (edge.q - edge.p);
                if (x.x == 0) x.x = edge.p.x;  // the sign of zero says on which side of the cut
                if (std::hypot(x.x, x.z) < 1e-6) continue;
                ScreenPoint p = project_point(screen.piece, x, edge.shift);
                double least = 1e9;
                for (const auto& piece : lines_b.of_edge[e]) least = std::min(least, distance_to(p, piece));
                worst = std::max(worst, least / pixel);
                ASSERT_GE(p.t, edge.t_low - 1e-9);
                ASSERT_LE(p.t, edge.t_high + 1e-9);
                // A pixel of the edge is within one of the point's.
                const int row = static_cast<int>(std::floor((p.r - screen.settings.r_low) / pixel));
                const int column = static_cast<int>(std::floor(p.h / pixel));
                bool near = false;
                for (int dr = -1; dr <= 1; ++dr)
                    for (int dh = -1; dh <= 1; ++dh) near |= filled.count({row + dr, column + dh, e}) != 0;
                ASSERT_TRUE(near) << "scene " << i << " edge " << e << " at " << u;
            }
        }
    }
    EXPECT_LT(worst, 2 * kCurveDeviation);
}

TEST(ScrewMotion, BU_9_3_one_record_per_edge_and_row_with_times) {
    Screen screen;
    draw(cube(), {}, cube(), shifted({1.5, 0.3, 0.1}), {{0, -3, 0}, {0, 0, 1}, 0.3, 0.1}, whole(), screen);
    ASSERT_TRUE(screen.may_touch);
    std::map<std::pair<std::uint32_t, int>, int> records;
    int starts = 0;
    for (const PixelRun& run : screen.memory.b.runs) {
        ++records[{run.edge, run.row}];
        EXPECT_LE(run.h_min, run.h_max);
        EXPECT_LE(run.t_low, run.t_high);
        starts += run.first + run.last;
        const SubEdge& e = screen.memory.b.edges[run.edge];
        EXPECT_GE(static_cast<double>(run.t_low), e.t_low - 1e-4);
        EXPECT_LE(static_cast<double>(run.t_high), e.t_high + 1e-4);
    }
    // Two where the edge turns back at its point nearest to the axis.
    for (const auto& [where, count] : records) EXPECT_LE(count, 2);
    int ends = 0;
    for (const SubEdge& e : screen.memory.b.edges) ends += (e.first != kNoIndex) + (e.last != kNoIndex);
    EXPECT_EQ(starts, ends);
}

TEST(ScrewMotion, BU_10_hier_boxes_contain_the_curves) {
    // Boxes decide what is drawn: no point of an edge may be outside, at any distance from the axis.
    Random random(21);
    int drawn = 0, bounded = 0;
    for (int i = 0; i < 150; ++i) {
        Screen screen;
        Screw s = random_screw(random);
        s.point += (i % 4) * 2.0 * normalized(random_vector(random, 1));
        if (i % 10 == 0) s.angle = 0;
        draw(make_torus(8, 6, 1, 0.4), {}, cube(), shifted(random_vector(random, 1.5)), s, whole(), screen);
        if (!screen.may_touch) continue;
        for (SideScreen* side : {&screen.memory.a, &screen.memory.b}) {
            outline_parts(screen.piece, screen.settings, *side);
            for (std::size_t e = 0; e < side->edges.size(); ++e) {
                const SubEdge& edge = side->edges[e];
                const ScreenBox& box = side->boxes[e];
                ++drawn, bounded += box.h_high < 1e300;
                for (int k = 1; k < 40; ++k) {
                    Vec3d x = edge.p + (k / 40.0) * (edge.q - edge.p);
                    if (x.x == 0) x.x = edge.p.x;  // the sign of zero says on which side of the cut
                    if (std::hypot(x.x, x.z) < 1e-6) continue;
                    const ScreenPoint p = project_point(screen.piece, x, edge.shift);
                    const double error = 1e-6 * (1 + std::fabs(p.h)), late = screen.settings.time_error;
                    ASSERT_TRUE(box.r_low - error <= p.r && p.r <= box.r_high + error) << i << ' ' << e;
                    ASSERT_TRUE(box.h_low - error <= p.h && p.h <= box.h_high + error) << i << ' ' << e;
                    ASSERT_TRUE(box.t_low - late <= p.t && p.t <= box.t_high + late) << i << ' ' << e;
                    for (const std::uint32_t f : {edge.left, edge.right})
                        if (f != kNoIndex) {
                            ASSERT_LE(side->face_boxes[f].t_low - late, p.t);
                        }
                }
            }
        }
    }
    EXPECT_GT(drawn, 5000);
    EXPECT_GT(bounded, drawn * 9 / 10);
}

TEST(ScrewMotion, BU_9_4_order_of_runs_and_faces) {
    Random random(9);
    for (const int n : {0, 1, 2, 5, 40, 333}) {
        std::vector<RowRun> runs(static_cast<std::size_t>(n));
        std::vector<FaceSpan> spans(static_cast<std::size_t>(n));
        std::multiset<std::int32_t> starts;
        for (int i = 0; i < n; ++i) {
            const auto k = static_cast<std::size_t>(i);
            runs[k].h_min = static_cast<std::int32_t>(random.uniform(-50, 50));
            runs[k].edge = static_cast<std::uint32_t>(i);
            spans[k] = {static_cast<std::int32_t>(random.uniform(-50, 50)),
                        static_cast<std::int32_t>(random.uniform(-50, 50)), 0};
            starts.insert(runs[k].h_min);
        }
        shell_sort_by_start(std::span(runs));
        std::multiset<std::int32_t> sorted;
        for (const RowRun& run : runs) sorted.insert(run.h_min);
        EXPECT_EQ(sorted, starts);
        EXPECT_TRUE(std::is_sorted(runs.begin(), runs.end(),
                                   [](const auto& x, const auto& y) { return x.h_min < y.h_min; }));
        shell_sort_by_start(std::span(spans));
        EXPECT_TRUE(std::is_sorted(spans.begin(), spans.end(),
                                   [](const auto& x, const auto& y) { return x.h_min < y.h_min; }));
        shell_sort_by_end(std::span(spans));
        EXPECT_TRUE(std::is_sorted(spans.begin(), spans.end(),
                                   [](const auto& x, const auto& y) { return x.h_max < y.h_max; }));
    }
    // In a screen: buckets of rows, A and B apart, and lists of vertices.
    Screen screen;
    draw(tori_example(), whole(), screen);
    ASSERT_TRUE(screen.may_touch);
    const auto& scan = screen.memory.scan;
    ASSERT_EQ(scan.a.sorted.size(), screen.memory.a.runs.size());
    ASSERT_EQ(scan.b.sorted.size(), screen.memory.b.runs.size());
    for (std::int32_t row = 0; row < screen.settings.rows; ++row) {
        const auto r = static_cast<std::size_t>(row);
        for (std::uint32_t i = scan.a.row_begin[r]; i < scan.a.row_begin[r + 1]; ++i)
            EXPECT_EQ(screen.memory.a.runs[scan.a.sorted[i].run].row, row);
        for (std::uint32_t i = scan.b.vertex_begin[r]; i < scan.b.vertex_begin[r + 1]; ++i) {
            const VertexPixel& v = screen.memory.b.vertices[scan.b.vertex_order[i]];
            EXPECT_TRUE(v.row <= row && row <= v.row_end);
        }
    }
}

/// Whether the flow line of a vertex of one body passes through the facing part of a face of the other.
bool hits_face(const Screen& screen, const SideScreen& side, std::uint32_t v, const SideScreen& other,
               std::uint32_t f, bool& close) {
    // All places of the vertex along its flow line, one turn either way.
    const Vec3d p = side.points[v], n = other.normals[f];
    const auto loop = other.mesh->loop(f);
    const auto at = [&](double tau) {
        ScrewPiece piece = screen.piece;
        return piece.at(tau)(p);
    };
    const auto height = [&](double tau) { return dot(n, at(tau) - other.points[loop[0]]); };
    const double limit = 3.0 / screen.piece.angle;
    close = false;
    bool found = false;
    double before = height(-limit);
    const int steps = 3000;
    for (int k = 1; k <= steps; ++k) {
        double low = -limit + 2 * limit * (k - 1) / steps, high = -limit + 2 * limit * k / steps;
        const double after = height(high);
        if ((before < 0) != (after < 0)) {
            for (int i = 0; i < 60; ++i) {
                const double middle = 0.5 * (low + high);
                ((height(middle) < 0) == (before < 0) ? low : high) = middle;
            }
            const Vec3d x = at(low);
            const double tolerance = 3 * screen.settings.pixel;
            const auto exact = locate_in_polygon(other.points, loop, n, x, 1e-12);
            const auto rough = locate_in_polygon(other.points, loop, n, x, tolerance);
            const double forward =
                facing(n, x, screen.piece.angle, screen.piece.pitch) * (other.is_b ? 1 : -1);
            if (rough.kind != PolygonPlace::Kind::outside && rough.kind != PolygonPlace::Kind::inside)
                close = true;
            if (std::fabs(forward) < 0.05) close = true;
            if (exact.kind != PolygonPlace::Kind::outside && forward > 0) found = true;
        }
        before = after;
    }
    return found;
}

TEST(ScrewMotion, BU_9_5_vertices_in_faces_equal_the_analytic_answer) {
    Random random(10);
    int inside = 0, outside = 0, extra = 0;
    for (int i = 0; i < 60; ++i) {
        Screen screen;
        Screw s = random_screw(random);
        s.angle = random.uniform(0.2, 0.8);
        s.point += 3.0 * normalized(random_vector(random, 1));
        ScrewOptions options = whole();
        options.pixels = 24;
        const Matrix34f mb = to_matrix({random_rotation(random, 0, kPi), random_vector(random, 0.7)});
        draw(cube(), {}, cube(), mb, s, options, screen);
        if (!screen.may_touch || screen.settings.wraps) continue;
        const auto check = [&](const SideScreen& side, const SideScreen& other,
                               const std::vector<VertexFacePair>& pairs) {
            std::set<std::pair<std::uint32_t, std::uint32_t>> found;
            for (const VertexFacePair& pair : pairs)
                found.insert({side.vertices[pair.vertex].vertex, pair.face});
            for (const VertexPixel& v : side.vertices)
                for (std::uint32_t f = 0; f < other.mesh->face_count(); ++f) {
                    bool close = false;
                    const bool hit = hits_face(screen, side, v.vertex, other, f, close);
                    if (close) continue;
                    const bool scanned = found.count({v.vertex, f}) != 0;
                    ASSERT_TRUE(scanned || !hit) << "scene " << i << " vertex " << v.vertex << " face " << f;
                    // The span of a face in a row also covers the dents of its outline.
                    extra += scanned && !hit;
                    ++(hit ? inside : outside);
                }
        };
        check(screen.memory.a, screen.memory.b, screen.memory.scan.a_in_b);
        check(screen.memory.b, screen.memory.a, screen.memory.scan.b_in_a);
    }
    EXPECT_GT(inside, 60);
    EXPECT_GT(outside, 500);
    EXPECT_LT(extra, outside / 30);
}

TEST(ScrewMotion, BU_9_6_pairs_are_unique_and_keep_the_earliest_pixel) {
    Screen screen;
    draw(tori_example(), whole(), screen);
    ASSERT_TRUE(screen.may_touch);
    const auto& scan = screen.memory.scan;
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    for (const EdgePair& pair : scan.edge_pairs) EXPECT_TRUE(seen.insert({pair.a, pair.b}).second);
    EXPECT_GT(seen.size(), 200u);
    EXPECT_GT(scan.comparisons, seen.size());
    // Against all pairs of runs.
    std::map<std::pair<std::uint32_t, std::uint32_t>, float> earliest;
    const auto rank = [](float t) { return t < 0 ? 2 - t : t; };
    for (const PixelRun& a : screen.memory.a.runs)
        for (const PixelRun& b : screen.memory.b.runs) {
            if (a.row != b.row || a.h_min > b.h_max || b.h_min > a.h_max) continue;
            const float time = 0.5f * (a.t_low + a.t_high - b.t_low - b.t_high);
            const auto [at, fresh] = earliest.insert({{a.edge, b.edge}, time});
            if (!fresh && rank(time) < rank(at->second)) at->second = time;
        }
    for (const EdgePair& pair : scan.edge_pairs) EXPECT_EQ(pair.time, earliest.at({pair.a, pair.b}));
}

TEST(ScrewMotion, BU_9_7_newton_finds_the_point_with_the_vertex_place_on_the_screen) {
    Random random(11);
    int solved = 0;
    for (int i = 0; i < 300; ++i) {
        ScrewCase c{cube(),
                    cube(),
                    {},
                    to_matrix({random_rotation(random, 0, kPi), 2.2 * normalized(random_vector(random, 1))})};
        const Vec3d from = cast<double>(c.matrix_b.translation());
        c.motion_b = Motion::along(
            {from + random_vector(random, 6), normalized(random_vector(random, 1) - from), 0.3, 1.5});
        Scratch scratch;
        PairCache cache;
        MotionHit room[64];
        MotionHitSink sink{room};
        ContinuousQuery query = query_of(c, scratch);
        query.hits = &sink;
        (void)run_continuous(screw_motion(), query, cache);
        const auto& memory = scratch.workspace<ScrewMemory>();
        // At most five of Newton's steps; besides, the function is evaluated at the middle, at both ends and
        // once for the derivative.
        EXPECT_LE(memory.counts.contacts.most_iterations, 3 * 3 + 5);
        for (const MotionHit& hit : sink.hits()) {
            if (hit.b.kind != FeatureKind::vertex || hit.a.kind != FeatureKind::face) continue;
            ++solved;
            const ScrewPiece& piece = memory.pieces[0];
            const Vec3d v = piece.frame_from_world(
                transform_point(to_double(c.matrix_b), c.b->geometry().positions[hit.b.index]));
            const Vec3d x = piece.frame_from_world(hit.point_w);  // A stays
            const ScreenPoint pv = project_point(piece, v, 0), px = project_point(piece, x, 0);
            EXPECT_NEAR(pv.r, px.r, 1e-9);
            EXPECT_NEAR(pv.h, px.h, 1e-7);  // the quick projection's own error
            EXPECT_NEAR(px.t - pv.t, hit.time, 2e-7);
            // On the face: of the cube at rest.
            const Vec3d n = cast<double>(polygon_normal(c.a->geometry(), hit.a.index));
            EXPECT_NEAR(dot(n, hit.point_w), 0.5, 1e-9);
        }
    }
    EXPECT_GT(solved, 30);
}

TEST(ScrewMotion, BU_9_sparse_cost_does_not_depend_on_the_extent) {
    // Two far clusters of small boxes, ten times farther apart: as many pixels, comparisons and pairs.
    const auto pair_of_cubes = [](float apart) {
        std::vector<Vec3f> p;
        std::vector<std::vector<std::uint32_t>> polygons;
        for (int k = 0; k < 2; ++k) {
            const float at = k == 0 ? -apart : apart;
            for (int i = 0; i < 8; ++i)
                p.push_back({at + ((i & 1) != 0 ? 0.5f : -0.5f), (i & 2) != 0 ? 0.5f : -0.5f,
                             (i & 4) != 0 ? 0.5f : -0.5f});
            for (const auto& loop : std::vector<std::vector<std::uint32_t>>{
                     {0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}) {
                polygons.push_back(loop);
                for (auto& v : polygons.back()) v += static_cast<std::uint32_t>(8 * k);
            }
        }
        return shape_of(p, polygons);
    };
    const auto counters = [&](float apart) {
        const auto shape = pair_of_cubes(apart);
        ScrewCase c{shape, shape, {}, shifted({0.2, 3, 0.3})};
        c.motion_b = move_by(c.matrix_b, {0, -4, 0});
        const ScrewOutcome out = run(c);
        EXPECT_NEAR(out.time(), 0.5, 1e-6);
        return std::tuple{out.result.counters[1], out.result.counters[2], out.result.counters[3],
                          out.result.counters[4]};
    };
    EXPECT_EQ(counters(10), counters(100));
}

}  // namespace
}  // namespace claybox::test
