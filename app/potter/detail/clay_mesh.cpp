#include "app/potter/detail/clay_mesh.hpp"

#include <algorithm>

namespace claybox::app {

ClayMesh clay_mesh(const collision::Topology& topology, const std::vector<collision::Vec3f>& positions,
                   const std::vector<float>& mask) {
    ClayMesh out{positions, mask, {}};
    out.mask.resize(positions.size());
    out.triangles.reserve(topology.triangles.size());
    for (std::uint32_t p = 0; p < topology.polygon_count(); ++p) {
        const auto loop = topology.loop(p);
        if (loop.size() == 3) {  // its corners in the order in which it was made
            out.triangles.push_back({loop[0], loop[1], loop[2]});
            continue;
        }
        for (const collision::Triangle& t : topology.triangles_of(p))
            out.triangles.push_back({t.vertices[0], t.vertices[1], t.vertices[2]});
    }
    return out;
}

collision::PolygonList polygon_list(const ClayMesh& mesh) {
    collision::PolygonList out;
    out.positions = mesh.positions;
    out.begin.reserve(mesh.triangles.size() + 1);
    out.indices.reserve(3 * mesh.triangles.size());
    for (const auto& t : mesh.triangles) out.add_polygon(t);
    return out;
}

}  // namespace claybox::app
