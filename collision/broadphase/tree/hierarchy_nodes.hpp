#pragma once
// Nodes of the hierarchy broad phase: scene groups, bodies, and intermediate nodes below groups with many
// children.

#include "collision/broadphase/world_bounds.hpp"

#include <span>
#include <vector>

namespace claybox::collision {

struct HierarchyNode {
    Aabb box;                 ///< empty without bodies below
    std::uint32_t first = 0;  ///< index of the first child, or the slot of a body
    std::uint32_t count = 0;  ///< number of children (contiguous), or kNoIndex for a body
    bool is_body() const { return count == kNoIndex; }
};

/// Children follow their parents; the first node is the root.
class HierarchyNodes {
  public:
    /// Builds all nodes from the groups and the bodies with here[slot] != 0.
    void build(std::span<const unsigned char> here, const WorldBounds& bounds);
    /// Updates all boxes; removed bodies get empty boxes.
    void refit(std::span<const unsigned char> here, const WorldBounds& bounds);
    std::span<const HierarchyNode> all() const { return nodes_; }
    std::size_t memory_bytes() const;

  private:
    /// A body or group that becomes a node.
    struct Item {
        Vec3f centre;
        std::uint32_t id = 0;  ///< slot or group
        bool is_group = false;
    };
    struct Open {
        std::uint32_t node, begin, end;  ///< a node and the range of its children in items_
    };

    void sort_by_group(std::span<const unsigned char> here, const WorldBounds& bounds);
    std::uint32_t append_children_of(std::size_t group, const WorldBounds& bounds);
    void add_children(const Open& open, const WorldBounds& bounds);
    void add_half(std::uint32_t begin, std::uint32_t end);
    static std::size_t longest_axis(std::span<const Item> items);

    std::vector<HierarchyNode> nodes_;
    std::vector<Item> items_;
    std::vector<Open> open_;
    // Groups and bodies sorted by parent group; *_begin_ are the ranges per parent, the root last.
    std::vector<std::uint32_t> group_begin_, body_begin_, groups_, bodies_;
};

}  // namespace claybox::collision
