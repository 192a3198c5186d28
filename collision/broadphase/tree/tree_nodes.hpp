#pragma once
// A binary tree of boxes in a compact array. A node is one cache line with the boxes of both children: one
// memory access decides about both.

#include "collision/broadphase/structure_view.hpp"
#include "collision/core/ids.hpp"
#include "collision/geometry/bounds/bounds.hpp"
#include "collision/simd/float4.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace claybox::collision {

/// Low ends, then negated high ends: a union is the minimum of each number, and an overlap test compares the
/// ends of one box with the negated ends of the other.
struct BoxEnds {
    std::array<float, 6> v;
    friend bool operator==(const BoxEnds&, const BoxEnds&) = default;
};
inline BoxEnds ends_of(const Aabb& box) {
    return {{box.min.x, box.min.y, box.min.z, -box.max.x, -box.max.y, -box.max.z}};
}
inline Aabb box_of(const BoxEnds& e) {
    return {{e.v[0], e.v[1], e.v[2]}, {-e.v[3], -e.v[4], -e.v[5]}};
}
BoxEnds united(const BoxEnds& a, const BoxEnds& b);
/// Half the surface area.
double half_area(const BoxEnds& e);

/// Scratch memory of a traversal, reused between traversals.
struct TreeWalk {
    struct Item {
        std::uint32_t a, b;
    };
    std::vector<std::uint32_t> nodes;
    std::vector<Item> items;
    std::uint64_t tests = 0;  ///< node boxes compared
};

class BodyTree {
  public:
    /// A child is a node index, or a slot with this bit set.
    static constexpr std::uint32_t kLeaf = std::uint32_t{1} << 31;

    struct alignas(kCacheLine) Node {
        std::array<BoxEnds, 2> box;
        std::array<std::uint32_t, 2> child;
        std::uint32_t parent;  ///< place of the node: 2 * parent node + side
    };
    struct Item {
        BoxEnds box;
        std::uint32_t slot;
    };

    std::size_t leaf_count() const { return leaf_count_; }
    bool contains(std::uint32_t slot) const { return slot < place_.size() && place_[slot] != kNoIndex; }
    const BoxEnds& leaf_box(std::uint32_t slot) const { return box_at(place_[slot]); }
    std::span<const Node> nodes() const { return nodes_; }

    /// Inserts next to the sibling with the least added surface area on the way down.
    void insert(std::uint32_t slot, const BoxEnds& box);
    void remove(std::uint32_t slot);
    /// Does not update the boxes above; call refit().
    void set_leaf(std::uint32_t slot, const BoxEnds& box) { box_at(place_[slot]) = box; }
    /// Sorts nodes in traversal order, updates all boxes and measures looseness().
    void refit();
    /// Rebuilds the tree from `items` (reordered), top down; splits each range at the bin boundary with the
    /// least cost.
    void rebuild(std::vector<Item>& items);
    /// Mean log2 of the surface area of inner boxes minus that of leaves, as of the last refit or rebuild. A
    /// mean of logarithms: in a sum of areas, a few huge boxes would hide everything else.
    double looseness() const { return looseness_; }

    /// Calls visit(slot) for the leaves below `from` (a child value) whose boxes overlap `box`.
    template <class Visit>
    void query(const Aabb& box, std::uint32_t from, TreeWalk& walk, Visit&& visit) const;
    std::uint32_t root() const { return root_; }

    /// One step of finding overlapping pairs of leaves. An item is a pair of children whose boxes overlap, or
    /// a node with itself. expand() appends the resulting items to `out` and calls visit(slot, slot) for
    /// pairs of leaves.
    template <class Visit>
    void expand(TreeWalk::Item item, std::vector<TreeWalk::Item>& out, TreeWalk& walk, Visit&& visit) const;
    static bool leaf(std::uint32_t child) { return (child & kLeaf) != 0; }
    static std::uint32_t slot_of(std::uint32_t child) { return child & ~kLeaf; }

    /// Boxes of nodes and leaves by depth. When all levels are requested: complete levels from the top, up to
    /// a readable number of boxes.
    void view(StructureView& out) const;
    std::size_t memory_bytes() const;

  private:
    static constexpr std::uint32_t kRootPlace = kNoIndex - 1;

    /// Negated ends of a box, arranged for comparison with both boxes of a node at once.
    struct Probe {
        Float4 part[3];
    };
    static Probe make_probe(const BoxEnds& e);
    /// Bits 0 and 1: the first and second child overlap.
    static unsigned hits(const Node& node, const Probe& box);

    BoxEnds& box_at(std::uint32_t place) {
        return place == kRootPlace ? root_box_ : nodes_[place / 2].box[place % 2];
    }
    const BoxEnds& box_at(std::uint32_t place) const {
        return place == kRootPlace ? root_box_ : nodes_[place / 2].box[place % 2];
    }
    std::uint32_t& child_at(std::uint32_t place) {
        return place == kRootPlace ? root_ : nodes_[place / 2].child[place % 2];
    }
    void set_place(std::uint32_t child, std::uint32_t place) {
        (leaf(child) ? place_[slot_of(child)] : nodes_[child].parent) = place;
    }
    std::uint32_t sibling_place(const BoxEnds& box) const;
    void refit_above(std::uint32_t place);
    void erase_node(std::uint32_t node);
    void order_nodes();
    static std::size_t split(std::span<Item> items);

    std::vector<Node> nodes_;  ///< one fewer than leaves
    std::uint32_t root_ = kNoIndex;
    BoxEnds root_box_{};
    std::vector<std::uint32_t> place_;  ///< by slot; kNoIndex: not in the tree
    std::size_t leaf_count_ = 0;
    bool in_order_ = true;  ///< parents precede their children
    double looseness_ = 0;
    std::vector<Node> scratch_;
    struct Range {
        std::uint32_t begin, end, place;
    };
    std::vector<Range> ranges_;
};

inline BodyTree::Probe BodyTree::make_probe(const BoxEnds& e) {
    const float a = -e.v[3], b = -e.v[4], c = -e.v[5], d = -e.v[0], f = -e.v[1], g = -e.v[2];
    return {{Float4{a, b, c, d}, Float4{f, g, a, b}, Float4{c, d, f, g}}};
}

inline unsigned BodyTree::hits(const Node& node, const Probe& box) {
    const float* ends = node.box[0].v.data();
    const unsigned inside = mask_bits4(Int4(load4(ends) <= box.part[0])) |
                            mask_bits4(Int4(load4(ends + 4) <= box.part[1])) << 4 |
                            mask_bits4(Int4(load4(ends + 8) <= box.part[2])) << 8;
    return unsigned((inside & 63u) == 63u) | unsigned(inside >> 6 == 63u) << 1;
}

template <class Visit>
void BodyTree::query(const Aabb& box, std::uint32_t from, TreeWalk& walk, Visit&& visit) const {
    if (leaf(from)) {  // a single leaf, or an empty tree (kNoIndex has the bit too)
        walk.tests += leaf_count_ == 1;
        if (leaf_count_ == 1 && overlap(box, box_of(root_box_))) visit(slot_of(from));
        return;
    }
    const Probe probe = make_probe(ends_of(box));
    walk.nodes.clear();
    walk.nodes.push_back(from);
    while (!walk.nodes.empty()) {
        const Node& node = nodes_[walk.nodes.back()];
        walk.nodes.pop_back();
        walk.tests += 2;
        const unsigned hit = hits(node, probe);
        for (unsigned side = 0; side < 2; ++side) {
            if ((hit >> side & 1u) == 0) continue;
            const std::uint32_t child = node.child[side];
            if (leaf(child))
                visit(slot_of(child));
            else
                walk.nodes.push_back(child);
        }
    }
}

template <class Visit>
void BodyTree::expand(TreeWalk::Item item, std::vector<TreeWalk::Item>& out, TreeWalk& walk,
                      Visit&& visit) const {
    const auto add_pair = [&](std::uint32_t a, std::uint32_t b) {
        if (leaf(a) && leaf(b))
            visit(slot_of(a), slot_of(b));
        else
            out.push_back({a, b});
    };
    const Node& a = nodes_[item.a];
    if (item.a == item.b) {
        walk.tests += 1;
        for (const std::uint32_t child : a.child)
            if (!leaf(child)) out.push_back({child, child});
        if ((hits(a, make_probe(a.box[0])) & 2u) != 0) add_pair(a.child[0], a.child[1]);
        return;
    }
    const Node& b = nodes_[item.b];
    walk.tests += 4;
    for (std::size_t side = 0; side < 2; ++side) {
        const unsigned hit = hits(b, make_probe(a.box[side]));
        if ((hit & 1u) != 0) add_pair(a.child[side], b.child[0]);
        if ((hit & 2u) != 0) add_pair(a.child[side], b.child[1]);
    }
}

}  // namespace claybox::collision
