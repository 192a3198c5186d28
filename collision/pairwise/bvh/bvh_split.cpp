#include "collision/pairwise/bvh/bvh_split.hpp"

#include <algorithm>

namespace claybox::collision {

namespace {

constexpr std::uint32_t kBins = 16;
/// For at most this many triangles all three axes are tried: saves 4 to 9 % of a query about fractal meshes.
constexpr std::uint32_t kFew = 64;
/// From this level on, ranges are halved by count, which bounds the height of the tree.
constexpr std::uint32_t kHalvedFromLevel = 28;

float half_area(Float4 low, Float4 high) {
    const Float4 s = high - low;
    return s[0] * s[1] + s[1] * s[2] + s[2] * s[0];
}

struct Bins {
    Float4 low[kBins], high[kBins];
    std::uint32_t count[kBins] = {};
    Bins() {
        std::fill(std::begin(low), std::end(low), splat4(HUGE_VALF));
        std::fill(std::begin(high), std::end(high), splat4(-HUGE_VALF));
    }
};

/// Cost of a range: a leaf holds up to four triangles, so count leaves.
float cost(float area, std::uint32_t count) {
    return area * static_cast<float>((count + kBvhLeafSize - 1) / kBvhLeafSize);
}

struct BinSplit {
    std::size_t axis = 0;
    float origin = 0, per = 0;  ///< bin of a centre: (c - origin) * per
    std::uint32_t bin = 0;      ///< first bin of the right side; 0 if there is no split

    std::uint32_t bin_of(const BvhItem& item) const {
        const float at = (item.centre()[axis] - origin) * per;
        return std::min(static_cast<std::uint32_t>(at), kBins - 1);
    }
};

/// The cheapest cut between bins, and its cost.
std::uint32_t best_cut(const Bins& bins, float& lowest_cost) {
    float right[kBins] = {};
    Float4 low = splat4(HUGE_VALF), high = splat4(-HUGE_VALF);
    std::uint32_t count = 0;
    for (std::uint32_t b = kBins - 1; b > 0; --b) {
        low = min4(low, bins.low[b]), high = max4(high, bins.high[b]);
        count += bins.count[b];
        right[b] = count == 0 ? -1 : cost(half_area(low, high), count);
    }
    low = splat4(HUGE_VALF), high = splat4(-HUGE_VALF), count = 0;
    lowest_cost = HUGE_VALF;
    std::uint32_t cut = 0;
    for (std::uint32_t b = 1; b < kBins; ++b) {
        low = min4(low, bins.low[b - 1]), high = max4(high, bins.high[b - 1]);
        count += bins.count[b - 1];
        if (count == 0 || right[b] < 0) continue;
        const float sum = cost(half_area(low, high), count) + right[b];
        if (!(sum < lowest_cost)) continue;
        lowest_cost = sum;
        cut = b;
    }
    return cut;
}

/// The cheapest split across one axis.
BinSplit split_across(std::span<const BvhItem> items, std::size_t axis, float low, float size,
                      float& lowest_cost) {
    BinSplit out;
    out.axis = axis;
    out.origin = low;
    out.per = static_cast<float>(kBins) * (1 - 0x1p-20f) / size;
    if (!(size > 0) || !std::isfinite(out.per)) return out;
    Bins bins;
    for (const BvhItem& item : items) {
        const std::uint32_t b = out.bin_of(item);
        bins.low[b] = min4(bins.low[b], item.low);
        bins.high[b] = max4(bins.high[b], item.high);
        ++bins.count[b];
    }
    out.bin = best_cut(bins, lowest_cost);
    return out;
}

/// Splits across the longest side of the centres' box; with few triangles, across the cheapest axis.
BinSplit find_split(std::span<const BvhItem> items) {
    Float4 low = splat4(HUGE_VALF), high = splat4(-HUGE_VALF);
    for (const BvhItem& item : items) {
        low = min4(low, item.centre());
        high = max4(high, item.centre());
    }
    const Float4 size = high - low;
    const std::size_t longest = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
    float lowest_cost = HUGE_VALF;
    BinSplit best = split_across(items, longest, low[longest], size[longest], lowest_cost);
    for (std::size_t k = 1; k < 3 && items.size() <= kFew; ++k) {
        const std::size_t axis = (longest + k) % 3;
        float cost = HUGE_VALF;
        const BinSplit other = split_across(items, axis, low[axis], size[axis], cost);
        if (other.bin == 0 || !(cost < lowest_cost)) continue;
        lowest_cost = cost;
        best = other;
    }
    return best;
}

}  // namespace

BvhItem make_bvh_item(const Geometry& geometry, std::uint32_t triangle, float scale) {
    BvhItem out{splat4(HUGE_VALF), splat4(-HUGE_VALF)};
    for (const std::uint32_t v : geometry.topology->triangles[triangle].vertices) {
        const Vec3f p = scale * geometry.positions[v];
        const Float4 q{p.x, p.y, p.z, 0};
        out.low = min4(out.low, q), out.high = max4(out.high, q);
    }
    Int4 bits = Int4(out.low);
    bits[3] = static_cast<std::int32_t>(triangle);
    out.low = Float4(bits);
    return out;
}

void BvhSplitter::split(const BvhRange& range, std::uint32_t level, BvhRange& left, BvhRange& right) {
    const std::span<BvhItem> items = items_.subspan(range.begin, range.count());
    std::uint32_t middle = range.count() / 2;
    BinSplit cut;
    if (level < kHalvedFromLevel) cut = find_split(items);
    if (cut.bin != 0) {
        const auto at = std::partition(items.begin(), items.end(),
                                       [&](const BvhItem& item) { return cut.bin_of(item) < cut.bin; });
        middle = static_cast<std::uint32_t>(at - items.begin());
    }
    left = BvhRange{range.begin, range.begin + middle};
    right = BvhRange{range.begin + middle, range.end};
    for (BvhRange* side : {&left, &right})
        for (std::uint32_t i = side->begin; i < side->end; ++i) side->add(items_[i]);
}

std::uint32_t BvhSplitter::make_leaf(const BvhRange& range) {
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
        const std::uint32_t t = items_[i].triangle();
        const auto& v = topology_.triangles[t].vertices;
        triangles_[first_ + i] = {{v[0], v[1], v[2]}, t};
    }
    return bvh_leaf(first_ + range.begin, range.count());
}

/// Returns the number of parts.
std::uint32_t BvhSplitter::split_in_four(const BvhRange& range, std::uint32_t level, BvhRange (&parts)[4]) {
    parts[0] = range;
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
        BvhRange left, right;
        split(parts[largest], level, left, right);
        std::move_backward(parts + largest + 1, parts + count, parts + count + 1);
        parts[largest] = left;
        parts[largest + 1] = right;
        ++count;
    }
    return count;
}

std::uint32_t BvhSplitter::grow(const BvhRange& range, std::uint32_t level, std::uint32_t parent,
                                BvhSubtree& out, std::vector<BvhSubtree>* jobs, std::uint32_t job_size) {
    if (range.count() <= kBvhLeafSize) return make_leaf(range);
    if (jobs != nullptr && range.count() <= job_size) {
        jobs->push_back({{}, {}, range, parent, level});
        return kNoIndex;
    }
    BvhRange parts[4];
    const std::uint32_t count = split_in_four(range, level, parts);
    const auto node = static_cast<std::uint32_t>(out.nodes.size());
    out.nodes.emplace_back();
    out.states.push_back({parent, static_cast<std::uint8_t>(level)});
    for (std::uint32_t lane = 0; lane < 4; ++lane) out.nodes[node].set_volume(lane, empty_bvh_volume());
    for (std::uint32_t lane = 0; lane < count; ++lane) {
        const std::uint32_t child = grow(parts[lane], level + 1, node * 4 + lane, out, jobs, job_size);
        out.nodes[node].child[lane] = child;
    }
    return node;
}

}  // namespace claybox::collision
