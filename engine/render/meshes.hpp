#pragma once
// Meshes in graphics memory.

#include "engine/gl/objects.hpp"
#include "engine/render/render_list.hpp"
#include "engine/render/vertex_texels.hpp"

#include <memory>
#include <vector>

namespace claybox::engine {

inline constexpr std::size_t kVertexTexels = 2;  ///< of a vertex, four floats each

struct Mesh {
    VertexArray triangles_array, edges_array;
    Buffer vertices, indices, edge_vertices, edge_indices;
    std::size_t vertex_bytes = 0, index_bytes = 0;
    GLsizei index_count = 0, edge_index_count = 0;
    float radius = 0;  ///< bounding sphere around the local origin
    VertexArray wire_array;
    Buffer wire_edges;
    VertexTexels vertex_texels;
    GLsizei wire_count = 0;
    std::vector<glm::vec3> edge_ends;  ///< pairs; uploaded on first use, because most meshes never show edges
};

/// Handles are small integers, reused after destroy().
class MeshStore {
  public:
    MeshHandle create(const MeshData& data);
    void update(MeshHandle handle, const MeshData& data);
    void update_vertices(MeshHandle handle, std::size_t first, const MeshData& data);
    void destroy(MeshHandle handle);
    /// Null for an unused handle.
    Mesh* find(MeshHandle handle);
    /// Uploads the edges as quads of four vertices, if not yet done. False when there are none.
    static bool prepare_edges(Mesh& mesh);

  private:
    std::vector<std::unique_ptr<Mesh>> meshes_;
    std::vector<MeshHandle> free_;
};

}  // namespace claybox::engine
