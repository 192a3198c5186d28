#include "app/bridge/mesh_data.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {
namespace {

using collision::kNoIndex;
using collision::Topology;
using collision::Vec3f;

glm::vec3 to_glm(const Vec3f& v) {
    return {v.x, v.y, v.z};
}

glm::vec3 unit(const glm::vec3& v) {
    const float length = glm::length(v);
    return length > 1e-30f ? v / length : glm::vec3(0, 1, 0);
}

/// Twice the area times the normal, by Newell's sum about the first vertex.
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
    std::vector<std::uint32_t> corner_of(t.vertex_count, kNoIndex);  // of the polygon at hand
    for (std::uint32_t p = 0; p < t.polygon_count(); ++p) {
        const glm::vec3 normal = unit(polygon_area(t, positions, p));
        for (std::uint32_t h = t.polygon_begin[p]; h < t.polygon_begin[p + 1]; ++h) {
            out.positions[h] = to_glm(positions[t.origin[h]]);
            out.normals[h] = normal;
            corner_of[t.origin[h]] = h;
            // Each boundary once: by the half-edge with the smaller number of the two.
            if (t.twin[h] == kNoIndex || h < t.twin[h]) {
                out.edges.push_back(h);
                out.edges.push_back(t.next(h));
            }
        }
        for (const collision::Triangle& triangle : t.triangles_of(p))
            for (const std::uint32_t v : triangle.vertices) out.triangles.push_back(corner_of[v]);
    }
}

/// How far a vertex lies below its neighbours, in edge lengths: 0 in a groove, 1 on a flat or bulging place.
void fill_cavity(const Topology& t, engine::MeshData& out) {
    const std::size_t count = out.positions.size();
    std::vector<glm::vec4> sum(count, glm::vec4(0));
    for (const collision::Edge& e : t.edges)
        for (int k = 0; k < 2; ++k) sum[e.vertices[k]] += glm::vec4(out.positions[e.vertices[1 - k]], 1);
    out.cavity.resize(count);
    for (std::size_t v = 0; v < count; ++v) {
        if (sum[v].w < 1) {
            out.cavity[v] = 1;
            continue;
        }
        const glm::vec3 offset = out.positions[v] - glm::vec3(sum[v]) / sum[v].w;
        const float reach = std::max(glm::length(offset), 1e-9f);
        float edge = 0;
        const std::uint32_t h = t.vertex_first[v];
        if (h != kNoIndex) edge = glm::length(out.positions[t.origin[t.next(h)]] - out.positions[v]);
        const float height = glm::dot(out.normals[v], offset) / std::max(edge, reach);
        out.cavity[v] = std::clamp(1.0f + 3.0f * height, 0.0f, 1.0f);
    }
}

void smooth(const ViewMesh& mesh, engine::MeshData& out) {
    const Topology& t = *mesh.topology;
    const std::vector<Vec3f>& positions = *mesh.positions;
    out.positions.resize(positions.size());
    out.normals.assign(positions.size(), glm::vec3(0));
    std::transform(positions.begin(), positions.end(), out.positions.begin(), to_glm);
    for (std::uint32_t p = 0; p < t.polygon_count(); ++p) {
        const glm::vec3 area = polygon_area(t, positions, p);
        for (const std::uint32_t v : t.loop(p)) out.normals[v] += area;
    }
    for (glm::vec3& n : out.normals) n = unit(n);
    out.triangles.reserve(t.triangles.size() * 3);
    for (const collision::Triangle& triangle : t.triangles)
        out.triangles.insert(out.triangles.end(), triangle.vertices, triangle.vertices + 3);
    fill_cavity(t, out);
}

}  // namespace

void make_mesh_data(const ViewMesh& mesh, engine::MeshData& out) {
    out.positions.clear();
    out.normals.clear();
    out.cavity.clear();
    out.triangles.clear();
    out.edges.clear();
    if (mesh.smooth)
        smooth(mesh, out);
    else
        flat(mesh, out);
}

}  // namespace claybox::app
