#pragma once
// The nodes of the hierarchy broad phase: groups of the scene, bodies, and nodes between a group and its many
// children.

#include "collision/broadphase/world_bounds.hpp"

#include <span>
#include <vector>

namespace claybox::collision {

struct HierarchyNode {
    Aabb box;                 ///< empty when nothing is below
    std::uint32_t first = 0;  ///< its children's first place, or the slot of a body
    std::uint32_t count = 0;  ///< of children, which stand in a row
    bool is_body() const { return count == kNoIndex; }
};

/// Children stand behind their parents; the first node is the root.
class HierarchyNodes {
  public:
    /// Makes all nodes from the groups and bodies (those with here[slot] != 0).
    void build(std::span<const unsigned char> here, const WorldBounds& bounds);
    /// Brings all boxes up to date; bodies that are not here any more get empty boxes.
    void fit(std::span<const unsigned char> here, const WorldBounds& bounds);
    std::span<const HierarchyNode> all() const { return nodes_; }
    std::size_t memory_bytes() const;

  private:
    /// What is to become a node: a body, a group, or a range of children.
    struct Item {
        Vec3f centre;
        std::uint32_t id = 0;  ///< slot or group
        bool is_group = false;
    };
    struct Open {
        std::uint32_t node, begin, end;  ///< a node and its children among the items
    };

    void sort_by_group(std::span<const unsigned char> here, const WorldBounds& bounds);
    std::uint32_t append_children_of(std::size_t group, const WorldBounds& bounds);
    void add_children(const Open& open, const WorldBounds& bounds);
    void add_half(std::uint32_t begin, std::uint32_t end);
    static std::size_t longest_axis(std::span<const Item> items);

    std::vector<HierarchyNode> nodes_;
    std::vector<Item> items_;
    std::vector<Open> open_;
    // By parent group, the last entry being the root's: where its groups and bodies stand.
    std::vector<std::uint32_t> group_begin_, body_begin_, groups_, bodies_;
};

}  // namespace claybox::collision
