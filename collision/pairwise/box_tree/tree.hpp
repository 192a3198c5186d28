#pragma once
// Zachmann's box-tree (thesis, 3.6): a box, cut recursively by planes across its axes. Built from an array of
// boxes, so polygons and edges need only a front end each.

#include "collision/geometry/shape.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace claybox::collision {

/// Where a box is cut.
enum class BoxTreeCut : unsigned char {
    penalty,  ///< where both sides balance, on the axis with the lowest penalty
    middle,   ///< only in the middle (3.6.4, future work), on the axis with the lowest penalty
};

/// Everything that determines a tree in addition to the boxes.
struct BoxTreeOptions {
    double gamma = 1;           ///< weight of a crossing item relative to an unbalanced one
    double delta = 1e-5;        ///< half the thickness of a cut plane, relative to the root's longest edge
    double p_max = 0.5;         ///< a plane with at most this imbalance ends the search along an axis
    int iterations = 10;        ///< maximum steps of the search along an axis
    int depth = 24;             ///< d_max: boxes at this depth are not cut
    int min_items = 90;         ///< Min: boxes with at most this many items are not cut
    double lambda = 0.7;        ///< maximum fraction of the items in one part after a cut
    double pointer_limit = 16;  ///< maximum pointers per item in the whole tree
    bool empty_leaves = true;   ///< cut off empty space that extends into the middle third of an edge
    BoxTreeCut cut = BoxTreeCut::penalty;

    friend bool operator==(const BoxTreeOptions&, const BoxTreeOptions&) = default;
};

inline constexpr int kMaxBoxTreeDepth = 64;

/// A node stores the axis and position of its plane and its two parts; a leaf stores its index.
struct BoxTreeNode {
    static constexpr std::uint32_t kLeaf = 3;

    float cut = 0;
    std::uint32_t axis = kLeaf;
    std::uint32_t left = kNoIndex;   ///< kNoIndex: empty part; for a leaf: its index
    std::uint32_t right = kNoIndex;  ///< kNoIndex: empty part

    bool is_leaf() const { return axis == kLeaf; }
};

/// The items of a leaf: a range of one list per kind of item.
struct BoxTreeLeaf {
    std::uint32_t begin = 0, end = 0;                    ///< of BoxTree::items
    std::uint32_t inserted_begin = 0, inserted_end = 0;  ///< of BoxTree::inserted
    Aabb content;  ///< around all items, also where they extend beyond the leaf's box
};

/// Items of a leaf: indices and boxes.
struct BoxTreeItems {
    std::span<const std::uint32_t> index;
    std::span<const Aabb> box;

    BoxTreeItems part(std::uint32_t begin, std::uint32_t end) const {
        return {index.subspan(begin, end - begin), box.subspan(begin, end - begin)};
    }
};

struct BoxTree {
    std::vector<BoxTreeNode> nodes;  ///< the root first; empty if there are no items
    std::vector<BoxTreeLeaf> leaves;
    std::vector<std::uint32_t> items;     ///< indices of the boxes that the tree was built from
    std::vector<std::uint32_t> inserted;  ///< indices of the boxes that insert_boxes() added
    Aabb box;
    /// Every point of an item lies in one of the boxes of its leaves, grown by `thickness`.
    double thickness = 0;
    double delta = 0;  ///< half the thickness of its planes, metres
    int depth = 0;
    bool in_middle = false;  ///< every plane is in the middle of its box

    std::size_t memory_bytes() const;
};

/// Number of items on each side of a plane.
struct BoxTreeSides {
    std::size_t left = 0, right = 0, crossing = 0;

    /// Compares planes along one axis: p' = |n_l - n_r|.
    double imbalance() const;
    /// Compares planes of different axes: p = |n_l - n_r| + gamma n_c.
    double penalty(double gamma) const;
};

struct BoxTreePlane {
    int axis = -1;  ///< -1: none
    float position = 0;
    BoxTreeSides sides;
    int iterations = 0;
};

/// Counts the items on the sides of a plane with thickness 2 delta; `lows` and `highs` are the ends of the
/// boxes along its axis.
BoxTreeSides count_sides(std::span<const float> lows, std::span<const float> highs, double position,
                         double delta);

/// The weighted interval bisection between `low` and `high` (FIX-29) along one axis. Returns the visited
/// plane with the lowest imbalance.
BoxTreePlane balance_axis(std::span<const float> lows, std::span<const float> highs, double low, double high,
                          double delta, const BoxTreeOptions& options);

/// Builds a tree of `boxes`. O(n) if few items cross planes; at most the pointer limit times that.
BoxTree build_box_tree(std::span<const Aabb> boxes, const BoxTreeOptions& options);

/// Inserts more boxes, which must lie in the tree's box, into BoxTree::inserted.
void insert_boxes(BoxTree& tree, std::span<const Aabb> boxes);

/// Front ends: the boxes around the polygons and the edges of a mesh.
std::span<const Aabb> boxes_of_polygons(const Geometry& geometry);

/// A segment, as leaves hold it: an edge, an inner diagonal of a polygon, or a zero-length side. The last two
/// have no edge index.
struct BoxTreeEdge {
    std::uint32_t vertices[2] = {0, 0};
    std::uint32_t edge = kNoIndex;
    bool diagonal = false;
};

std::vector<BoxTreeEdge> edges_for_box_tree(const Topology& topology, bool diagonals);
std::vector<Aabb> boxes_of_edges(const Geometry& geometry, std::span<const BoxTreeEdge> edges);

}  // namespace claybox::collision
