#pragma once
// The simultaneous traversal of two box-trees (Zachmann, thesis, 3.6.1). Generic in the comparison of boxes
// and in the callback for pairs of leaves, which defines the meaning of the traversal.

#include "collision/pairwise/box_tree/tree.hpp"

#include <cstdint>
#include <type_traits>

namespace claybox::collision {

struct BoxTreeWalkCounts {
    std::uint64_t box_pairs = 0;    ///< created by a cut
    std::uint64_t leaf_pairs = 0;   ///< pairs of leaves whose boxes overlap
    std::uint64_t empty_parts = 0;  ///< empty parts, which end the traversal at once
};

/// `Splitter::split(pair, side, axis, position, part, left, right)` computes the two halves of a `Pair`,
/// whose `boxes_overlap()` is never false for overlapping boxes. `leaf(pair, leaf_a, leaf_b)` returns false
/// to end the traversal. If the callback has `visit(a, b)`, it is called for every visited pair of nodes.
template <class Pair, class Splitter, class Leaf>
class BoxTreeWalk {
  public:
    BoxTreeWalk(const BoxTree& a, const BoxTree& b, const Splitter& splitter, Leaf& leaf,
                BoxTreeWalkCounts& counts)
        : tree_{&a, &b}, splitter_(splitter), leaf_(leaf), counts_(counts) {}

    /// False if a leaf ended the traversal.
    bool run(const Pair& first) { return !first.boxes_overlap() || visit(0, 0, first); }

  private:
    bool visit(std::uint32_t a, std::uint32_t b, const Pair& pair) {
        const BoxTreeNode &node_a = tree_[0]->nodes[a], &node_b = tree_[1]->nodes[b];
        if constexpr (requires { leaf_.visit(a, b); }) leaf_.visit(a, b);
        if (node_a.is_leaf() && node_b.is_leaf()) {
            ++counts_.leaf_pairs;
            return leaf_(pair, tree_[0]->leaves[node_a.left], tree_[1]->leaves[node_b.left]);
        }
        if (node_a.is_leaf())
            return descend(1, b, pair,
                           [&](const Pair& half, std::uint32_t child) { return visit(a, child, half); });
        return descend(0, a, pair, [&](const Pair& half, std::uint32_t child) {
            if (node_b.is_leaf()) return visit(child, b, half);
            return descend(1, b, half,
                           [&](const Pair& quarter, std::uint32_t c) { return visit(child, c, quarter); });
        });
    }

    /// Cuts side s at its node and continues with the parts that overlap the other box.
    template <class Continue>
    bool descend(std::size_t s, std::uint32_t index, const Pair& pair, Continue&& continue_with) {
        const BoxTree& tree = *tree_[s];
        const BoxTreeNode& node = tree.nodes[index];
        using T = std::remove_cvref_t<decltype(pair.side[s].size[0])>;
        const T low = pair.side[s].low[node.axis], size = pair.side[s].size[node.axis];
        const T part = tree.in_middle ? size / 2 : static_cast<T>(node.cut) - low;
        const T position = tree.in_middle ? low + part : static_cast<T>(node.cut);
        Pair left, right;
        splitter_.split(pair, s, node.axis, position, part, left, right);
        counts_.box_pairs += 2;
        counts_.empty_parts += (node.left == kNoIndex ? 1 : 0) + (node.right == kNoIndex ? 1 : 0);
        if (node.left != kNoIndex && left.boxes_overlap() && !continue_with(left, node.left)) return false;
        return node.right == kNoIndex || !right.boxes_overlap() || continue_with(right, node.right);
    }

    const BoxTree* tree_[2];
    const Splitter& splitter_;
    Leaf& leaf_;
    BoxTreeWalkCounts& counts_;
};

}  // namespace claybox::collision
