// Claybox's broad phases as contestants. They report the pairs with a moved body; the list of all pairs is
// updated from frame to frame, as in a world. That update is part of the measured time.

#include "bench/contestants/contestant.hpp"
#include "collision/broadphase/broad_phase.hpp"

namespace claybox::bench {

using namespace collision;

namespace {

class OwnBroad final : public BroadContestant {
  public:
    explicit OwnBroad(const BroadPhaseDescriptor& descriptor)
        : phase_(descriptor.create(default_values(descriptor.parameters))),
          executor_(make_serial_executor()) {}

    void insert(std::span<const Aabb> boxes) override {
        marks_.assign(boxes.size(), 0);
        std::vector<std::uint32_t> all(boxes.size());
        for (std::uint32_t i = 0; i < boxes.size(); ++i) phase_->insert(all[i] = i);
        load(all, boxes);
        update();
        find();
    }
    void load(std::span<const std::uint32_t> moved, std::span<const Aabb> boxes) override {
        moved_ = moved;
        boxes_ = boxes;
    }
    void update() override { phase_->update(moved_, boxes_, *executor_); }
    std::span<const PairKey> find() override {
        const bool all = moved_.size() == boxes_.size();
        phase_->find_pairs(moved_, boxes_, *executor_, all ? pairs_ : fresh_);
        if (!all) merge();
        return pairs_;
    }

  private:
    /// Keeps the old pairs of bodies at rest and inserts the new pairs. All lists are sorted.
    void merge() {
        for (const std::uint32_t i : moved_) marks_[i] = 1;
        merged_.resize(pairs_.size() + fresh_.size());
        std::size_t next = 0, count = 0;
        for (const PairKey key : pairs_) {
            while (next < fresh_.size() && fresh_[next] < key) merged_[count++] = fresh_[next++];
            merged_[count] = key;
            count += 1u - (marks_[first_slot(key)] | marks_[second_slot(key)]);
        }
        while (next < fresh_.size()) merged_[count++] = fresh_[next++];
        merged_.resize(count);
        pairs_.swap(merged_);
        for (const std::uint32_t i : moved_) marks_[i] = 0;
    }

    std::unique_ptr<BroadPhase> phase_;
    std::unique_ptr<Executor> executor_;
    std::span<const std::uint32_t> moved_;
    std::span<const Aabb> boxes_;
    std::vector<unsigned char> marks_;  ///< per slot
    std::vector<PairKey> pairs_, fresh_, merged_;
};

}  // namespace

std::vector<BroadEntry> our_broad_entries() {
    std::vector<BroadEntry> out;
    for (const BroadPhaseDescriptor* descriptor : broad_phases())
        out.push_back({descriptor->id, descriptor->title, true, 0xffffffffu,
                       [descriptor] { return std::make_unique<OwnBroad>(*descriptor); }});
    return out;
}

}  // namespace claybox::bench
