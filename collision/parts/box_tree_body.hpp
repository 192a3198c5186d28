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
    bool separate = false;

    const BoxTree& tree_of_edges() const { return separate ? edges : faces; }
    /// Of a leaf of tree_of_edges(): indices of edge_list.
    std::span<const std::uint32_t> edges_of(const BoxTreeLeaf& leaf) const {
        if (separate) return std::span(edges.items).subspan(leaf.begin, leaf.end - leaf.begin);
        return std::span(faces.inserted)
            .subspan(leaf.inserted_begin, leaf.inserted_end - leaf.inserted_begin);
    }
    /// Of a leaf of `faces`.
    std::span<const std::uint32_t> polygons_of(const BoxTreeLeaf& leaf) const {
        return std::span(faces.items).subspan(leaf.begin, leaf.end - leaf.begin);
    }
    /// Pointers of leaves for each polygon, and for each edge.
    double pointers_per_polygon(const Geometry& geometry) const;
    double pointers_per_edge() const;
    std::size_t memory_bytes() const;
};

std::shared_ptr<const BodyTrees> make_body_trees(const Geometry& geometry, const BodyTreesOptions& options);

}  // namespace claybox::collision
