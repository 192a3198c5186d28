#pragma once
// A tree of boxes over the polygons of a mesh, for rays along +x: the thesis' proposal (10.2) to speed up
// point-in-polyhedron tests with a box-tree.

#include "collision/geometry/shape.hpp"

namespace claybox::collision {

/// Immutable. Nodes are in depth-first order. Each stores the index of the node after its subtree, so a
/// traversal needs no stack.
class PolygonBoxTree {
  public:
    /// O(n log n).
    explicit PolygonBoxTree(const Geometry& geometry);

    struct Node {
        Aabb box;
        std::uint32_t next = 0;              ///< the next node if this one is skipped
        std::uint32_t first = 0, count = 0;  ///< polygons of a leaf, in order()
    };
    const std::vector<Node>& nodes() const { return nodes_; }
    const std::vector<std::uint32_t>& order() const { return order_; }
    std::size_t memory_bytes() const {
        return sizeof *this + nodes_.capacity() * sizeof(Node) + order_.capacity() * sizeof(std::uint32_t);
    }

  private:
    void build(const Geometry& geometry, std::uint32_t first, std::uint32_t count);

    std::vector<Node> nodes_;
    std::vector<std::uint32_t> order_;
};

}  // namespace claybox::collision
