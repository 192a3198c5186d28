#include "app/bridge/view/mesh_data.hpp"

#include "app/bridge/view/to_glm.hpp"

#include <algorithm>
namespace claybox::app {
namespace {

using collision::kNoIndex;
using collision::Topology;
using collision::Vec3f;

glm::vec3 unit(const glm::vec3& v) {
    const float length = glm::length(v);
    return length > 1e-30f ? v / length : glm::vec3(0, 1, 0);
}

/// Twice the area times the normal: Newell's sum about the first vertex.
glm::vec3 polygon_area(const Topology& topology, const std::vector<Vec3f>& positions, std::uint32_t p) {
    const auto loop = topology.loop(p);
    const glm::vec3 origin = to_glm(positions[loop[0]]);
    glm::vec3 sum(0);
    for (std::size_t i = 1; i + 1 < loop.size(); ++i)
        sum += glm::cross(to_glm(positions[loop[i]]) - origin, to_glm(positions[loop[i + 1]]) - origin);
    return sum;
}

void flat(const ViewMesh& mesh, engine::MeshData& out) {
    const Topology& t = *mesh.topology;
    const std::vector<Vec3f>& positions = *mesh.positions;
    out.positions.resize(t.half_edge_count());
    out.normals.resize(t.half_edge_count());
    std::vector<std::uint32_t> corner_of(t.vertex_count, kNoIndex);  // of the current polygon
    for (std::uint32_t p = 0; p < t.polygon_count(); ++p) {
        const glm::vec3 normal = unit(polygon_area(t, positions, p));
        for (std::uint32_t h = t.polygon_begin[p]; h < t.polygon_begin[p + 1]; ++h) {
            out.positions[h] = to_glm(positions[t.origin[h]]);
            out.normals[h] = normal;
            corner_of[t.origin[h]] = h;
            // Each edge once: by its half-edge with the smaller number.
            if (t.twin[h] == kNoIndex || h < t.twin[h]) {
                out.edges.push_back(h);
                out.edges.push_back(t.next(h));
            }
        }
        for (const collision::Triangle& triangle : t.triangles_of(p))
            for (const std::uint32_t v : triangle.vertices) out.triangles.push_back(corner_of[v]);
    }
}

void fill_vertices(const ViewMesh& mesh, std::size_t first, std::size_t end, engine::MeshData& out) {
    for (std::size_t v = first; v < end; ++v) {
        out.positions.push_back(to_glm((*mesh.positions)[v]));
        out.normals.push_back(to_glm((*mesh.normals)[v]));
        out.cavity.push_back((*mesh.cavity)[v]);
        if (mesh.thickness) out.thickness.push_back((*mesh.thickness)[v]);
    }
}

/// A vertex of the polygon that is not on the edge.
std::uint32_t beside(const Topology& t, const collision::Edge& e, std::uint32_t polygon) {
    const auto loop = t.loop(polygon);
    const auto off = std::find_if(loop.begin(), loop.end(),
                                  [&](std::uint32_t v) { return v != e.vertices[0] && v != e.vertices[1]; });
    return off == loop.end() ? e.vertices[0] : *off;
}

void add_wire(const Topology& t, engine::MeshData& out) {
    out.wire.reserve(t.edges.size());
    for (const collision::Edge& e : t.edges) {
        if (e.polygons[0] == kNoIndex) continue;
        const std::uint32_t other = e.polygons[1] == kNoIndex ? e.polygons[0] : e.polygons[1];
        out.wire.push_back({e.vertices[0], e.vertices[1], beside(t, e, e.polygons[0]), beside(t, e, other)});
    }
}

void smooth(const ViewMesh& mesh, engine::MeshData& out) {
    const Topology& t = *mesh.topology;
    const std::vector<Vec3f>& positions = *mesh.positions;
    out.triangles.reserve(t.triangles.size() * 3);
    for (const collision::Triangle& triangle : t.triangles)
        out.triangles.insert(out.triangles.end(), triangle.vertices, triangle.vertices + 3);
    if (mesh.wire) add_wire(t, out);
    if (mesh.normals && mesh.cavity) {
        fill_vertices(mesh, 0, positions.size(), out);
        return;
    }
    out.positions.resize(positions.size());
    out.normals.assign(positions.size(), glm::vec3(0));
    std::transform(positions.begin(), positions.end(), out.positions.begin(), to_glm);
    for (std::uint32_t p = 0; p < t.polygon_count(); ++p) {
        const glm::vec3 area = polygon_area(t, positions, p);
        for (const std::uint32_t v : t.loop(p)) out.normals[v] += area;
    }
    for (glm::vec3& n : out.normals) n = unit(n);
}

void clear(engine::MeshData& out) {
    out.positions.clear();
    out.normals.clear();
    out.cavity.clear();
    out.thickness.clear();
    out.triangles.clear();
    out.wire.clear();
    out.edges.clear();
}

}  // namespace

void copy_vertices(const ViewMesh& mesh, std::size_t first, std::size_t end, engine::MeshData& out) {
    clear(out);
    fill_vertices(mesh, first, end, out);
}

void make_mesh_data(const ViewMesh& mesh, engine::MeshData& out) {
    clear(out);
    if (mesh.smooth)
        smooth(mesh, out);
    else
        flat(mesh, out);
}

}  // namespace claybox::app
