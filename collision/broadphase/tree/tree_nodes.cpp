#include "collision/broadphase/tree/tree_nodes.hpp"

#include "collision/core/assert.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace claybox::collision {

BoxEnds united(const BoxEnds& a, const BoxEnds& b) {
    BoxEnds out;
    for (std::size_t i = 0; i < 6; ++i) out.v[i] = std::min(a.v[i], b.v[i]);
    return out;
}

// In double: the product of two floats may overflow or underflow a float. Inverted boxes have no area.
double half_area(const BoxEnds& e) {
    std::array<double, 3> size;
    for (std::size_t axis = 0; axis < 3; ++axis)
        size[axis] = std::max(0.0, -static_cast<double>(e.v[axis]) - static_cast<double>(e.v[axis + 3]));
    return size[0] * size[1] + size[1] * size[2] + size[2] * size[0];
}

namespace {

/// Error at most 0.09; for zero, the value of the smallest positive double.
double rough_log2(double x) {
    const auto bits = std::bit_cast<std::int64_t>(std::max(x, std::numeric_limits<double>::min()));
    return static_cast<double>(bits) * 0x1p-52;
}

}  // namespace

// From the root down: a new node here costs its own area; descending costs the growth of the boxes on the
// way, plus a new node there.
std::uint32_t BodyTree::sibling_place(const BoxEnds& box) const {
    std::uint32_t place = kRootPlace, here = root_;
    while (!leaf(here)) {
        const BoxEnds& old = box_at(place);
        const double stop = half_area(united(old, box)), grown = stop - half_area(old);
        std::array<double, 2> cost;
        for (std::size_t side = 0; side < 2; ++side) {
            const BoxEnds& below = nodes_[here].box[side];
            cost[side] = grown + half_area(united(below, box));
            if (!leaf(nodes_[here].child[side])) cost[side] -= half_area(below);
        }
        if (stop <= std::min(cost[0], cost[1])) break;
        const unsigned side = cost[1] < cost[0];
        place = 2 * here + side;
        here = nodes_[here].child[side];
    }
    return place;
}

void BodyTree::insert(std::uint32_t slot, const BoxEnds& box) {
    if (slot >= place_.size()) place_.resize(slot + 1, kNoIndex);
    CLAYBOX_ASSERT(place_[slot] == kNoIndex);
    const std::uint32_t child = kLeaf | slot;
    if (leaf_count_++ == 0) {
        root_ = child;
        root_box_ = box;
        place_[slot] = kRootPlace;
        return;
    }
    const std::uint32_t place = sibling_place(box);
    const auto fresh = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({{box_at(place), box}, {child_at(place), child}, place});
    set_place(nodes_[fresh].child[0], 2 * fresh);
    set_place(child, 2 * fresh + 1);
    child_at(place) = fresh;
    in_order_ = false;
    refit_above(2 * fresh);
}

void BodyTree::remove(std::uint32_t slot) {
    if (!contains(slot)) return;
    const std::uint32_t place = place_[slot];
    place_[slot] = kNoIndex;
    if (--leaf_count_ == 0) {
        root_ = kNoIndex;
        return;
    }
    const std::uint32_t node = place / 2, above = nodes_[node].parent, left = 1 - place % 2;
    child_at(above) = nodes_[node].child[left];
    box_at(above) = nodes_[node].box[left];
    set_place(child_at(above), above);
    if (above != kRootPlace) refit_above(above);
    erase_node(node);
    in_order_ = false;
}

/// Updates the boxes above the node of `place` while they change.
void BodyTree::refit_above(std::uint32_t place) {
    while (place != kRootPlace) {
        const Node& node = nodes_[place / 2];
        place = node.parent;
        const BoxEnds box = united(node.box[0], node.box[1]);
        if (box_at(place) == box) return;
        box_at(place) = box;
    }
}

/// The last node replaces it.
void BodyTree::erase_node(std::uint32_t node) {
    const auto last = static_cast<std::uint32_t>(nodes_.size() - 1);
    if (node != last) {
        nodes_[node] = nodes_[last];
        child_at(nodes_[node].parent) = node;
        for (std::uint32_t side = 0; side < 2; ++side) set_place(nodes_[node].child[side], 2 * node + side);
    }
    nodes_.pop_back();
}

void BodyTree::order_nodes() {
    in_order_ = true;
    if (nodes_.empty()) return;
    scratch_.clear();
    ranges_.clear();
    ranges_.push_back({root_, 0, kRootPlace});
    while (!ranges_.empty()) {
        const Range next = ranges_.back();
        ranges_.pop_back();
        const auto node = static_cast<std::uint32_t>(scratch_.size());
        scratch_.push_back(nodes_[next.begin]);
        scratch_[node].parent = next.place;
        if (next.place != kRootPlace) scratch_[next.place / 2].child[next.place % 2] = node;
        for (std::uint32_t side = 2; side-- > 0;) {
            const std::uint32_t child = scratch_[node].child[side];
            if (leaf(child))
                place_[slot_of(child)] = 2 * node + side;
            else
                ranges_.push_back({child, 0, 2 * node + side});
        }
    }
    root_ = 0;
    nodes_.swap(scratch_);
}

void BodyTree::refit() {
    if (!in_order_) order_nodes();
    double inner = 0, leaves = 0;
    for (std::size_t i = nodes_.size(); i-- > 0;) {
        const Node& node = nodes_[i];
        const BoxEnds box = united(node.box[0], node.box[1]);
        box_at(node.parent) = box;
        inner += rough_log2(half_area(box));
        for (std::size_t side = 0; side < 2; ++side)
            if (leaf(node.child[side])) leaves += rough_log2(half_area(node.box[side]));
    }
    const auto count = static_cast<double>(nodes_.size());
    looseness_ = nodes_.empty() ? 0 : inner / count - leaves / (count + 1);
}

void BodyTree::view(StructureView& out) const {
    if (leaf_count_ == 0 || out.request().limit == 0) return;
    const bool every = out.request().level == ViewRequest::kEveryLevel;
    out.add(box_of(root_box_), 0);
    std::vector<std::uint32_t> now, next;
    if (!leaf(root_)) now.push_back(root_);
    constexpr std::size_t kReadable = 255;  // more boxes of all levels together hide each other
    const std::size_t max_boxes = std::min<std::size_t>(kReadable, out.request().limit);
    bool fits = true;
    for (std::uint32_t depth = 1; !now.empty(); ++depth) {
        fits = fits && (!every || out.total() + 2 * now.size() <= max_boxes);
        next.clear();
        for (const std::uint32_t place : now)
            for (std::size_t side = 0; side < 2; ++side) {
                const Node& node = nodes_[place];
                if (fits) out.add(box_of(node.box[side]), depth);
                if (!leaf(node.child[side])) next.push_back(node.child[side]);
            }
        if (!fits) out.ensure_levels(depth + 1);
        now.swap(next);
    }
}

std::size_t BodyTree::memory_bytes() const {
    return (nodes_.capacity() + scratch_.capacity()) * sizeof(Node) +
           place_.capacity() * sizeof(std::uint32_t) + ranges_.capacity() * sizeof(Range);
}

// Rebuild.

namespace {

constexpr std::size_t kBins = 16;

struct Bin {
    BoxEnds box;
    std::size_t count = 0;
};

constexpr BoxEnds empty_box() {
    constexpr float inf = std::numeric_limits<float>::infinity();
    return {{inf, inf, inf, inf, inf, inf}};
}

float centre(const BoxEnds& e, std::size_t axis) {
    return 0.5f * e.v[axis] - 0.5f * e.v[axis + 3];
}

/// Division of the centres along the longest axis into bins.
struct Bins {
    std::size_t axis = 0;
    float low = 0, scale = 0;  ///< bins per metre; 0: the centres cannot be separated

    explicit Bins(std::span<const BodyTree::Item> items) {
        std::array<float, 3> low_end, high_end;
        for (std::size_t k = 0; k < 3; ++k) low_end[k] = high_end[k] = centre(items[0].box, k);
        for (const BodyTree::Item& item : items)
            for (std::size_t k = 0; k < 3; ++k) {
                low_end[k] = std::min(low_end[k], centre(item.box, k));
                high_end[k] = std::max(high_end[k], centre(item.box, k));
            }
        for (std::size_t k = 1; k < 3; ++k)
            if (high_end[k] - low_end[k] > high_end[axis] - low_end[axis]) axis = k;
        low = low_end[axis];
        const float quotient = static_cast<float>(kBins) / (high_end[axis] - low);
        // Rejects lengths that are zero, infinite, or so small that the quotient is infinite.
        if (quotient > 0 && quotient <= std::numeric_limits<float>::max()) scale = quotient;
    }
    std::size_t of(const BoxEnds& box) const {
        const float at = (centre(box, axis) - low) * scale;
        return at < static_cast<float>(kBins - 1) ? static_cast<std::size_t>(std::max(at, 0.0f)) : kBins - 1;
    }
};

/// Number of bins on the left side of the split with the least cost (area times leaves); 0 if there is no
/// split.
std::size_t best_split(const std::array<Bin, kBins>& bins) {
    std::array<double, kBins> right{};
    BoxEnds box = empty_box();
    std::size_t count = 0;
    for (std::size_t i = kBins; i-- > 1;) {
        box = united(box, bins[i].box);
        count += bins[i].count;
        right[i] = count > 0 ? static_cast<double>(count) * half_area(box) : 0;
    }
    box = empty_box();
    const std::size_t all = count + bins[0].count;
    count = 0;
    std::size_t best = 0;
    double best_cost = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i < kBins; ++i) {
        box = united(box, bins[i - 1].box);
        count += bins[i - 1].count;
        if (count == 0 || count == all) continue;
        const double cost = static_cast<double>(count) * half_area(box) + right[i];
        if (cost < best_cost) {
            best_cost = cost;
            best = i;
        }
    }
    return best;
}

}  // namespace

// At least two items; both sides get at least one. The order within a side is defined by this loop and
// does not depend on the standard library.
std::size_t BodyTree::split(std::span<Item> items) {
    const Bins range(items);
    std::size_t best = 0;
    if (items.size() > 2 && range.scale > 0) {
        std::array<Bin, kBins> bins;
        bins.fill({empty_box(), 0});
        for (const Item& item : items) {
            Bin& bin = bins[range.of(item.box)];
            bin.box = united(bin.box, item.box);
            ++bin.count;
        }
        best = best_split(bins);
    }
    if (best == 0) return items.size() / 2;
    std::size_t left = 0, right = items.size();
    while (left < right) {
        if (range.of(items[left].box) < best)
            ++left;
        else
            std::swap(items[left], items[--right]);
    }
    return left;
}

void BodyTree::rebuild(std::vector<Item>& items) {
    std::fill(place_.begin(), place_.end(), kNoIndex);
    nodes_.clear();
    leaf_count_ = items.size();
    root_ = kNoIndex;
    in_order_ = true;
    ranges_.clear();
    if (!items.empty()) ranges_.push_back({0, static_cast<std::uint32_t>(items.size()), kRootPlace});
    while (!ranges_.empty()) {
        const Range range = ranges_.back();
        ranges_.pop_back();
        if (range.end - range.begin == 1) {
            const Item& item = items[range.begin];
            if (item.slot >= place_.size()) place_.resize(item.slot + 1, kNoIndex);
            place_[item.slot] = range.place;
            child_at(range.place) = kLeaf | item.slot;
            box_at(range.place) = item.box;
            continue;
        }
        const auto node = static_cast<std::uint32_t>(nodes_.size());
        nodes_.push_back({{}, {}, range.place});
        child_at(range.place) = node;
        const auto middle =
            range.begin +
            static_cast<std::uint32_t>(split(std::span(items).subspan(range.begin, range.end - range.begin)));
        // The left side is processed first: nodes are in traversal order.
        ranges_.push_back({middle, range.end, 2 * node + 1});
        ranges_.push_back({range.begin, middle, 2 * node});
    }
    refit();
}

}  // namespace claybox::collision
