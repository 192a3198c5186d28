// Source: Zachmann 1994, section 5.7 (a plane that sweeps over sorted boxes, kept sorted by a few passes of
//   exchanges, since little moves between two frames), where it is described and not tried.
// Idea, one axis: boxes sorted by their low ends; what may overlap a box is the run of boxes that begin
// before
//   it ends. Three axes: the low and high ends of all boxes in one sorted list an axis; when a low and a high
//   end pass each other, the pair is looked at again, and nothing else is: the overlapping pairs themselves
//   are what is kept.
// Ours: the ends lie in columns, so that a run is compared 4 to 16 boxes at once on the other two axes; the
//   axis is the one on which a sample of the boxes overlaps least; exchanges are counted, and when bodies
//   jump so far that there are too many, everything is sorted anew in linear time. Keys are integers that
//   hold place, side and slot, so the order is one and the same however it came about.
// Preconditions: slots below 2^31. Exact: yes, exactly the pairs of overlapping boxes.
// Complexity: one axis O(moved * run), a run being the boxes that overlap on the axis; three axes
//   O(bodies + exchanges + pairs).
// Caches: the orders, and with three axes the boxes and the pairs.
#include "collision/broadphase/broad_phase.hpp"
#include "collision/broadphase/sweep_lists.hpp"
#include "collision/broadphase/sweep_rows.hpp"

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
              .help = "One sorts by the axis with the least overlap and compares runs; three keeps all ends "
                      "sorted and follows which of them pass each other.",
              .choices = kAxesChoices},
};

/// More exchanges than this for each body cost more than a sort.
constexpr std::uint64_t kSwapsPerBody = 8;
/// When at least one of this many bodies has moved, following all is cheaper than following each.
constexpr std::size_t kBodiesPerPass = 4;
/// Updates after which the choice of the axis is looked at again.
constexpr std::uint32_t kAxisAge = 64;
/// After a sort that exchanges would not have done, they are not tried for a growing number of updates.
constexpr std::uint32_t kMostPatience = 31;

/// Who is in the structure: what both forms share.
class Roll {
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
    /// A slot that comes back before the next update is both leaving and waiting.
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
    void forget_leaving() {
        for (const std::uint32_t slot : left_) leaving_[slot] = 0;
        left_.clear();
    }
    /// The slots that wait, each once; they count as being here from now on.
    std::span<const std::uint32_t> take_waiting() {
        entering_.clear();
        for (const std::uint32_t slot : waiting_)
            if (state_[slot] == State::waiting) {
                state_[slot] = State::here;
                entering_.push_back(slot);
            }
        waiting_.clear();
        return entering_;
    }
    /// All that are here, ascending.
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
    std::vector<unsigned char> leaving_;  ///< by slot: still in the lists
    std::vector<unsigned char> marked_;   ///< by slot; set during one call only
    std::vector<std::uint32_t> waiting_, entering_, left_, all_;
};

/// Tries exchanges unless they have failed lately.
class Patience {
  public:
    bool tries() {
        if (left_ == 0) return true;
        --left_;
        return false;
    }
    void failed() { left_ = length_ = std::min(2 * length_ + 1, kMostPatience); }
    void worked() { length_ = 0; }

  private:
    std::uint32_t left_ = 0, length_ = 0;
};

class SweepOne final : public BroadPhase {
  public:
    void insert(std::uint32_t slot) override { roll_.insert(slot); }
    void remove(std::uint32_t slot) override { roll_.remove(slot); }

    void update(std::span<const std::uint32_t> moved, const WorldBounds& bounds, Executor&) override {
        const std::span<const Aabb> boxes = bounds.boxes;
        counts_ = {};
        drop_leaving();
        const std::span<const std::uint32_t> entering = roll_.take_waiting();
        counts_.cells_changed += entering.size();
        if (kBodiesPerPass * entering.size() > rows_.size() || change_axis(boxes))
            sort_anew(boxes);
        else if (entering.empty() && kBodiesPerPass * moved.size() < rows_.size())
            follow_each(moved, boxes);
        else
            follow_all(entering, boxes);
    }

    void find_pairs(std::span<const std::uint32_t> moved, const WorldBounds&, Executor& executor,
                    std::vector<PairKey>& out) override {
        drop_leaving();
        roll_.mark(moved, 1);
        collector_.begin(executor.worker_count());
        if (2 * moved.size() < rows_.size())
            rows_.find_around(moved, roll_.marked(), executor, collector_);
        else
            rows_.find_all(roll_.marked(), moved.size() == rows_.size(), executor, collector_);
        roll_.mark(moved, 0);
        collector_.finish(roll_.slot_count(), out);
        counts_.raw_candidates = collector_.raw();
    }

    BroadPhaseCounts counts() const override { return counts_; }

    std::size_t memory_bytes() const override {
        return sizeof *this + roll_.memory_bytes() + rows_.memory_bytes() + collector_.memory_bytes();
    }

    void view(StructureView& out) const override { rows_.view(out); }

  private:
    void drop_leaving() {
        if (!roll_.any_leaving()) return;
        const std::size_t before = rows_.size();
        rows_.drop(roll_.leaving());
        counts_.cells_changed += before - rows_.size();
        roll_.forget_leaving();
    }

    /// True when another axis is to be sorted by.
    bool change_axis(std::span<const Aabb> boxes) {
        if (++axis_age_ < kAxisAge) return false;
        axis_age_ = 0;
        return SweepRows::best_axis(roll_.all(), boxes, rows_.axis()) != rows_.axis();
    }

    void sort_anew(std::span<const Aabb> boxes) {
        const std::span<const std::uint32_t> all = roll_.all();
        rows_.sort_anew(all, boxes, SweepRows::best_axis(all, boxes, rows_.axis()));
        counts_.sorts = 1;
        axis_age_ = 0;
    }

    void follow_each(std::span<const std::uint32_t> moved, std::span<const Aabb> boxes) {
        const std::uint64_t most = kSwapsPerBody * rows_.size();
        for (const std::uint32_t slot : moved) {
            const std::uint64_t passed = rows_.move(slot, boxes[slot]);
            counts_.swaps += passed;
            counts_.unchanged += passed == 0;
            if (counts_.swaps > most) return sort_anew(boxes);
        }
    }

    void follow_all(std::span<const std::uint32_t> entering, std::span<const Aabb> boxes) {
        if (!patience_.tries()) return sort_anew(boxes);
        if (!rows_.follow_all(boxes, kSwapsPerBody * rows_.size(), counts_.swaps)) {
            patience_.failed();
            return sort_anew(boxes);
        }
        patience_.worked();
        rows_.merge(entering, boxes);
        rows_.gather(boxes);
    }

    Roll roll_;
    SweepRows rows_;
    Patience patience_;
    std::uint32_t axis_age_ = 0;
    PairCollector collector_;
    BroadPhaseCounts counts_;
};

class SweepThree final : public BroadPhase {
  public:
    void insert(std::uint32_t slot) override { roll_.insert(slot); }
    void remove(std::uint32_t slot) override { roll_.remove(slot); }

    void update(std::span<const std::uint32_t> moved, const WorldBounds& bounds,
                Executor& executor) override {
        const std::span<const Aabb> boxes = bounds.boxes;
        counts_ = {};
        drop_leaving();
        // Those that have just come are not followed: their ends are not in the lists yet.
        roll_.mark(moved, 1);
        const std::span<const std::uint32_t> entering = roll_.take_waiting();
        roll_.mark(entering, 0);
        counts_.cells_changed += entering.size();
        known_.resize(std::max(known_.size(), roll_.slot_count()));
        lists_.clear_changes();
        const bool followed = entering.size() <= kMostScans && follow(moved, boxes);
        roll_.mark(moved, 0);
        if (!followed) return sort_anew(boxes, executor);
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
        roll_.mark(moved, 1);
        const std::span<const unsigned char> marked = roll_.marked();
        out.clear();
        for (const PairKey pair : pairs_)
            if (marked[first_slot(pair)] | marked[second_slot(pair)]) out.push_back(pair);
        roll_.mark(moved, 0);
    }

    BroadPhaseCounts counts() const override { return counts_; }

    std::size_t memory_bytes() const override {
        return sizeof *this + roll_.memory_bytes() + rows_.memory_bytes() + lists_.memory_bytes() +
               collector_.memory_bytes() + known_.capacity() * sizeof(Aabb) +
               (pairs_.capacity() + scratch_.capacity()) * sizeof(PairKey);
    }

    void view(StructureView& out) const override {
        Aabb around;
        for (std::uint32_t slot = 0; slot < known_.size(); ++slot)
            if (roll_.here(slot)) around.add(known_[slot]);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            IntervalBars bars(around);
            for (const std::uint32_t slot : lists_.by_low_end(axis))
                bars.add(known_[slot].min[axis], known_[slot].max[axis]);
            bars.show(axis, out);
        }
    }

  private:
    /// A body that comes is compared with all, which is cheaper than passing half of them on every axis; more
    /// of them at once are cheaper sorted in.
    static constexpr std::size_t kMostScans = 32;

    void drop_leaving() {
        if (!roll_.any_leaving()) return;
        const std::span<const unsigned char> leaving = roll_.leaving();
        const std::size_t bodies = lists_.size(), pairs = pairs_.size();
        lists_.drop(leaving);
        std::erase_if(pairs_, [&](PairKey pair) {
            return (leaving[first_slot(pair)] | leaving[second_slot(pair)]) != 0;
        });
        counts_.cells_changed += bodies - lists_.size();
        counts_.pairs_ended += pairs - pairs_.size();
        roll_.forget_leaving();
    }

    bool follow(std::span<const std::uint32_t> moved, std::span<const Aabb> boxes) {
        if (moved.empty()) return true;
        if (kBodiesPerPass * moved.size() >= lists_.size() && !patience_.tries()) return false;
        // A pair that is looked at costs some ten boxes of a run of the sweep that sorting anew takes.
        const std::uint64_t most = kSwapsPerBody * lists_.size() + raw_of_sort_ / 16;
        const bool done = lists_.follow(roll_.marked(), known_, boxes, most, counts_.swaps);
        done ? patience_.worked() : patience_.failed();
        return done;
    }

    void enter(std::span<const std::uint32_t> entering, std::span<const Aabb> boxes) {
        if (entering.empty()) return;
        for (const std::uint32_t slot : entering) known_[slot] = boxes[slot];
        roll_.mark(entering, 1);
        const std::span<const unsigned char> marked = roll_.marked();
        for (const std::uint32_t slot : entering)
            for (std::uint32_t other = 0; other < known_.size(); ++other)
                if (roll_.here(other) && overlap(known_[slot], known_[other]) &&
                    (marked[other] ? slot < other : true))
                    lists_.add_begun(make_pair_key(slot, other));
        roll_.mark(entering, 0);
        lists_.merge(entering, boxes);
    }

    /// The sorted pairs without those that have ended, with those that have begun.
    void apply_changes() {
        lists_.order_changes();
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

    void sort_anew(std::span<const Aabb> boxes, Executor& executor) {
        const std::span<const std::uint32_t> all = roll_.all();
        for (const std::uint32_t slot : all) known_[slot] = boxes[slot];
        lists_.sort_anew(all, boxes);
        rows_.sort_anew(all, boxes, SweepRows::best_axis(all, boxes, rows_.axis()));
        collector_.begin(executor.worker_count());
        rows_.find_all(roll_.marked(), true, executor, collector_);
        collector_.finish(roll_.slot_count(), scratch_);
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

    Roll roll_;
    SweepLists lists_;
    SweepRows rows_;  ///< of the last sort
    Patience patience_;
    std::vector<Aabb> known_;               ///< by slot: what the lists say
    std::vector<PairKey> pairs_, scratch_;  ///< all pairs that overlap, sorted
    std::uint64_t raw_of_sort_ = 0;         ///< comparisons of the last sort's sweep
    PairCollector collector_;
    BroadPhaseCounts counts_;
};

}  // namespace

const BroadPhaseDescriptor& describe_sweep() {
    static const BroadPhaseDescriptor descriptor{
        "sweep",
        "Sweep",
        "Zachmann 1994, section 5.7 (sorting)",
        "Boxes stand sorted along an axis, kept so by exchanges of neighbours; runs that overlap on it are "
        "compared on the others, many boxes at once.",
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
