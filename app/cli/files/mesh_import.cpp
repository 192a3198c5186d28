#include "app/cli/files/mesh_import.hpp"

#include "engine/assets/mesh_file.hpp"
#include "engine/files/path_text.hpp"

namespace claybox::app {

collision::Result<collision::PolygonList> import_polygons(const std::filesystem::path& file,
                                                          MeshUnits* units) {
    engine::FileMesh mesh;
    engine::FileError error;
    if (!engine::read_mesh(file, mesh, error))
        return collision::Error{error.message, engine::text_of(file), error.line};
    collision::PolygonList polygons;
    polygons.positions.reserve(mesh.positions.size() / 3);
    for (std::size_t i = 0; i + 2 < mesh.positions.size(); i += 3) {
        polygons.positions.push_back({mesh.positions[i], mesh.positions[i + 1], mesh.positions[i + 2]});
    }
    polygons.begin = std::move(mesh.begin);
    polygons.indices = std::move(mesh.indices);
    if (units != nullptr) *units = {mesh.metres_per_unit, mesh.z_up};
    return polygons;
}

namespace {

collision::Result<collision::ShapePtr> make_shape(const std::filesystem::path& file,
                                                  const collision::PolygonList& polygons) {
    auto shape = collision::Shape::from_polygons(polygons, engine::text_of(file.filename()));
    if (!shape) return collision::Error{shape.error().message, engine::text_of(file), 0};
    return shape;
}

}  // namespace

collision::Result<collision::ShapePtr> import_shape(const std::filesystem::path& file) {
    const auto polygons = import_polygons(file);
    if (!polygons) return polygons.error();
    return make_shape(file, polygons.value());
}

collision::Result<collision::ShapePtr> import_shape(const std::filesystem::path& file,
                                                    const SceneDescriptor& scene) {
    if (scene.place_mesh == nullptr) return import_shape(file);
    MeshUnits units;
    auto polygons = import_polygons(file, &units);
    if (!polygons) return polygons.error();
    return make_shape(file, scene.place_mesh(std::move(polygons).value(), units));
}

}  // namespace claybox::app
