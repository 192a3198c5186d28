#pragma once
// What the screw motion algorithm prepares for a shape: edges with their left and right faces, the edges
// around each vertex, and the prepared data of the test at the start.

#include "collision/pairwise/query.hpp"

#include <memory>
#include <vector>

namespace claybox::collision {

/// Connectivity for the collision screen, body frame, metres. Faces are the polygons; a polygon that is bent
/// on purpose is split into its triangles, whose inner diagonals are edges.
struct ScrewMesh : Prepared {
    struct Edge {
        std::uint32_t vertices[2] = {kNoIndex, kNoIndex};
        /// The face on the left of vertices[0] -> vertices[1] seen from outside, and the one on the right.
        std::uint32_t left = kNoIndex, right = kNoIndex;
        std::uint32_t source = kNoIndex;  ///< edge of the topology; kNoIndex for an inner diagonal
    };
    std::vector<Vec3f> positions;
    std::vector<Edge> edges;
    std::vector<std::uint32_t> face_begin{0}, face_vertices;  ///< the loop of face f
    std::vector<std::uint32_t> face_source;                   ///< polygon of the topology
    std::vector<Vec3d> face_normals;                          ///< unit, outward; zero for a face without area
    std::vector<double> face_sizes;  ///< distance of the farthest corner from the first one
    std::vector<std::uint32_t> vertex_edge_begin, vertex_edges;
    std::vector<std::uint32_t> vertex_face_begin, vertex_faces;
    /// Spheres of up to kBlock faces near each other: the hierarchy of section 10, one level deep.
    static constexpr std::uint32_t kBlock = 16;
    struct Block {
        Vec3d centre;
        double radius = 0;
        std::uint32_t begin = 0, end = 0;  ///< into block_faces
    };
    std::vector<Block> blocks;
    std::vector<std::uint32_t> block_faces;   ///< all faces, neighbours near each other
    std::vector<std::uint32_t> vertex_order;  ///< the same for vertices; `edges` have this order
    /// A closed, consistently oriented surface of one component: parts that face away can be discarded.
    /// Any other surface may be hit from both sides.
    bool one_sided = false;
    double short_edge = 0;  ///< the shortest edge, but at least a quarter of the mean
    Vec3d centre;           ///< of the bounding sphere
    double radius = 0;
    std::shared_ptr<const Prepared> start_convex, start_mesh;  ///< of `best` and `mesh_bvh`

    std::uint32_t face_count() const { return static_cast<std::uint32_t>(face_source.size()); }
    std::span<const std::uint32_t> loop(std::uint32_t f) const {
        return {face_vertices.data() + face_begin[f], face_vertices.data() + face_begin[f + 1]};
    }
    std::span<const std::uint32_t> edges_of_vertex(std::uint32_t v) const {
        return {vertex_edges.data() + vertex_edge_begin[v], vertex_edges.data() + vertex_edge_begin[v + 1]};
    }
    std::span<const std::uint32_t> faces_of_vertex(std::uint32_t v) const {
        return {vertex_faces.data() + vertex_face_begin[v], vertex_faces.data() + vertex_face_begin[v + 1]};
    }
    std::size_t memory_bytes() const override;
};

std::shared_ptr<const Prepared> prepare_screw_mesh(const Shape& shape, const Geometry& geometry);
std::shared_ptr<const Prepared> update_screw_mesh(std::shared_ptr<const Prepared> prepared,
                                                  const Geometry& geometry,
                                                  std::span<const std::uint32_t> touched);

}  // namespace claybox::collision
