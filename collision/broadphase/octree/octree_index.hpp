#pragma once
// The octree: integer boxes of slots, octants, and references between them (Zachmann 1994, sections 5.4
// and 7.3.4).

#include "collision/broadphase/octree/octree_index_walk.hpp"
#include "collision/core/array_pool.hpp"
#include "collision/core/assert.hpp"

#include <cstdint>
#include <vector>

namespace claybox::collision {

/// How a moved body changes its references.
enum class OctreeVariant : unsigned char {
    naive,           ///< one traversal with the old box, one with the new box, a third for neighbours
    octant_arrays,   ///< a list of octants per body, used to leave and to find neighbours
    box_difference,  ///< as octant_arrays, but changes only where the boxes differ
    attach_visited   ///< references in all octants above as well; leaving follows them (Dai)
};

/// Lists of slots or of octants.
using IndexLists = ArrayPool<std::uint32_t>;

struct OctreeOptions {
    unsigned depth = 5;  ///< 1 .. 7
    OctreeVariant variant = OctreeVariant::box_difference;
    OctreeTraversal traversal = OctreeTraversal::decision_tree;
    std::uint32_t hysteresis = 10;
    bool exit_when_same = true;  ///< do nothing when the integer box is unchanged
};

class OctreeIndex {
  public:
    static constexpr unsigned kMaxDepth = 7;

    /// Creates all octants.
    explicit OctreeIndex(const OctreeOptions& options);

    /// Allows slots below `count`.
    void reserve_slots(std::size_t count);
    void enter(std::uint32_t slot, const VoxelBox& box);
    void leave(std::uint32_t slot);
    /// Returns false when nothing changed (only with exit_when_same).
    bool move(std::uint32_t slot, const VoxelBox& to);
    /// Removes all slots.
    void clear();

    /// Calls visit(other, octant) for the references in the octants that share a voxel with the slot's box.
    /// Every shared voxel is in the `octant` of exactly one visit per neighbour. Visits the slot itself too.
    template <class Visit>
    void for_each_neighbour(std::uint32_t slot, Visit&& visit) const;
    /// Calls visit(octant, references) for octants with references.
    template <class Visit>
    void for_each_occupied(Visit&& visit) const {
        walk_occupied(root(), visit);
    }

    const VoxelBox& box(std::uint32_t slot) const { return boxes_[slot]; }
    const OctreeOptions& options() const { return options_; }
    /// Number of references added and removed so far.
    std::uint64_t references_changed() const { return references_changed_; }
    const IndexLists::Counts& object_array_counts() const { return objects_.counts(); }
    std::size_t backbone_bytes() const {
        return nodes_.capacity() * sizeof(nodes_[0]) + children_.capacity();
    }
    std::size_t object_array_bytes() const { return objects_.memory_bytes(); }
    std::size_t octant_array_bytes() const {
        return octants_.memory_bytes() + octants_of_.capacity() * sizeof(IndexLists::Array);
    }
    std::size_t memory_bytes() const {
        return backbone_bytes() + object_array_bytes() + octant_array_bytes() +
               boxes_.capacity() * sizeof(VoxelBox);
    }

  private:
    /// Marks a passing reference: the body is attached to octants further down.
    static constexpr std::uint32_t kPassing = 1u << 31;

    Octant root() const { return octant_of(0, options_.depth); }
    bool has_octant_arrays() const {
        return options_.variant == OctreeVariant::octant_arrays ||
               options_.variant == OctreeVariant::box_difference;
    }
    void insert(std::uint32_t slot, const VoxelBox& box);
    void insert_below(std::uint32_t slot, const Octant& from, const VoxelBox& box);
    void insert_in_visited(std::uint32_t slot, const VoxelBox& box);
    void remove(std::uint32_t slot, const VoxelBox& box);
    void remove_visited(std::uint32_t slot, std::uint32_t node);
    void keep_inside(std::uint32_t slot, const VoxelBox& to);
    void enter_difference(std::uint32_t slot, const VoxelBox& from, const VoxelBox& to);
    void attach(std::uint32_t slot, std::uint32_t node);
    void add_reference(std::uint32_t reference, std::uint32_t node);
    void drop_reference(std::uint32_t node, std::uint32_t index);
    void detach(std::uint32_t slot, std::uint32_t node);
    std::uint32_t find_reference(std::uint32_t slot, std::uint32_t node) const;

    template <class Visit>
    void visit_references(const Octant& octant, std::uint32_t node, Visit& visit) const {
        for (const std::uint32_t reference : objects_.values(nodes_[node]))
            if (!(reference & kPassing)) visit(reference, octant);
    }
    template <class Visit>
    void visit_all_below(const Octant& octant, Visit& visit) const {
        for (unsigned children = children_[octant.node], code = 0; children != 0; children >>= 1, ++code) {
            if (!(children & 1u)) continue;
            const Octant child = octant.child(code);
            visit_references(child, child.node, visit);
            visit_all_below(child, visit);
        }
    }
    template <class Visit>
    void walk_occupied(const Octant& octant, Visit& visit) const {
        const auto references = objects_.values(nodes_[octant.node]);
        if (!references.empty()) visit(octant, references);
        for (unsigned code = 0; code < 8; ++code)
            if (children_[octant.node] >> code & 1u) walk_occupied(octant.child(code), visit);
    }

    OctreeOptions options_;
    std::vector<IndexLists::Array> nodes_;       ///< by octant: its bodies
    std::vector<unsigned char> children_;        ///< by octant: bit c: sub-octant c or one below is not empty
    IndexLists objects_;                         ///< memory of nodes_
    std::vector<VoxelBox> boxes_;                ///< by slot
    std::vector<IndexLists::Array> octants_of_;  ///< by slot: its octants, in some variants
    IndexLists octants_;                         ///< memory of octants_of_
    std::uint64_t references_changed_ = 0;
};

template <class Visit>
void OctreeIndex::for_each_neighbour(std::uint32_t slot, Visit&& visit) const {
    const VoxelBox& box = boxes_[slot];
    if (box.empty()) return;
    if (!has_octant_arrays()) {
        walk_octants(options_.traversal, root(), box, [&](const Octant& octant, bool inside) {
            visit_references(octant, octant.node, visit);
            if (inside) visit_all_below(octant, visit);
            return !inside && children_[octant.node] != 0;
        });
        return;
    }
    for (const std::uint32_t node : octants_.values(octants_of_[slot])) {
        const Octant octant = octant_of(node, options_.depth);
        // Bodies above cover this octant: the two share its voxels.
        for (std::uint32_t above = node;; above = (above - 1) / 8) {
            visit_references(octant, above, visit);
            if (above == 0) break;
        }
        visit_all_below(octant, visit);
    }
}

}  // namespace claybox::collision
