// Parts of a tree that a deformation made much looser are split anew, over the same triangles.
//
// A part is measured by the sizes of all volumes below it over what its triangles are worth: the square of
// the sum of the roots of their areas. So growing or moving as a whole counts for nothing, and neither do a
// few triangles that are drawn out long between others, which would hide what happens to these. It is built
// anew when that has become worse by kWorse than it was at its best, and when as many of its triangles were
// touched since as it has by kWorthWaiting: so the time for building is in proportion to what was touched,
// level by level, however a mesh is deformed.

#include "collision/core/state_hash.hpp"
#include "collision/parts/mesh_bvh_split.hpp"
#include "collision/parts/mesh_bvh_volume.hpp"

#include <algorithm>

namespace claybox::collision {

namespace {

constexpr float kWorse = 1.2f;
constexpr float kWorthWaiting = 0.5f;

}  // namespace

BvhVolume make_bvh_branch_volumes(BvhBranch& branch, const Geometry& geometry,
                                  std::span<const BvhTriangle> triangles, float scale) {
    const BvhSource source{branch.nodes.data(), branch.places.data(), triangles.data(),
                           geometry.positions.data(), scale};
    for (auto i = static_cast<std::uint32_t>(branch.nodes.size()); i-- > 0;) {
        const BvhVolume around = make_bvh_volumes(source, i, branch.nodes[i], branch.places[i]);
        if (i == 0) return around;
        const std::uint32_t parent = branch.places[i].parent;
        branch.nodes[parent / 4].set_volume(parent % 4, around);
    }
    return bvh_no_volume();
}

void MeshBvh::measure_cost(std::uint32_t node) {
    BvhPlace& place = places_[node];
    place.cost = bvh_cost(nodes_[node]);
    place.sides = place.leaf_sides;
    for (const std::uint32_t child : nodes_[node].child) {
        if (is_bvh_leaf(child)) continue;
        place.cost += places_[child].cost;
        place.sides += places_[child].sides;
    }
    const float square = place.sides * place.sides;
    if (place.touched == 0 || place.cost < place.least * square)
        place.least = square > 0 ? place.cost / square : 0;
}

/// Nothing is known of what has no area.
bool MeshBvh::is_worse(std::uint32_t node) const {
    const BvhPlace& place = places_[node];
    return place.least > 0 && place.cost > kWorse * place.least * place.sides * place.sides;
}

/// The largest first: what lies in a part that was built anew is not worse any more.
void MeshBvh::rebuild_worse(const Geometry& geometry) {
    for (; !worse_.empty(); worse_.pop_back()) {
        const std::uint32_t node = worse_.back();
        const BvhPlace& place = places_[node];
        if (place.touched == 0 || !is_worse(node)) continue;
        const auto count = static_cast<float>(triangles_below(source_of(geometry), node).size());
        if (static_cast<float>(place.touched) >= kWorthWaiting * count) rebuild(node, geometry);
    }
}

void MeshBvh::rebuild(std::uint32_t node, const Geometry& geometry) {
    structure_ = history_;
    const auto below = triangles_below(source_of(geometry), node);
    const auto first = static_cast<std::uint32_t>(below.data() - triangles_.data());
    std::vector<BvhItem> items;
    BvhRange range{0, static_cast<std::uint32_t>(below.size())};
    for (const BvhTriangle& t : below) {
        items.push_back(make_bvh_item(geometry, t.triangle, scale_));
        range.add(items.back());
    }
    BvhBranch branch;
    const std::uint32_t level = places_[node].level, parent = places_[node].parent;
    BvhSplitter(*geometry.topology, items, triangles_, first).grow(range, level, kNoIndex, branch);
    const BvhVolume around = make_bvh_branch_volumes(branch, geometry, triangles_, scale_);
    nodes_[parent / 4].set_volume(parent % 4, around);
    const float before = places_[node].cost;
    replace(node, branch);
    const float more = places_[node].cost - before;
    for (std::uint32_t up = parent; up != kNoIndex; up = places_[up / 4].parent) places_[up / 4].cost += more;
}

/// Puts a branch in the place of a node and all below it; the node keeps its number.
void MeshBvh::replace(std::uint32_t node, const BvhBranch& branch) {
    const std::uint32_t parent = places_[node].parent;
    std::vector<std::uint32_t> number{node};
    for (std::size_t i = 0; i < number.size(); ++i)
        for (const std::uint32_t child : nodes_[number[i]].child)
            if (!is_bvh_leaf(child)) number.push_back(child);
    for (const std::uint32_t n : number) nodes_[n] = {}, places_[n] = {};
    while (number.size() > branch.nodes.size()) {
        spare_.push_back(number.back());
        number.pop_back();
    }
    while (number.size() < branch.nodes.size()) {
        if (spare_.empty()) {
            spare_.push_back(static_cast<std::uint32_t>(nodes_.size()));
            nodes_.emplace_back();
            places_.emplace_back();
        }
        number.push_back(spare_.back());
        spare_.pop_back();
    }
    std::sort(number.begin() + 1, number.end());
    for (std::size_t i = number.size(); i-- > 0;) {
        const std::uint32_t n = number[i];
        nodes_[n] = branch.nodes[i];
        for (std::uint32_t& child : nodes_[n].child)
            if (!is_bvh_leaf(child)) child = number[child];
        const std::uint32_t up = branch.places[i].parent;
        places_[n] = branch.places[i];
        places_[n].parent = up == kNoIndex ? parent : 4 * number[up / 4] + up % 4;
        own_leaves(n);
        measure_cost(n);
    }
}

}  // namespace claybox::collision
