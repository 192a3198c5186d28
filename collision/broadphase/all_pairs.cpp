// Source: the baseline of every paper, "no space subdivision" in Zachmann 1994 (sections 5.5.2 and 7).
// Idea: every moved box is compared with all boxes. Boxes are stored in six arrays of floats: comparing 16
//   boxes takes a few vector instructions. Blocks in which all bodies moved are only compared with later
//   blocks.
// Preconditions: none. Exact: yes, the reference for the other broad phases.
// Complexity: O(moved * bodies).
// Cache: the boxes only.
#include "collision/broadphase/broad_phase.hpp"
#include "collision/jobs/pair_collector.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace claybox::collision {

namespace {

/// Boxes compared at once. Constant: lets the compiler vectorise the loop.
constexpr std::size_t kBlock = 16;

class AllPairs final : public BroadPhase {
  public:
    void insert(std::uint32_t slot) override {
        if (slot >= place_.size()) place_.resize(slot + 1, kNoIndex);
        CLAYBOX_ASSERT(place_[slot] == kNoIndex);
        const auto place = static_cast<std::uint32_t>(slots_.size());
        place_[slot] = place;
        slots_.push_back(slot);
        moved_.push_back(0);
        if (place % kBlock == 0) {
            // Padding of the last block: boxes that overlap nothing.
            for (auto& row : low_) row.resize(place + kBlock, std::numeric_limits<float>::infinity());
            for (auto& row : high_) row.resize(place + kBlock, -std::numeric_limits<float>::infinity());
            moved_in_block_.push_back(0);
        }
        waiting_.push_back(slot);
    }

    void remove(std::uint32_t slot) override {
        if (slot >= place_.size() || place_[slot] == kNoIndex) return;
        const std::uint32_t place = place_[slot], last = static_cast<std::uint32_t>(slots_.size() - 1);
        for (auto* bound : {&low_, &high_})
            for (auto& row : *bound) row[place] = row[last];
        for (auto& row : low_) row[last] = std::numeric_limits<float>::infinity();
        for (auto& row : high_) row[last] = -std::numeric_limits<float>::infinity();
        slots_[place] = slots_[last];
        place_[slots_[place]] = place;
        place_[slot] = kNoIndex;
        slots_.pop_back();
        moved_.pop_back();
        if (last % kBlock == 0) {
            for (auto* bound : {&low_, &high_})
                for (auto& row : *bound) row.resize(last);
            moved_in_block_.pop_back();
        }
    }

    void update(std::span<const std::uint32_t> moved, const WorldBounds& bounds, Executor&) override {
        for (const std::uint32_t slot : waiting_)
            if (place_[slot] != kNoIndex) write(place_[slot], bounds.boxes[slot]);
        waiting_.clear();
        for (const std::uint32_t slot : moved) write(place_[slot], bounds.boxes[slot]);
    }

    void find_pairs(std::span<const std::uint32_t> moved, const WorldBounds& bounds, Executor& executor,
                    std::vector<PairKey>& out) override {
        const std::span<const Aabb> boxes = bounds.boxes;
        mark(moved, 1);
        collector_.begin(executor.worker_count());
        executor.parallel_for(moved.size(), 8, [&](std::size_t begin, std::size_t end, unsigned worker) {
            for (std::size_t i = begin; i < end; ++i)
                find_pairs_of(moved[i], boxes[moved[i]], collector_.worker(worker));
        });
        mark(moved, 0);
        collector_.finish(place_.size(), out);
        counts_.raw_candidates = collector_.raw();
    }

    BroadPhaseCounts counts() const override { return counts_; }

    std::size_t memory_bytes() const override {
        return sizeof *this + 6 * low_[0].capacity() * sizeof(float) + moved_.capacity() +
               (place_.capacity() + slots_.capacity() + waiting_.capacity() + moved_in_block_.capacity()) *
                   sizeof(std::uint32_t) +
               collector_.memory_bytes();
    }

    void view(StructureView&) const override {}

  private:
    void write(std::uint32_t place, const Aabb& box) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            low_[axis][place] = box.min[axis];
            high_[axis][place] = box.max[axis];
        }
    }

    void mark(std::span<const std::uint32_t> moved, unsigned char value) {
        std::fill(moved_in_block_.begin(), moved_in_block_.end(), 0u);
        for (const std::uint32_t slot : moved) {
            const std::uint32_t place = place_[slot];
            moved_[place] = value;
            ++moved_in_block_[place / kBlock];
        }
    }

    void find_pairs_of(std::uint32_t slot, const Aabb& box, PairCollector::Worker& worker) const {
        const std::uint32_t place = place_[slot];
        const std::size_t count = slots_.size(), own_block = place / kBlock;
        for (std::size_t block = 0; block * kBlock < count; ++block) {
            const std::size_t first = block * kBlock, in_block = std::min(kBlock, count - first);
            if (block < own_block && moved_in_block_[block] == in_block)
                continue;  // they find these pairs themselves
            worker.raw += in_block;
            std::array<unsigned char, kBlock> hit;
            if (compare(box, first, hit) == 0) continue;
            for (std::size_t i = 0; i < in_block; ++i) {
                const std::size_t other = first + i;
                if (hit[i] && other != place && (other > place || !moved_[other]))
                    worker.pairs.push_back(make_pair_key(slot, slots_[other]));
            }
        }
    }

    unsigned compare(const Aabb& box, std::size_t first, std::array<unsigned char, kBlock>& hit) const {
        const float *x0 = &low_[0][first], *y0 = &low_[1][first], *z0 = &low_[2][first];
        const float *x1 = &high_[0][first], *y1 = &high_[1][first], *z1 = &high_[2][first];
        unsigned any = 0;
        for (std::size_t i = 0; i < kBlock; ++i) {
            const unsigned both = unsigned(x0[i] <= box.max.x) & unsigned(box.min.x <= x1[i]) &
                                  unsigned(y0[i] <= box.max.y) & unsigned(box.min.y <= y1[i]) &
                                  unsigned(z0[i] <= box.max.z) & unsigned(box.min.z <= z1[i]);
            hit[i] = static_cast<unsigned char>(both);
            any |= both;
        }
        return any;
    }

    std::array<std::vector<float>, 3> low_, high_;  ///< by place, padded to whole blocks
    std::vector<std::uint32_t> slots_;              ///< by place
    std::vector<std::uint32_t> place_;              ///< by slot
    std::vector<std::uint32_t> waiting_;            ///< inserted since the last update
    std::vector<unsigned char> moved_;              ///< by place; set during find_pairs only
    std::vector<std::uint32_t> moved_in_block_;
    PairCollector collector_;
    BroadPhaseCounts counts_;
};

}  // namespace

const BroadPhaseDescriptor& describe_all_pairs() {
    static const BroadPhaseDescriptor descriptor{
        "all_pairs",
        "All pairs",
        "Zachmann 1994, section 5.5.2 (no space subdivision)",
        "Compares the box of every moved body with all boxes: the reference, and fast for few bodies.",
        {},
        [](const ParameterValues&) -> std::unique_ptr<BroadPhase> { return std::make_unique<AllPairs>(); },
    };
    return descriptor;
}

}  // namespace claybox::collision
