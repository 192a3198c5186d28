#include "collision/broadphase/octree/octree_index.hpp"

#include <algorithm>
namespace claybox::collision {

OctreeIndex::OctreeIndex(const OctreeOptions& options)
    : options_(options), objects_(options.hysteresis), octants_(options.hysteresis) {
    CLAYBOX_ASSERT(options.depth >= 1 && options.depth <= kMaxDepth);
    nodes_.resize(octants_above(options.depth + 1));
    children_.resize(nodes_.size(), 0);
}

void OctreeIndex::reserve_slots(std::size_t count) {
    CLAYBOX_ASSERT(count <= kPassing);
    if (count <= boxes_.size()) return;
    boxes_.resize(count);
    if (has_octant_arrays()) octants_of_.resize(count);
}

void OctreeIndex::enter(std::uint32_t slot, const VoxelBox& box) {
    boxes_[slot] = box;
    insert(slot, box);
}

void OctreeIndex::leave(std::uint32_t slot) {
    remove(slot, boxes_[slot]);
    boxes_[slot] = VoxelBox{};
}

bool OctreeIndex::move(std::uint32_t slot, const VoxelBox& to) {
    const VoxelBox from = boxes_[slot];
    if (options_.exit_when_same && from == to) return false;
    if (options_.variant == OctreeVariant::box_difference && !from.empty() && !to.empty()) {
        keep_inside(slot, to);
        enter_difference(slot, from, to);
    } else {
        remove(slot, from);
        insert(slot, to);
    }
    boxes_[slot] = to;
    return true;
}

void OctreeIndex::clear() {
    std::fill(nodes_.begin(), nodes_.end(), IndexLists::Array{});
    std::fill(children_.begin(), children_.end(), static_cast<unsigned char>(0));
    std::fill(boxes_.begin(), boxes_.end(), VoxelBox{});
    std::fill(octants_of_.begin(), octants_of_.end(), IndexLists::Array{});
    objects_.reset();
    octants_.reset();
}

void OctreeIndex::insert(std::uint32_t slot, const VoxelBox& box) {
    if (box.empty()) return;
    if (options_.variant == OctreeVariant::attach_visited)
        insert_in_visited(slot, box);
    else
        insert_below(slot, common_octant(box, options_.depth), box);
}

/// Basic insertion: an octant inside the box gets a reference; an octant cut by the box is traversed.
void OctreeIndex::insert_below(std::uint32_t slot, const Octant& from, const VoxelBox& box) {
    walk_octants(options_.traversal, from, box, [&](const Octant& octant, bool inside) {
        if (inside) attach(slot, octant.node);
        return !inside;
    });
}

void OctreeIndex::insert_in_visited(std::uint32_t slot, const VoxelBox& box) {
    walk_octants(options_.traversal, root(), box, [&](const Octant& octant, bool inside) {
        add_reference(inside ? slot : slot | kPassing, octant.node);
        return !inside;
    });
}

void OctreeIndex::remove(std::uint32_t slot, const VoxelBox& box) {
    if (box.empty()) return;
    if (has_octant_arrays()) {
        for (const std::uint32_t node : octants_.values(octants_of_[slot])) detach(slot, node);
        octants_.free(octants_of_[slot]);
    } else if (options_.variant == OctreeVariant::attach_visited) {
        remove_visited(slot, 0);
    } else {
        walk_octants(options_.traversal, common_octant(box, options_.depth), box,
                     [&](const Octant& octant, bool inside) {
                         if (inside) detach(slot, octant.node);
                         return !inside;
                     });
    }
}

/// Follows the references down instead of comparing boxes, which requires a search in each octant's array.
void OctreeIndex::remove_visited(std::uint32_t slot, std::uint32_t node) {
    const std::uint32_t index = find_reference(slot, node);
    if (index == nodes_[node].count) return;
    if (objects_.values(nodes_[node])[index] & kPassing)
        for (std::uint32_t code = 0; code < 8; ++code)
            if (children_[node] >> code & 1u) remove_visited(slot, 8 * node + 1 + code);
    drop_reference(node, index);
}

/// Leaves the octants that an insertion of `to` would not use: outside it, cut by it (the remaining part is
/// inserted again with smaller octants), or inside a larger octant that `to` now contains.
void OctreeIndex::keep_inside(std::uint32_t slot, const VoxelBox& to) {
    for (std::uint32_t i = 0; i < octants_of_[slot].count;) {
        const std::uint32_t node = octants_.values(octants_of_[slot])[i];
        const Octant octant = octant_of(node, options_.depth);
        const bool inside = contains(to, octant);
        if (inside && (node == 0 || !contains(to, octant.parent()))) {
            ++i;
            continue;
        }
        detach(slot, node);
        octants_.remove_at(octants_of_[slot], i);
        if (!inside && overlaps(to, octant)) insert_below(slot, octant, intersection(to, octant));
    }
}

/// One insertion traversal per entering box. An octant inside `to` that several of them overlap belongs to
/// the first.
void OctreeIndex::enter_difference(std::uint32_t slot, const VoxelBox& from, const VoxelBox& to) {
    const auto entering = entering_boxes(from, to);
    const Octant top = common_octant(to, options_.depth);
    for (std::size_t i = 0; i < entering.size(); ++i) {
        if (entering[i].empty()) continue;
        walk_octants(options_.traversal, top, entering[i], [&](const Octant& octant, bool inside) {
            if (!inside && !contains(to, octant)) return true;
            const auto reaches = [&](const VoxelBox& box) { return !box.empty() && overlaps(box, octant); };
            if (inside ||
                std::none_of(entering.begin(), entering.begin() + static_cast<std::ptrdiff_t>(i), reaches))
                attach(slot, octant.node);
            return false;
        });
    }
}

void OctreeIndex::attach(std::uint32_t slot, std::uint32_t node) {
    add_reference(slot, node);
    if (has_octant_arrays()) octants_.push(octants_of_[slot], node);
}

void OctreeIndex::add_reference(std::uint32_t reference, std::uint32_t node) {
    objects_.push(nodes_[node], reference);
    ++references_changed_;
    while (node != 0) {
        const auto bit = static_cast<unsigned char>(1u << ((node - 1) % 8));
        node = (node - 1) / 8;
        if (children_[node] & bit) return;
        children_[node] |= bit;
    }
}

void OctreeIndex::detach(std::uint32_t slot, std::uint32_t node) {
    const std::uint32_t index = find_reference(slot, node);
    CLAYBOX_ASSERT(index < nodes_[node].count);
    drop_reference(node, index);
}

void OctreeIndex::drop_reference(std::uint32_t node, std::uint32_t index) {
    objects_.remove_at(nodes_[node], index);
    ++references_changed_;
    while (node != 0 && nodes_[node].count == 0 && children_[node] == 0) {
        const auto bit = static_cast<unsigned char>(1u << ((node - 1) % 8));
        node = (node - 1) / 8;
        children_[node] &= static_cast<unsigned char>(~bit);
    }
}

std::uint32_t OctreeIndex::find_reference(std::uint32_t slot, std::uint32_t node) const {
    const auto references = objects_.values(nodes_[node]);
    const auto found = std::find_if(references.begin(), references.end(),
                                    [&](std::uint32_t reference) { return (reference & ~kPassing) == slot; });
    return static_cast<std::uint32_t>(found - references.begin());
}

}  // namespace claybox::collision
