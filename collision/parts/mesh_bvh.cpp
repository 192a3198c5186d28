// Builds the tree from the top: ranges of triangles are split where the surface area heuristic says, by bins
// along the longest side of their centres' box, and the largest of up to four ranges is split next. Subtrees
// below a size that depends on the mesh alone are built apart from each other and put together in order, so
// that any number of workers makes the same tree.

#include "collision/parts/mesh_bvh.hpp"

#include "collision/core/state_hash.hpp"
#include "collision/simd/float4.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace claybox::collision {

namespace {

constexpr std::uint32_t kBins = 16;
/// Subtrees of at most this many triangles are jobs of their own; also a 64th of the mesh when that is more.
constexpr std::uint32_t kSmallestJob = 2048;
/// From this level on ranges are halved by number, so that the tree's height is bounded.
constexpr std::uint32_t kHalvedFromLevel = 28;
/// Volumes of up to this many triangles are made from their corners, which is tighter by a third than from
/// their children's, larger ones from those.
constexpr std::uint32_t kVolumeFromCorners = 1 << 14;

/// The box of a triangle with its index in the last lane of `low`.
struct Item {
    Float4 low, high;
    Float4 centre() const { return low + high; }  // twice the centre
    std::uint32_t triangle() const { return static_cast<std::uint32_t>(Int4(low)[3]); }
};

struct Range {
    std::uint32_t begin = 0, end = 0;
    Float4 low = splat4(HUGE_VALF), high = splat4(-HUGE_VALF);  ///< box of the triangles
    std::uint32_t count() const { return end - begin; }
};

float half_area(Float4 low, Float4 high) {
    const Float4 s = high - low;
    return s[0] * s[1] + s[1] * s[2] + s[2] * s[0];
}

void add(Range& range, const Item& item) {
    range.low = min4(range.low, item.low);
    range.high = max4(range.high, item.high);
}

struct Bins {
    Float4 low[kBins], high[kBins];
    std::uint32_t count[kBins] = {};
    Bins() {
        std::fill(std::begin(low), std::end(low), splat4(HUGE_VALF));
        std::fill(std::begin(high), std::end(high), splat4(-HUGE_VALF));
    }
};

/// Leaves hold four, so a range costs what its leaves cost.
float cost(float area, std::uint32_t count) {
    return area * static_cast<float>((count + kBvhLeafSize - 1) / kBvhLeafSize);
}

struct BinSplit {
    std::size_t axis = 0;
    float origin = 0, per = 0;  ///< bin of a centre: (c - origin) * per
    std::uint32_t bin = 0;      ///< first bin of the right side; 0 when there is none

    std::uint32_t bin_of(const Item& item) const {
        const float at = (item.centre()[axis] - origin) * per;
        return std::min(static_cast<std::uint32_t>(at), kBins - 1);
    }
};

/// The cheapest of the cuts between bins.
std::uint32_t best_cut(const Bins& bins) {
    float right[kBins] = {};
    Float4 low = splat4(HUGE_VALF), high = splat4(-HUGE_VALF);
    std::uint32_t count = 0;
    for (std::uint32_t b = kBins - 1; b > 0; --b) {
        low = min4(low, bins.low[b]), high = max4(high, bins.high[b]);
        count += bins.count[b];
        right[b] = count == 0 ? -1 : cost(half_area(low, high), count);
    }
    low = splat4(HUGE_VALF), high = splat4(-HUGE_VALF), count = 0;
    float best = HUGE_VALF;
    std::uint32_t cut = 0;
    for (std::uint32_t b = 1; b < kBins; ++b) {
        low = min4(low, bins.low[b - 1]), high = max4(high, bins.high[b - 1]);
        count += bins.count[b - 1];
        if (count == 0 || right[b] < 0) continue;
        const float sum = cost(half_area(low, high), count) + right[b];
        if (!(sum < best)) continue;
        best = sum;
        cut = b;
    }
    return cut;
}

BinSplit find_split(std::span<const Item> items) {
    Float4 low = splat4(HUGE_VALF), high = splat4(-HUGE_VALF);
    for (const Item& item : items) {
        low = min4(low, item.centre());
        high = max4(high, item.centre());
    }
    const Float4 size = high - low;
    BinSplit out;
    out.axis = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
    out.origin = low[out.axis];
    out.per = static_cast<float>(kBins) * (1 - 0x1p-20f) / size[out.axis];
    if (!(size[out.axis] > 0) || !std::isfinite(out.per)) return out;
    Bins bins;
    for (const Item& item : items) {
        const std::uint32_t b = out.bin_of(item);
        bins.low[b] = min4(bins.low[b], item.low);
        bins.high[b] = max4(bins.high[b], item.high);
        ++bins.count[b];
    }
    out.bin = best_cut(bins);
    return out;
}

/// Nodes of one job, numbered from 0.
struct Branch {
    std::vector<BvhNode> nodes;
    std::vector<std::uint32_t> parents;
    std::uint32_t root = kNoIndex;  ///< what stands for it in its parent
    Range range;
    std::uint32_t hangs_from = 0;  ///< ref in the upper nodes
    std::uint32_t level = 0;
};

}  // namespace

class BvhBuilder {
  public:
    BvhBuilder(MeshBvh& tree, const Geometry& geometry) : tree_(tree), geometry_(geometry) {}

    void run(Executor& executor);

  private:
    void load(Executor& executor);
    void split(const Range& range, std::uint32_t level, Range& left, Range& right);
    std::uint32_t grow(const Range& range, std::uint32_t level, std::uint32_t parent, Branch& out,
                       std::vector<Branch>* jobs);
    std::uint32_t make_leaf(const Range& range);
    void fill_volumes(std::span<BvhNode> nodes, std::size_t count) const;
    void append(Branch& branch);
    void find_leaves();
    void find_sides(Executor& executor);

    MeshBvh& tree_;
    const Geometry& geometry_;
    std::vector<Item> items_;
    std::uint32_t job_size_ = 0;
};

void BvhBuilder::load(Executor& executor) {
    const auto& triangles = geometry_.topology->triangles;
    items_.resize(triangles.size());
    tree_.triangles_.resize(triangles.size());
    executor.parallel_for(triangles.size(), 1 << 14, [&](std::size_t begin, std::size_t end, unsigned) {
        for (std::size_t i = begin; i < end; ++i) {
            Item& item = items_[i];
            item.low = splat4(HUGE_VALF), item.high = splat4(-HUGE_VALF);
            for (const std::uint32_t v : triangles[i].vertices) {
                const Vec3f p = tree_.scale_ * geometry_.positions[v];
                const Float4 q{p.x, p.y, p.z, 0};
                item.low = min4(item.low, q), item.high = max4(item.high, q);
            }
            Int4 bits = Int4(item.low);
            bits[3] = static_cast<std::int32_t>(i);
            item.low = Float4(bits);
        }
    });
}

void BvhBuilder::split(const Range& range, std::uint32_t level, Range& left, Range& right) {
    const std::span<Item> items{items_.data() + range.begin, range.count()};
    std::uint32_t middle = range.count() / 2;
    BinSplit cut;
    if (level < kHalvedFromLevel) cut = find_split(items);
    if (cut.bin != 0) {
        const auto at = std::partition(items.begin(), items.end(),
                                       [&](const Item& item) { return cut.bin_of(item) < cut.bin; });
        middle = static_cast<std::uint32_t>(at - items.begin());
    }
    left = Range{range.begin, range.begin + middle};
    right = Range{range.begin + middle, range.end};
    for (Range* side : {&left, &right})
        for (std::uint32_t i = side->begin; i < side->end; ++i) add(*side, items_[i]);
}

std::uint32_t BvhBuilder::make_leaf(const Range& range) {
    const auto& triangles = geometry_.topology->triangles;
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
        const std::uint32_t t = items_[i].triangle();
        const auto& v = triangles[t].vertices;
        tree_.triangles_[i] = {{v[0], v[1], v[2]}, t};
    }
    return bvh_leaf(range.begin, range.count());
}

/// The child that stands for `range`; nodes go to `out`. With `jobs`, ranges that are small enough are left
/// to them.
std::uint32_t BvhBuilder::grow(const Range& range, std::uint32_t level, std::uint32_t parent, Branch& out,
                               std::vector<Branch>* jobs) {
    if (range.count() <= kBvhLeafSize) return make_leaf(range);
    if (jobs != nullptr && range.count() <= job_size_) {
        Branch& job = jobs->emplace_back();
        job.range = range;
        job.hangs_from = parent;
        job.level = level;
        return kNoIndex;
    }
    Range parts[4] = {range};
    std::uint32_t count = 1;
    while (count < 4) {
        std::uint32_t largest = 4;
        for (std::uint32_t i = 0; i < count; ++i) {
            if (parts[i].count() <= kBvhLeafSize) continue;
            if (largest == 4 ||
                half_area(parts[i].low, parts[i].high) > half_area(parts[largest].low, parts[largest].high))
                largest = i;
        }
        if (largest == 4) break;
        Range left, right;
        split(parts[largest], level, left, right);
        std::move_backward(parts + largest + 1, parts + count, parts + count + 1);
        parts[largest] = left;
        parts[largest + 1] = right;
        ++count;
    }
    const auto node = static_cast<std::uint32_t>(out.nodes.size());
    out.nodes.emplace_back();
    out.parents.push_back(parent);
    for (std::uint32_t lane = 0; lane < count; ++lane) {
        const std::uint32_t child = grow(parts[lane], level + 1, node * 4 + lane, out, jobs);
        out.nodes[node].child[lane] = child;
    }
    return node;
}

/// The triangles of a child, which stand side by side.
std::span<const BvhTriangle> triangles_below(std::span<const BvhNode> nodes, std::uint32_t child,
                                             std::span<const BvhTriangle> triangles) {
    std::uint32_t first = child, last = child;
    while (!is_bvh_leaf(first)) first = nodes[first].child[0];
    while (!is_bvh_leaf(last)) {
        std::uint32_t lane = 3;
        while (nodes[last].child[lane] == kNoIndex) --lane;
        last = nodes[last].child[lane];
    }
    const std::uint32_t begin = bvh_leaf_first(first), end = bvh_leaf_first(last) + bvh_leaf_count(last);
    return triangles.subspan(begin, end - begin);
}

/// What the volume of a child is made from: corners where they are few, so that it is tight.
BvhVolume volume_of(std::span<const BvhNode> nodes, std::uint32_t child,
                    std::span<const BvhTriangle> triangles, std::span<const Vec3f> positions, float scale) {
    const auto below = triangles_below(nodes, child, triangles);
    return below.size() <= kVolumeFromCorners ? bvh_volume(below, positions, scale) : bvh_union(nodes[child]);
}

/// Of the lanes of the first `count` nodes, children first.
void BvhBuilder::fill_volumes(std::span<BvhNode> nodes, std::size_t count) const {
    for (std::size_t i = count; i-- > 0;)
        for (std::uint32_t lane = 0; lane < 4; ++lane)
            if (const std::uint32_t child = nodes[i].child[lane]; child != kNoIndex)
                nodes[i].set_volume(
                    lane, volume_of(nodes, child, tree_.triangles_, geometry_.positions, tree_.scale_));
}

/// Puts a job's nodes behind the tree's.
void BvhBuilder::append(Branch& branch) {
    const auto base = static_cast<std::uint32_t>(tree_.nodes_.size());
    for (BvhNode& node : branch.nodes)
        for (std::uint32_t& child : node.child)
            if (child != kNoIndex && !is_bvh_leaf(child)) child += base;
    tree_.nodes_[branch.hangs_from / 4].child[branch.hangs_from % 4] =
        is_bvh_leaf(branch.root) ? branch.root : branch.root + base;
    for (std::uint32_t& parent : branch.parents)
        parent = parent == kNoIndex ? branch.hangs_from : parent + 4 * base;
    tree_.nodes_.insert(tree_.nodes_.end(), branch.nodes.begin(), branch.nodes.end());
    tree_.parents_.insert(tree_.parents_.end(), branch.parents.begin(), branch.parents.end());
}

void BvhBuilder::run(Executor& executor) {
    load(executor);
    const auto count = static_cast<std::uint32_t>(items_.size());
    job_size_ = std::max(kSmallestJob, count / 64);
    Range all{0, count};
    for (const Item& item : items_) add(all, item);
    Branch top;
    top.nodes.emplace_back();
    top.parents.push_back(kNoIndex);
    std::vector<Branch> jobs;
    if (count != 0) {
        const std::uint32_t root = grow(all, 0, 0, top, &jobs);
        top.nodes[0].child[0] = root;
    }
    executor.parallel_for(jobs.size(), 1, [&](std::size_t begin, std::size_t end, unsigned) {
        for (std::size_t i = begin; i < end; ++i) {
            jobs[i].root = grow(jobs[i].range, jobs[i].level, kNoIndex, jobs[i], nullptr);
            fill_volumes(jobs[i].nodes, jobs[i].nodes.size());
        }
    });
    const std::size_t upper = top.nodes.size();
    tree_.nodes_ = std::move(top.nodes);
    tree_.parents_ = std::move(top.parents);
    for (Branch& job : jobs) append(job);
    fill_volumes(tree_.nodes_, upper);
    find_leaves();
    find_sides(executor);
}

void BvhBuilder::find_leaves() {
    tree_.leaf_of_.resize(tree_.triangles_.size());
    for (std::uint32_t ref = 0; ref < 4 * tree_.nodes_.size(); ++ref) {
        const std::uint32_t child = tree_.child(ref);
        if (child == kNoIndex || !is_bvh_leaf(child)) continue;
        for (std::uint32_t i = 0; i < bvh_leaf_count(child); ++i)
            tree_.leaf_of_[tree_.triangles_[bvh_leaf_first(child) + i].triangle] = ref;
    }
}

namespace {

/// One side of one triangle of a polygon, by the vertices that it joins.
struct PolygonSide {
    std::uint32_t low, high;
    std::uint32_t place;  ///< triangle within the polygon * 3 + side; of a half-edge, its index
    friend bool operator<(const PolygonSide& x, const PolygonSide& y) {
        return x.low != y.low ? x.low < y.low : x.high != y.high ? x.high < y.high : x.place < y.place;
    }
};

bool same_ends(const PolygonSide& x, const PolygonSide& y) {
    return x.low == y.low && x.high == y.high;
}

/// Chooses the sides that stand for edges and diagonals; keeps its memory from polygon to polygon.
class SideChooser {
  public:
    void run(const Topology& t, std::uint32_t polygon, std::vector<std::uint8_t>& sides) {
        const std::uint32_t first = t.triangle_begin[polygon], begin = t.polygon_begin[polygon],
                            end = t.polygon_begin[polygon + 1];
        if (end - begin == 3) return triangle(t, polygon, sides[first]);
        half_edges_.clear();
        for (std::uint32_t h = begin; h < end; ++h) add(half_edges_, t.origin[h], t.origin[t.next(h)], h);
        sides_.clear();
        const auto triangles = t.triangles_of(polygon);
        for (std::uint32_t i = 0; i < triangles.size(); ++i) {
            const auto& v = triangles[i].vertices;
            for (std::uint32_t k = 0; k < 3; ++k) add(sides_, v[k], v[(k + 1) % 3], 3 * i + k);
        }
        std::sort(half_edges_.begin(), half_edges_.end());
        std::sort(sides_.begin(), sides_.end());
        auto half_edge = half_edges_.begin();
        for (auto side = sides_.begin(); side != sides_.end(); ++side) {
            const bool first_time = side == sides_.begin() || !same_ends(*side, side[-1]);
            while (half_edge != half_edges_.end() && *half_edge < PolygonSide{side->low, side->high, 0})
                ++half_edge;
            const bool boundary = half_edge != half_edges_.end() && same_ends(*half_edge, *side);
            if (boundary && first_time && owns(t, polygon, t.edge_of[half_edge->place]))
                set(sides[first + side->place / 3], side->place % 3);
            if (!boundary && first_time) set(sides[first + side->place / 3], 3 + side->place % 3);
        }
    }

  private:
    static void add(std::vector<PolygonSide>& to, std::uint32_t u, std::uint32_t v, std::uint32_t place) {
        to.push_back({std::min(u, v), std::max(u, v), place});
    }
    static void set(std::uint8_t& bits, std::uint32_t bit) {
        bits = static_cast<std::uint8_t>(bits | 1u << bit);
    }
    /// An edge belongs to the first polygon that has it; a side without length has no edge.
    static bool owns(const Topology& t, std::uint32_t polygon, std::uint32_t edge) {
        return edge == kNoIndex || t.edges[edge].polygons[0] == polygon;
    }
    static void triangle(const Topology& t, std::uint32_t polygon, std::uint8_t& bits) {
        const std::uint32_t begin = t.polygon_begin[polygon];
        const auto& v = t.triangles[t.triangle_begin[polygon]].vertices;
        for (std::uint32_t k = 0; k < 3; ++k) {
            const std::uint32_t u = v[k], w = v[(k + 1) % 3];
            for (std::uint32_t h = begin; h < begin + 3; ++h) {
                const std::uint32_t x = t.origin[h], y = t.origin[t.next(h)];
                const bool joins = (x == u && y == w) || (x == w && y == u);
                if (!joins) continue;
                if (owns(t, polygon, t.edge_of[h])) set(bits, k);
                break;
            }
        }
    }

    std::vector<PolygonSide> half_edges_, sides_;
};

}  // namespace

void BvhBuilder::find_sides(Executor& executor) {
    const Topology& t = *geometry_.topology;
    tree_.sides_.assign(t.triangles.size(), 0);
    executor.parallel_for(t.polygon_count(), 1 << 12, [&](std::size_t begin, std::size_t end, unsigned) {
        SideChooser chooser;
        for (std::size_t p = begin; p < end; ++p) chooser.run(t, static_cast<std::uint32_t>(p), tree_.sides_);
    });
}

namespace {

/// A volume that grew to this multiple of its size is made tight again from its corners. Growing is cheap and
/// making tight is not, so it must have been worth something.
constexpr float kLoose = 1.5f;

float size_of(const BvhVolume& v) {
    return v.radius + 4 * v.thickness;  // thickness is what makes discs good
}

}  // namespace

MeshBvh::MeshBvh(const Geometry& geometry, Executor& executor)
    : content_(geometry.content), structure_(mix64(geometry.content)) {
    float reach = 0;
    for (std::size_t k = 0; k < 3; ++k)
        reach = std::max({reach, std::abs(geometry.box.min[k]), std::abs(geometry.box.max[k])});
    // Beyond these the factor would not be a float; no mesh of real things comes near.
    exponent_ = reach > 0 ? std::clamp(std::ilogb(reach) + 1, -100, 100) : 0;
    scale_ = std::ldexp(1.0f, -exponent_);
    BvhBuilder(*this, geometry).run(executor);
    marks_.assign((4 * nodes_.size() + 63) / 64, 0);
    sizes_.resize(4 * nodes_.size());
    for (std::uint32_t ref = 0; ref < sizes_.size(); ++ref) sizes_[ref] = size_of(volume(ref));
}

bool MeshBvh::follow_leaf(std::uint32_t ref, const Geometry& geometry) {
    const std::uint32_t leaf = child(ref);
    const BvhVolume now = bvh_volume({triangles_.data() + bvh_leaf_first(leaf), bvh_leaf_count(leaf)},
                                     geometry.positions, scale_);
    if (now == volume(ref)) return false;
    nodes_[ref / 4].set_volume(ref % 4, now);
    return true;
}

bool MeshBvh::follow_child(std::uint32_t ref, const BvhVolume& changed, const Geometry& geometry) {
    const BvhVolume before = volume(ref);
    BvhVolume now = bvh_grown(before, changed);
    if (now == before) return false;
    if (size_of(now) > kLoose * sizes_[ref]) {
        const auto below = triangles_below(nodes_, child(ref), triangles_);
        now = below.size() <= kVolumeFromCorners ? bvh_volume(below, geometry.positions, scale_)
                                                 : bvh_union(nodes_[child(ref)]);
        sizes_[ref] = size_of(now);
    }
    nodes_[ref / 4].set_volume(ref % 4, now);
    return true;
}

// Leaves are made anew. A volume above them grows by what a changed child needs, and stays as it is where
// that lies inside, which ends the way up. Children have higher numbers than their parents, so every ref is
// met after all that it depends on.
void MeshBvh::update(const Geometry& geometry, std::span<const std::uint32_t> touched) {
    const Topology& t = *geometry.topology;
    for (const std::uint32_t p : touched)
        for (std::uint32_t i = t.triangle_begin[p]; i < t.triangle_begin[p + 1]; ++i) mark(leaf_of_[i]);
    for (std::size_t word = marks_.size(); word-- > 0;) {
        while (marks_[word] != 0) {
            const int bit = 63 - std::countl_zero(marks_[word]);
            marks_[word] &= ~(std::uint64_t{1} << bit);
            const auto ref = static_cast<std::uint32_t>(64 * word) + static_cast<std::uint32_t>(bit);
            if (is_bvh_leaf(child(ref)) && !follow_leaf(ref, geometry)) continue;
            // A mark on an inner ref says that its volume has changed.
            const std::uint32_t parent = parents_[ref / 4];
            if (parent != kNoIndex && follow_child(parent, volume(ref), geometry)) mark(parent);
        }
    }
    content_ = geometry.content;
}

std::size_t MeshBvh::memory_bytes() const {
    return sizeof *this + nodes_.capacity() * sizeof(BvhNode) + parents_.capacity() * sizeof(std::uint32_t) +
           triangles_.capacity() * sizeof(BvhTriangle) + sides_.capacity() +
           leaf_of_.capacity() * sizeof(std::uint32_t) + sizes_.capacity() * sizeof(float) +
           marks_.capacity() * sizeof(std::uint64_t);
}

}  // namespace claybox::collision
