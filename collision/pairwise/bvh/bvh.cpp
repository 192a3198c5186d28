// Subtrees below a size that depends on the mesh alone are separate jobs, assembled in a fixed order. Any
// number of workers therefore builds the same tree.

#include "collision/pairwise/bvh/bvh.hpp"

#include "collision/core/random.hpp"
#include "collision/core/state_hash.hpp"
#include "collision/pairwise/bvh/bvh_split.hpp"
#include "collision/pairwise/bvh/bvh_volume.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

/// Subtrees of at most this many triangles, or 1/64 of the mesh if that is more, are separate jobs.
constexpr std::uint32_t kMinJobSize = 2048;

/// One node in so many is spare, for rebuilt parts that need more nodes than before.
constexpr std::size_t kSpareNodes = 16;

/// A node refits its volume tightly every this many updates: cheap, but not free.
constexpr unsigned kRefitInterval = 4;
/// It also does so when its volume, or one below, grew by this factor.
constexpr float kRefitGrowth = 1.1f;

/// A deformation that scales the mesh by more than this many powers of two triggers a rebuild with another
/// scale: relate() rejects coordinates much beyond 1, and volumes require them below 2^10.
constexpr int kMaxDrift = 8;

/// Coordinates divided by 2^exponent are about 1. The clamp keeps the factor a float; no real mesh comes near
/// it.
int exponent_of(const Geometry& geometry) {
    float reach = 0;
    for (std::size_t k = 0; k < 3; ++k)
        reach = std::max({reach, std::abs(geometry.box.min[k]), std::abs(geometry.box.max[k])});
    return reach > 0 ? std::clamp(std::ilogb(reach) + 1, -100, 100) : 0;
}

/// Size to minimise; a small thickness matters most for discs.
float size_of(const BvhVolume& v) {
    return v.radius + 4 * v.thickness;
}

/// See "Rebuild" below.
constexpr float kMaxCostGrowth = 1.35f;
constexpr float kMinTouchedShare = 1.0f;

/// Computes the volumes of all nodes of a subtree; returns the volume around the subtree.
BvhVolume make_bvh_subtree_volumes(BvhSubtree& subtree, const Geometry& geometry,
                                   std::span<const BvhTriangle> triangles, float scale) {
    const BvhSource source{subtree.nodes.data(), subtree.states.data(), triangles.data(),
                           geometry.positions.data(), scale};
    for (auto i = static_cast<std::uint32_t>(subtree.nodes.size()); i-- > 0;) {
        const BvhVolume around = make_bvh_volumes(source, i, subtree.nodes[i], subtree.states[i]);
        if (i == 0) return around;
        const std::uint32_t parent = subtree.states[i].parent;
        subtree.nodes[parent / 4].set_volume(parent % 4, around);
    }
    return empty_bvh_volume();
}

}  // namespace

MeshBvh::MeshBvh(const Geometry& geometry, Executor& executor) {
    build(geometry, executor);
}

void MeshBvh::build(const Geometry& geometry, Executor& executor) {
    content_ = geometry.content;
    structure_ = history_ = mix64(geometry.content);
    free_nodes_.clear();
    exponent_ = exponent_of(geometry);
    scale_ = std::ldexp(1.0f, -exponent_);
    const auto count = static_cast<std::uint32_t>(geometry.topology->triangles.size());
    triangles_.resize(count);
    std::vector<BvhItem> items(count);
    executor.parallel_for(count, 1 << 14, [&](std::size_t begin, std::size_t end, unsigned) {
        for (std::size_t i = begin; i < end; ++i)
            items[i] = make_bvh_item(geometry, static_cast<std::uint32_t>(i), scale_);
    });
    BvhRange all{0, count};
    for (const BvhItem& item : items) all.add(item);
    BvhSubtree top;
    top.nodes.emplace_back();
    top.states.emplace_back();
    for (std::uint32_t lane = 0; lane < 4; ++lane) top.nodes[0].set_volume(lane, empty_bvh_volume());
    std::vector<BvhSubtree> jobs;
    BvhSplitter splitter(*geometry.topology, items, triangles_, 0);
    if (count != 0)
        top.nodes[0].child[0] = splitter.grow(all, 1, 0, top, &jobs, std::max(kMinJobSize, count / 64));
    std::vector<BvhVolume> around(jobs.size());
    executor.parallel_for(jobs.size(), 1, [&](std::size_t begin, std::size_t end, unsigned) {
        for (std::size_t i = begin; i < end; ++i) {
            splitter.grow(jobs[i].range, jobs[i].level, kNoIndex, jobs[i]);
            around[i] = make_bvh_subtree_volumes(jobs[i], geometry, triangles_, scale_);
        }
    });
    assemble(top, jobs, around, geometry);
    sides_ = choose_bvh_sides(*geometry.topology, executor);
}

/// Appends the nodes of the jobs to the upper nodes, then computes the volumes of the upper nodes.
void MeshBvh::assemble(BvhSubtree& top, std::span<BvhSubtree> jobs, std::span<const BvhVolume> around,
                       const Geometry& geometry) {
    const std::size_t upper = top.nodes.size();
    nodes_ = std::move(top.nodes);
    states_ = std::move(top.states);
    std::size_t count = upper;
    for (const BvhSubtree& job : jobs) count += job.nodes.size();
    count += count / kSpareNodes;
    nodes_.reserve(count);
    states_.reserve(count);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const auto base = static_cast<std::uint32_t>(nodes_.size());
        const std::uint32_t from = jobs[i].parent_ref;
        nodes_[from / 4].child[from % 4] = base;
        nodes_[from / 4].set_volume(from % 4, around[i]);
        for (BvhNode& node : jobs[i].nodes) {
            for (std::uint32_t& child : node.child)
                if (!is_bvh_leaf(child)) child += base;
            nodes_.push_back(node);
        }
        for (BvhNodeState& state : jobs[i].states) {
            state.parent = state.parent == kNoIndex ? from : state.parent + 4 * base;
            states_.push_back(state);
        }
    }
    const BvhSource source = source_of(geometry);
    for (auto i = static_cast<std::uint32_t>(upper); i-- > 0;)
        if (nodes_[i].child[0] != kNoIndex) {
            const BvhVolume whole = make_bvh_volumes(source, i, nodes_[i], states_[i]);
            const std::uint32_t parent = states_[i].parent;
            if (parent != kNoIndex) nodes_[parent / 4].set_volume(parent % 4, whole);
        }
    leaf_of_.resize(triangles_.size());
    for (auto node = static_cast<std::uint32_t>(nodes_.size()); node-- > 0;) {
        index_leaves(node);
        measure_cost(node);
    }
}

/// Records which node has each triangle's leaf.
void MeshBvh::index_leaves(std::uint32_t node) {
    for (const std::uint32_t child : nodes_[node].child)
        if (child != kNoIndex && is_bvh_leaf(child))
            for (std::uint32_t i = 0; i < bvh_leaf_count(child); ++i)
                leaf_of_[triangles_[bvh_leaf_first(child) + i].triangle] = node;
    const std::size_t levels = states_[node].level + std::size_t{1};
    if (queued_.size() < levels) queued_.resize(levels);
}

BvhSource MeshBvh::source_of(const Geometry& geometry) const {
    return {nodes_.data(), states_.data(), triangles_.data(), geometry.positions.data(), scale_};
}

void MeshBvh::enqueue(std::uint32_t node, unsigned changed, std::uint32_t touched) {
    BvhNodeState& state = states_[node];
    state.changed = static_cast<std::uint8_t>(state.changed | changed);
    state.touched_now += touched;
    if (state.is_queued) return;
    state.is_queued = true;
    queued_[state.level].push_back(node);
}

/// Queues the nodes that have the leaves of the touched polygons. Consecutive triangles of one node are
/// counted before they are entered.
void MeshBvh::enqueue_leaves(const Topology& topology, std::span<const std::uint32_t> touched) {
    std::uint32_t node = kNoIndex, count = 0;
    for (const std::uint32_t p : touched) {
        history_ = (history_ ^ p) * 0x9e3779b97f4a7c15u;
        for (std::uint32_t i = topology.triangle_begin[p]; i < topology.triangle_begin[p + 1]; ++i) {
            if (leaf_of_[i] != node) {
                if (count != 0) enqueue(node, BvhNodeState::kLeaves, count);
                node = leaf_of_[i], count = 0;
            }
            ++count;
        }
    }
    if (count != 0) enqueue(node, BvhNodeState::kLeaves, count);
}

void MeshBvh::clear_queue(std::size_t level) {
    for (const std::uint32_t node : queued_[level]) {
        BvhNodeState& state = states_[node];
        state.is_queued = false;
        state.changed = 0;
        state.touched_now = 0;
    }
    queued_[level].clear();
}

// Updates the volume around a node: the old one, enlarged where something now extends beyond it, or a
// refitted one, whichever is smaller. Refitting happens only now and then, and when much has changed.
void MeshBvh::update_node(std::uint32_t node, const BvhSource& source) {
    BvhNode& here = nodes_[node];
    BvhNodeState& state = states_[node];
    BvhVolume now;
    if ((state.changed & BvhNodeState::kLeaves) != 0) {
        now = make_bvh_leaf_volumes(source, here, state.leaf_sides);
        state.changed = static_cast<std::uint8_t>(state.changed | leaves_of(here));
    }
    if (state.parent == kNoIndex) return;
    BvhNode& above = nodes_[state.parent / 4];
    const std::uint32_t lane = state.parent % 4;
    const BvhVolume before = above.volume(lane);
    const bool only_leaves = has_only_leaves(here);
    if (!only_leaves) now = bvh_volume_grown(source, here, state.changed, before);
    const unsigned grew_much = size_of(now) > kRefitGrowth * size_of(before)
                                   ? BvhNodeState::kGrewMuch
                                   : state.changed & BvhNodeState::kGrewMuch;
    const bool refits = ++state.updates % kRefitInterval == 0 || grew_much != 0;
    if (refits && !only_leaves && !(now == before)) {
        const BvhVolume refitted = bvh_volume_around(source, here);
        if (size_of(refitted) < size_of(now)) now = refitted;
    }
    above.set_volume(lane, now);
    enqueue(state.parent / 4, 1u << lane | grew_much, state.touched_now);
    state.touched += state.touched_now;
    if (!refits) return;
    measure_cost(node);
    if (is_degraded(node)) degraded_.push_back(node);
}

/// Prefetches what update_node() of an upcoming node reads.
void MeshBvh::prefetch(std::span<const std::uint32_t> nodes, std::size_t at) const {
    if (at < nodes.size()) {
        const char* const line = reinterpret_cast<const char*>(&nodes_[nodes[at]]);
        for (std::size_t byte = 0; byte < sizeof(BvhNode); byte += 64) __builtin_prefetch(line + byte);
    }
    if (at < 3 || at - 3 >= nodes.size()) return;
    for (const std::uint32_t child : nodes_[nodes[at - 3]].child)
        if (child != kNoIndex && is_bvh_leaf(child)) __builtin_prefetch(&triangles_[bvh_leaf_first(child)]);
}

// Works level by level from the bottom, so that each node is visited once, after everything that it depends
// on. The change flags of a level stay until the level above is done.
void MeshBvh::update(const Geometry& geometry, std::span<const std::uint32_t> touched) {
    if (std::abs(exponent_of(geometry) - exponent_) > kMaxDrift) {
        build(geometry, *make_serial_executor());
        return;
    }
    history_ = mix64(history_ ^ geometry.content);
    enqueue_leaves(*geometry.topology, touched);
    const BvhSource source = source_of(geometry);
    for (std::size_t level = queued_.size(); level-- > 0;) {
        const std::vector<std::uint32_t>& here = queued_[level];
        for (std::size_t i = 0; i < here.size(); ++i) {
            prefetch(here, i + 6);
            update_node(here[i], source);
        }
        if (level + 1 < queued_.size()) clear_queue(level + 1);
    }
    if (!queued_.empty()) clear_queue(0);
    content_ = geometry.content;
    if (!degraded_.empty()) rebuild_degraded(geometry);
}

// Rebuild: a subtree that deformations made much looser is split again, over the same triangles.
//
// The quality of a subtree is the sum of the sizes of all volumes below it, divided by the square of the sum
// of the square roots of its triangle areas. Scaling or moving the subtree as a whole does not change it.
// Neither do a few triangles stretched between others, which would hide what happens to the rest. A subtree
// is rebuilt if its quality is worse by the factor kMaxCostGrowth than it was at best, and if the number of
// touched triangles since then is at least kMinTouchedShare of its triangles. The time for rebuilding is thus
// proportional to the touched triangles, level by level, for any deformation.

void MeshBvh::measure_cost(std::uint32_t node) {
    BvhNodeState& state = states_[node];
    state.cost = bvh_cost(nodes_[node]);
    state.sides = state.leaf_sides;
    for (const std::uint32_t child : nodes_[node].child) {
        if (is_bvh_leaf(child)) continue;
        state.cost += states_[child].cost;
        state.sides += states_[child].sides;
    }
    const float square = state.sides * state.sides;
    if (state.touched == 0 || state.cost < state.best_cost * square)
        state.best_cost = square > 0 ? state.cost / square : 0;
}

/// Without area nothing is known.
bool MeshBvh::is_degraded(std::uint32_t node) const {
    const BvhNodeState& state = states_[node];
    return state.best_cost > 0 && state.cost > kMaxCostGrowth * state.best_cost * state.sides * state.sides;
}

/// Larger subtrees first: a part inside a rebuilt subtree is no longer degraded.
void MeshBvh::rebuild_degraded(const Geometry& geometry) {
    for (; !degraded_.empty(); degraded_.pop_back()) {
        const std::uint32_t node = degraded_.back();
        const BvhNodeState& state = states_[node];
        if (state.touched == 0 || !is_degraded(node)) continue;
        const auto count = static_cast<float>(triangles_below(source_of(geometry), node).size());
        if (static_cast<float>(state.touched) >= kMinTouchedShare * count) rebuild(node, geometry);
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
    BvhSubtree subtree;
    const std::uint32_t level = states_[node].level, parent = states_[node].parent;
    BvhSplitter(*geometry.topology, items, triangles_, first).grow(range, level, kNoIndex, subtree);
    const BvhVolume around = make_bvh_subtree_volumes(subtree, geometry, triangles_, scale_);
    nodes_[parent / 4].set_volume(parent % 4, around);
    const float before = states_[node].cost;
    replace(node, subtree);
    const float more = states_[node].cost - before;
    for (std::uint32_t up = parent; up != kNoIndex; up = states_[up / 4].parent) states_[up / 4].cost += more;
}

/// Replaces a node and everything below it by a subtree; the node keeps its number.
void MeshBvh::replace(std::uint32_t node, const BvhSubtree& subtree) {
    const std::uint32_t parent = states_[node].parent;
    std::vector<std::uint32_t> number{node};
    for (std::size_t i = 0; i < number.size(); ++i)
        for (const std::uint32_t child : nodes_[number[i]].child)
            if (!is_bvh_leaf(child)) number.push_back(child);
    for (const std::uint32_t n : number) nodes_[n] = {}, states_[n] = {};
    while (number.size() > subtree.nodes.size()) {
        free_nodes_.push_back(number.back());
        number.pop_back();
    }
    while (number.size() < subtree.nodes.size()) {
        if (free_nodes_.empty()) {
            free_nodes_.push_back(static_cast<std::uint32_t>(nodes_.size()));
            nodes_.emplace_back();
            states_.emplace_back();
        }
        number.push_back(free_nodes_.back());
        free_nodes_.pop_back();
    }
    std::sort(number.begin() + 1, number.end());
    for (std::size_t i = number.size(); i-- > 0;) {
        const std::uint32_t n = number[i];
        nodes_[n] = subtree.nodes[i];
        for (std::uint32_t& child : nodes_[n].child)
            if (!is_bvh_leaf(child)) child = number[child];
        const std::uint32_t up = subtree.states[i].parent;
        states_[n] = subtree.states[i];
        states_[n].parent = up == kNoIndex ? parent : 4 * number[up / 4] + up % 4;
        index_leaves(n);
        measure_cost(n);
    }
}

std::size_t MeshBvh::memory_bytes() const {
    std::size_t out =
        sizeof *this + nodes_.capacity() * sizeof(BvhNode) + states_.capacity() * sizeof(BvhNodeState) +
        triangles_.capacity() * sizeof(BvhTriangle) + sides_.capacity() +
        (degraded_.capacity() + free_nodes_.capacity()) * sizeof(std::uint32_t) +
        leaf_of_.capacity() * sizeof(std::uint32_t) + queued_.capacity() * sizeof(std::vector<std::uint32_t>);
    for (const auto& level : queued_) out += level.capacity() * sizeof(std::uint32_t);
    return out;
}

}  // namespace claybox::collision
