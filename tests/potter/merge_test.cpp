// Clay that passes through itself becomes one surface.

#include "app/potter/detail/merge.hpp"

#include "tests/potter/meshes.hpp"
#include "tests/potter/probe.hpp"

namespace claybox::app {
namespace {

/// A ball of latitudes and longitudes.
void add_ball(ClayMesh& mesh, const Vec3f& centre, float radius, bool inside_out = false) {
    ClayMesh ball = mesh_of(ClayShape::sphere, 3000);
    float high = 0;
    for (const Vec3f& p : ball.positions) high = std::max(high, p.y);
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (const Vec3f& p : ball.positions) {
        const Vec3f from_middle = p - Vec3f{0, high / 2, 0};
        mesh.positions.push_back(centre + from_middle * (radius / length(from_middle)));
    }
    mesh.mask.resize(mesh.positions.size());
    for (auto t : ball.triangles) {
        if (inside_out) std::swap(t[1], t[2]);
        mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
    }
}

TEST(Merge, finds_clay_that_passes_through_itself) {
    for (const ClayShape shape : kTurnedShapes)
        EXPECT_FALSE(passes_through_itself(mesh_of(shape, 5000), 0.003f)) << static_cast<int>(shape);
    ClayMesh apart, crossing, inside_out, nested;
    add_ball(apart, {-0.04f, 0.06f, 0}, 0.03f);
    add_ball(apart, {0.04f, 0.06f, 0}, 0.03f);
    EXPECT_FALSE(passes_through_itself(apart, 0.003f));
    add_ball(crossing, {-0.02f, 0.06f, 0}, 0.03f);
    add_ball(crossing, {0.02f, 0.06f, 0}, 0.03f);
    EXPECT_TRUE(passes_through_itself(crossing, 0.003f));
    add_ball(inside_out, {0, 0.06f, 0}, 0.03f, true);
    EXPECT_TRUE(passes_through_itself(inside_out, 0.003f));
    add_ball(nested, {0, 0.06f, 0}, 0.04f);
    add_ball(nested, {0, 0.06f, 0}, 0.02f, true);
    EXPECT_FALSE(passes_through_itself(nested, 0.003f)) << "a closed hollow";
}

TEST(Merge, two_balls_that_cross_become_one_with_the_volume_of_both) {
    ClayMesh mesh;
    const float r = 0.03f, half = 0.02f;
    add_ball(mesh, {-half, 0.06f, 0}, r);
    add_ball(mesh, {half, 0.06f, 0}, r);
    const ClayMesh out = merged(mesh, 0.002f, 100000);
    expect_sound(out, "merged");
    EXPECT_FALSE(passes_through_itself(out, 0.003f));
    const double ball = 4.0 / 3 * std::numbers::pi * std::pow(0.03, 3), h = 0.03 - 0.02;
    const double both = 2 * ball - 2 * std::numbers::pi * h * h * (0.03 - h / 3);
    EXPECT_NEAR(volume_of(out), both, 0.02 * both);
    for (const Vec3f& p : out.positions) {
        const float d = std::min(length(p - Vec3f{-half, 0.06f, 0}), length(p - Vec3f{half, 0.06f, 0}));
        EXPECT_NEAR(d, r, 0.0035f) << "the length of the longest cut edge of the grid";
    }
}

TEST(Merge, clay_on_the_bat_stays_on_it_and_the_mask_follows) {
    ClayMesh mesh = mesh_of(ClayShape::cylinder, 5000);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) mesh.mask[v] = mesh.positions[v].y > 0.1f ? 1 : 0;
    const ClayMesh out = merged(mesh, 0.004f, 100000);
    expect_sound(out, "cylinder");
    EXPECT_NEAR(volume_of(out), volume_of(mesh), 0.02 * volume_of(mesh));
    std::size_t on_bat = 0;
    for (std::size_t v = 0; v < out.positions.size(); ++v) {
        EXPECT_GE(out.positions[v].y, 0);
        on_bat += out.positions[v].y == 0;
        if (out.positions[v].y > 0.11f) {
            EXPECT_EQ(out.mask[v], 1);
        }
        if (out.positions[v].y < 0.09f) {
            EXPECT_EQ(out.mask[v], 0);
        }
    }
    EXPECT_GT(on_bat, 100u);
}

TEST(Merge, the_budget_makes_the_grid_coarser_and_what_is_inside_out_vanishes) {
    ClayMesh mesh;
    add_ball(mesh, {0, 0.06f, 0}, 0.05f);
    EXPECT_GT(merged(mesh, 0.002f, 100000).triangles.size(), 10000u);
    EXPECT_LT(merged(mesh, 0.002f, 5000).triangles.size(), 6000u);
    ClayMesh inside_out;
    add_ball(inside_out, {0, 0.06f, 0}, 0.05f, true);
    EXPECT_TRUE(merged(inside_out, 0.002f, 100000).triangles.empty());
}

TEST(Merge, remesh_merges_clay_that_was_pushed_through_itself_and_undo_brings_it_back) {
    ClayMesh mesh;
    add_ball(mesh, {-0.02f, 0.06f, 0}, 0.03f);
    add_ball(mesh, {0.02f, 0.06f, 0}, 0.03f);
    Clay clay(collision::Shape::from_polygons(polygon_list(mesh)).value());
    clay.use_detail({true, 0.003, 100000});
    const auto start = clay.positions();
    clay.remesh(1);
    for (std::uint64_t frame = 1; frame < 100; ++frame) clay.update(frame);
    const ClayMesh out = clay_mesh(clay.topology(), clay.positions(), clay.mask());
    expect_sound(out, "one piece");
    EXPECT_GT(smallest_angle(out), 20);
    undo(clay);
    EXPECT_TRUE(clay.positions() == start);
}

TEST(Merge, remesh_drops_a_thread_that_is_thinner_than_its_edges) {
    ClayMesh mesh;
    add_ball(mesh, {-0.05f, 0.06f, 0}, 0.03f);
    // A triangle of the ball grows a thread of three-sided rings.
    const auto nearest =
        std::min_element(mesh.triangles.begin(), mesh.triangles.end(),
                         [&](auto& a, auto& b) { return mesh.positions[a[0]].x > mesh.positions[b[0]].x; });
    std::array<std::uint32_t, 3> ring = *nearest;
    mesh.triangles.erase(nearest);
    for (int i = 1; i <= 12; ++i) {
        std::array<std::uint32_t, 3> next;
        for (std::size_t k = 0; k < 3; ++k) {
            const double a = 2.1 * static_cast<double>(k);
            next[k] = static_cast<std::uint32_t>(mesh.positions.size());
            mesh.positions.push_back({-0.02f + 0.004f * static_cast<float>(i),
                                      0.06f + 0.0002f * static_cast<float>(std::cos(a)),
                                      0.0002f * static_cast<float>(std::sin(a))});
        }
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t n = (k + 1) % 3;
            mesh.triangles.push_back({ring[k], ring[n], next[n]});
            mesh.triangles.push_back({ring[k], next[n], next[k]});
        }
        ring = next;
    }
    mesh.triangles.push_back(ring);
    mesh.mask.resize(mesh.positions.size());
    expect_sound(mesh, "with a thread");
    Clay clay(collision::Shape::from_polygons(polygon_list(mesh)).value());
    clay.use_detail({true, 0.004, 100000});
    clay.remesh(1);
    for (std::uint64_t frame = 1; frame < 100; ++frame) clay.update(frame);
    const ClayMesh out = clay_mesh(clay.topology(), clay.positions(), clay.mask());
    expect_sound(out, "without the thread");
    EXPECT_GT(smallest_angle(out), 10);
    EXPECT_NEAR(clay.measure().volume, 4.0 / 3 * std::numbers::pi * std::pow(0.03, 3), 3e-6);
}

}  // namespace
}  // namespace claybox::app
