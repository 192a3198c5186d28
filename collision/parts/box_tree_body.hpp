#pragma once
// The box-trees of one body: of its polygons and of its edges.

#include "collision/parts/box_tree.hpp"

#include <memory>

namespace claybox::collision {

enum class BodyTreesKind : unsigned char {
    inserted,  ///< made of the polygons; then edges fall down its planes
    separate,  ///< one tree of polygons and one of edges
    combined,  ///< one tree made of both (thesis, 10.2)
};

/// What the trees of a body depend on.
struct BodyTreesOptions {
    BoxTreeOptions options;
    BodyTreesKind kind = BodyTreesKind::inserted;
    bool diagonals = false;  ///< inner diagonals of polygons are listed with the edges
    friend bool operator==(const BodyTreesOptions&, const BodyTreesOptions&) = default;
};

/// Leaves of `faces` hold polygons as items, and edges as inserted ones unless they have a tree of their own,
/// whose items they are.
struct BodyTrees {
    std::vector<BoxTreeEdge> edge_list;
    BoxTree faces, edges;
    /// The boxes of what leaves point to, in the order of the pointers: a leaf reads its own one after
    /// another.
    std::vector<Aabb> polygon_boxes, edge_boxes;
    bool separate = false;

    const BoxTree& tree_of_edges() const { return separate ? edges : faces; }
    /// Of a leaf of tree_of_edges(): indices of edge_list.
    BoxTreeItems edges_of(const BoxTreeLeaf& leaf) const {
        return separate ? BoxTreeItems{std::span(edges.items), edge_boxes}.part(leaf.begin, leaf.end)
                        : BoxTreeItems{std::span(faces.inserted), edge_boxes}.part(leaf.inserted_begin,
                                                                                   leaf.inserted_end);
    }
    /// Of a leaf of `faces`.
    BoxTreeItems polygons_of(const BoxTreeLeaf& leaf) const {
        return BoxTreeItems{std::span(faces.items), polygon_boxes}.part(leaf.begin, leaf.end);
    }
    /// Pointers of leaves for each polygon, and for each edge.
    double pointers_per_polygon(const Geometry& geometry) const;
    double pointers_per_edge() const;
    std::size_t memory_bytes() const;
};

std::shared_ptr<const BodyTrees> make_body_trees(const Geometry& geometry, const BodyTreesOptions& options);

}  // namespace claybox::collision
