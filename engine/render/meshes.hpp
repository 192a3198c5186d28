#pragma once
// Meshes on the graphics card.

#include "engine/gl/objects.hpp"
#include "engine/render/render_list.hpp"

#include <memory>
#include <vector>

namespace claybox::engine {

struct Mesh {
    VertexArray triangles_array, edges_array;
    Buffer vertices, indices, edge_vertices, edge_indices;
    std::size_t vertex_bytes = 0, index_bytes = 0;
    GLsizei index_count = 0, edge_index_count = 0;
    float radius = 0;  ///< of the sphere about the local origin
    std::vector<glm::vec3>
        edge_ends;  ///< pairs, uploaded when first drawn: most meshes never show their edges
};

/// Handles are small numbers, used again after a mesh is destroyed.
class MeshStore {
  public:
    MeshHandle create(const MeshData& data);
    void update(MeshHandle handle, const MeshData& data);
    void update_vertices(MeshHandle handle, std::size_t first, const MeshData& data);
    void destroy(MeshHandle handle);
    /// Null for a handle that is not in use.
    Mesh* find(MeshHandle handle);
    /// The edges as quads, four vertices each; uploads them when needed. False when there are none.
    static bool prepare_edges(Mesh& mesh);

  private:
    std::vector<std::unique_ptr<Mesh>> meshes_;
    std::vector<MeshHandle> free_;
};

}  // namespace claybox::engine
