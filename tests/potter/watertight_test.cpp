#include "app/potter/files/watertight.hpp"

#include "collision/geometry/primitives/primitives.hpp"
#include "tests/potter/probe.hpp"

#include <gtest/gtest.h>

namespace claybox::app {
namespace {

using collision::PolygonList;

Watertight checked(const PolygonList& mesh) {
    const auto built = collision::build_polyhedron(mesh);
    EXPECT_TRUE(built.ok());
    return check_watertight(*built.value().topology, built.value().positions);
}

/// A cube of 10 cm: 1000 cubic centimetres.
PolygonList cube() {
    PolygonList mesh;
    for (int i = 0; i < 8; ++i)
        mesh.positions.push_back({i & 1 ? 0.1f : 0.f, i & 2 ? 0.1f : 0.f, i & 4 ? 0.1f : 0.f});
    const std::uint32_t faces[][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                      {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (const auto& face : faces) mesh.add_polygon(face);
    return mesh;
}

PolygonList without_polygon(const PolygonList& mesh, std::size_t left_out) {
    PolygonList out;
    out.positions = mesh.positions;
    for (std::size_t p = 0; p < mesh.polygon_count(); ++p)
        if (p != left_out) out.add_polygon(mesh.polygon(p));
    return out;
}

PolygonList turned_over(const PolygonList& mesh, std::size_t first, std::size_t end) {
    PolygonList out;
    out.positions = mesh.positions;
    for (std::size_t p = 0; p < mesh.polygon_count(); ++p) {
        std::vector<std::uint32_t> loop(mesh.polygon(p).begin(), mesh.polygon(p).end());
        if (p >= first && p < end) std::reverse(loop.begin(), loop.end());
        out.add_polygon(loop);
    }
    return out;
}

TEST(Watertight, a_closed_surface_is_good_and_has_its_volume) {
    const Watertight w = checked(cube());
    EXPECT_TRUE(w.good());
    EXPECT_NEAR(w.volume, 1e-3, 1e-9);
    EXPECT_EQ(w.degenerate_triangles, 0u);
    EXPECT_EQ(describe(w), "watertight, 1000.0 cm³");
}

TEST(Watertight, every_start_shape_of_the_potter_is_good) {
    for (std::size_t shape = 0; shape < kClayShapeCount; ++shape)
        for (const ClayFaces faces : {ClayFaces::quadrangles, ClayFaces::triangles}) {
            const auto clay = clay_shape(static_cast<ClayShape>(shape), 2000, faces);
            const Watertight w = check_watertight(clay->topology(), clay->geometry().positions);
            EXPECT_EQ(w.good(), clay->classification().closed && clay->classification().manifold)
                << kClayShapeIds[shape] << ": " << describe(w);
        }
}

TEST(Watertight, a_missing_polygon_leaves_its_edges_open) {
    const Watertight w = checked(without_polygon(cube(), 2));
    EXPECT_FALSE(w.good());
    EXPECT_EQ(w.open_edges, 4u);
    EXPECT_EQ(describe(w), "not watertight: 4 open edges");
}

TEST(Watertight, a_wall_inside_gives_edges_with_three_polygons) {
    PolygonList mesh = cube();
    const std::uint32_t wall[] = {0, 1, 7, 6};
    mesh.add_polygon(wall);
    const Watertight w = checked(mesh);
    EXPECT_EQ(w.crowded_edges, 2u) << "0-1 and 6-7 are edges of the cube";
    EXPECT_EQ(w.open_edges, 2u) << "1-7 and 6-0 are diagonals of its faces";
    EXPECT_EQ(describe(w), "not watertight: 2 open edges, 2 edges with more than two polygons");
}

TEST(Watertight, a_polygon_that_is_inside_out_twists_its_edges) {
    const Watertight one = checked(turned_over(cube(), 3, 4));
    EXPECT_EQ(one.twisted_edges, 4u);
    EXPECT_FALSE(one.good());
    EXPECT_EQ(describe(one), "not watertight: 4 edges with a polygon inside out");
    const Watertight all = checked(turned_over(cube(), 0, 6));
    EXPECT_TRUE(all.closed());
    EXPECT_NEAR(all.volume, -1e-3, 1e-9);
    EXPECT_EQ(describe(all), "not watertight: all polygons are inside out");
}

TEST(Watertight, a_sheet_with_two_sides_encloses_nothing) {
    PolygonList mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const std::uint32_t sides[][3] = {{0, 1, 2}, {0, 2, 1}};
    for (const auto& side : sides) mesh.add_polygon(side);
    const Watertight w = checked(mesh);
    EXPECT_TRUE(w.closed());
    EXPECT_EQ(describe(w), "not watertight: it encloses no volume");
}

TEST(Watertight, triangles_without_area_are_counted_and_do_no_harm) {
    auto built = collision::build_polyhedron(cube());
    ASSERT_TRUE(built.ok());
    auto positions = built.value().positions;
    positions[1] = positions[0];
    const Watertight w = check_watertight(*built.value().topology, positions);
    EXPECT_TRUE(w.good());
    EXPECT_GE(w.degenerate_triangles, 2u);
    EXPECT_NE(describe(w).find("triangles without area"), std::string::npos) << describe(w);
}

TEST(Watertight, clay_stays_watertight_under_pushes) {
    Clay clay(clay_shape(ClayShape::pot, 5000));
    push_in(clay, 0.088, 0.02);
    const Watertight w = check_watertight(clay.topology(), clay.positions());
    EXPECT_TRUE(w.good()) << describe(w);
    EXPECT_NEAR(w.volume, clay.measure().volume, 1e-9);
}

}  // namespace
}  // namespace claybox::app
