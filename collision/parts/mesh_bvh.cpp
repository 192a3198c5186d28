// Subtrees below a size that depends on the mesh alone are built apart from each other and put together in
// order, so that any number of workers makes the same tree.

#include "collision/parts/mesh_bvh.hpp"

#include "collision/core/random.hpp"
#include "collision/core/state_hash.hpp"
#include "collision/parts/mesh_bvh_split.hpp"
#include "collision/parts/mesh_bvh_volume.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

/// Subtrees of at most this many triangles are jobs of their own; also a 64th of the mesh when that is more.
constexpr std::uint32_t kSmallestJob = 2048;

/// A node that is followed is looked at more closely every so many times: that is cheap, but not for nothing.
constexpr unsigned kCloselyEvery = 4;
/// And when its volume, or one below it, grew to this multiple.
constexpr float kMuchLarger = 1.1f;

/// A mesh that a deformation made so many powers of two larger or smaller gets a new tree with another scale:
/// relate() takes none whose coordinates are much beyond 1, and volumes want them below 2^10.
constexpr int kMostDrift = 8;

/// Coordinates of about 1 after division by 2 to this. Beyond the limits the factor would not be a float; no
/// mesh of real things comes near.
int exponent_of(const Geometry& geometry) {
    float reach = 0;
    for (std::size_t k = 0; k < 3; ++k)
        reach = std::max({reach, std::abs(geometry.box.min[k]), std::abs(geometry.box.max[k])});
    return reach > 0 ? std::clamp(std::ilogb(reach) + 1, -100, 100) : 0;
}

/// What is worth being small: thickness is what makes discs good.
float size_of(const BvhVolume& v) {
    return v.radius + 4 * v.thickness;
}

}  // namespace

MeshBvh::MeshBvh(const Geometry& geometry, Executor& executor) {
    build(geometry, executor);
}

void MeshBvh::build(const Geometry& geometry, Executor& executor) {
    content_ = geometry.content;
    structure_ = history_ = mix64(geometry.content);
    spare_.clear();
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
    BvhBranch top;
    top.nodes.emplace_back();
    top.places.emplace_back();
    for (std::uint32_t lane = 0; lane < 4; ++lane) top.nodes[0].set_volume(lane, bvh_no_volume());
    std::vector<BvhBranch> jobs;
    BvhSplitter splitter(*geometry.topology, items, triangles_, 0);
    if (count != 0)
        top.nodes[0].child[0] = splitter.grow(all, 1, 0, top, &jobs, std::max(kSmallestJob, count / 64));
    std::vector<BvhVolume> around(jobs.size());
    executor.parallel_for(jobs.size(), 1, [&](std::size_t begin, std::size_t end, unsigned) {
        for (std::size_t i = begin; i < end; ++i) {
            splitter.grow(jobs[i].range, jobs[i].level, kNoIndex, jobs[i]);
            around[i] = make_bvh_branch_volumes(jobs[i], geometry, triangles_, scale_);
        }
    });
    put_together(top, jobs, around, geometry);
    sides_ = choose_bvh_sides(*geometry.topology, executor);
}

/// Puts the jobs' nodes behind the upper ones, whose volumes are made last.
void MeshBvh::put_together(BvhBranch& top, std::span<BvhBranch> jobs, std::span<const BvhVolume> around,
                           const Geometry& geometry) {
    const std::size_t upper = top.nodes.size();
    nodes_ = std::move(top.nodes);
    places_ = std::move(top.places);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const auto base = static_cast<std::uint32_t>(nodes_.size());
        const std::uint32_t from = jobs[i].hangs_from;
        nodes_[from / 4].child[from % 4] = base;
        nodes_[from / 4].set_volume(from % 4, around[i]);
        for (BvhNode& node : jobs[i].nodes) {
            for (std::uint32_t& child : node.child)
                if (!is_bvh_leaf(child)) child += base;
            nodes_.push_back(node);
        }
        for (BvhPlace& place : jobs[i].places) {
            place.parent = place.parent == kNoIndex ? from : place.parent + 4 * base;
            places_.push_back(place);
        }
    }
    const BvhSource source = source_of(geometry);
    for (auto i = static_cast<std::uint32_t>(upper); i-- > 0;)
        if (nodes_[i].child[0] != kNoIndex) {
            const BvhVolume whole = make_bvh_volumes(source, i, nodes_[i], places_[i]);
            const std::uint32_t parent = places_[i].parent;
            if (parent != kNoIndex) nodes_[parent / 4].set_volume(parent % 4, whole);
        }
    leaf_of_.resize(triangles_.size());
    for (auto node = static_cast<std::uint32_t>(nodes_.size()); node-- > 0;) {
        own_leaves(node);
        measure_cost(node);
    }
}

/// Notes where the triangles of a node's leaves are.
void MeshBvh::own_leaves(std::uint32_t node) {
    for (const std::uint32_t child : nodes_[node].child)
        if (child != kNoIndex && is_bvh_leaf(child))
            for (std::uint32_t i = 0; i < bvh_leaf_count(child); ++i)
                leaf_of_[triangles_[bvh_leaf_first(child) + i].triangle] = node;
    const std::size_t levels = places_[node].level + std::size_t{1};
    if (waiting_.size() < levels) waiting_.resize(levels);
}

BvhSource MeshBvh::source_of(const Geometry& geometry) const {
    return {nodes_.data(), places_.data(), triangles_.data(), geometry.positions.data(), scale_};
}

void MeshBvh::wait(std::uint32_t node, unsigned changed, std::uint32_t touched) {
    BvhPlace& place = places_[node];
    place.changed = static_cast<std::uint8_t>(place.changed | changed);
    place.fresh += touched;
    if (place.waits) return;
    place.waits = true;
    waiting_[place.level].push_back(node);
}

void MeshBvh::forget(std::size_t level) {
    for (const std::uint32_t node : waiting_[level]) {
        BvhPlace& place = places_[node];
        place.waits = false;
        place.changed = 0;
        place.fresh = 0;
    }
    waiting_[level].clear();
}

// The volume around a node: what it was, larger where something now reaches out of it, or one made anew,
// whichever is smaller; that is tried now and then only, and when much has changed.
void MeshBvh::follow(std::uint32_t node, const BvhSource& source) {
    BvhNode& here = nodes_[node];
    BvhPlace& place = places_[node];
    BvhVolume now;
    if ((place.changed & BvhPlace::kLeaves) != 0) {
        now = make_bvh_leaf_volumes(source, here, place.leaf_sides);
        place.changed = static_cast<std::uint8_t>(place.changed | leaves_of(here));
    }
    if (place.parent == kNoIndex) return;
    BvhNode& above = nodes_[place.parent / 4];
    const std::uint32_t lane = place.parent % 4;
    const BvhVolume before = above.volume(lane);
    const bool only_leaves = has_only_leaves(here);
    if (!only_leaves) now = bvh_volume_grown(source, here, place.changed, before);
    const unsigned look =
        size_of(now) > kMuchLarger * size_of(before) ? BvhPlace::kLook : place.changed & BvhPlace::kLook;
    const bool closely = ++place.times % kCloselyEvery == 0 || look != 0;
    if (closely && !only_leaves && !(now == before)) {
        const BvhVolume anew = bvh_volume_around(source, here);
        if (size_of(anew) < size_of(now)) now = anew;
    }
    above.set_volume(lane, now);
    wait(place.parent / 4, 1u << lane | look, place.fresh);
    place.touched += place.fresh;
    if (!closely) return;
    measure_cost(node);
    if (is_worse(node)) worse_.push_back(node);
}

/// Starts to load what follow() of a node that comes soon will read.
void MeshBvh::fetch(std::span<const std::uint32_t> nodes, std::size_t at) const {
    if (at < nodes.size()) {
        const char* const line = reinterpret_cast<const char*>(&nodes_[nodes[at]]);
        for (std::size_t byte = 0; byte < sizeof(BvhNode); byte += 64) __builtin_prefetch(line + byte);
    }
    if (at < 3 || at - 3 >= nodes.size()) return;
    for (const std::uint32_t child : nodes_[nodes[at - 3]].child)
        if (child != kNoIndex && is_bvh_leaf(child)) __builtin_prefetch(&triangles_[bvh_leaf_first(child)]);
}

// Level by level from below, so that a node is met once, after all that it depends on. What changed in it is
// known until those above it are through too.
void MeshBvh::update(const Geometry& geometry, std::span<const std::uint32_t> touched) {
    if (std::abs(exponent_of(geometry) - exponent_) > kMostDrift) {
        build(geometry, *make_serial_executor());
        return;
    }
    const Topology& t = *geometry.topology;
    history_ = mix64(history_ ^ geometry.content);
    for (const std::uint32_t p : touched) {
        history_ = (history_ ^ p) * 0x9e3779b97f4a7c15u;
        for (std::uint32_t i = t.triangle_begin[p]; i < t.triangle_begin[p + 1]; ++i)
            wait(leaf_of_[i], BvhPlace::kLeaves, 1);
    }
    const BvhSource source = source_of(geometry);
    for (std::size_t level = waiting_.size(); level-- > 0;) {
        const std::vector<std::uint32_t>& here = waiting_[level];
        for (std::size_t i = 0; i < here.size(); ++i) {
            fetch(here, i + 6);
            follow(here[i], source);
        }
        if (level + 1 < waiting_.size()) forget(level + 1);
    }
    if (!waiting_.empty()) forget(0);
    content_ = geometry.content;
    if (!worse_.empty()) rebuild_worse(geometry);
}

std::size_t MeshBvh::memory_bytes() const {
    std::size_t out = sizeof *this + nodes_.capacity() * sizeof(BvhNode) +
                      places_.capacity() * sizeof(BvhPlace) + triangles_.capacity() * sizeof(BvhTriangle) +
                      sides_.capacity() + (worse_.capacity() + spare_.capacity()) * sizeof(std::uint32_t) +
                      leaf_of_.capacity() * sizeof(std::uint32_t) +
                      waiting_.capacity() * sizeof(std::vector<std::uint32_t>);
    for (const auto& level : waiting_) out += level.capacity() * sizeof(std::uint32_t);
    return out;
}

}  // namespace claybox::collision
