#include "app/scenes/cage/cage_layout.hpp"
#include "app/scenes/cage/cage_looks.hpp"
#include "app/scenes/cage/nearest_pair.hpp"
#include "app/scenes/shared/solid_shapes.hpp"
#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "tests/session/session_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace claybox::app {
namespace {

using collision::Vec3d;

constexpr double kHalfX = 1.75, kHeight = 2.05, kHalfZ = 1.15;

/// The bodies as they are drawn, alone or in a crowd.
std::vector<Drawable> bodies_of(const Session& session) {
    SceneView view;
    session.scene().view({}, view);
    std::erase_if(view.drawables, [](const Drawable& d) { return d.material != Material::body; });
    for (const ViewCrowd& crowd : view.crowds)
        for (std::size_t i = 0; i < crowd.positions.size(); ++i) {
            Drawable& d = view.drawables.emplace_back(view.looks[crowd.shades[i]]);
            d.mesh = crowd.mesh;
            d.pose = crowd.poses[i];
            d.pick = crowd.first_pick + static_cast<std::uint32_t>(i);
            d.occluder_radius = 0.82f * crowd.radius;
        }
    return view.drawables;
}

void expect_inside(const Session& session, std::size_t count) {
    const auto bodies = bodies_of(session);
    ASSERT_EQ(bodies.size(), count);
    for (const Drawable& d : bodies) {
        const Vec3d& p = d.pose.translation;
        const double r = static_cast<double>(d.occluder_radius) / 0.82 - 1e-6;
        ASSERT_TRUE(std::abs(p.x) <= kHalfX - r && std::abs(p.z) <= kHalfZ - r && p.y >= r &&
                    p.y <= kHeight - r)
            << d.pick << " at " << p.x << " " << p.y << " " << p.z;
    }
}

TEST(Cage, bodies_stay_inside_for_2000_frames) {
    SessionOptions options = options_for("cage");
    set(options, "speed", 5);
    set(options, "rotation", 10);
    const auto session = start(options);
    for (int i = 0; i < 40; ++i) {
        run(*session, 50);
        expect_inside(*session, 40);
    }
    EXPECT_GT(figure(*session, "hits"), 100);
}

TEST(Cage, CW_6_motion_ten_thousand_frames_lose_no_body_and_no_speed) {
    SessionOptions options = options_for("cage");
    set(options, "bodies", 16);
    set(options, "shape", 4);  // hulls of points on ellipsoids
    set(options, "detail", 20);
    set(options, "fill", 6);
    set(options, "speed", 5);
    set(options, "rotation", 10);
    const auto session = start(options);
    std::vector<Drawable> before = bodies_of(*session);
    int whole_steps = 0;
    for (int i = 0; i < 10000; ++i) {
        run(*session, 1);
        std::vector<Drawable> now = bodies_of(*session);
        ASSERT_EQ(now.size(), before.size());
        for (std::size_t k = 0; k < now.size(); ++k) {
            const double radius = static_cast<double>(now[k].occluder_radius) / 0.82;
            const collision::Quat turn = now[k].pose.rotation * conjugate(before[k].pose.rotation);
            // 5 % of the radius and 10 degrees per frame. Only a wall shortens a step.
            const double step = length(now[k].pose.translation - before[k].pose.translation);
            EXPECT_LE(step, 0.05 * radius + 1e-6);
            whole_steps += step > 0.05 * radius - 1e-6 ? 1 : 0;
            EXPECT_NEAR(2 * std::acos(std::min(1.0, std::abs(turn.w))), 0.1745329, 1e-5);
        }
        if (i % 20 == 0) expect_inside(*session, 16);
        before = std::move(now);
    }
    expect_inside(*session, 16);
    EXPECT_GT(figure(*session, "hits"), 100);
    EXPECT_GT(whole_steps, 0.9 * 16 * 10000);
    // Both bodies reverse. A body that is hit by two others in one frame reverses once.
    EXPECT_LE(figure(*session, "reversals"), 2 * figure(*session, "hits"));
    EXPECT_GT(figure(*session, "reversals"), 1.95 * figure(*session, "hits"));
}

TEST(Cage, a_hit_reverses_both_bodies_once) {
    SessionOptions options = options_for("cage");
    set(options, "bodies", 2);
    set(options, "fill", 8);
    set(options, "speed", 5);
    const auto session = start(options);
    std::uint64_t begins = 0;
    for (int i = 0; i < 3000; ++i) {
        run(*session, 1);
        for (const SceneEvent& e : session->output().events) {
            begins += e.kind == SceneEvent::Kind::collision_begin ? 1 : 0;
        }
    }
    const double hits = figure(*session, "hits");
    EXPECT_GT(hits, 0);
    EXPECT_EQ(hits, static_cast<double>(begins));
    EXPECT_EQ(figure(*session, "reversals"), 2 * hits);
}

TEST(Cage, touching_bodies_are_highlighted_and_the_witness_is_drawn) {
    SessionOptions options = options_for("cage");
    set(options, "speed", 5);
    const auto session = start(options);
    bool lit = false, witnessed = false, flashed = false;
    for (int i = 0; i < 400; ++i) {
        run(*session, 1);
        SceneView view;
        session->scene().view({}, view);
        for (const Drawable& d : view.drawables) {
            lit |= d.colliding;
            flashed |= d.flash > 0.9f;
        }
        for (const ViewPoint& point : view.points) witnessed |= point.ink == Ink::witness;
    }
    EXPECT_TRUE(lit && witnessed && flashed);
}

TEST(Cage, concurrent_mode_loses_no_event) {
    SessionOptions options = options_for("cage");
    options.settings.concurrent = true;
    set(options, "speed", 5);
    const auto session = start(options);
    std::uint64_t begins = 0, ends = 0;
    const auto count = [&] {
        for (const SceneEvent& e : session->output().events) {
            begins += e.kind == SceneEvent::Kind::collision_begin ? 1 : 0;
            ends += e.kind == SceneEvent::Kind::collision_end ? 1 : 0;
        }
    };
    for (int i = 0; i < 600; ++i) {
        run(*session, 1);
        count();
        if (i % 20 == 0) session->world().wait_idle();
    }
    session->world().wait_idle();
    run(*session, 1);
    count();
    session->world().wait_idle();
    EXPECT_GT(begins, 0u);
    EXPECT_EQ(figure(*session, "hits"), static_cast<double>(begins));
    EXPECT_EQ(figure(*session, "contacts"), static_cast<double>(begins - ends));
    expect_inside(*session, 40);
}

TEST(Cage, every_shape_and_many_bodies_build_and_fill_the_requested_volume) {
    const auto& table = find_scene("cage")->parameters;
    const std::size_t choices = table[collision::find_parameter(table, "shape")].choices.size();
    for (std::size_t shape = 0; shape < choices; ++shape) {
        SessionOptions options = options_for("cage");
        set(options, "shape", static_cast<double>(shape));
        set(options, "bodies", 60);
        // Sixty thin rods that fit into the cage cannot fill more than this.
        const double fill =
            table[collision::find_parameter(table, "shape")].choices[shape] == std::string_view("rod_hull")
                ? 0.2
                : 2;
        set(options, "fill", fill);
        const auto session = start(options);
        ASSERT_NE(session, nullptr);
        run(*session, 3);
        EXPECT_NEAR(figure(*session, "filled"), fill, 0.05 * fill) << shape;
    }
    SessionOptions options = options_for("cage");
    set(options, "bodies", 3000);
    set(options, "fill", 10);
    const auto session = start(options);
    run(*session, 2);
    expect_inside(*session, 3000);
    EXPECT_NEAR(figure(*session, "filled"), 10, 0.2);
}

// From this number of bodies on, the picture consists of crowds.
TEST(Cage, many_bodies_are_drawn_as_crowds_that_show_the_poses_and_the_hits) {
    SessionOptions options = options_for("cage");
    set(options, "bodies", 1000);
    set(options, "fill", 8);
    const auto session = start(options);
    std::size_t red = 0, flashing = 0, fading = 0, begun = 0;
    for (int frame = 0; frame < 80; ++frame) {
        run(*session, 1);
        SceneView view;
        session->scene().view({}, view);
        ASSERT_GT(view.crowds.size(), 8u) << "one for each kind of body";
        std::uint32_t next = 0;
        for (const ViewCrowd& crowd : view.crowds) {
            EXPECT_EQ(crowd.first_pick, next);
            next += static_cast<std::uint32_t>(crowd.positions.size());
            ASSERT_EQ(crowd.poses.size(), crowd.positions.size());
            ASSERT_EQ(crowd.rotations.size(), crowd.positions.size());
            for (std::size_t i = 0; i < crowd.positions.size(); ++i) {
                const collision::Pose& pose = crowd.poses[i];
                ASSERT_EQ(crowd.positions[i], collision::cast<float>(pose.translation));
                ASSERT_EQ(crowd.rotations[i][3], static_cast<float>(pose.rotation.z));
            }
        }
        EXPECT_EQ(next, 1000u);
        const std::vector<Drawable> bodies = bodies_of(*session);
        for (const SceneEvent& event : session->output().events) {
            unsigned a = 0, b = 0;
            if (event.kind != SceneEvent::Kind::collision_begin ||
                std::sscanf(event.text.c_str(), "Body %u and body %u", &a, &b) != 2)
                continue;
            EXPECT_TRUE(bodies[a].colliding && bodies[b].colliding) << event.text;
            ++begun;
        }
        for (const Drawable& d : bodies) {
            red += d.colliding ? 1 : 0;
            flashing += d.flash > 0 ? 1 : 0;
            fading += d.edge_tint > 0 && d.edge_tint < 1 ? 1 : 0;
        }
    }
    EXPECT_GT(figure(*session, "hits"), 10);
    EXPECT_GT(begun, 0u);
    EXPECT_GT(red, 0u);
    EXPECT_GT(flashing, 0u);
    EXPECT_GT(fading, 0u);
}

TEST(CageLooks, a_shade_looks_like_the_body_within_a_step) {
    for (unsigned colour = 0; colour < kPaletteSize; ++colour)
        for (int flash = 0; flash <= 9; ++flash)
            for (int edges = 0; edges <= 16; ++edges)
                for (const float tint : {0.0f, 1.0f}) {
                    const HitLook hit{tint, static_cast<float>(edges) / 16, static_cast<float>(flash) / 9};
                    // A flash of a body that is not red comes with red edges.
                    if (flash > 0 && edges < 16 && tint <= 0) continue;
                    const Drawable& d = cage_looks()[cage_shade(hit, colour)];
                    EXPECT_EQ(d.colour, colour);
                    EXPECT_EQ(d.colliding, tint > 0);
                    const bool both = tint > 0 && edges > 0;
                    EXPECT_NEAR(d.edge_tint, hit.edge_tint, both ? 0.5 : 1e-6);
                    EXPECT_NEAR(d.flash, hit.flash, both && edges > 8 ? 0.5 : 0.5 / 6 + 1e-6);
                }
}

TEST(CageLayout, balls_do_not_overlap_if_they_fit_and_stay_inside_otherwise) {
    const collision::Aabb box{{-1, 0, -1}, {1, 2, 1}};
    std::vector<float> radii(200, 0.08f);
    for (std::size_t i = 0; i < radii.size(); i += 3) radii[i] = 0.12f;
    const auto centres = place_balls(radii, box, 5);
    for (std::size_t i = 0; i < centres.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            ASSERT_GT(length(centres[i] - centres[j]), static_cast<double>(radii[i] + radii[j]))
                << i << " " << j;
        }
    }
    EXPECT_EQ(centres, place_balls(radii, box, 5));
    const std::vector<float> too_many(500, 0.2f);
    for (const Vec3d& c : place_balls(too_many, box, 5)) {
        ASSERT_TRUE(std::abs(c.x) <= 0.81 && std::abs(c.z) <= 0.81 && c.y >= 0.19 && c.y <= 1.81);
    }
    for (const Vec3d& c : place_balls(std::vector<float>{5}, box, 5)) EXPECT_TRUE(collision::is_finite(c));
}

TEST(CageSolids, faces_stay_flat_at_any_size) {
    constexpr std::size_t kFaces[kSolidCount] = {12, 14, 0, 6, 12, 20, 8, 14, 8, 10};
    collision::Random random(4);
    for (int s = 0; s < kSolidCount; ++s) {
        for (int i = 0; i < 20; ++i) {
            const auto radius = static_cast<float>(random.uniform(0.001, 3));
            const auto shape = make_solid(static_cast<Solid>(s), 24, radius, 7);
            ASSERT_TRUE(shape.ok());
            for (const collision::Vec3f& p : shape.value()->geometry().positions)
                ASSERT_LE(length(p), radius * 1.0001f);
            if (kFaces[s] == 0) {
                EXPECT_EQ(shape.value()->topology().vertex_count, 24u);
            } else {
                EXPECT_EQ(shape.value()->topology().polygon_count(), kFaces[s]) << s << " " << radius;
            }
        }
    }
}

TEST(Cage, a_hit_is_visible_for_half_a_second) {
    const auto session = start(options_for("cage"));
    std::vector<std::uint64_t> touched(40, 0);  // last frame in which the body began a contact
    int lit = 0, parted = 0;
    for (std::uint64_t frame = 1; frame <= 600; ++frame) {
        run(*session, 1);
        SceneView view;
        session->scene().view({}, view);
        std::size_t colliding = 0;
        for (const Drawable& d : view.drawables) {
            if (d.flash > 0.99f) touched[d.pick] = frame;
            if (!d.colliding) continue;
            ++colliding;
            ++lit;
            if (figure(*session, "contacts") > 0) continue;
            EXPECT_LE(frame - touched[d.pick], 46u) << d.pick;
        }
        const bool witness = std::any_of(view.points.begin(), view.points.end(),
                                         [](const ViewPoint& p) { return p.ink == Ink::witness; });
        EXPECT_EQ(witness, colliding > 0) << "tint and witness appear and disappear together";
        for (const ViewLabel& label : view.labels)
            parted += label.text.find(" touched ") != std::string::npos ? 1 : 0;
    }
    EXPECT_GT(lit, 100);
    EXPECT_GT(parted, 20);
}

TEST(Cage, a_body_is_red_all_over_or_at_its_edges_but_never_half) {
    const auto session = start(options_for("cage"));
    int red = 0, edges = 0;
    for (int i = 0; i < 600; ++i) {
        run(*session, 1);
        SceneView view;
        session->scene().view({}, view);
        for (const Drawable& d : view.drawables) {
            if (d.pick == collision::kNoIndex) continue;
            EXPECT_TRUE(d.tint == 0 || d.tint == 1);
            EXPECT_EQ(d.colliding, d.tint > 0 || d.edge_tint > 0);
            red += d.tint > 0 ? 1 : 0;
            edges += d.tint == 0 && d.edge_tint > 0 ? 1 : 0;
        }
    }
    EXPECT_GT(red, 100);
    EXPECT_GT(edges, 50);
}

TEST(Cage, a_plane_separates_two_near_bodies) {
    const auto session = start(options_for("cage"));
    std::vector<ViewMesh> meshes;
    session->scene().meshes(meshes);
    int planes = 0;
    for (int i = 0; i < 400; ++i) {
        run(*session, 1);
        SceneView view;
        session->scene().view({}, view);
        if (view.planes.empty()) continue;
        ASSERT_EQ(view.planes.size(), 1u);
        ++planes;
        const auto gap = std::find_if(view.lines.begin(), view.lines.end(), [](const ViewLine& l) {
            return l.ink == Ink::separating && l.width == 2;
        });
        ASSERT_NE(gap, view.lines.end());
        const Vec3d from = collision::cast<double>(gap->from), to = collision::cast<double>(gap->to);
        const Vec3d normal = normalized(to - from, Vec3d{});
        int on_a = 0, on_b = 0;  // bodies that end at the gap and lie on their side of the plane
        for (const Drawable& d : view.drawables) {
            if (d.pick == collision::kNoIndex) continue;
            const auto mesh =
                std::find_if(meshes.begin(), meshes.end(), [&](const ViewMesh& m) { return m.id == d.mesh; });
            double low = 1e9, high = -1e9;
            for (const collision::Vec3f& p : *mesh->positions) {
                const double x =
                    dot(collision::transform_point(d.pose, collision::cast<double>(p)) - from, normal);
                low = std::min(low, x);
                high = std::max(high, x);
            }
            on_a += std::abs(high) < 1e-4 ? 1 : 0;
            on_b += std::abs(low - length(to - from)) < 1e-4 ? 1 : 0;
        }
        EXPECT_TRUE(on_a >= 1 && on_b >= 1) << "frame " << i;
    }
    EXPECT_GT(planes, 100);
}

/// Cubes with edges of 1 m in a row along x.
std::vector<NearestPair::Body> boxes_at(const collision::ShapePtr& box, const std::vector<double>& places) {
    std::vector<NearestPair::Body> out;
    for (const double x : places) out.push_back({box.get(), {{}, {x, 0, 0}}, 0.87f});
    return out;
}

TEST(NearestPair, a_pair_is_kept_although_another_one_comes_nearer) {
    const auto box = collision::make_primitive_shape(collision::Primitive::box, 0, 0.8660254f, 1).value();
    NearestPair nearest;
    nearest.follow(boxes_at(box, {0, 1.2, 2.3}));
    ASSERT_TRUE(nearest.gap());
    EXPECT_EQ(nearest.gap()->a, 1u);
    EXPECT_NEAR(nearest.gap()->size(), 0.1, 1e-5);
    nearest.follow(boxes_at(box, {0, 1.1, 2.35}));
    ASSERT_TRUE(nearest.gap());
    EXPECT_EQ(nearest.gap()->a, 1u);
    EXPECT_NEAR(nearest.gap()->size(), 0.25, 1e-5);
}

TEST(NearestPair, a_removed_body_ends_its_pair) {
    const auto box = collision::make_primitive_shape(collision::Primitive::box, 0, 0.8660254f, 1).value();
    NearestPair nearest;
    nearest.follow(boxes_at(box, {0, 1.1}));
    ASSERT_TRUE(nearest.gap());
    nearest.follow(boxes_at(box, {0}));
    EXPECT_FALSE(nearest.gap());
    nearest.follow({});
    EXPECT_FALSE(nearest.gap());
}

TEST(Cage, hidden_marks_are_not_measured) {
    const auto session = start(options_for("cage"));
    StepInput input;
    input.program[program_choice::witness] = 0;
    for (int i = 0; i < 200; ++i) {
        session->step(input);
        SceneView view;
        session->scene().view({}, view);
        ASSERT_TRUE(view.planes.empty()) << "frame " << i;
    }
}

TEST(CageLayout, a_body_and_its_four_nearest_have_different_colours) {
    collision::Random random(3);
    std::vector<Vec3d> points;
    for (int i = 0; i < 40; ++i) points.push_back({random.uniform(), random.uniform(), random.uniform()});
    const auto colours = colour_apart(points, 1);
    int equal = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        std::vector<std::size_t> order;
        for (std::size_t j = 0; j < points.size(); ++j) {
            if (j != i) order.push_back(j);
        }
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return length_squared(points[a] - points[i]) < length_squared(points[b] - points[i]);
        });
        for (std::size_t k = 0; k < 4; ++k) {
            EXPECT_NE(colours[i], colours[order[k]]) << i;
            for (std::size_t l = 0; l < k; ++l) equal += colours[order[k]] == colours[order[l]] ? 1 : 0;
        }
    }
    EXPECT_EQ(equal, 0) << "the four neighbours differ from each other, too";
}

}  // namespace
}  // namespace claybox::app
