#pragma once
// A binary tree of boxes in a compact array. A node is one cache line with the boxes of both its children, so
// that one memory access decides about both.

#include "collision/broadphase/structure_view.hpp"
#include "collision/core/ids.hpp"
#include "collision/geometry/bounds.hpp"
#include "collision/simd/float4.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace claybox::collision {

/// Low ends, then high ends with their sign turned: a union is the least of each number, and of two boxes the
/// ends of one are compared with the turned ends of the other.
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
/// Half the surface.
double half_area(const BoxEnds& e);

/// What a walk needs beside the tree; kept, so that it takes no memory.
struct TreeWalk {
    struct Item {
        std::uint32_t a, b;
    };
    std::vector<std::uint32_t> nodes;
    std::vector<Item> items;
    std::uint64_t tests = 0;  ///< boxes of nodes that were compared
};

class BodyTree {
  public:
    /// A child is a node, or a slot with this bit.
    static constexpr std::uint32_t kLeaf = std::uint32_t{1} << 31;

    struct alignas(kCacheLine) Node {
        std::array<BoxEnds, 2> box;
        std::array<std::uint32_t, 2> child;
        std::uint32_t parent;  ///< a place: twice the node and the side
    };
    struct Item {
        BoxEnds box;
        std::uint32_t slot;
    };

    std::size_t leaf_count() const { return leaf_count_; }
    bool holds(std::uint32_t slot) const { return slot < place_.size() && place_[slot] != kNoIndex; }
    const BoxEnds& leaf_box(std::uint32_t slot) const { return box_at(place_[slot]); }
    std::span<const Node> nodes() const { return nodes_; }

    /// Beside what costs the least surface on the way down.
    void insert(std::uint32_t slot, const BoxEnds& box);
    void remove(std::uint32_t slot);
    /// Boxes above stay as they are until refit().
    void set_leaf(std::uint32_t slot, const BoxEnds& box) { box_at(place_[slot]) = box; }
    /// Puts nodes in the order of a walk, fits all boxes, and measures.
    void refit();
    /// Holds exactly `items`, which it reorders: from the top down, each range split where bins of centres
    /// have the least surface.
    void rebuild(std::vector<Item>& items);
    /// How many times, as a power of two, inner boxes have more surface than leaves, on average, as of the
    /// last refit or rebuild. An average of ratios: a few huge boxes would hide everything else in a sum of
    /// surfaces.
    double looseness() const { return looseness_; }

    /// Calls visit(slot) for leaves whose boxes overlap `box`, below `from` (a child as in a node).
    template <class Visit>
    void query(const Aabb& box, std::uint32_t from, TreeWalk& walk, Visit&& visit) const;
    std::uint32_t root() const { return root_; }

    /// Pairs of leaves that overlap each other. An item is a pair of children whose boxes overlap, or twice
    /// the same node. expand() takes one apart: items that follow from it, and visit(slot, slot).
    template <class Visit>
    void expand(TreeWalk::Item item, std::vector<TreeWalk::Item>& out, TreeWalk& walk, Visit&& visit) const;
    static bool leaf(std::uint32_t child) { return (child & kLeaf) != 0; }
    static std::uint32_t slot_of(std::uint32_t child) { return child & ~kLeaf; }

    /// Boxes of nodes and leaves by depth; of every depth only whole ones from the top, as many as can be
    /// told apart.
    void view(StructureView& out) const;
    std::size_t memory_bytes() const;

  private:
    static constexpr std::uint32_t kRootPlace = kNoIndex - 1;

    /// A box's ends turned around, so that they can be compared with those of a node's two boxes at once.
    struct Turned {
        Float4 part[3];
    };
    static Turned turned(const BoxEnds& e);
    /// Bit 0 and bit 1: the first and the second child overlap.
    static unsigned hits(const Node& node, const Turned& box);

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
    void fit_above(std::uint32_t place);
    void erase_node(std::uint32_t node);
    void order_nodes();
    static std::size_t split(std::span<Item> items);

    std::vector<Node> nodes_;  ///< one less than there are leaves
    std::uint32_t root_ = kNoIndex;
    BoxEnds root_box_{};
    std::vector<std::uint32_t> place_;  ///< by slot; kNoIndex: not in the tree
    std::size_t leaf_count_ = 0;
    bool in_order_ = true;  ///< parents stand before their children
    double looseness_ = 0;
    std::vector<Node> scratch_;
    struct Range {
        std::uint32_t begin, end, place;
    };
    std::vector<Range> ranges_;
};

inline BodyTree::Turned BodyTree::turned(const BoxEnds& e) {
    const float a = -e.v[3], b = -e.v[4], c = -e.v[5], d = -e.v[0], f = -e.v[1], g = -e.v[2];
    return {{Float4{a, b, c, d}, Float4{f, g, a, b}, Float4{c, d, f, g}}};
}

inline unsigned BodyTree::hits(const Node& node, const Turned& box) {
    const float* ends = node.box[0].v.data();
    const unsigned inside = bits4(Int4(load4(ends) <= box.part[0])) |
                            bits4(Int4(load4(ends + 4) <= box.part[1])) << 4 |
                            bits4(Int4(load4(ends + 8) <= box.part[2])) << 8;
    return unsigned((inside & 63u) == 63u) | unsigned(inside >> 6 == 63u) << 1;
}

template <class Visit>
void BodyTree::query(const Aabb& box, std::uint32_t from, TreeWalk& walk, Visit&& visit) const {
    if (leaf(from)) {  // the only one, or nothing: kNoIndex has the bit, too
        walk.tests += leaf_count_ == 1;
        if (leaf_count_ == 1 && overlap(box, box_of(root_box_))) visit(slot_of(from));
        return;
    }
    const Turned wanted = turned(ends_of(box));
    walk.nodes.clear();
    walk.nodes.push_back(from);
    while (!walk.nodes.empty()) {
        const Node& node = nodes_[walk.nodes.back()];
        walk.nodes.pop_back();
        walk.tests += 2;
        const unsigned hit = hits(node, wanted);
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
    const auto offer = [&](std::uint32_t a, std::uint32_t b) {
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
        if ((hits(a, turned(a.box[0])) & 2u) != 0) offer(a.child[0], a.child[1]);
        return;
    }
    const Node& b = nodes_[item.b];
    walk.tests += 4;
    for (std::size_t side = 0; side < 2; ++side) {
        const unsigned hit = hits(b, turned(a.box[side]));
        if ((hit & 1u) != 0) offer(a.child[side], b.child[0]);
        if ((hit & 2u) != 0) offer(a.child[side], b.child[1]);
    }
}

}  // namespace claybox::collision
