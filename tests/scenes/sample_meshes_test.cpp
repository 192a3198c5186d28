// The sample meshes are made by the program's own generators. CLAYBOX_UPDATE_ASSETS=1 writes them again.

#include "app/potter/shapes/clay_shapes.hpp"
#include "app/scenes/shared/body_shapes.hpp"
#include "app/scenes/shared/solid_shapes.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "engine/assets/mesh_file.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace claybox::app {
namespace {

using namespace collision;

struct Sample {
    const char* file;
    PolygonList polygons;
};

std::vector<Sample> samples() {
    std::vector<Sample> out;
    out.push_back({"ring.obj", make_primitive(Primitive::torus, 400, 1)});
    out.push_back({"tetra_flake.obj", make_primitive(Primitive::tetra_flake, 244, 1)});
    out.push_back({"hyperboloid.obj", make_primitive(Primitive::hyperboloid, 300, 1)});
    out.push_back({"vase.obj", make_clay(ClayShape::vase, 800)});
    out.push_back({"gear.stl", gear_mesh(12)});
    const auto solid = make_solid(Solid::dodecahedron, 0, 1, 1);
    EXPECT_TRUE(solid.ok());
    const Topology& t = solid.value()->topology();
    PolygonList polygons;
    polygons.positions = solid.value()->geometry().positions;
    for (std::uint32_t p = 0; p < t.polygon_count(); ++p) polygons.add_polygon(t.loop(p));
    out.push_back({"dodecahedron.obj", std::move(polygons)});
    return out;
}

TEST(SampleMeshes, are_what_the_generators_make) {
    for (const Sample& sample : samples()) {
        const std::filesystem::path file =
            std::filesystem::path(CLAYBOX_SOURCE_DIR) / "assets/meshes" / sample.file;
        const auto shape = Shape::from_polygons(sample.polygons, sample.file);
        ASSERT_TRUE(shape.ok()) << shape.error().text();
        engine::FileMesh made, read;
        for (const Vec3f& p : sample.polygons.positions)
            made.positions.insert(made.positions.end(), {p.x, p.y, p.z});
        made.begin = sample.polygons.begin;
        made.indices = sample.polygons.indices;
        std::string error;
        const std::filesystem::path target =
            std::getenv("CLAYBOX_UPDATE_ASSETS")
                ? file
                : std::filesystem::temp_directory_path() / ("claybox_made_" + std::string(sample.file));
        std::vector<std::uint32_t> triangles;
        for (const Triangle& t : shape.value()->topology().triangles)
            triangles.insert(triangles.end(), std::begin(t.vertices), std::end(t.vertices));
        ASSERT_TRUE(engine::write_mesh(target, engine::view_of(made, triangles), error)) << error;
        engine::FileError fault;
        ASSERT_TRUE(engine::read_mesh(target, made, fault)) << fault.message;
        ASSERT_TRUE(engine::read_mesh(file, read, fault)) << fault.message;
        EXPECT_EQ(made.begin, read.begin) << sample.file;
        EXPECT_EQ(made.indices, read.indices) << sample.file;
        ASSERT_EQ(made.positions.size(), read.positions.size()) << sample.file;
        const float scale = std::string(sample.file).ends_with(".stl") ? 1000.0f : 1.0f;
        for (std::size_t i = 0; i < read.positions.size(); ++i)
            ASSERT_NEAR(made.positions[i], read.positions[i], 1e-6f * scale) << sample.file;
        if (target != file) std::filesystem::remove(target);
    }
}

}  // namespace
}  // namespace claybox::app
