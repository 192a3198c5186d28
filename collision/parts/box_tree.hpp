#pragma once
// Zachmann's box-tree (thesis, 3.6): a box, cut recursively by planes across its axes. Made from an array of
// boxes, so that polygons and edges need nothing but a front end each.

#include "collision/geometry/shape.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace claybox::collision {

/// Where a box is cut.
enum class BoxTreeCut : unsigned char {
    penalty,  ///< where both sides balance, on the axis with the least penalty
    middle,   ///< only in the middle (3.6.4, future work), on the axis with the least penalty
};

/// Everything that a tree depends on beside the boxes.
struct BoxTreeOptions {
    double gamma = 1;           ///< how much worse a crossing item is than an unbalanced one
    double delta = 1e-5;        ///< half the thickness of a cut plane, as a share of the root's longest edge
    double p_max = 0.5;         ///< a plane whose sides differ by no more ends the search along an axis
    int iterations = 10;        ///< most steps of the search along an axis
    int depth = 24;             ///< d_max: boxes this deep are not cut
    int min_items = 40;         ///< Min: boxes with no more items are not cut
    double lambda = 0.7;        ///< no cut after which a part has more than this share of the items
    double pointer_limit = 16;  ///< most pointers an item in the whole tree
    bool empty_leaves = true;   ///< cut off empty space that reaches to the middle third of an edge
    BoxTreeCut cut = BoxTreeCut::penalty;

    friend bool operator==(const BoxTreeOptions&, const BoxTreeOptions&) = default;
};

inline constexpr int kMostBoxTreeDepth = 64;

/// All that a node stores: the axis that its plane cuts, where, and its two parts; or its leaf.
struct BoxTreeNode {
    static constexpr std::uint32_t kLeaf = 3;

    float cut = 0;
    std::uint32_t axis = kLeaf;
    std::uint32_t left = kNoIndex;   ///< kNoIndex: nothing in it; of a leaf: which
    std::uint32_t right = kNoIndex;  ///< likewise

    bool is_leaf() const { return axis == kLeaf; }
};

/// What is attached to a leaf: a range of one list for each kind of item.
struct BoxTreeLeaf {
    std::uint32_t begin = 0, end = 0;                    ///< of BoxTree::items
    std::uint32_t inserted_begin = 0, inserted_end = 0;  ///< of BoxTree::inserted
};

/// Items of a leaf: which, and their boxes.
struct BoxTreeItems {
    std::span<const std::uint32_t> index;
    std::span<const Aabb> box;

    BoxTreeItems part(std::uint32_t begin, std::uint32_t end) const {
        return {index.subspan(begin, end - begin), box.subspan(begin, end - begin)};
    }
};

struct BoxTree {
    std::vector<BoxTreeNode> nodes;  ///< the root first; empty when there is no item
    std::vector<BoxTreeLeaf> leaves;
    std::vector<std::uint32_t> items;     ///< indices of the boxes that the tree was made from
    std::vector<std::uint32_t> inserted;  ///< of those that insert_boxes brought in
    Aabb box;
    /// An item reaches at most this far out of the boxes of its leaves: every point of it lies in one of
    /// those boxes grown by `thickness`.
    double thickness = 0;
    double delta = 0;  ///< half the thickness of its planes, metres
    int depth = 0;
    bool in_middle = false;  ///< every plane is in the middle of its box

    std::size_t memory_bytes() const;
};

/// How the items of a box lie to a plane.
struct BoxTreeSides {
    std::size_t left = 0, right = 0, crossing = 0;

    /// What compares planes along one axis: p' = |n_l - n_r|.
    double imbalance() const;
    /// What compares planes of different axes: p = |n_l - n_r| + gamma n_c.
    double penalty(double gamma) const;
};

struct BoxTreePlane {
    int axis = -1;  ///< -1: none
    float position = 0;
    BoxTreeSides sides;
    int iterations = 0;
};

/// Counts the sides of a plane with thickness 2 delta; lows and highs are the ends of the boxes along its
/// axis.
BoxTreeSides count_sides(std::span<const float> lows, std::span<const float> highs, double position,
                         double delta);

/// The weighted interval bisection between `low` and `high` (FIX-29), as one axis sees it; the plane of the
/// least imbalance that it met.
BoxTreePlane balance_axis(std::span<const float> lows, std::span<const float> highs, double low, double high,
                          double delta, const BoxTreeOptions& options);

/// A tree of `boxes`. O(n) where few items cross planes, else up to the pointer limit times that.
BoxTree build_box_tree(std::span<const Aabb> boxes, const BoxTreeOptions& options);

/// Sends more boxes, which lie in the tree's own, down its planes into BoxTree::inserted.
void insert_boxes(BoxTree& tree, std::span<const Aabb> boxes);

/// Front ends: what encloses the polygons, and the edges, of a mesh.
std::span<const Aabb> boxes_of_polygons(const Geometry& geometry);

/// A straight piece of boundary, as leaves hold it: an edge, an inner diagonal of a polygon, or a side of no
/// length; the last two have no edge.
struct BoxTreeEdge {
    std::uint32_t vertices[2] = {0, 0};
    std::uint32_t edge = kNoIndex;
    bool diagonal = false;
};

std::vector<BoxTreeEdge> edges_for_box_tree(const Topology& topology, bool diagonals);
std::vector<Aabb> boxes_of_edges(const Geometry& geometry, std::span<const BoxTreeEdge> edges);

}  // namespace claybox::collision
