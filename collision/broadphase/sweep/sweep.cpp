// Source: Zachmann 1994, section 5.7 (a plane sweeps over sorted boxes, kept sorted by a few exchange
//   passes, since little changes between two frames); described there but not implemented.
// Idea, one axis: boxes are sorted by their low ends; the boxes that may overlap a box are the run of
//   boxes that begin before it ends. Three axes: one sorted list per axis with the low and high ends of
//   all boxes. When a low and a high end are exchanged, the pair is tested again; nothing else is. The
//   overlapping pairs themselves are stored.
// Ours: the ends are in arrays: a run is compared on the other two axes 4 to 16 boxes at a time. The axis
//   is the one on which a sample of the boxes overlaps least. Exchanges are counted; when bodies jump and
//   there are too many, all boxes are sorted again in linear time. Keys are integers with coordinate, side
//   and slot: the order does not depend on history.
// Preconditions: slots below 2^31. Exact: yes, exactly the pairs of overlapping boxes.
// Complexity: one axis O(moved * run), a run being the boxes that overlap on the axis; three axes O(bodies
//   + exchanges + pairs).
// Cache: the orders; with three axes also the boxes and the pairs.
#include "collision/broadphase/broad_phase.hpp"
#include "collision/broadphase/sweep/sweep_lists.hpp"
#include "collision/broadphase/sweep/sweep_rows.hpp"

#include <algorithm>
#include <array>

namespace claybox::collision {

namespace {

enum SweepParameter : std::size_t { kAxes };
constexpr std::array kAxesChoices{"one", "three"};
constexpr std::array kAxisNames{"x", "y", "z"};

constexpr std::array kParameters{
    Parameter{.id = "axes",
              .title = "Axes",
              .kind = ParameterKind::choice,
              .default_value = 0,
              .min = 0,
              .max = 1,
              .source = "Zachmann 1994, section 5.7",
              .help = "One: sorts by the axis with the least overlap and compares runs. Three: keeps the "
                      "endpoints on all axes sorted and tests pairs whose endpoints are swapped.",
              .choices = kAxesChoices},
};

/// More exchanges per body than this cost more than a sort.
constexpr std::uint64_t kSwapsPerBody = 8;
/// If at least one in this many bodies has moved, updating all is cheaper than updating each.
constexpr std::size_t kBodiesPerPass = 4;
/// Number of updates between checks of the axis.
constexpr std::uint32_t kAxisAge = 64;
/// Maximum number of updates without exchanges after they have failed (see ExchangeBackoff).
constexpr std::uint32_t kMaxBackoff = 31;

/// The set of bodies; shared by both forms.
class BodySet {
  public:
    void insert(std::uint32_t slot) {
        CLAYBOX_ASSERT(slot < (std::uint32_t{1} << 31));
        if (slot >= state_.size()) {
            state_.resize(slot + 1, State::absent);
            leaving_.resize(slot + 1, 0);
            marked_.resize(slot + 1, 0);
        }
        CLAYBOX_ASSERT(state_[slot] == State::absent);
        state_[slot] = State::waiting;
        waiting_.push_back(slot);
    }
    /// A slot inserted again before the next update is both leaving and waiting.
    void remove(std::uint32_t slot) {
        if (slot >= state_.size() || state_[slot] == State::absent) return;
        if (state_[slot] == State::here) {
            leaving_[slot] = 1;
            left_.push_back(slot);
        }
        state_[slot] = State::absent;
    }
    bool any_leaving() const { return !left_.empty(); }
    std::span<const unsigned char> leaving() const { return leaving_; }
    void clear_leaving() {
        for (const std::uint32_t slot : left_) leaving_[slot] = 0;
        left_.clear();
    }
    /// Returns the waiting slots, each once, and marks them as present.
    std::span<const std::uint32_t> add_waiting() {
        entering_.clear();
        for (const std::uint32_t slot : waiting_)
            if (state_[slot] == State::waiting) {
                state_[slot] = State::here;
                entering_.push_back(slot);
            }
        waiting_.clear();
        return entering_;
    }
    /// All present slots, ascending.
    std::span<const std::uint32_t> all() {
        all_.clear();
        for (std::uint32_t slot = 0; slot < state_.size(); ++slot)
            if (state_[slot] == State::here) all_.push_back(slot);
        return all_;
    }
    void mark(std::span<const std::uint32_t> slots, unsigned char value) {
        for (const std::uint32_t slot : slots) marked_[slot] = value;
    }
    std::span<const unsigned char> marked() const { return marked_; }
    std::size_t slot_count() const { return state_.size(); }
    bool here(std::uint32_t slot) const { return state_[slot] == State::here; }
    std::size_t memory_bytes() const {
        return state_.capacity() + leaving_.capacity() + marked_.capacity() +
               (waiting_.capacity() + entering_.capacity() + left_.capacity() + all_.capacity()) *
                   sizeof(std::uint32_t);
    }

  private:
    enum class State : unsigned char { absent, waiting, here };
    std::vector<State> state_;            ///< by slot
    std::vector<unsigned char> leaving_;  ///< by slot: removed, but still in the lists
    std::vector<unsigned char> marked_;   ///< by slot; set during one call only
    std::vector<std::uint32_t> waiting_, entering_, left_, all_;
};

/// Suspends exchanges for a growing number of updates after they have failed.
class ExchangeBackoff {
  public:
    bool may_try() {
        if (left_ == 0) return true;
        --left_;
        return false;
    }
    void failed() { left_ = length_ = std::min(2 * length_ + 1, kMaxBackoff); }
    void succeeded() { length_ = 0; }

  private:
    std::uint32_t left_ = 0, length_ = 0;
};

class SweepOne final : public BroadPhase {
  public:
    void insert(std::uint32_t slot) override { bodies_.insert(slot); }
    void remove(std::uint32_t slot) override { bodies_.remove(slot); }

    void update(std::span<const std::uint32_t> moved, const WorldBounds& bounds, Executor&) override {
        const std::span<const Aabb> boxes = bounds.boxes;
        counts_ = {};
        drop_leaving();
        const std::span<const std::uint32_t> entering = bodies_.add_waiting();
        counts_.cells_changed += entering.size();
        if (kBodiesPerPass * entering.size() > rows_.size() || axis_changes(boxes))
            sort_all(boxes);
        else if (entering.empty() && kBodiesPerPass * moved.size() < rows_.size())
            update_each(moved, boxes);
        else
            update_all(entering, boxes);
    }

    void find_pairs(std::span<const std::uint32_t> moved, const WorldBounds&, Executor& executor,
                    std::vector<PairKey>& out) override {
        drop_leaving();
        bodies_.mark(moved, 1);
        collector_.begin(executor.worker_count());
        if (2 * moved.size() < rows_.size())
            rows_.find_around(moved, bodies_.marked(), executor, collector_);
        else
            rows_.find_all(bodies_.marked(), moved.size() == rows_.size(), executor, collector_);
        bodies_.mark(moved, 0);
        collector_.finish(bodies_.slot_count(), out);
        counts_.raw_candidates = collector_.raw();
    }

    BroadPhaseCounts counts() const override { return counts_; }

    std::size_t memory_bytes() const override {
        return sizeof *this + bodies_.memory_bytes() + rows_.memory_bytes() + collector_.memory_bytes();
    }

    void view(StructureView& out) const override { rows_.view(out); }

  private:
    void drop_leaving() {
        if (!bodies_.any_leaving()) return;
        const std::size_t before = rows_.size();
        rows_.drop(bodies_.leaving());
        counts_.cells_changed += before - rows_.size();
        bodies_.clear_leaving();
    }

    /// True when another axis has become better.
    bool axis_changes(std::span<const Aabb> boxes) {
        if (++axis_age_ < kAxisAge) return false;
        axis_age_ = 0;
        return SweepRows::best_axis(bodies_.all(), boxes, rows_.axis()) != rows_.axis();
    }

    void sort_all(std::span<const Aabb> boxes) {
        const std::span<const std::uint32_t> all = bodies_.all();
        rows_.sort_all(all, boxes, SweepRows::best_axis(all, boxes, rows_.axis()));
        counts_.sorts = 1;
        axis_age_ = 0;
    }

    void update_each(std::span<const std::uint32_t> moved, std::span<const Aabb> boxes) {
        const std::uint64_t max_swaps = kSwapsPerBody * rows_.size();
        for (const std::uint32_t slot : moved) {
            const std::uint64_t passed = rows_.move(slot, boxes[slot]);
            counts_.swaps += passed;
            counts_.unchanged += passed == 0;
            if (counts_.swaps > max_swaps) return sort_all(boxes);
        }
    }

    void update_all(std::span<const std::uint32_t> entering, std::span<const Aabb> boxes) {
        if (!backoff_.may_try()) return sort_all(boxes);
        if (!rows_.update_all(boxes, kSwapsPerBody * rows_.size(), counts_.swaps)) {
            backoff_.failed();
            return sort_all(boxes);
        }
        backoff_.succeeded();
        rows_.merge(entering, boxes);
        rows_.gather(boxes);
    }

    BodySet bodies_;
    SweepRows rows_;
    ExchangeBackoff backoff_;
    std::uint32_t axis_age_ = 0;
    PairCollector collector_;
    BroadPhaseCounts counts_;
};

class SweepThree final : public BroadPhase {
  public:
    void insert(std::uint32_t slot) override { bodies_.insert(slot); }
    void remove(std::uint32_t slot) override { bodies_.remove(slot); }

    void update(std::span<const std::uint32_t> moved, const WorldBounds& bounds,
                Executor& executor) override {
        const std::span<const Aabb> boxes = bounds.boxes;
        counts_ = {};
        drop_leaving();
        // New bodies are not updated: their ends are not in the lists yet.
        bodies_.mark(moved, 1);
        const std::span<const std::uint32_t> entering = bodies_.add_waiting();
        bodies_.mark(entering, 0);
        counts_.cells_changed += entering.size();
        known_.resize(std::max(known_.size(), bodies_.slot_count()));
        lists_.clear_changes();
        const bool updated = entering.size() <= kMaxScans && update_lists(moved, boxes);
        bodies_.mark(moved, 0);
        if (!updated) return sort_all(boxes, executor);
        for (const std::uint32_t slot : moved) known_[slot] = boxes[slot];
        enter(entering, boxes);
        apply_changes();
    }

    void find_pairs(std::span<const std::uint32_t> moved, const WorldBounds&, Executor&,
                    std::vector<PairKey>& out) override {
        drop_leaving();
        counts_.raw_candidates = pairs_.size();
        if (moved.size() == lists_.size()) {
            out.assign(pairs_.begin(), pairs_.end());
            return;
        }
        bodies_.mark(moved, 1);
        const std::span<const unsigned char> marked = bodies_.marked();
        out.clear();
        for (const PairKey pair : pairs_)
            if (marked[first_slot(pair)] | marked[second_slot(pair)]) out.push_back(pair);
        bodies_.mark(moved, 0);
    }

    BroadPhaseCounts counts() const override { return counts_; }

    std::size_t memory_bytes() const override {
        return sizeof *this + bodies_.memory_bytes() + rows_.memory_bytes() + lists_.memory_bytes() +
               collector_.memory_bytes() + known_.capacity() * sizeof(Aabb) +
               (pairs_.capacity() + scratch_.capacity()) * sizeof(PairKey);
    }

    void view(StructureView& out) const override {
        Aabb around;
        for (std::uint32_t slot = 0; slot < known_.size(); ++slot)
            if (bodies_.here(slot)) around.add(known_[slot]);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            IntervalBars bars(around);
            for (const std::uint32_t slot : lists_.by_low_end(axis))
                bars.add(known_[slot].min[axis], known_[slot].max[axis]);
            bars.show(axis, out);
        }
    }

  private:
    /// Up to this number, a new body is compared with all, which is cheaper than exchanges with half of them
    /// on every axis. For more new bodies, sorting is cheaper.
    static constexpr std::size_t kMaxScans = 32;

    void drop_leaving() {
        if (!bodies_.any_leaving()) return;
        const std::span<const unsigned char> leaving = bodies_.leaving();
        const std::size_t bodies = lists_.size(), pairs = pairs_.size();
        lists_.drop(leaving);
        std::erase_if(pairs_, [&](PairKey pair) {
            return (leaving[first_slot(pair)] | leaving[second_slot(pair)]) != 0;
        });
        counts_.cells_changed += bodies - lists_.size();
        counts_.pairs_ended += pairs - pairs_.size();
        bodies_.clear_leaving();
    }

    bool update_lists(std::span<const std::uint32_t> moved, std::span<const Aabb> boxes) {
        if (moved.empty()) return true;
        if (kBodiesPerPass * moved.size() >= lists_.size() && !backoff_.may_try()) return false;
        // Testing a pair costs about as much as ten boxes in a run of the sweep after a sort.
        const std::uint64_t max_swaps = kSwapsPerBody * lists_.size() + raw_of_sort_ / 16;
        const bool done = lists_.update(bodies_.marked(), known_, boxes, max_swaps, counts_.swaps);
        done ? backoff_.succeeded() : backoff_.failed();
        return done;
    }

    void enter(std::span<const std::uint32_t> entering, std::span<const Aabb> boxes) {
        if (entering.empty()) return;
        for (const std::uint32_t slot : entering) known_[slot] = boxes[slot];
        bodies_.mark(entering, 1);
        const std::span<const unsigned char> marked = bodies_.marked();
        for (const std::uint32_t slot : entering)
            for (std::uint32_t other = 0; other < known_.size(); ++other)
                if (bodies_.here(other) && overlap(known_[slot], known_[other]) &&
                    (marked[other] ? slot < other : true))
                    lists_.add_begun(make_pair_key(slot, other));
        bodies_.mark(entering, 0);
        lists_.merge(entering, boxes);
    }

    /// Updates the sorted pairs: removes ended pairs, inserts begun pairs.
    void apply_changes() {
        lists_.sort_changes();
        const std::span<const PairKey> begun = lists_.begun(), ended = lists_.ended();
        if (begun.empty() && ended.empty()) return;
        scratch_.clear();
        auto next_begun = begun.begin();
        auto next_ended = ended.begin();
        for (const PairKey pair : pairs_) {
            for (; next_begun != begun.end() && *next_begun < pair; ++next_begun)
                scratch_.push_back(*next_begun);
            if (next_ended != ended.end() && *next_ended == pair)
                ++next_ended;
            else
                scratch_.push_back(pair);
        }
        scratch_.insert(scratch_.end(), next_begun, begun.end());
        CLAYBOX_ASSERT(next_ended == ended.end());
        counts_.pairs_begun += begun.size();
        counts_.pairs_ended += ended.size();
        pairs_.swap(scratch_);
    }

    void sort_all(std::span<const Aabb> boxes, Executor& executor) {
        const std::span<const std::uint32_t> all = bodies_.all();
        for (const std::uint32_t slot : all) known_[slot] = boxes[slot];
        lists_.sort_all(all, boxes);
        rows_.sort_all(all, boxes, SweepRows::best_axis(all, boxes, rows_.axis()));
        collector_.begin(executor.worker_count());
        rows_.find_all(bodies_.marked(), true, executor, collector_);
        collector_.finish(bodies_.slot_count(), scratch_);
        raw_of_sort_ = collector_.raw();
        std::size_t common = 0;
        auto old = pairs_.begin();
        for (const PairKey pair : scratch_) {
            while (old != pairs_.end() && *old < pair) ++old;
            common += old != pairs_.end() && *old == pair;
        }
        counts_.pairs_begun += scratch_.size() - common;
        counts_.pairs_ended += pairs_.size() - common;
        counts_.sorts = 1;
        pairs_.swap(scratch_);
    }

    BodySet bodies_;
    SweepLists lists_;
    SweepRows rows_;  ///< as of the last sort
    ExchangeBackoff backoff_;
    std::vector<Aabb> known_;               ///< by slot: the boxes in the lists
    std::vector<PairKey> pairs_, scratch_;  ///< all overlapping pairs, sorted
    std::uint64_t raw_of_sort_ = 0;         ///< comparisons of the sweep after the last sort
    PairCollector collector_;
    BroadPhaseCounts counts_;
};

}  // namespace

const BroadPhaseDescriptor& describe_sweep() {
    static const BroadPhaseDescriptor descriptor{
        "sweep",
        "Sweep",
        "Zachmann 1994, section 5.7 (sorting)",
        "Boxes are sorted along an axis and kept sorted by swapping neighbours. Boxes that overlap on the "
        "axis are compared on the other axes, many at once.",
        kParameters,
        [](const ParameterValues& values) -> std::unique_ptr<BroadPhase> {
            if (values.integer(kAxes) == 0) return std::make_unique<SweepOne>();
            return std::make_unique<SweepThree>();
        },
        "Axis",
        kAxisNames,
    };
    return descriptor;
}

}  // namespace claybox::collision
