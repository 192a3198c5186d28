#pragma once
// The box-trees of one body: of its polygons and of its edges.

#include "collision/pairwise/box_tree/tree.hpp"

#include <memory>

namespace claybox::collision {

enum class BodyTreesKind : unsigned char {
    inserted,  ///< built from the polygons; edges are then inserted
    separate,  ///< one tree of polygons and one of edges
    combined,  ///< one tree built from both (thesis, 10.2)
};

/// The options that determine the trees of a body.
struct BodyTreesOptions {
    BoxTreeOptions options;
    BodyTreesKind kind = BodyTreesKind::inserted;
    bool diagonals = false;  ///< lists inner diagonals of polygons with the edges
    friend bool operator==(const BodyTreesOptions&, const BodyTreesOptions&) = default;
};

/// Leaves of `faces` hold polygons as items, and edges as inserted items unless the edges have a separate
/// tree.
struct BodyTrees {
    std::vector<BoxTreeEdge> edge_list;
    BoxTree faces, edges;
    /// The boxes of the items in leaves, in pointer order, so that a leaf reads its boxes sequentially.
    std::vector<Aabb> polygon_boxes, edge_boxes;
    bool separate = false;

    const BoxTree& tree_of_edges() const { return separate ? edges : faces; }
    /// Edges of a leaf of tree_of_edges(), as indices of edge_list.
    BoxTreeItems edges_of(const BoxTreeLeaf& leaf) const {
        return separate ? BoxTreeItems{std::span(edges.items), edge_boxes}.part(leaf.begin, leaf.end)
                        : BoxTreeItems{std::span(faces.inserted), edge_boxes}.part(leaf.inserted_begin,
                                                                                   leaf.inserted_end);
    }
    /// Polygons of a leaf of `faces`.
    BoxTreeItems polygons_of(const BoxTreeLeaf& leaf) const {
        return BoxTreeItems{std::span(faces.items), polygon_boxes}.part(leaf.begin, leaf.end);
    }
    /// Average number of leaf pointers per polygon and per edge.
    double pointers_per_polygon(const Geometry& geometry) const;
    double pointers_per_edge() const;
    std::size_t memory_bytes() const;
};

std::shared_ptr<const BodyTrees> make_body_trees(const Geometry& geometry, const BodyTreesOptions& options);

}  // namespace claybox::collision
