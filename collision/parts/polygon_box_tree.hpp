#pragma once
// A tree of boxes over the polygons of a mesh, for rays along +x: the thesis' proposal (10.2) to answer
// point-in-polyhedron tests by a box-tree.

#include "collision/geometry/shape.hpp"

namespace claybox::collision {

/// Immutable. Nodes lie in depth-first order, each with the number of the node behind its subtree, so that a
/// walk needs no stack.
class PolygonBoxTree {
  public:
    /// O(n log n).
    explicit PolygonBoxTree(const Geometry& geometry);

    struct Node {
        Aabb box;
        std::uint32_t behind = 0;            ///< the next node where this one is passed over
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
