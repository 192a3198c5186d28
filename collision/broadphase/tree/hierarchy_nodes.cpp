#include "collision/broadphase/tree/hierarchy_nodes.hpp"

#include "collision/core/counting_sort.hpp"

#include <algorithm>
#include <tuple>

namespace claybox::collision {

namespace {

/// Nodes with more children are split.
constexpr std::uint32_t kMaxChildren = 4;

}  // namespace

void HierarchyNodes::sort_by_group(std::span<const unsigned char> here, const WorldBounds& bounds) {
    const std::span<const std::uint32_t> parent = bounds.groups.parent, group_of = bounds.group_of;
    const auto root = static_cast<std::uint32_t>(parent.size());
    const auto or_root = [&](std::uint32_t group) { return group == kNoIndex ? root : group; };
    // Groups without bodies have empty boxes and are skipped.
    const auto key_of_group = [&](std::uint32_t g) {
        return bounds.groups.boxes[g].empty() ? kNoIndex : or_root(parent[g]);
    };
    const auto key_of_body = [&](std::uint32_t slot) {
        if (!here[slot]) return kNoIndex;
        return group_of.empty() ? root : or_root(group_of[slot]);
    };
    counting_sort(root, root + 1, key_of_group, group_begin_, groups_);
    counting_sort(here.size(), root + 1, key_of_body, body_begin_, bodies_);
}

/// Appends the children of a group to items_. Returns the index of the first.
std::uint32_t HierarchyNodes::append_children_of(std::size_t group, const WorldBounds& bounds) {
    const auto begin = static_cast<std::uint32_t>(items_.size());
    for (std::uint32_t i = group_begin_[group]; i < group_begin_[group + 1]; ++i)
        items_.push_back({bounds.groups.boxes[groups_[i]].centre(), groups_[i], true});
    for (std::uint32_t i = body_begin_[group]; i < body_begin_[group + 1]; ++i)
        items_.push_back({bounds.boxes[bodies_[i]].centre(), bodies_[i], false});
    return begin;
}

void HierarchyNodes::build(std::span<const unsigned char> here, const WorldBounds& bounds) {
    sort_by_group(here, bounds);
    nodes_.clear();
    items_.clear();
    open_.clear();
    nodes_.emplace_back();
    const std::uint32_t first = append_children_of(bounds.groups.parent.size(), bounds);
    open_.push_back({0, first, static_cast<std::uint32_t>(items_.size())});
    for (std::size_t done = 0; done < open_.size(); ++done) add_children(Open(open_[done]), bounds);
    refit(here, bounds);
}

void HierarchyNodes::add_children(const Open& open, const WorldBounds& bounds) {
    nodes_[open.node].first = static_cast<std::uint32_t>(nodes_.size());
    const std::uint32_t count = open.end - open.begin;
    if (count > kMaxChildren) {
        const auto from = items_.begin();
        const std::size_t axis = longest_axis({items_.data() + open.begin, count});
        const std::uint32_t middle = open.begin + count / 2;
        std::nth_element(from + open.begin, from + middle, from + open.end,
                         [axis](const Item& a, const Item& b) {
                             return std::tuple(a.centre[axis], a.is_group, a.id) <
                                    std::tuple(b.centre[axis], b.is_group, b.id);
                         });
        nodes_[open.node].count = 2;
        add_half(open.begin, middle);
        add_half(middle, open.end);
        return;
    }
    nodes_[open.node].count = count;
    const auto first = static_cast<std::uint32_t>(nodes_.size());
    nodes_.resize(nodes_.size() + count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const Item item = items_[open.begin + i];
        if (!item.is_group) {
            nodes_[first + i] = {{}, item.id, kNoIndex};
            continue;
        }
        const std::uint32_t begin = append_children_of(item.id, bounds);
        open_.push_back({first + i, begin, static_cast<std::uint32_t>(items_.size())});
    }
}

void HierarchyNodes::add_half(std::uint32_t begin, std::uint32_t end) {
    open_.push_back({static_cast<std::uint32_t>(nodes_.size()), begin, end});
    nodes_.emplace_back();
}

std::size_t HierarchyNodes::longest_axis(std::span<const Item> items) {
    Aabb around;
    for (const Item& item : items) around.add(item.centre);
    const Vec3f half = around.half();
    return half.x >= half.y && half.x >= half.z ? 0 : half.y >= half.z ? 1 : 2;
}

/// Backwards: children before parents.
void HierarchyNodes::refit(std::span<const unsigned char> here, const WorldBounds& bounds) {
    for (std::size_t i = nodes_.size(); i-- > 0;) {
        HierarchyNode& node = nodes_[i];
        if (node.is_body()) {
            node.box = here[node.first] ? bounds.boxes[node.first] : Aabb{};
            continue;
        }
        node.box = {};
        for (std::uint32_t k = 0; k < node.count; ++k) node.box.add(nodes_[node.first + k].box);
    }
}

std::size_t HierarchyNodes::memory_bytes() const {
    return nodes_.capacity() * sizeof(HierarchyNode) + items_.capacity() * sizeof(Item) +
           open_.capacity() * sizeof(Open) +
           (group_begin_.capacity() + body_begin_.capacity() + groups_.capacity() + bodies_.capacity()) *
               sizeof(std::uint32_t);
}

}  // namespace claybox::collision
