#include "app/session/shape_file.hpp"

#include "engine/assets/mesh_file.hpp"

#include <vector>

namespace claybox::app {

bool write_shape(const std::filesystem::path& file, const collision::Shape& shape, std::string& error) {
    const collision::Geometry& geometry = shape.geometry();
    std::vector<float> positions;
    positions.reserve(geometry.positions.size() * 3);
    for (const collision::Vec3f& p : geometry.positions) positions.insert(positions.end(), {p.x, p.y, p.z});
    const collision::Topology& t = *geometry.topology;
    return engine::write_mesh(file, {positions, t.polygon_begin, t.origin, {}}, error);
}

}  // namespace claybox::app
