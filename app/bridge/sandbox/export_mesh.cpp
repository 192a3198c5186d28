#include "app/bridge/sandbox/export_mesh.hpp"

#include "app/potter/files/watertight.hpp"
#include "engine/assets/mesh_file.hpp"
#include "engine/files/path_text.hpp"
#include "engine/files/write_file.hpp"

namespace claybox::app {

std::string save_mesh(const ExportMesh& mesh, const std::filesystem::path& folder, const std::string& ending,
                      const std::function<bool()>& cancelled) {
    std::vector<float> positions;
    positions.reserve(mesh.positions->size() * 3);
    for (const collision::Vec3f& p : *mesh.positions) positions.insert(positions.end(), {p.x, p.y, p.z});
    std::vector<std::uint32_t> triangles;
    triangles.reserve(mesh.topology->triangles.size() * 3);
    for (const collision::Triangle& t : mesh.topology->triangles)
        triangles.insert(triangles.end(), t.vertices, t.vertices + 3);
    const engine::MeshView view{positions, mesh.topology->polygon_begin, mesh.topology->origin, triangles};
    const auto write = [&](engine::FileWriter& file, std::string& error) {
        return !cancelled() && engine::write_mesh(file, ending, view, error) && !cancelled();
    };
    std::filesystem::path file;
    std::string error;
    if (!engine::write_new_file(folder, "claybox-pot-", ending, write, file, error)) return error;
    if (cancelled()) {  // while the file got its name
        std::error_code ignored;
        std::filesystem::remove(file, ignored);
        return "Cancelled";
    }
    const Watertight checked = check_watertight(*mesh.topology, *mesh.positions);
    return "Saved " + engine::text_of(file) + (checked.good() ? ": " : ", but ") + describe(checked);
}

std::string save_here(const std::string& start, const std::string& ending, const std::string& text) {
    const auto write = [&](engine::FileWriter& file, std::string&) {
        file.append(text);
        return true;
    };
    std::error_code code;
    std::filesystem::path file;
    std::string error;
    return engine::write_new_file(std::filesystem::current_path(code), start, ending, write, file, error)
               ? "Saved " + engine::text_of(file)
               : error;
}

}  // namespace claybox::app
