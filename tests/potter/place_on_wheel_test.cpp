#include "app/potter/files/place_on_wheel.hpp"

#include "tests/potter/probe.hpp"

#include <gtest/gtest.h>

namespace claybox::app {
namespace {

using collision::PolygonList;

/// A wedge with its box at the given place.
PolygonList wedge(const Vec3f& low, const Vec3f& size) {
    PolygonList mesh;
    for (const Vec3f& p : {Vec3f{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}})
        mesh.positions.push_back(low + Vec3f{p.x * size.x, p.y * size.y, p.z * size.z});
    const std::uint32_t faces[][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    for (const auto& face : faces) mesh.add_polygon(face);
    return mesh;
}

struct PlacedBox {
    Vec3f low{1e9f, 1e9f, 1e9f}, high{-1e9f, -1e9f, -1e9f};
    explicit PlacedBox(const PolygonList& mesh) {
        for (const Vec3f& p : mesh.positions)
            for (std::size_t k = 0; k < 3; ++k) {
                low[k] = std::min(low[k], p[k]);
                high[k] = std::max(high[k], p[k]);
            }
    }
};

void expect_box(const PolygonList& mesh, const Vec3f& size) {
    const PlacedBox box(mesh);
    EXPECT_NEAR(box.low.y, 0, 1e-7f);
    EXPECT_NEAR(box.low.x + box.high.x, 0, 1e-7f);
    EXPECT_NEAR(box.low.z + box.high.z, 0, 1e-7f);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(box.high[k] - box.low[k], size[k], 1e-7f) << k;
}

TEST(PlaceOnWheel, a_mesh_in_metres_of_plausible_size_only_moves) {
    expect_box(place_on_wheel(wedge({3, -2, 1}, {0.1f, 0.2f, 0.05f}), {1, false}), {0.1f, 0.2f, 0.05f});
    expect_box(place_on_wheel(wedge({3, -2, 1}, {0.1f, 0.2f, 0.05f}), {}), {0.1f, 0.2f, 0.05f});
}

TEST(PlaceOnWheel, millimetres_with_z_up_become_metres_with_y_up) {
    const PolygonList placed = place_on_wheel(wedge({0, 0, 0}, {100, 50, 200}), {0.001, true});
    expect_box(placed, {0.1f, 0.2f, 0.05f});
    EXPECT_NEAR(placed.positions[3].y, 0.2f, 1e-7f) << "what was up is up";
    EXPECT_LT(placed.positions[2].z, placed.positions[0].z) << "and nothing is mirrored";
}

TEST(PlaceOnWheel, an_implausible_size_becomes_120_millimetres) {
    expect_box(place_on_wheel(wedge({7, 7, 7}, {60, 120, 30}), {}), {0.06f, 0.12f, 0.03f});
    expect_box(place_on_wheel(wedge({0, 0, 0}, {2e-3f, 4e-3f, 1e-3f}), {}), {0.06f, 0.12f, 0.03f});
    expect_box(place_on_wheel(wedge({0, 0, 0}, {4, 1, 2}), {1, false}), {0.12f, 0.03f, 0.06f});
    expect_box(place_on_wheel(wedge({0, 0, 0}, {4, 1, 2}), {0.001, false}), {0.12f, 0.03f, 0.06f});
    expect_box(place_on_wheel(wedge({0, 0, 0}, {0.4f, 0.3f, 0.01f}), {}), {0.4f, 0.3f, 0.01f});
    expect_box(place_on_wheel(wedge({0, 0, 0}, {0.01f, 0.005f, 0.01f}), {}), {0.01f, 0.005f, 0.01f});
}

TEST(PlaceOnWheel, a_pot_on_the_wheel_keeps_every_bit) {
    Clay clay(clay_shape(ClayShape::pot, 2000));
    push_in(clay, 0.088, 0.015);
    PolygonList pot;
    pot.positions = clay.positions();
    for (std::uint32_t p = 0; p < clay.topology().polygon_count(); ++p)
        pot.add_polygon(clay.topology().loop(p));
    EXPECT_EQ(place_on_wheel(pot, {1, false}).positions, pot.positions);
    EXPECT_EQ(place_on_wheel(pot, {}).positions, pot.positions);
}

TEST(PlaceOnWheel, vertices_without_polygons_do_not_count_and_degenerate_meshes_do_no_harm) {
    PolygonList mesh = wedge({0, 0, 0}, {0.1f, 0.1f, 0.1f});
    mesh.positions.push_back({1000, 1000, 1000});
    const PolygonList placed = place_on_wheel(mesh, {});
    EXPECT_NEAR(placed.positions[0].x, -0.05f, 1e-7f);
    const PolygonList point = place_on_wheel(wedge({1, 2, 3}, {0, 0, 0}), {});
    for (const Vec3f& p : point.positions) EXPECT_EQ(p, Vec3f{});
    EXPECT_EQ(place_on_wheel({}, {}).positions.size(), 0u);
    for (const Vec3f& p : place_on_wheel(wedge({0, 0, 0}, {0x1p60f, 0x1p60f, 0x1p60f}), {}).positions)
        EXPECT_LE(std::abs(p.y), 0.121f);
}

}  // namespace
}  // namespace claybox::app
