#pragma once
// The simultaneous traversal of two box-trees (Zachmann, thesis, 3.6.1), generic in how boxes are compared
// and in what happens at a pair of leaves: the callback is the semantics.

#include "collision/parts/box_tree.hpp"

#include <cstdint>
#include <type_traits>

namespace claybox::collision {

struct BoxTreeWalkCounts {
    std::uint64_t box_pairs = 0;    ///< made by a cut
    std::uint64_t leaf_pairs = 0;   ///< that met
    std::uint64_t empty_parts = 0;  ///< parts with nothing in them, where the descent ends at once
};

/// `Splitter::split(pair, side, axis, position, part, left, right)` makes the two halves of a `Pair`, whose
/// `meets()` is never false for boxes that meet. `leaf(pair, leaf_a, leaf_b)` returns false to end the walk.
/// A callback with `visit(a, b)` is told every pair of nodes that is come to.
template <class Pair, class Splitter, class Leaf>
class BoxTreeWalk {
  public:
    BoxTreeWalk(const BoxTree& a, const BoxTree& b, const Splitter& splitter, Leaf& leaf,
                BoxTreeWalkCounts& counts)
        : tree_{&a, &b}, splitter_(splitter), leaf_(leaf), counts_(counts) {}

    /// False when a leaf ended it.
    bool run(const Pair& first) { return !first.meets() || visit(0, 0, first); }

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

    /// Cuts side s at its node and goes on with the parts that meet the other box.
    template <class GoOn>
    bool descend(std::size_t s, std::uint32_t index, const Pair& pair, GoOn&& go_on) {
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
        if (node.left != kNoIndex && left.meets() && !go_on(left, node.left)) return false;
        return node.right == kNoIndex || !right.meets() || go_on(right, node.right);
    }

    const BoxTree* tree_[2];
    const Splitter& splitter_;
    Leaf& leaf_;
    BoxTreeWalkCounts& counts_;
};

}  // namespace claybox::collision
