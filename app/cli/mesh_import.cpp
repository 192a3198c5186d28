#include "app/cli/mesh_import.hpp"

#include "engine/assets/mesh_file.hpp"

namespace claybox::app {

collision::Result<collision::PolygonList> import_polygons(const std::filesystem::path& file) {
    engine::FileMesh mesh;
    engine::FileError error;
    if (!engine::read_mesh(file, mesh, error))
        return collision::Error{error.message, file.string(), error.line};
    collision::PolygonList polygons;
    polygons.positions.reserve(mesh.positions.size() / 3);
    for (std::size_t i = 0; i + 2 < mesh.positions.size(); i += 3) {
        polygons.positions.push_back({mesh.positions[i], mesh.positions[i + 1], mesh.positions[i + 2]});
    }
    polygons.begin = std::move(mesh.begin);
    polygons.indices = std::move(mesh.indices);
    return polygons;
}

collision::Result<collision::ShapePtr> import_shape(const std::filesystem::path& file) {
    const collision::Result<collision::PolygonList> polygons = import_polygons(file);
    if (!polygons) return polygons.error();
    auto shape = collision::Shape::from_polygons(polygons.value(), file.filename().string());
    if (!shape) return collision::Error{shape.error().message, file.string(), 0};
    if (shape.value()->topology().polygon_count() == 0)
        return collision::Error{"has no polygons", file.string(), 0};
    return shape;
}

}  // namespace claybox::app
