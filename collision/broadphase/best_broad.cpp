// Source: ours; grids by size as in hierarchical hash grids (Teschner and others 2003, section 4; Ericson
// 2005,
//   section 7.2), counting sort of cells and the half neighbourhood as in the neighbour lists of molecular
//   dynamics (Quentrec and Brot 1973).
// Idea: a body stands in one cell of the grid of its size, that of its lower corner (see
// best_broad_levels.hpp). When
//   many bodies moved, all are sorted anew by cell: their boxes then stand in the order of memory in which
//   the search asks for them, with a cell and its neighbours along z in one run, and each cell looks at half
//   of its neighbours. When few moved, a body that stays in its cell is only rewritten; one that leaves it
//   makes a hole, and fills a hole of its new cell or goes into a list that the cell gets; only the moved
//   look around.
// Also: bodies that are larger than all others, and all where there are few, are compared with all.
// Preconditions: none. Exact: yes, exactly the pairs of overlapping boxes; grids only decide who is compared.
// Complexity: all moved: O(bodies + candidates); few: O(moved + candidates); for sizes of any distribution
//   each body looks into one more grid per factor of two to four in size that larger bodies span. Memory is
//   linear in bodies and pairs.
// Caches: boxes in the order of cells, and nothing of pairs.
#include "collision/broadphase/best_broad_levels.hpp"
#include "collision/broadphase/broad_phase.hpp"
#include "collision/jobs/pair_collector.hpp"

#include <algorithm>
#include <limits>

namespace claybox::collision {

namespace {

/// When at least one of so many bodies has moved, all are sorted anew instead of following each.
constexpr std::size_t kBodiesPerRebuild = 6;
/// Bodies outside of the sorted cells, of all bodies, at which they are sorted anew.
constexpr std::size_t kOutsideShare = 8;
constexpr std::size_t kMostNewLarge = 32;
/// Holes are looked for among the first of a cell only: crowded cells stay cheap to enter.
constexpr std::uint32_t kHoleSearch = 8;

/// A box as it is compared: in two vectors, the upper corner negated, so that both compare the same way.
struct alignas(32) Entry {
    Vec3f low;
    std::uint32_t slot = kNoIndex;  ///< kNoIndex: a hole, which overlaps nothing
    Vec3f minus_high;
    std::uint32_t cell = kNoIndex;

    const float* numbers() const { return reinterpret_cast<const float*>(this); }
};

Entry entry_of(std::uint32_t slot, const Aabb& box, std::uint32_t cell) {
    return {box.min, slot, -1.0f * box.max, cell};
}
Entry hole() {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    return {{kNan, kNan, kNan}, kNoIndex, {kNan, kNan, kNan}, kNoIndex};
}

/// The other side of the comparison.
struct Question {
    Float4 high, minus_low;
    std::uint32_t slot;

    explicit Question(const Entry& e)
        : high(negated(load4(e.numbers() + 4))), minus_low(negated(load4(e.numbers()))), slot(e.slot) {}

  private:
    static Float4 negated(Float4 v) {
        return Float4(Int4(v) ^ whole4(std::numeric_limits<std::int32_t>::min()));
    }
};

/// Pairs on their way to the collector: written without a branch, moved on when the room is used up.
class Hits {
  public:
    explicit Hits(PairCollector::Worker& worker) : worker_(worker) {}
    ~Hits() { flush(); }
    Hits(const Hits&) = delete;
    Hits& operator=(const Hits&) = delete;

    void ask(const Question& q, const Entry* first, const Entry* last) {
        while (first < last) {
            const auto piece = std::min<std::ptrdiff_t>(last - first, kPiece);
            worker_.raw += static_cast<std::uint64_t>(piece);
            if (count_ > kRoom - kPiece) flush();
            count_ = compare(q, first, piece, count_);
            first += piece;
        }
    }

  private:
    static constexpr std::ptrdiff_t kPiece = 256;
    static constexpr std::size_t kRoom = 1024;

    /// Most runs are short, and how long they are is chance: four are compared at once, so that the processor
    /// seldom guesses wrong where a run ends.
    std::size_t compare(const Question& q, const Entry* first, std::ptrdiff_t left, std::size_t count) {
        for (; left > 0; first += 4, left -= 4) {
            count = compare_one(q, first[0], true, count);
            count = compare_one(q, first[left > 1 ? 1 : 0], left > 1, count);
            count = compare_one(q, first[left > 2 ? 2 : 0], left > 2, count);
            count = compare_one(q, first[left > 3 ? 3 : 0], left > 3, count);
        }
        return count;
    }
    std::size_t compare_one(const Question& q, const Entry& e, bool counts, std::size_t count) {
        const Int4 below = load4(e.numbers()) <= q.high, above = load4(e.numbers() + 4) <= q.minus_low;
        // The smaller of the two ways to write the pair is its key.
        const PairKey one = PairKey{q.slot} << 32 | e.slot, other = PairKey{e.slot} << 32 | q.slot;
        keys_[count] = std::min(one, other);
        return count + (((bits4(below & above) & 7u) == 7u) & unsigned{counts});
    }
    void flush() {
        worker_.pairs.insert(worker_.pairs.end(), keys_, keys_ + count_);
        count_ = 0;
    }

    PairCollector::Worker& worker_;
    std::size_t count_ = 0;
    PairKey keys_[kRoom];
};

/// Neighbouring cells of a grid: from a cell on so many along each axis, before they are wrapped.
struct CellRange {
    Cells3 low{}, count{};
};

/// Where a body of this grid must stand that overlaps the box: its lower corner is at most a cell before the
/// box's lower corner and not beyond the upper one.
CellRange range_of(const BoxGrid& grid, const Vec3f& low, const Vec3f& high) {
    CellRange out;
    for (std::size_t k = 0; k < 3; ++k) {
        out.low[k] = grid.at(low[k]) - 1;
        out.count[k] = std::clamp<Cells>(grid.at(high[k]) - out.low[k] + 1, 0, Cells{grid.mask[k]} + 1);
    }
    return out;
}

/// Calls visit(first, last) for stretches of cells that follow each other in memory.
template <class Visit>
void for_each_stretch(const BoxGrid& grid, const CellRange& range, Visit&& visit) {
    if (range.count[2] <= 0) return;
    const std::uint32_t from = static_cast<std::uint32_t>(range.low[2]) & grid.mask[2];
    const std::uint32_t to = from + static_cast<std::uint32_t>(range.count[2]), side = grid.mask[2] + 1;
    for (Cells x = 0; x < range.count[0]; ++x)
        for (Cells y = 0; y < range.count[1]; ++y) {
            const std::uint32_t column = grid.column(static_cast<std::uint32_t>(range.low[0] + x),
                                                     static_cast<std::uint32_t>(range.low[1] + y));
            visit(column + from, column + std::min(to, side));
            if (to > side) visit(column, column + to - side);
        }
}

class Best final : public BroadPhase {
  public:
    /// Only noted: the next update knows all boxes, and with them the sizes of cells.
    void insert(std::uint32_t slot, const Aabb&) override {
        if (slot >= place_.size()) {
            place_.resize(slot + 1, kAbsent);
            moved_.resize(slot + 1, 0);
        }
        CLAYBOX_ASSERT(place_[slot] == kAbsent);
        place_[slot] = kWaiting;
        waiting_.push_back(slot);
        ++body_count_;
        clean_ = false;
    }

    void remove(std::uint32_t slot) override {
        if (slot >= place_.size() || place_[slot] == kAbsent) return;
        if (place_[slot] != kWaiting) leave(place_[slot]);
        place_[slot] = kAbsent;
        --body_count_;
        clean_ = false;
    }

    void update(std::span<const std::uint32_t> moved, std::span<const Aabb> boxes, Executor&) override {
        counts_.cells_changed = counts_.unchanged = 0;
        if (are_many(moved.size() + waiting_.size())) {
            rebuild(boxes);
            return;
        }
        for (const std::uint32_t slot : waiting_)
            if (place_[slot] == kWaiting) enter(slot, boxes[slot], cell_of(boxes[slot]));
        waiting_.clear();
        for (const std::uint32_t slot : moved) move(slot, boxes[slot]);
        clean_ = clean_ && moved.empty();
        if (outside_ > 16 + body_count_ / kOutsideShare || large_.size() > large_at_rebuild_ + kMostNewLarge)
            rebuild(boxes);
    }

    void find_pairs(std::span<const std::uint32_t> moved, std::span<const Aabb> boxes, Executor& executor,
                    std::vector<PairKey>& out) override {
        for (const std::uint32_t slot : moved) moved_[slot] = 1;
        collector_.begin(executor.worker_count());
        if (!moved.empty() && are_many(moved.size())) {
            if (!clean_) rebuild(boxes);
            find_all(executor, moved.size() == body_count_);
        } else {
            find_of(moved, executor);
        }
        for (const std::uint32_t slot : moved) moved_[slot] = 0;
        collector_.finish(place_.size(), out);
        counts_.raw_candidates = collector_.raw();
    }

    BroadPhaseCounts counts() const override { return counts_; }

    std::size_t memory_bytes() const override {
        return sizeof *this + levels_.memory_bytes() + collector_.memory_bytes() + moved_.capacity() +
               (entries_.capacity() + large_.capacity()) * sizeof(Entry) +
               bins_.capacity() * sizeof(std::uint16_t) +
               (place_.capacity() + waiting_.capacity() + slots_.capacity() + cells_.capacity() +
                start_.capacity() + head_.capacity() + next_.capacity()) *
                   sizeof(std::uint32_t);
    }

    /// Cells where bodies stand, and the boxes of those that are compared with all.
    void view(std::vector<Aabb>& out, std::size_t limit) const override {
        out.clear();
        for (const Entry& e : large_)
            if (out.size() < limit) out.push_back({e.low, -1.0f * e.minus_high});
        for (const Entry& e : entries_) {
            if (e.slot == kNoIndex) continue;
            if (out.size() >= limit) return;
            const BoxGrid& grid = grid_with(e.cell);
            Aabb box;
            for (std::size_t k = 0; k < 3; ++k) {
                const double middle = static_cast<double>(grid.at(e.low[k])) * grid.cell;
                box.min[k] = static_cast<float>(middle - 0.5 * grid.cell);
                box.max[k] = static_cast<float>(middle + 0.5 * grid.cell);
            }
            if (out.empty() || !(out.back() == box)) out.push_back(box);
        }
    }

  private:
    // Places of bodies: an index of entries_, or with this bit of large_.
    static constexpr std::uint32_t kLarge = 0x80000000u, kAbsent = kNoIndex, kWaiting = kNoIndex - 1;

    bool are_many(std::size_t count) const { return count * kBodiesPerRebuild >= body_count_; }
    const BoxGrid& grid_with(std::uint32_t cell) const {
        std::size_t i = 0;
        while (i + 1 < levels_.grids().size() && cell >= levels_.grids()[i + 1].first_cell) ++i;
        return levels_.grids()[i];
    }
    /// kNoIndex: it has none and is compared with all.
    std::uint32_t cell_of(const Aabb& box) const {
        const std::uint32_t grid = levels_.grid_of(box);
        return grid == BoxLevels::kNone ? kNoIndex : levels_.grids()[grid].cell_of(box.min);
    }

    // All anew.

    void rebuild(std::span<const Aabb> boxes) {
        for (std::size_t i = sorted_; i < entries_.size(); ++i)
            if (entries_[i].slot != kNoIndex) head_[entries_[i].cell] = kNoIndex;
        slots_.clear();
        bins_.clear();
        large_.clear();
        waiting_.clear();
        next_.clear();
        free_ = kNoIndex;
        outside_ = 0;
        levels_.begin();
        for (std::uint32_t slot = 0; slot < place_.size(); ++slot) {
            if (place_[slot] == kAbsent) continue;
            slots_.push_back(slot);
            bins_.push_back(levels_.note(boxes[slot]));
        }
        levels_.choose(slots_, bins_, boxes);
        sort_into_cells(boxes);
        large_at_rebuild_ = large_.size();
        counts_.cells_changed = slots_.size();
        clean_ = true;
    }

    void sort_into_cells(std::span<const Aabb> boxes) {
        const std::span<const BoxGrid> grids = levels_.grids();
        const std::size_t count = slots_.size();
        start_.assign(levels_.cell_count() + 2, 0);
        if (head_.size() < start_.size()) head_.resize(start_.size(), kNoIndex);
        cells_.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t grid = levels_.grid_of_bin(bins_[i]), slot = slots_[i];
            if (grid == BoxLevels::kNone) {
                cells_[i] = kNoIndex;
                enter_large(slot, boxes[slot]);
                continue;
            }
            cells_[i] = grids[grid].cell_of(boxes[slot].min);
            ++start_[cells_[i] + 2];
        }
        sorted_ = static_cast<std::uint32_t>(count - large_.size());
        std::uint32_t sum = 0;
        for (std::uint32_t& start : start_) start = sum += start;
        entries_.resize(sorted_);
        for (std::size_t i = 0; i < count; ++i) {
            if (cells_[i] == kNoIndex) continue;
            const std::uint32_t place = start_[cells_[i] + 1]++;
            entries_[place] = entry_of(slots_[i], boxes[slots_[i]], cells_[i]);
            place_[slots_[i]] = place;
        }
    }

    // One after the other.

    void enter_large(std::uint32_t slot, const Aabb& box) {
        place_[slot] = kLarge | static_cast<std::uint32_t>(large_.size());
        large_.push_back(entry_of(slot, box, kNoIndex));
    }

    void enter(std::uint32_t slot, const Aabb& box, std::uint32_t cell) {
        ++counts_.cells_changed;
        if (cell == kNoIndex) {
            enter_large(slot, box);
            return;
        }
        const std::uint32_t last = std::min(start_[cell + 1], start_[cell] + kHoleSearch);
        std::uint32_t place = start_[cell];
        while (place < last && entries_[place].slot != kNoIndex) ++place;
        if (place >= last) place = place_outside(cell);
        entries_[place] = entry_of(slot, box, cell);
        place_[slot] = place;
    }

    /// A place behind the sorted ones, in the cell's list.
    std::uint32_t place_outside(std::uint32_t cell) {
        std::uint32_t place = free_;
        if (place == kNoIndex) {
            place = static_cast<std::uint32_t>(entries_.size());
            entries_.emplace_back();
            next_.emplace_back();
        } else {
            free_ = next_[place - sorted_];
        }
        next_[place - sorted_] = head_[cell];
        head_[cell] = place;
        ++outside_;
        return place;
    }

    void leave(std::uint32_t place) {
        ++counts_.cells_changed;
        if (place >= kLarge) {
            large_[place - kLarge] = large_.back();
            place_[large_.back().slot] = place;
            large_.pop_back();
            return;
        }
        if (place >= sorted_) {
            std::uint32_t* link = &head_[entries_[place].cell];
            while (*link != place) link = &next_[*link - sorted_];
            *link = next_[place - sorted_];
            next_[place - sorted_] = free_;
            free_ = place;
            --outside_;
        }
        entries_[place] = hole();
    }

    void move(std::uint32_t slot, const Aabb& box) {
        const std::uint32_t place = place_[slot], cell = cell_of(box);
        Entry& old = place >= kLarge ? large_[place - kLarge] : entries_[place];
        if (old.cell == cell) {
            old = entry_of(slot, box, cell);
            ++counts_.unchanged;
            return;
        }
        leave(place);
        enter(slot, box, cell);
    }

    // Pairs of all: each body asks the half of its neighbourhood that lies ahead.

    void find_all(Executor& executor, bool all_moved) {
        executor.parallel_for(sorted_, 1024, [&](std::size_t begin, std::size_t end, unsigned worker) {
            Hits hits(collector_.worker(worker));
            ask_ahead(begin, end, hits);
            for (const Entry& e : large_) hits.ask(Question(e), &entries_[begin], &entries_[0] + end);
        });
        {
            Hits hits(collector_.worker(0));
            const Entry *const large = large_.data(), *const end = large + large_.size();
            for (const Entry* e = large; e < end; ++e) hits.ask(Question(*e), e + 1, end);
        }
        if (all_moved) return;
        for (unsigned worker = 0; worker < executor.worker_count(); ++worker)
            std::erase_if(collector_.worker(worker).pairs, [&](PairKey key) {
                return (moved_[first_slot(key)] | moved_[second_slot(key)]) == 0;
            });
    }

    /// What the bodies of a cell are compared with, besides what follows them in the cell.
    struct Ahead {
        std::uint32_t own_end = 0, count = 0;
        std::array<std::array<std::uint32_t, 2>, 9> run;  ///< of entries_
        void add(std::uint32_t first, std::uint32_t last) {
            run[count] = {first, last};
            count += first < last ? 1 : 0;
        }
    };

    void look_ahead(const BoxGrid& grid, std::uint32_t cell, Ahead& out) const {
        const std::uint32_t local = cell - grid.first_cell, z = local & grid.mask[2];
        const std::uint32_t y = (local >> grid.shift_y) & grid.mask[1], x = local >> grid.shift_x;
        out.count = 0;
        out.own_end = start_[cell + 1];
        if (z < grid.mask[2])
            out.own_end = start_[cell + 2];  // the next one along z follows in memory
        else
            out.add(start_[cell - z], start_[cell - z + 1]);
        const auto add_column = [&](std::uint32_t column_x, std::uint32_t column_y) {
            const std::uint32_t column = grid.column(column_x, column_y);
            if (z > 0 && z < grid.mask[2]) {
                out.add(start_[column + z - 1], start_[column + z + 2]);
            } else {
                const std::uint32_t first = z == 0 ? 0 : z - 1, alone = z == 0 ? grid.mask[2] : 0;
                out.add(start_[column + first], start_[column + first + 2]);
                out.add(start_[column + alone], start_[column + alone + 1]);
            }
        };
        add_column(x, y + 1);
        for (const std::uint32_t step : {grid.mask[1], 0u, 1u}) add_column(x + 1, y + step);
    }

    void ask_ahead(std::size_t begin, std::size_t end, Hits& hits) const {
        const std::span<const BoxGrid> grids = levels_.grids();
        const Entry* const entries = entries_.data();
        std::uint32_t cell = kNoIndex;
        std::size_t grid = 0;
        Ahead ahead;
        for (std::size_t place = begin; place < end; ++place) {
            const Entry& e = entries[place];
            if (e.cell != cell) {
                cell = e.cell;
                while (grid + 1 < grids.size() && cell >= grids[grid + 1].first_cell) ++grid;
                look_ahead(grids[grid], cell, ahead);
            }
            const Question question(e);
            hits.ask(question, entries + place + 1, entries + ahead.own_end);
            for (std::uint32_t i = 0; i < ahead.count; ++i)
                hits.ask(question, entries + ahead.run[i][0], entries + ahead.run[i][1]);
            for (std::size_t larger = 0; larger < grid; ++larger)
                for_each_stretch(grids[larger], range_of(grids[larger], e.low, -1.0f * e.minus_high),
                                 [&](std::uint32_t first, std::uint32_t last) {
                                     hits.ask(question, entries + start_[first], entries + start_[last]);
                                 });
        }
    }

    // Pairs of a few: each asks everyone around.

    void find_of(std::span<const std::uint32_t> moved, Executor& executor) {
        executor.parallel_for(moved.size(), 32, [&](std::size_t begin, std::size_t end, unsigned index) {
            PairCollector::Worker& worker = collector_.worker(index);
            for (const std::uint32_t slot : moved.subspan(begin, end - begin)) {
                const std::size_t before = worker.pairs.size();
                const std::uint64_t asked = worker.raw;
                ask_around(slot, worker);
                // It has met itself; of two moved ones the lower slot tells the pair.
                const auto drop = [&](PairKey key) {
                    const std::uint32_t other = first_slot(key) == slot ? second_slot(key) : first_slot(key);
                    return other <= slot && moved_[other] != 0;
                };
                const auto first = worker.pairs.begin() + static_cast<std::ptrdiff_t>(before);
                worker.pairs.erase(std::remove_if(first, worker.pairs.end(), drop), worker.pairs.end());
                if (worker.raw > asked) --worker.raw;
            }
        });
    }

    void ask_around(std::uint32_t slot, PairCollector::Worker& worker) const {
        Hits hits(worker);
        const std::uint32_t place = place_[slot];
        const Entry& e = place >= kLarge ? large_[place - kLarge] : entries_[place];
        const Question question(e);
        hits.ask(question, large_.data(), large_.data() + large_.size());
        const Entry* const entries = entries_.data();
        if (place >= kLarge) {
            hits.ask(question, entries, entries + entries_.size());
            return;
        }
        for (const BoxGrid& grid : levels_.grids())
            for_each_stretch(grid, range_of(grid, e.low, -1.0f * e.minus_high),
                             [&](std::uint32_t first, std::uint32_t last) {
                                 hits.ask(question, entries + start_[first], entries + start_[last]);
                                 if (outside_ == 0) return;
                                 for (std::uint32_t cell = first; cell < last; ++cell)
                                     for (std::uint32_t p = head_[cell]; p != kNoIndex;
                                          p = next_[p - sorted_])
                                         hits.ask(question, entries + p, entries + p + 1);
                             });
    }

    BoxLevels levels_;
    std::vector<Entry> entries_;  ///< sorted_ in the order of cells, then those outside
    std::vector<Entry> large_;    ///< compared with all
    std::uint32_t sorted_ = 0;
    std::vector<std::uint32_t> start_;    ///< by cell: its first entry; the next cell's is its end
    std::vector<std::uint32_t> head_;     ///< by cell: its first entry outside
    std::vector<std::uint32_t> next_;     ///< by entry outside: the cell's next one, or the next free one
    std::vector<std::uint32_t> place_;    ///< by slot
    std::vector<unsigned char> moved_;    ///< by slot; set during find_pairs only
    std::vector<std::uint32_t> waiting_;  ///< inserted since the last update
    std::uint32_t free_ = kNoIndex;       ///< the first free entry outside
    std::size_t outside_ = 0, body_count_ = 0, large_at_rebuild_ = 0;
    bool clean_ = false;  ///< as after sorting all anew
    // By body, while all are sorted anew.
    std::vector<std::uint32_t> slots_, cells_;
    std::vector<std::uint16_t> bins_;
    PairCollector collector_;
    BroadPhaseCounts counts_;
};

}  // namespace

const BroadPhaseDescriptor& describe_best_broad() {
    static const BroadPhaseDescriptor descriptor{
        "best",
        "Best",
        "ours: grids by size, sorted by cell; see docs/broad.md",
        "Bodies stand in one cell of a grid for their size; all are sorted anew when many move, and few are "
        "followed one by one.",
        {},
        [](const ParameterValues&) -> std::unique_ptr<BroadPhase> { return std::make_unique<Best>(); },
    };
    return descriptor;
}

}  // namespace claybox::collision
