#include "collision/broadphase/sweep/sweep_rows.hpp"

#include "collision/core/assert.hpp"
#include "collision/core/radix_sort.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace claybox::collision {

namespace {

constexpr std::size_t kBlock = 64;      ///< places per block (block_high_, block_reach_)
constexpr std::size_t kSample = 256;    ///< number of boxes sampled to choose the axis
constexpr std::uint32_t kChunk = 1024;  ///< places per call of the vector kernel

/// Number of overlapping pairs of intervals on one axis.
std::uint64_t count_overlaps(std::span<std::pair<float, float>> intervals) {
    std::sort(intervals.begin(), intervals.end());
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < intervals.size(); ++i)
        for (std::size_t k = i + 1; k < intervals.size() && intervals[k].first <= intervals[i].second; ++k)
            ++count;
    return count;
}

}  // namespace

std::size_t SweepRows::best_axis(std::span<const std::uint32_t> slots, std::span<const Aabb> boxes,
                                 std::size_t current) {
    std::array<std::pair<float, float>, kSample> intervals;
    const std::size_t step = slots.size() / kSample + 1;
    std::array<std::uint64_t, 3> overlaps{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < slots.size(); i += step)
            intervals[count++] = {boxes[slots[i]].min[axis], boxes[slots[i]].max[axis]};
        overlaps[axis] = count_overlaps(std::span(intervals).first(count));
    }
    const auto best =
        static_cast<std::size_t>(std::min_element(overlaps.begin(), overlaps.end()) - overlaps.begin());
    return 5 * overlaps[best] < 4 * overlaps[current] ? best : current;
}

SweepRows::Ends SweepRows::ends_of(const Aabb& box) const {
    const std::size_t second = (axis_ + 1) % 3, third = (axis_ + 2) % 3;
    return {box.min[axis_], box.max[axis_], box.min[second], box.max[second], box.min[third], box.max[third]};
}

std::uint64_t SweepRows::key(float low, std::uint32_t slot) const {
    return std::uint64_t{ordered_bits(low)} << 32 | slot;
}

void SweepRows::sort_all(std::span<const std::uint32_t> slots, std::span<const Aabb> boxes,
                         std::size_t axis) {
    axis_ = axis;
    order_.clear();
    // In the order of slots: the stable sort keeps it for equal low ends.
    for (const std::uint32_t slot : slots) order_.push_back(key(boxes[slot].min[axis_], slot));
    radix_sort_upper(order_, scratch_);
    gather(boxes);
}

std::uint64_t SweepRows::move(std::uint32_t slot, const Aabb& box) {
    const std::size_t from = place_of(slot);
    const std::uint64_t now = key(box.min[axis_], slot);
    const auto at = [&](std::size_t place) { return order_.begin() + static_cast<std::ptrdiff_t>(place); };
    const bool left = now < order_[from];
    const auto to = static_cast<std::size_t>((left ? std::lower_bound(order_.begin(), at(from), now)
                                                   : std::lower_bound(at(from + 1), order_.end(), now) - 1) -
                                             order_.begin());
    const auto shift = [&](auto begin) {
        const auto first = begin + static_cast<std::ptrdiff_t>(std::min(from, to));
        const auto last = begin + static_cast<std::ptrdiff_t>(std::max(from, to));
        if (left)
            std::copy_backward(first, last, last + 1);
        else
            std::copy(first + 1, last + 1, first);
    };
    shift(order_.begin());
    order_[to] = now;
    const Ends ends = ends_of(box);
    for (std::size_t c = 0; c < kColumns; ++c) {
        shift(columns_[c].begin());
        columns_[c][to] = ends[c];
    }
    low_of_[slot] = static_cast<std::uint32_t>(now >> 32);
    return left ? from - to : to - from;
}

bool SweepRows::update_all(std::span<const Aabb> boxes, std::uint64_t max_swaps, std::uint64_t& swaps) {
    for (std::size_t i = 0; i < order_.size(); ++i) {
        const std::uint32_t slot = slot_at(i);
        const std::uint64_t now = key(boxes[slot].min[axis_], slot);
        std::size_t to = i;
        for (; to > 0 && order_[to - 1] > now; --to) order_[to] = order_[to - 1];
        order_[to] = now;
        swaps += i - to;
        if (swaps > max_swaps) return false;
    }
    return true;
}

void SweepRows::merge(std::span<const std::uint32_t> slots, std::span<const Aabb> boxes) {
    entering_.clear();
    for (const std::uint32_t slot : slots) entering_.push_back(key(boxes[slot].min[axis_], slot));
    std::sort(entering_.begin(), entering_.end());
    std::size_t old = order_.size(), fresh = entering_.size();
    order_.resize(old + fresh);
    // From the back: merges in place.
    while (fresh > 0) {
        const bool take_old = old > 0 && order_[old - 1] > entering_[fresh - 1];
        order_[old + fresh - 1] = take_old ? order_[old - 1] : entering_[fresh - 1];
        --(take_old ? old : fresh);
    }
}

void SweepRows::resize_columns() {
    for (auto& column : columns_) column.resize(order_.size() + kRunPadding);
}

void SweepRows::gather(std::span<const Aabb> boxes) {
    resize_columns();
    if (low_of_.size() < boxes.size()) low_of_.resize(boxes.size());
    for (std::size_t place = 0; place < order_.size(); ++place) {
        const std::uint32_t slot = slot_at(place);
        const Ends ends = ends_of(boxes[slot]);
        for (std::size_t c = 0; c < kColumns; ++c) columns_[c][place] = ends[c];
        low_of_[slot] = static_cast<std::uint32_t>(order_[place] >> 32);
    }
}

void SweepRows::drop(std::span<const unsigned char> marked) {
    std::size_t kept = 0;
    for (std::size_t place = 0; place < order_.size(); ++place) {
        if (marked[slot_at(place)]) continue;
        order_[kept] = order_[place];
        for (auto& column : columns_) column[kept] = column[place];
        ++kept;
    }
    order_.resize(kept);
    resize_columns();
}

std::size_t SweepRows::place_of(std::uint32_t slot) const {
    const std::uint64_t sought = std::uint64_t{low_of_[slot]} << 32 | slot;
    const auto found = std::lower_bound(order_.begin(), order_.end(), sought);
    CLAYBOX_ASSERT(found != order_.end() && *found == sought);
    return static_cast<std::size_t>(found - order_.begin());
}

RunColumns SweepRows::columns() const {
    return {columns_[kHigh0].data(), columns_[kLow1].data(), columns_[kHigh1].data(), columns_[kLow2].data(),
            columns_[kHigh2].data()};
}

RunBox SweepRows::run_box(std::size_t place) const {
    return {columns_[kLow0][place], columns_[kLow1][place], columns_[kHigh1][place], columns_[kLow2][place],
            columns_[kHigh2][place]};
}

std::uint32_t SweepRows::run_end(std::size_t from, float high) const {
    const float* low = columns_[kLow0].data();
    std::size_t step = 16;
    while (from + step < size() && low[from + step] <= high) {
        from += step;
        step *= 2;
    }
    return static_cast<std::uint32_t>(
        std::upper_bound(low + from, low + std::min(from + step, size()), high) - low);
}

template <class Visit>
void SweepRows::scan(const RunBox& box, std::uint32_t begin, std::uint32_t end, Visit&& visit) const {
    std::array<std::uint32_t, kChunk + kRunPadding> hits;
    const RunColumns all = columns();
    for (; begin < end; begin += kChunk) {
        const std::uint32_t count = overlap_run(all, box, begin, std::min(end, begin + kChunk), hits.data());
        for (std::uint32_t i = 0; i < count; ++i) visit(slot_at(hits[i]));
    }
}

void SweepRows::find_all(std::span<const unsigned char> marked, bool all_marked, Executor& executor,
                         PairCollector& collector) const {
    executor.parallel_for(size(), 64, [&](std::size_t begin, std::size_t end, unsigned index) {
        PairCollector::Worker& worker = collector.worker(index);
        for (std::size_t place = begin; place < end; ++place) {
            const auto first = static_cast<std::uint32_t>(place + 1);
            const std::uint32_t slot = slot_at(place), last = run_end(place + 1, columns_[kHigh0][place]);
            const bool any = all_marked || marked[slot];
            worker.raw += last - first;
            scan(run_box(place), first, last, [&](std::uint32_t other) {
                if (any || marked[other]) worker.pairs.push_back(make_pair_key(slot, other));
            });
        }
    });
}

void SweepRows::find_around(std::span<const std::uint32_t> moved, std::span<const unsigned char> marked,
                            Executor& executor, PairCollector& collector) {
    compute_block_reach();
    executor.parallel_for(moved.size(), 8, [&](std::size_t begin, std::size_t end, unsigned index) {
        PairCollector::Worker& worker = collector.worker(index);
        for (const std::uint32_t slot : moved.subspan(begin, end - begin)) {
            const std::size_t place = place_of(slot);
            const auto first = static_cast<std::uint32_t>(place + 1);
            const std::uint32_t last = run_end(place + 1, columns_[kHigh0][place]);
            worker.raw += last - first;
            scan(run_box(place), first, last,
                 [&](std::uint32_t other) { worker.pairs.push_back(make_pair_key(slot, other)); });
            find_left_of(place, marked, worker);
        }
    });
}

// Boxes that begin further left and reach this box. Of two moved bodies, the left one has reported the pair.
// Skips blocks that end too early and stops when no earlier block reaches this far: a huge box costs its own
// block only.
void SweepRows::find_left_of(std::size_t place, std::span<const unsigned char> marked,
                             PairCollector::Worker& worker) const {
    const RunBox box = run_box(place);
    const std::uint32_t slot = slot_at(place);
    std::size_t end = place;
    // An inverted box may end before boxes that begin further left.
    if (columns_[kHigh0][place] < box.low_0)
        end = std::min<std::size_t>(end, run_end(0, columns_[kHigh0][place]));
    while (end > 0) {
        const std::size_t block = (end - 1) / kBlock, begin = block * kBlock;
        if (block_reach_[block] < box.low_0) return;
        if (block_high_[block] >= box.low_0) {
            worker.raw += end - begin;
            scan(box, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end),
                 [&](std::uint32_t other) {
                     if (!marked[other]) worker.pairs.push_back(make_pair_key(slot, other));
                 });
        }
        end = begin;
    }
}

void SweepRows::compute_block_reach() {
    const std::size_t blocks = (size() + kBlock - 1) / kBlock;
    block_high_.resize(blocks);
    block_reach_.resize(blocks);
    float reach = -std::numeric_limits<float>::infinity();
    for (std::size_t block = 0; block < blocks; ++block) {
        float high = -std::numeric_limits<float>::infinity();
        const std::size_t end = std::min(size(), (block + 1) * kBlock);
        for (std::size_t place = block * kBlock; place < end; ++place)
            high = std::max(high, columns_[kHigh0][place]);
        block_high_[block] = high;
        block_reach_[block] = reach = std::max(reach, high);
    }
}

void SweepRows::view(StructureView& out) const {
    const std::size_t axes[] = {axis_, (axis_ + 1) % 3, (axis_ + 2) % 3};
    Aabb around;
    for (std::size_t place = 0; place < size(); ++place) {
        Vec3f low, high;
        for (std::size_t k = 0; k < 3; ++k) {
            low[axes[k]] = columns_[2 * k][place];
            high[axes[k]] = columns_[2 * k + 1][place];
        }
        around.add(Aabb{low, high});
    }
    IntervalBars bars(around);
    for (std::size_t place = 0; place < size(); ++place)
        bars.add(columns_[kLow0][place], columns_[kHigh0][place]);
    bars.show(axis_, out);
}

std::size_t SweepRows::memory_bytes() const {
    std::size_t floats = block_high_.capacity() + block_reach_.capacity() + low_of_.capacity();
    for (const auto& column : columns_) floats += column.capacity();
    return floats * sizeof(float) +
           (order_.capacity() + scratch_.capacity() + entering_.capacity()) * sizeof(std::uint64_t);
}

}  // namespace claybox::collision
