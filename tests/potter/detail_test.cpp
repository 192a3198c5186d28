// Remeshing: editing operations, refinement, cuts and hollowing.

#include "app/potter/cut/hollow.hpp"
#include "app/potter/detail/refine.hpp"
#include "collision/core/random.hpp"
#include "tests/potter/meshes.hpp"

#include <gtest/gtest.h>

namespace claybox::app {
namespace {

using collision::Vec3d;
using collision::Vec3f;

TEST(EditMesh, random_operations_keep_a_closed_manifold) {
    EditMesh mesh(mesh_of(ClayShape::torus, 600));
    collision::Random random(3);
    std::size_t splits = 0, collapses = 0, flips = 0;
    for (int i = 0; i < 4000; ++i) {
        const auto t =
            static_cast<std::uint32_t>(random.uniform(0, static_cast<double>(mesh.triangle_slots())));
        if (!mesh.is_live(t)) continue;
        EdgeSides edge;
        const auto corners = mesh.triangle(t);
        if (!mesh.find_edge(corners[0], corners[1], edge)) continue;
        const double kind = random.uniform(0, 3);
        const Vec3f middle = (mesh.position(edge.a) + mesh.position(edge.b)) * 0.5f +
                             collision::cast<float>(random.unit_vector() * 1e-4);
        if (kind < 0.9) {
            mesh.split(edge, middle);
            ++splits;
        } else if (kind < 2 && mesh.can_collapse(edge)) {
            mesh.collapse(edge, middle);
            ++collapses;
        } else if (mesh.can_flip(edge)) {
            mesh.flip(edge);
            ++flips;
        }
    }
    EXPECT_GT(std::min({splits, collapses, flips}), 200u);
    const std::size_t triangles = mesh.triangle_count();
    const ClayMesh out = std::move(mesh).take();
    EXPECT_EQ(out.triangles.size(), triangles);
    expect_sound(out, "edited torus");
}

TEST(Refine, coarse_clay_gets_the_wanted_edges_and_stays_round) {
    const ClayMesh start = mesh_of(ClayShape::sphere, 400);
    EditMesh mesh(start);
    const DetailLimits limits{0.006f, 200000, true};
    refine(mesh, all_vertices(mesh.vertex_count()), limits);
    const ClayMesh out = std::move(mesh).take();
    expect_sound(out, "refined sphere");
    EXPECT_LT(longest_edge(out), 1.5 * 0.006 * DetailLimits::kSplit);
    EXPECT_GT(smallest_angle(out), 15);
    const double exact = 4.0 / 3 * std::numbers::pi * std::pow(0.075, 3);
    EXPECT_NEAR(volume_of(out) / exact, 1, 0.02) << "the start has " << volume_of(start) / exact;
}

TEST(Refine, fine_clay_becomes_coarser_and_slivers_go) {
    for (const ClayShape shape : {ClayShape::sphere, ClayShape::cylinder, ClayShape::pot, ClayShape::torus}) {
        const ClayMesh start = mesh_of(shape, 20000);
        EditMesh mesh(start);
        const DetailWork work = refine(mesh, all_vertices(mesh.vertex_count()), {0.008f, 200000, true});
        EXPECT_GT(work.collapses, 1000u);
        const ClayMesh out = std::move(mesh).take();
        expect_sound(out, kClayShapeIds[static_cast<int>(shape)]);
        EXPECT_LT(out.triangles.size(), start.triangles.size() * 9 / 10);
        EXPECT_GT(smallest_angle(out), 10) << kClayShapeIds[static_cast<int>(shape)];
        EXPECT_NEAR(volume_of(out) / volume_of(start), 1, 0.03) << kClayShapeIds[static_cast<int>(shape)];
    }
}

TEST(Refine, only_the_seeds_surroundings_change_and_the_budget_holds) {
    const ClayMesh start = mesh_of(ClayShape::sphere, 4000);
    EditMesh mesh(start);
    std::vector<std::uint32_t> seeds;
    for (std::uint32_t v = 0; v < start.positions.size(); ++v)
        if (start.positions[v].x > 0.06f) seeds.push_back(v);
    refine(mesh, seeds, {0.001f, 5000, false});
    EXPECT_LE(mesh.triangle_count(), 5000u);
    EXPECT_GT(mesh.triangle_count(), 4900u);
    const ClayMesh out = std::move(mesh).take();
    expect_sound(out, "locally refined sphere");
    for (std::uint32_t v = 0; v < start.positions.size(); ++v) {
        if (start.positions[v].x < 0.045f) {
            EXPECT_EQ(out.positions[v], start.positions[v]);
        }
    }
}

TEST(Refine, frozen_clay_keeps_its_vertices) {
    ClayMesh start = mesh_of(ClayShape::sphere, 20000);
    for (std::size_t v = 0; v < start.positions.size(); ++v) start.mask[v] = start.positions[v].x > 0 ? 1 : 0;
    EditMesh mesh(start);
    refine(mesh, all_vertices(mesh.vertex_count()), {0.01f, 200000, true});
    std::size_t kept = 0, frozen = 0;
    for (std::uint32_t v = 0; v < start.positions.size(); ++v) {
        if (start.mask[v] == 0) continue;
        ++frozen;
        kept += !mesh.fan(v).empty() && mesh.position(v) == start.positions[v];
    }
    EXPECT_EQ(kept, frozen);
    EXPECT_LT(mesh.triangle_count(), 0.7 * static_cast<double>(start.triangles.size()));
}

class Cut : public testing::TestWithParam<ClayShape> {};

TEST_P(Cut, every_part_is_closed_and_the_volumes_add_up) {
    const ClayMesh start = mesh_of(GetParam(), 3000);
    const Vec3d inside = collision::cast<double>(start.positions[start.positions.size() / 3]) * 0.97;
    collision::Random random(5);
    for (int i = 0; i < 12; ++i) {
        const Vec3d normal = i == 0 ? Vec3d{0, 1, 0} : random.unit_vector();
        const CutPlane plane{normal, dot(normal, inside)};
        std::vector<std::uint32_t> rim;
        const ClayMesh below = cut(start, plane, CutKeep::below, rim);
        ASSERT_FALSE(rim.empty());
        const ClayMesh above = cut(start, plane, CutKeep::above, rim);
        const ClayMesh both = cut(start, plane, CutKeep::both, rim);
        const auto parts = [](const ClayMesh& mesh) {
            return collision::classify(collision::build_polyhedron(polygon_list(mesh)).value()).components;
        };
        expect_sound(below, "below", parts(below));
        expect_sound(above, "above", parts(above));
        expect_sound(both, "both", parts(below) + parts(above));
        EXPECT_NEAR(volume_of(below) + volume_of(above), volume_of(start), 1e-4 * volume_of(start));
        EXPECT_NEAR(volume_of(both), volume_of(start), 1e-4 * volume_of(start));
        const ClayMesh larger = cut(start, plane, CutKeep::larger, rim);
        EXPECT_EQ(larger.triangles.size(),
                  (volume_of(below) >= volume_of(above) ? below : above).triangles.size());
        for (const Vec3f& p : below.positions)
            EXPECT_LE(dot(normal, collision::cast<double>(p)), plane.offset + 2e-5);
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Cut,
                         testing::Values(ClayShape::pot, ClayShape::sphere, ClayShape::torus, ClayShape::bowl,
                                         ClayShape::cylinder),
                         [](const auto& at) { return kClayShapeIds[static_cast<int>(at.param)]; });

TEST(PlaneCut, a_plane_that_misses_changes_nothing) {
    const ClayMesh start = mesh_of(ClayShape::sphere, 500);
    std::vector<std::uint32_t> rim{1};
    EXPECT_EQ(cut(start, {{0, 1, 0}, 0.5}, CutKeep::below, rim).triangles, start.triangles);
    EXPECT_TRUE(rim.empty());
}

TEST(PlaneCut, a_plane_through_vertices_cuts_cleanly) {
    const ClayMesh start = mesh_of(ClayShape::cylinder, 2000);
    for (const Vec3f& p : {start.positions[start.positions.size() / 2], Vec3f{0, 0.075f, 0}}) {
        std::vector<std::uint32_t> rim;
        const ClayMesh out = cut(start, {{0, 1, 0}, static_cast<double>(p.y)}, CutKeep::both, rim);
        expect_sound(out, "cut through vertices", 2);
    }
}

/// Largest distance from the axis of vertices at about this height.
float outer_radius(const ClayMesh& mesh, float y) {
    float out = 0;
    for (const Vec3f& p : mesh.positions)
        if (std::abs(p.y - y) < 0.004f) out = std::max(out, std::hypot(p.x, p.z));
    return out;
}

TEST(Hollow, a_solid_becomes_a_pot_with_the_wall_and_the_floor) {
    for (const ClayShape shape : {ClayShape::cylinder, ClayShape::sphere, ClayShape::hyperboloid}) {
        const ClayMesh start = mesh_of(shape, 8000);
        std::vector<std::uint32_t> rim;
        const HollowSize size{0.008, 0.012, 0.003};
        const auto made = hollow(start, size, rim);
        ASSERT_TRUE(made.ok()) << made.error().text();
        expect_sound(made.value(), kClayShapeIds[static_cast<int>(shape)]);
        EXPECT_LT(volume_of(made.value()), 0.9 * volume_of(start));
        std::vector<std::uint32_t> seeds = rim;
        add_slivers(made.value(), seeds);
        EditMesh mesh(made.value());
        refine(mesh, seeds, {0.003f, 200000, true});
        const ClayMesh out = std::move(mesh).take();
        expect_sound(out, "refined");
        EXPECT_GT(smallest_angle(out), 10);
        // No vertex of the inside is nearer to the outside than the wall.
        const auto& positions = made.value().positions;
        float top = 0;
        for (const Vec3f& p : positions) top = std::max(top, p.y);
        double least = 1;
        for (const std::uint32_t v : rim) {
            const Vec3f& p = positions[v];
            if (std::find(start.positions.begin(), start.positions.end(), p) != start.positions.end())
                continue;
            if (std::hypot(p.x, p.z) > 0.75f * outer_radius(start, p.y))
                continue;  // the outer edge of the rim
            for (const Vec3f& q : start.positions)
                if (q.y < top - 1e-3f) least = std::min(least, static_cast<double>(length(p - q)));
        }
        EXPECT_GT(least, 0.0075) << kClayShapeIds[static_cast<int>(shape)];
        double floor = 1;
        for (const std::uint32_t v : rim)
            floor = std::min(floor, static_cast<double>(made.value().positions[v].y));
        EXPECT_NEAR(floor, 0.012, 1e-4);
    }
}

TEST(Hollow, clay_that_is_too_small_or_hollow_already_is_refused_with_a_reason) {
    std::vector<std::uint32_t> rim;
    const auto thick = hollow(mesh_of(ClayShape::cylinder, 2000), {0.059, 0.01, 0.003}, rim);
    ASSERT_FALSE(thick.ok());
    EXPECT_NE(thick.error().text().find("too small for a wall of 59 mm"), std::string::npos);
    EXPECT_FALSE(hollow(mesh_of(ClayShape::pot, 5000), {0.003, 0.02, 0.003}, rim).ok());
}

/// Triangles that face against the clay around all of their corners.
std::size_t folded(const ClayMesh& mesh) {
    const EditMesh edit(mesh);
    std::size_t out = 0;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
        out += std::all_of(mesh.triangles[t].begin(), mesh.triangles[t].end(),
                           [&](std::uint32_t v) { return dot(edit.area(t), edit.normal(v)) < 0; });
    return out;
}

TEST(Refine, crumpled_clay_is_smoothed_until_no_triangle_is_folded_or_thin) {
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        ClayMesh mesh = mesh_of(ClayShape::lump, 6000);
        collision::Random random(seed);
        for (Vec3f& p : mesh.positions)
            if (p.y > 0.05f) p += collision::cast<float>(random.unit_vector() * random.uniform(0, 0.006));
        ASSERT_GT(folded(mesh), 20u);
        EditMesh edit(mesh);
        const DetailWork work = refine(edit, all_vertices(mesh.positions.size()), {0.004f, 20000});
        const ClayMesh out = std::move(edit).take();
        expect_sound(out, "smoothed");
        EXPECT_EQ(folded(out), 0u) << seed;
        EXPECT_GT(smallest_angle(out), 10) << seed;
        EXPECT_GT(work.smoothed, 0u);
    }
}

}  // namespace
}  // namespace claybox::app
