#include "engine/render/meshes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace claybox::engine {

namespace {

struct Vertex {
    glm::vec3 position, normal;
    float cavity, thickness;
};
static_assert(sizeof(Vertex) == kVertexTexels * sizeof(glm::vec4), "wire.vert reads vertices as two texels");

constexpr float kThickWall = 1;  // metres; of meshes without walls

struct EdgeVertex {
    glm::vec3 from, to;
    float corner;  // 0..3: which end, which side
};

std::vector<Vertex> interleaved(const MeshData& data) {
    std::vector<Vertex> vertices(data.positions.size());
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        vertices[i].position = data.positions[i];
        vertices[i].normal = i < data.normals.size() ? data.normals[i] : glm::vec3(0, 1, 0);
        vertices[i].cavity = i < data.cavity.size() ? data.cavity[i] : 1.0f;
        vertices[i].thickness = i < data.thickness.size() ? data.thickness[i] : kThickWall;
    }
    return vertices;
}

/// Keeps only whole triangles with valid indices; others would read past the buffer.
std::vector<std::uint32_t> valid_triangles(const MeshData& data) {
    std::vector<std::uint32_t> indices;
    indices.reserve(data.triangles.size());
    const auto count = static_cast<std::uint32_t>(data.positions.size());
    for (std::size_t i = 0; i + 2 < data.triangles.size(); i += 3) {
        const std::uint32_t a = data.triangles[i], b = data.triangles[i + 1], c = data.triangles[i + 2];
        if (a < count && b < count && c < count) indices.insert(indices.end(), {a, b, c});
    }
    return indices;
}

void fill(GLenum target, GLuint buffer, std::size_t& bytes_now, const void* data, std::size_t bytes) {
    glBindBuffer(target, buffer);
    if (bytes == bytes_now && bytes > 0) {
        glBufferSubData(target, 0, static_cast<GLsizeiptr>(bytes), data);
        return;
    }
    glBufferData(target, static_cast<GLsizeiptr>(bytes), data, GL_DYNAMIC_DRAW);
    bytes_now = bytes;
}

float radius_of(const MeshData& data) {
    float squared = 0;
    for (const glm::vec3& p : data.positions) squared = std::max(squared, glm::dot(p, p));
    return std::sqrt(squared);
}

/// Numbers of vertices: moved vertices move the wire without an upload of edges.
void upload_wire(Mesh& mesh, const MeshData& data) {
    std::vector<std::array<std::uint32_t, 4>> edges;
    for (const auto& edge : data.wire)
        if (*std::max_element(edge.begin(), edge.end()) < data.positions.size()) edges.push_back(edge);
    const bool fits = VertexTexels::can_hold(kVertexTexels * data.positions.size());
    mesh.wire_count = fits ? static_cast<GLsizei>(edges.size()) : 0;
    if (mesh.wire_count == 0) return;
    if (!mesh.wire_array) {
        mesh.wire_array = VertexArray::make();
        mesh.wire_edges = Buffer::make();
    }
    glBindVertexArray(mesh.wire_array.id());
    glBindBuffer(GL_ARRAY_BUFFER, mesh.wire_edges.id());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(edges.size() * sizeof edges[0]), edges.data(),
                 GL_STATIC_DRAW);
    glEnableVertexAttribArray(0);
    glVertexAttribIPointer(0, 4, GL_UNSIGNED_INT, sizeof edges[0], nullptr);
    glVertexAttribDivisor(0, 1);
    glBindVertexArray(0);
}

void upload(Mesh& mesh, const MeshData& data) {
    const std::vector<Vertex> vertices = interleaved(data);
    const std::vector<std::uint32_t> indices = valid_triangles(data);
    glBindVertexArray(mesh.triangles_array.id());
    fill(GL_ARRAY_BUFFER, mesh.vertices.id(), mesh.vertex_bytes, vertices.data(),
         vertices.size() * sizeof(Vertex));
    set_attribute(0, 3, sizeof(Vertex), offsetof(Vertex, position));
    set_attribute(1, 3, sizeof(Vertex), offsetof(Vertex, normal));
    set_attribute(2, 1, sizeof(Vertex), offsetof(Vertex, cavity));
    set_attribute(10, 1, sizeof(Vertex), offsetof(Vertex, thickness));
    fill(GL_ELEMENT_ARRAY_BUFFER, mesh.indices.id(), mesh.index_bytes, indices.data(),
         indices.size() * sizeof(std::uint32_t));
    glBindVertexArray(0);
    mesh.index_count = static_cast<GLsizei>(indices.size());
    mesh.radius = radius_of(data);
    mesh.edge_ends.clear();
    mesh.edge_index_count = 0;
    for (std::size_t i = 0; i + 1 < data.edges.size(); i += 2) {
        if (std::max(data.edges[i], data.edges[i + 1]) >= data.positions.size()) continue;
        mesh.edge_ends.push_back(data.positions[data.edges[i]]);
        mesh.edge_ends.push_back(data.positions[data.edges[i + 1]]);
    }
    upload_wire(mesh, data);
}

}  // namespace

MeshHandle MeshStore::create(const MeshData& data) {
    auto mesh = std::make_unique<Mesh>();
    mesh->triangles_array = VertexArray::make();
    mesh->vertices = Buffer::make();
    mesh->indices = Buffer::make();
    upload(*mesh, data);
    if (free_.empty()) {
        meshes_.push_back(std::move(mesh));
        return static_cast<MeshHandle>(meshes_.size() - 1);
    }
    const MeshHandle handle = free_.back();
    free_.pop_back();
    meshes_[handle] = std::move(mesh);
    return handle;
}

void MeshStore::update(MeshHandle handle, const MeshData& data) {
    if (Mesh* mesh = find(handle)) upload(*mesh, data);
}

void MeshStore::update_vertices(MeshHandle handle, std::size_t first, const MeshData& data) {
    Mesh* mesh = find(handle);
    if (mesh == nullptr) return;
    const std::vector<Vertex> vertices = interleaved(data);
    const std::size_t there = mesh->vertex_bytes / sizeof(Vertex);
    if (first >= there) return;
    const std::size_t count = std::min(vertices.size(), there - first);
    glBindBuffer(GL_ARRAY_BUFFER, mesh->vertices.id());
    glBufferSubData(GL_ARRAY_BUFFER, static_cast<GLintptr>(first * sizeof(Vertex)),
                    static_cast<GLsizeiptr>(count * sizeof(Vertex)), vertices.data());
    mesh->radius = std::max(mesh->radius, radius_of(data));
}

void MeshStore::destroy(MeshHandle handle) {
    if (find(handle) == nullptr) return;
    meshes_[handle].reset();
    free_.push_back(handle);
}

Mesh* MeshStore::find(MeshHandle handle) {
    return handle < meshes_.size() ? meshes_[handle].get() : nullptr;
}

bool MeshStore::prepare_edges(Mesh& mesh) {
    if (mesh.edge_ends.empty() || mesh.edge_index_count > 0) return mesh.edge_index_count > 0;
    std::vector<EdgeVertex> vertices;
    std::vector<std::uint32_t> indices;
    for (std::size_t i = 0; i < mesh.edge_ends.size(); i += 2) {
        const auto first = static_cast<std::uint32_t>(vertices.size());
        for (int corner = 0; corner < 4; ++corner)
            vertices.push_back({mesh.edge_ends[i], mesh.edge_ends[i + 1], static_cast<float>(corner)});
        indices.insert(indices.end(), {first, first + 1, first + 2, first + 2, first + 1, first + 3});
    }
    if (!mesh.edges_array) {
        mesh.edges_array = VertexArray::make();
        mesh.edge_vertices = Buffer::make();
        mesh.edge_indices = Buffer::make();
    }
    glBindVertexArray(mesh.edges_array.id());
    glBindBuffer(GL_ARRAY_BUFFER, mesh.edge_vertices.id());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size() * sizeof(EdgeVertex)),
                 vertices.data(), GL_DYNAMIC_DRAW);
    set_attribute(0, 3, sizeof(EdgeVertex), offsetof(EdgeVertex, from));
    set_attribute(1, 3, sizeof(EdgeVertex), offsetof(EdgeVertex, to));
    set_attribute(2, 1, sizeof(EdgeVertex), offsetof(EdgeVertex, corner));
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh.edge_indices.id());
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(indices.size() * sizeof(std::uint32_t)),
                 indices.data(), GL_DYNAMIC_DRAW);
    glBindVertexArray(0);
    mesh.edge_index_count = static_cast<GLsizei>(indices.size());
    return true;
}

}  // namespace claybox::engine
