// Source: Zachmann 1994, section 5.5 (uniform grid) with the box difference of section 5.4.3.
// Idea: a body stands in the list of every cell that its box touches. Boxes are turned into integer boxes of
//   cells; when a body moves, only cells of the old box that are not in the new one, and the other way round,
//   are touched, and nothing at all when the integer box stays. Neighbours are found through the cells of a
//   moved body. The thesis' second scheme, cells and bodies that know their places in each other's lists, can
//   be chosen.
// Ours: cells are hashed, so that no extent of the world has to be known; far cells fold into border cells. A
//   pair is reported in one cell only, the lowest that both bodies occupy: this takes no marks per body,
//   where the thesis marks visited pairs, and needs nothing shared between threads. Bodies of too many cells
//   are compared with all boxes.
// Preconditions: none. Exact: yes, exactly the pairs of overlapping boxes.
// Complexity: O(moved * (cells per body) * (bodies per cell)) for bodies of like size.
// Caches: integer boxes and cell lists.
#include "collision/broadphase/broad_phase.hpp"
#include "collision/broadphase/grid_shards.hpp"
#include "collision/broadphase/grid_slots.hpp"
#include "collision/jobs/pair_collector.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace claybox::collision {

namespace {

enum GridParameter : std::size_t { kCellSize, kCellsPerBody, kPointers, kExitWhenSame, kUpdates };

constexpr std::array kPointerSchemes{"plain", "doubly_indexed"};
constexpr std::array kUpdateSchemes{"one_worker", "all_workers"};

constexpr std::array kParameters{
    kCellSizeParameter,
    kCellsPerBodyParameter,
    Parameter{.id = "pointers",
              .title = "Pointers",
              .kind = ParameterKind::choice,
              .default_value = 0,
              .min = 0,
              .max = 1,
              .source = "Zachmann 1994, 5.5: plain was the faster",
              .help = "Whether cells and bodies also know each other's places, so that nothing is searched.",
              .choices = kPointerSchemes},
    Parameter{.id = "exit_when_same",
              .title = "Exit when same",
              .kind = ParameterKind::toggle,
              .default_value = 1,
              .source = "Zachmann 1994, 5.5.2",
              .help = "Does nothing for a body whose integer box has stayed."},
    Parameter{.id = "updates",
              .title = "Updates",
              .kind = ParameterKind::choice,
              .default_value = 0,
              .min = 0,
              .max = 1,
              .source = "Zachmann 1994, chapter 6, with a lock for each cell; shards without locks: ours",
              .help = "Whether all workers follow the moved bodies, in cells that are divided among them. "
                      "Plain pointers only.",
              .choices = kUpdateSchemes},
};

/// When at least one of this many bodies has moved, walking over all cells is cheaper than looking cells up.
constexpr std::size_t kBodiesPerCellWalk = 4;

bool overlap_without_branches(const Aabb& a, const Aabb& b) {
    return bool((a.min.x <= b.max.x) & (b.min.x <= a.max.x) & (a.min.y <= b.max.y) & (b.min.y <= a.max.y) &
                (a.min.z <= b.max.z) & (b.min.z <= a.max.z));
}

/// A body as the walk over a cell sees it.
struct Member {
    Aabb box;
    std::uint32_t slot;
    bool moved;
};
struct alignas(kCacheLine) Members {
    std::vector<Member> list;
};

/// Cells that several workers may change at once.
template <class Cells>
constexpr bool kShared = requires(Cells& cells) {
    cells.begin_notes(1);
};

/// Cells: CellTable, LinkedCellTable or ShardedCellTable.
template <class Cells>
class Grid final : public BroadPhase {
  public:
    explicit Grid(const ParameterValues& values)
        : wanted_cell_(values[kCellSize]),
          most_cells_(std::max(1.0, values[kCellsPerBody])),
          exit_when_same_(values.on(kExitWhenSame)) {
        if (wanted_cell_ > 0) set_cell_size(wanted_cell_);
    }

    void insert(std::uint32_t slot) override {
        slots_.insert(slot);
        cell_box_.resize(slots_.size());
    }

    void remove(std::uint32_t slot) override {
        if (!slots_.has(slot)) return;
        leave(slot);
        slots_.put(slot, Place::absent);
    }

    void update(std::span<const std::uint32_t> moved, const WorldBounds& bounds,
                Executor& executor) override {
        const std::span<const Aabb> boxes = bounds.boxes;
        counts_.cells_changed = std::exchange(cells_changed_, 0);
        counts_.unchanged = 0;
        if (wanted_cell_ <= 0 && slots_.cell_size_is_stale() && choose_cell_size(boxes)) {
            rebuild(boxes);
            return;
        }
        slots_.take_waiting([&](std::uint32_t slot) { enter(slot, to_cells(boxes[slot])); });
        if constexpr (kShared<Cells>)
            move_together(moved, boxes, executor);
        else
            for (const std::uint32_t slot : moved) move(slot, to_cells(boxes[slot]));
        counts_.cells_changed += std::exchange(cells_changed_, 0);
    }

    void find_pairs(std::span<const std::uint32_t> moved, const WorldBounds& bounds, Executor& executor,
                    std::vector<PairKey>& out) override {
        const std::span<const Aabb> boxes = bounds.boxes;
        slots_.mark_moved(moved, true);
        collector_.begin(executor.worker_count());
        if (kBodiesPerCellWalk * moved.size() >= slots_.bodies())
            find_in_all_cells(boxes, executor);
        else
            find_in_cells_of(moved, boxes, executor);
        find_large(moved, boxes, executor);
        slots_.mark_moved(moved, false);
        collector_.finish(slots_.size(), out);
        counts_.raw_candidates = collector_.raw();
    }

    BroadPhaseCounts counts() const override { return counts_; }

    std::size_t memory_bytes() const override {
        return sizeof *this + cells_.memory_bytes() + collector_.memory_bytes() + slots_.memory_bytes() +
               cell_box_.capacity() * sizeof(CellBox);
    }

    void view(StructureView& out) const override {
        cells_.for_each_cell([&](CellKey key, std::uint32_t bodies) {
            out.add(cell_bounds(key, cell_size_), std::min<std::uint32_t>(bodies, kCrowdedNames.size()) - 1);
        });
    }

  private:
    void set_cell_size(double size) {
        cell_size_ = size;
        cells_per_metre_ = 1.0 / size;
    }

    /// Monotone, and bodies beyond the last cell stand in it: overlapping boxes share a cell wherever they
    /// are.
    std::int32_t to_cell(float x) const {
        const double c = std::floor(static_cast<double>(x) * cells_per_metre_);
        return static_cast<std::int32_t>(
            std::clamp(c, static_cast<double>(-kMaxCell), static_cast<double>(kMaxCell)));
    }
    CellBox to_cells(const Aabb& box) const {
        CellBox out;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            out.low[axis] = to_cell(box.min[axis]);
            out.high[axis] = to_cell(box.max[axis]);
        }
        return out;
    }

    void enter(std::uint32_t slot, const CellBox& cells) {
        cell_box_[slot] = cells;
        const bool large = cells.cell_count() > most_cells_;
        slots_.put(slot, large ? Place::large : Place::in_cells);
        if (!large) cells.for_each([&](auto x, auto y, auto z) { add(x, y, z, slot); });
    }

    void leave(std::uint32_t slot) {
        if (slots_.place(slot) == Place::in_cells) cells_changed_ += cells_.remove_all(slot, cell_box_[slot]);
    }

    void add(std::int32_t x, std::int32_t y, std::int32_t z, std::uint32_t slot) {
        cells_.add(make_cell_key(x, y, z), slot);
        ++cells_changed_;
    }

    void move(std::uint32_t slot, const CellBox& to) {
        const CellBox from = cell_box_[slot];
        if (exit_when_same_ && from == to) {
            ++counts_.unchanged;
            return;
        }
        if (slots_.place(slot) == Place::large || to.cell_count() > most_cells_) {
            leave(slot);
            enter(slot, to);
            return;
        }
        // The box difference: what is only in the old box is left, what is only in the new one is entered.
        cells_changed_ += cells_.remove_outside(slot, from, to);
        to.for_each([&](auto x, auto y, auto z) {
            if (!from.contains(x, y, z)) add(x, y, z, slot);
        });
        cell_box_[slot] = to;
    }

    /// All workers at once. Bodies that are large, or become so, follow alone: they change shared lists.
    void move_together(std::span<const std::uint32_t> moved, std::span<const Aabb> boxes,
                       Executor& executor) {
        const auto is_large = [&](std::uint32_t slot, const CellBox& to) {
            return slots_.place(slot) == Place::large || to.cell_count() > most_cells_;
        };
        const auto notes = cells_.begin_notes(executor.worker_count());
        executor.parallel_for(moved.size(), 256, [&](std::size_t begin, std::size_t end, unsigned worker) {
            for (const std::uint32_t slot : moved.subspan(begin, end - begin))
                if (const CellBox to = to_cells(boxes[slot]); !is_large(slot, to))
                    note_move(slot, to, notes[worker]);
        });
        cells_changed_ += cells_.apply_notes(executor);
        for (const auto& of_worker : notes) counts_.unchanged += of_worker.unchanged;
        for (const std::uint32_t slot : moved)
            if (const CellBox to = to_cells(boxes[slot]); is_large(slot, to)) move(slot, to);
    }

    template <class Notes>
    void note_move(std::uint32_t slot, const CellBox& to, Notes& notes) {
        const CellBox from = cell_box_[slot];
        if (exit_when_same_ && from == to) {
            ++notes.unchanged;
            return;
        }
        from.for_each([&](auto x, auto y, auto z) {
            if (!to.contains(x, y, z)) notes.note(make_cell_key(x, y, z), slot, false);
        });
        to.for_each([&](auto x, auto y, auto z) {
            if (!from.contains(x, y, z)) notes.note(make_cell_key(x, y, z), slot, true);
        });
        cell_box_[slot] = to;
    }

    /// True when the size has changed.
    bool choose_cell_size(std::span<const Aabb> boxes) {
        const double size = slots_.choose_cell_size(boxes);
        if (size == cell_size_) return false;
        set_cell_size(size);
        return true;
    }

    void rebuild(std::span<const Aabb> boxes) {
        cells_.clear();
        slots_.for_each([&](std::uint32_t slot) { enter(slot, to_cells(boxes[slot])); });
        slots_.note_rebuilt();
        counts_.cells_changed += std::exchange(cells_changed_, 0);
    }

    /// Few have moved: looks into the cells of each.
    void find_in_cells_of(std::span<const std::uint32_t> moved, std::span<const Aabb> boxes,
                          Executor& executor) {
        executor.parallel_for(moved.size(), 32, [&](std::size_t begin, std::size_t end, unsigned index) {
            PairCollector::Worker& worker = collector_.worker(index);
            for (const std::uint32_t slot : moved.subspan(begin, end - begin)) {
                if (slots_.place(slot) != Place::in_cells) continue;
                cell_box_[slot].for_each([&](auto x, auto y, auto z) {
                    const CellKey cell = make_cell_key(x, y, z);
                    cells_.for_each(cell, [&](std::uint32_t other) {
                        // Of two moved ones the lower slot finds the pair.
                        if (!(slots_.moved(other) && other <= slot))
                            offer(cell, slot, other, boxes[slot], boxes[other], worker);
                    });
                });
            }
        });
    }

    /// Many have moved: walks over the table from end to end, which looks at each cell once and in order of
    /// memory.
    void find_in_all_cells(std::span<const Aabb> boxes, Executor& executor) {
        if (members_.size() < executor.worker_count()) members_.resize(executor.worker_count());
        executor.parallel_for(cells_.places(), 128, [&](std::size_t begin, std::size_t end, unsigned index) {
            std::vector<Member>& members = members_[index].list;
            cells_.for_tables(begin, end, [&](const auto& table, std::size_t first, std::size_t last) {
                for (std::size_t place = first; place < last; ++place) {
                    if (table.count_at(place) < 2) continue;
                    members.clear();
                    table.for_each_at(place, [&](std::uint32_t slot) {
                        members.push_back({boxes[slot], slot, slots_.moved(slot)});
                    });
                    offer_all(table.key_at(place), members, collector_.worker(index));
                }
            });
        });
    }

    void offer_all(CellKey cell, std::span<const Member> members, PairCollector::Worker& worker) const {
        for (std::size_t i = 0; i + 1 < members.size(); ++i)
            for (std::size_t k = i + 1; k < members.size(); ++k)
                if (members[i].moved || members[k].moved)
                    offer(cell, members[i].slot, members[k].slot, members[i].box, members[k].box, worker);
    }

    /// A pair that shares `cell`: taken when its boxes overlap and this is the lowest cell that they share.
    void offer(CellKey cell, std::uint32_t a, std::uint32_t b, const Aabb& box_a, const Aabb& box_b,
               PairCollector::Worker& worker) const {
        ++worker.raw;
        if (!overlap_without_branches(box_a, box_b)) return;
        const CellBox &cells_a = cell_box_[a], &cells_b = cell_box_[b];
        if (cell == make_cell_key(std::max(cells_a.low[0], cells_b.low[0]),
                                  std::max(cells_a.low[1], cells_b.low[1]),
                                  std::max(cells_a.low[2], cells_b.low[2])))
            worker.pairs.push_back(make_pair_key(a, b));
    }

    /// Pairs with a large body: a moved one asks all, another moved one asks the large ones that have not
    /// moved.
    void find_large(std::span<const std::uint32_t> moved, std::span<const Aabb> boxes, Executor& executor) {
        if (slots_.large().empty()) return;
        executor.parallel_for(moved.size(), 32, [&](std::size_t begin, std::size_t end, unsigned index) {
            PairCollector::Worker& worker = collector_.worker(index);
            for (const std::uint32_t slot : moved.subspan(begin, end - begin)) {
                if (slots_.place(slot) == Place::large) {
                    slots_.for_each([&](std::uint32_t other) { offer_large(slot, other, boxes, worker); });
                    continue;
                }
                for (const std::uint32_t other : slots_.large())
                    if (!slots_.moved(other)) offer_large(slot, other, boxes, worker);
            }
        });
    }

    /// A pair of which at least one is large. Of two moved ones of which both are large, the lower slot
    /// offers.
    void offer_large(std::uint32_t slot, std::uint32_t other, std::span<const Aabb> boxes,
                     PairCollector::Worker& worker) const {
        if (other == slot || (slots_.moved(other) && slots_.place(other) == Place::large && other < slot))
            return;
        ++worker.raw;
        if (overlap(boxes[slot], boxes[other])) worker.pairs.push_back(make_pair_key(slot, other));
    }

    double wanted_cell_;  ///< metres; 0: automatic
    double most_cells_;
    bool exit_when_same_;
    double cell_size_ = 1, cells_per_metre_ = 1;
    GridSlots slots_;
    Cells cells_;
    std::vector<CellBox> cell_box_;    ///< by slot
    std::vector<Members> members_;     ///< by worker
    std::uint64_t cells_changed_ = 0;  ///< since the last update
    PairCollector collector_;
    BroadPhaseCounts counts_;
};

}  // namespace

const BroadPhaseDescriptor& describe_grid() {
    static const BroadPhaseDescriptor descriptor{
        "grid",
        "Grid",
        "Zachmann 1994, section 5.5, box difference of section 5.4.3",
        "Bodies stand in the cells that their boxes touch; a moving body changes only cells that it enters "
        "or leaves.",
        kParameters,
        [](const ParameterValues& values) -> std::unique_ptr<BroadPhase> {
            if (values.integer(kPointers) == 1) return std::make_unique<Grid<LinkedCellTable>>(values);
            if (values.integer(kUpdates) == 1) return std::make_unique<Grid<ShardedCellTable>>(values);
            return std::make_unique<Grid<CellTable>>(values);
        },
        "Bodies in a cell",
        kCrowdedNames,
    };
    return descriptor;
}

}  // namespace claybox::collision
