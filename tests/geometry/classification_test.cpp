#include "collision/geometry/classification.hpp"

#include "collision/geometry/shape.hpp"
#include "tests/support/obj_text.hpp"
#include "tests/support/truth.hpp"

#include <gtest/gtest.h>

namespace claybox::collision {
namespace {

nlohmann::json as_json(const Classification& c) {
    nlohmann::json out{{"vertices", c.vertices},
                       {"edges", c.edges},
                       {"polygons", c.polygons},
                       {"triangles", c.triangles},
                       {"closed", c.closed},
                       {"manifold", c.manifold},
                       {"oriented", c.oriented},
                       {"planar_polygons", c.planar_polygons},
                       {"convex_polygons", c.convex_polygons},
                       {"convex", c.convex},
                       {"components", c.components},
                       {"genus", nullptr},
                       {"degenerate_polygons", c.degenerate_polygons},
                       {"boundary_edges", c.boundary_edges},
                       {"nonmanifold_edges", c.nonmanifold_edges},
                       {"vertex_fans_ok", c.vertex_fans_ok}};
    if (c.genus) out["genus"] = *c.genus;
    return out;
}

TEST(Classification, every_field_agrees_with_the_ground_truth) {
    const auto lines = test::truth_lines("inspect.jsonl");
    ASSERT_GE(lines.size(), 20u);
    for (const auto& line : lines) {
        const std::string mesh = line["mesh"];
        const auto built = build_polyhedron(test::read_obj(test::truth_dir() / "meshes" / mesh));
        ASSERT_TRUE(built) << mesh;
        const nlohmann::json found = as_json(classify(built.value()));
        for (const auto& [key, expected] : line.items()) {
            // The ground truth has vertex_fans_ok for closed meshes only.
            if (key == "mesh" || (key == "vertex_fans_ok" && expected.is_null())) continue;
            EXPECT_EQ(found[key], expected) << mesh << " " << key;
        }
    }
}

/// Their winding number is a sum of angles of signed zeros, whose signs depend on the first corner of the
/// polygon.
TEST(Classification, polygons_without_area_are_not_convex_for_any_first_corner) {
    for (const auto& loop :
         {std::vector<std::uint32_t>{0, 1, 1, 1}, std::vector<std::uint32_t>{1, 1, 1, 0},
          std::vector<std::uint32_t>{0, 1, 0, 1}, std::vector<std::uint32_t>{0, 0, 0, 0}}) {
        PolygonList list;
        list.positions = {{1, 16, 2}, {1, 2, 3}};
        list.add_polygon(loop);
        const auto shape = Shape::from_polygons(list);
        ASSERT_TRUE(shape);
        EXPECT_FALSE(shape.value()->classification().convex);
        EXPECT_EQ(shape.value()->hull(), nullptr);
    }
}

}  // namespace
}  // namespace claybox::collision
