// Source: (paper and section)
// Idea: (five lines). This skeleton compares each moved box with all boxes.
// Preconditions: none.
// Exact: yes.
// Complexity: O(moved * bodies).
// Cache: the list of slots.
#include "collision/broadphase/broad_phase.hpp"

#include <algorithm>

namespace claybox::collision {

namespace {

class @class@ final : public BroadPhase {
  public:
    void insert(std::uint32_t slot) override { slots_.push_back(slot); }
    void remove(std::uint32_t slot) override { std::erase(slots_, slot); }
    void update(std::span<const std::uint32_t>, const WorldBounds&, Executor&) override {}

    void find_pairs(std::span<const std::uint32_t> moved, const WorldBounds& bounds, Executor&,
                    std::vector<PairKey>& out) override {
        out.clear();
        for (const std::uint32_t slot : moved)
            for (const std::uint32_t other : slots_)
                if (other != slot && overlap(bounds.boxes[slot], bounds.boxes[other]))
                    out.push_back(make_pair_key(slot, other));
        std::sort(out.begin(), out.end());
        out.erase(std::unique(out.begin(), out.end()), out.end());
        counts_.raw_candidates = moved.size() * slots_.size();
    }

    BroadPhaseCounts counts() const override { return counts_; }
    std::size_t memory_bytes() const override {
        return sizeof *this + slots_.capacity() * sizeof(std::uint32_t);
    }
    void view(StructureView&) const override {}

  private:
    std::vector<std::uint32_t> slots_;
    BroadPhaseCounts counts_;
};

}  // namespace

const BroadPhaseDescriptor& describe_@id@() {
    static const BroadPhaseDescriptor descriptor{
        "@id@",
        "@title@",
        "(paper and section)",
        "Compares the box of every moved body with all boxes.",
        {},
        [](const ParameterValues&) -> std::unique_ptr<BroadPhase> { return std::make_unique<@class@>(); },
    };
    return descriptor;
}

}  // namespace claybox::collision
