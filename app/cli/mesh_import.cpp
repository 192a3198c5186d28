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

}  // namespace claybox::app
