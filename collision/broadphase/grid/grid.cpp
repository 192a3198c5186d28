// Source: Zachmann 1994, section 5.5 (uniform grid) with the box difference of section 5.4.3.
// Idea: a body is in the list of every cell that its box touches. Boxes are converted to integer boxes of
//   cells. A move changes only the cells in which the old and the new integer box differ, and nothing if
//   the integer box stays the same. Neighbours are found through the cells of a moved body. The thesis'
//   second scheme, in which cells and bodies store their positions in each other's lists, is an option.
// Ours: cells are hashed: the extent of the world need not be known; far cells fold into border cells. A
//   pair is reported only in the lowest cell that both bodies occupy; the thesis marks visited pairs
//   instead. No marks means nothing to share between threads. Bodies with too many cells are compared with
//   all boxes.
// Preconditions: none. Exact: yes, exactly the pairs of overlapping boxes.
// Complexity: O(moved * (cells per body) * (bodies per cell)) for bodies of similar size.
// Cache: integer boxes and cell lists.
#include "collision/broadphase/broad_phase.hpp"
#include "collision/broadphase/grid/grid_shards.hpp"
#include "collision/broadphase/grid/grid_slots.hpp"
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
              .source = "Zachmann 1994, 5.5: plain was faster",
              .help = "Whether cells and bodies also store their positions in each other's lists, which "
                      "avoids searches.",
              .choices = kPointerSchemes},
    Parameter{.id = "exit_when_same",
              .title = "Exit when same",
              .kind = ParameterKind::toggle,
              .default_value = 1,
              .source = "Zachmann 1994, 5.5.2",
              .help = "Skips a moved body whose integer box is unchanged."},
    Parameter{.id = "updates",
              .title = "Updates",
              .kind = ParameterKind::choice,
              .default_value = 0,
              .min = 0,
              .max = 1,
              .source = "Zachmann 1994, chapter 6, with a lock per cell; shards without locks: ours",
              .help = "Whether all workers update the moved bodies; the cells are divided among them. Plain "
                      "pointers only.",
              .choices = kUpdateSchemes},
};

/// If at least one in this many bodies has moved, a loop over all cells is cheaper than looking up cells.
constexpr std::size_t kBodiesPerCellWalk = 4;

bool overlap_without_branches(const Aabb& a, const Aabb& b) {
    return bool((a.min.x <= b.max.x) & (b.min.x <= a.max.x) & (a.min.y <= b.max.y) & (b.min.y <= a.max.y) &
                (a.min.z <= b.max.z) & (b.min.z <= a.max.z));
}

/// A body of the current cell.
struct Member {
    Aabb box;
    std::uint32_t slot;
    bool moved;
};
struct alignas(kCacheLine) Members {
    std::vector<Member> list;
};

/// True for cell tables that several workers can change in parallel.
template <class Cells>
constexpr bool kSupportsSharedUpdates = requires(Cells& cells) {
    cells.begin_changes(1);
};

/// Cells: CellTable, LinkedCellTable or ShardedCellTable.
template <class Cells>
class Grid final : public BroadPhase {
  public:
    explicit Grid(const ParameterValues& values)
        : requested_cell_size_(values[kCellSize]),
          max_cells_(std::max(1.0, values[kCellsPerBody])),
          exit_when_same_(values.on(kExitWhenSame)) {
        if (requested_cell_size_ > 0) set_cell_size(requested_cell_size_);
    }

    void insert(std::uint32_t slot) override {
        slots_.insert(slot);
        cell_box_.resize(slots_.size());
    }

    void remove(std::uint32_t slot) override {
        if (!slots_.has(slot)) return;
        leave(slot);
        slots_.set_state(slot, SlotState::absent);
    }

    void update(std::span<const std::uint32_t> moved, const WorldBounds& bounds,
                Executor& executor) override {
        const std::span<const Aabb> boxes = bounds.boxes;
        counts_.cells_changed = std::exchange(cells_changed_, 0);
        counts_.unchanged = 0;
        if (requested_cell_size_ <= 0 && slots_.cell_size_is_stale() && choose_cell_size(boxes)) {
            rebuild(boxes);
            return;
        }
        slots_.place_waiting([&](std::uint32_t slot) { enter(slot, to_cells(boxes[slot])); });
        if constexpr (kSupportsSharedUpdates<Cells>)
            move_in_parallel(moved, boxes, executor);
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
        find_pairs_of_large(moved, boxes, executor);
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
            out.add(cell_bounds(key, cell_size_),
                    std::min<std::uint32_t>(bodies, kBodyCountNames.size()) - 1);
        });
    }

  private:
    void set_cell_size(double size) {
        cell_size_ = size;
        cells_per_metre_ = 1.0 / size;
    }

    /// Monotone and clamped to the last cell: overlapping boxes share a cell everywhere.
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
        const bool large = cells.cell_count() > max_cells_;
        slots_.set_state(slot, large ? SlotState::large : SlotState::in_cells);
        if (!large) cells.for_each([&](auto x, auto y, auto z) { add(x, y, z, slot); });
    }

    void leave(std::uint32_t slot) {
        if (slots_.state(slot) == SlotState::in_cells)
            cells_changed_ += cells_.remove_all(slot, cell_box_[slot]);
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
        if (slots_.state(slot) == SlotState::large || to.cell_count() > max_cells_) {
            leave(slot);
            enter(slot, to);
            return;
        }
        // Box difference: leave the cells of the old box only, enter the cells of the new box only.
        cells_changed_ += cells_.remove_outside(slot, from, to);
        to.for_each([&](auto x, auto y, auto z) {
            if (!from.contains(x, y, z)) add(x, y, z, slot);
        });
        cell_box_[slot] = to;
    }

    /// Bodies that are or become large are updated serially: they change shared lists.
    void move_in_parallel(std::span<const std::uint32_t> moved, std::span<const Aabb> boxes,
                          Executor& executor) {
        const auto is_large = [&](std::uint32_t slot, const CellBox& to) {
            return slots_.state(slot) == SlotState::large || to.cell_count() > max_cells_;
        };
        const auto changes = cells_.begin_changes(executor.worker_count());
        executor.parallel_for(moved.size(), 256, [&](std::size_t begin, std::size_t end, unsigned worker) {
            for (const std::uint32_t slot : moved.subspan(begin, end - begin))
                if (const CellBox to = to_cells(boxes[slot]); !is_large(slot, to))
                    record_move(slot, to, changes[worker]);
        });
        cells_changed_ += cells_.apply_changes(executor);
        for (const auto& of_worker : changes) counts_.unchanged += of_worker.unchanged;
        for (const std::uint32_t slot : moved)
            if (const CellBox to = to_cells(boxes[slot]); is_large(slot, to)) move(slot, to);
    }

    template <class Changes>
    void record_move(std::uint32_t slot, const CellBox& to, Changes& changes) {
        const CellBox from = cell_box_[slot];
        if (exit_when_same_ && from == to) {
            ++changes.unchanged;
            return;
        }
        from.for_each([&](auto x, auto y, auto z) {
            if (!to.contains(x, y, z)) changes.record(make_cell_key(x, y, z), slot, false);
        });
        to.for_each([&](auto x, auto y, auto z) {
            if (!from.contains(x, y, z)) changes.record(make_cell_key(x, y, z), slot, true);
        });
        cell_box_[slot] = to;
    }

    /// Returns true when the size has changed.
    bool choose_cell_size(std::span<const Aabb> boxes) {
        const double size = slots_.choose_cell_size(boxes);
        if (size == cell_size_) return false;
        set_cell_size(size);
        return true;
    }

    void rebuild(std::span<const Aabb> boxes) {
        cells_.clear();
        slots_.for_each([&](std::uint32_t slot) { enter(slot, to_cells(boxes[slot])); });
        slots_.mark_rebuilt();
        counts_.cells_changed += std::exchange(cells_changed_, 0);
    }

    /// Few bodies have moved: searches the cells of each.
    void find_in_cells_of(std::span<const std::uint32_t> moved, std::span<const Aabb> boxes,
                          Executor& executor) {
        executor.parallel_for(moved.size(), 32, [&](std::size_t begin, std::size_t end, unsigned index) {
            PairCollector::Worker& worker = collector_.worker(index);
            for (const std::uint32_t slot : moved.subspan(begin, end - begin)) {
                if (slots_.state(slot) != SlotState::in_cells) continue;
                cell_box_[slot].for_each([&](auto x, auto y, auto z) {
                    const CellKey cell = make_cell_key(x, y, z);
                    cells_.for_each(cell, [&](std::uint32_t other) {
                        // Of two moved bodies, the lower slot reports the pair.
                        if (!(slots_.moved(other) && other <= slot))
                            test_pair(cell, slot, other, boxes[slot], boxes[other], worker);
                    });
                });
            }
        });
    }

    /// Many bodies have moved: visits every cell once, in the order of memory.
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
                    test_all_pairs(table.key_at(place), members, collector_.worker(index));
                }
            });
        });
    }

    void test_all_pairs(CellKey cell, std::span<const Member> members, PairCollector::Worker& worker) const {
        for (std::size_t i = 0; i + 1 < members.size(); ++i)
            for (std::size_t k = i + 1; k < members.size(); ++k)
                if (members[i].moved || members[k].moved)
                    test_pair(cell, members[i].slot, members[k].slot, members[i].box, members[k].box, worker);
    }

    /// Reports a pair of `cell` if the boxes overlap and this is the lowest cell that they share.
    void test_pair(CellKey cell, std::uint32_t a, std::uint32_t b, const Aabb& box_a, const Aabb& box_b,
                   PairCollector::Worker& worker) const {
        ++worker.raw;
        if (!overlap_without_branches(box_a, box_b)) return;
        const CellBox &cells_a = cell_box_[a], &cells_b = cell_box_[b];
        if (cell == make_cell_key(std::max(cells_a.low[0], cells_b.low[0]),
                                  std::max(cells_a.low[1], cells_b.low[1]),
                                  std::max(cells_a.low[2], cells_b.low[2])))
            worker.pairs.push_back(make_pair_key(a, b));
    }

    /// Pairs with a large body: a moved large body is compared with all, any other moved body with the
    /// unmoved large bodies.
    void find_pairs_of_large(std::span<const std::uint32_t> moved, std::span<const Aabb> boxes,
                             Executor& executor) {
        if (slots_.large().empty()) return;
        executor.parallel_for(moved.size(), 32, [&](std::size_t begin, std::size_t end, unsigned index) {
            PairCollector::Worker& worker = collector_.worker(index);
            for (const std::uint32_t slot : moved.subspan(begin, end - begin)) {
                if (slots_.state(slot) == SlotState::large) {
                    slots_.for_each(
                        [&](std::uint32_t other) { test_large_pair(slot, other, boxes, worker); });
                    continue;
                }
                for (const std::uint32_t other : slots_.large())
                    if (!slots_.moved(other)) test_large_pair(slot, other, boxes, worker);
            }
        });
    }

    /// Reports a pair with at least one large body. Of two moved large bodies, the lower slot reports the
    /// pair.
    void test_large_pair(std::uint32_t slot, std::uint32_t other, std::span<const Aabb> boxes,
                         PairCollector::Worker& worker) const {
        if (other == slot || (slots_.moved(other) && slots_.state(other) == SlotState::large && other < slot))
            return;
        ++worker.raw;
        if (overlap(boxes[slot], boxes[other])) worker.pairs.push_back(make_pair_key(slot, other));
    }

    double requested_cell_size_;  ///< metres; 0: automatic
    double max_cells_;
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
        "Each body is in the cells that its box touches. A move changes only the cells that the body enters "
        "or leaves.",
        kParameters,
        [](const ParameterValues& values) -> std::unique_ptr<BroadPhase> {
            if (values.integer(kPointers) == 1) return std::make_unique<Grid<LinkedCellTable>>(values);
            if (values.integer(kUpdates) == 1) return std::make_unique<Grid<ShardedCellTable>>(values);
            return std::make_unique<Grid<CellTable>>(values);
        },
        "Bodies in a cell",
        kBodyCountNames,
    };
    return descriptor;
}

}  // namespace claybox::collision
