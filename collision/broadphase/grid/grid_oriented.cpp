// Source: Zachmann 1994, section 5.5.1 (bounding boxes that are not axis-aligned, inserted into a grid by
//   stabbing).
// Idea: a body is in the cells that its oriented box intersects. For rods and plates these are far fewer
//   than the cells of its axis-aligned box. Rays along the longest side find them. A move changes only the
//   cells that differ, and nothing if the cells stay the same.
// Corrected: FIX-38 (ray parameters), and the cells that rays and corners miss (grid_oriented_cover.cpp).
//   The two methods that the section considered and rejected are options.
// Ours: a pair is reported when its moved body first meets the other one, using marks per worker. Bodies
//   with too many cells are compared with all.
// Preconditions: none. Exact: yes, the pairs whose boxes and oriented boxes overlap.
// Complexity: O(cells intersected + moved * (cells per body) * (bodies per cell)).
// Cache: the cells of each body.
#include "collision/broadphase/broad_phase.hpp"
#include "collision/broadphase/grid/grid_oriented_cover.hpp"
#include "collision/broadphase/grid/grid_slots.hpp"
#include "collision/jobs/pair_collector.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace claybox::collision {

namespace {

enum GridParameter : std::size_t { kCellSize, kCellsPerBody, kCover };

constexpr std::array kCovers{"stabbing", "cyrus_beck", "drums"};

constexpr std::array kParameters{
    kCellSizeParameter,
    kCellsPerBodyParameter,
    Parameter{.id = "cover",
              .title = "Cover",
              .kind = ParameterKind::choice,
              .default_value = 0,
              .min = 0,
              .max = 2,
              .source = "Zachmann 1994, 5.5.1: stabbing was chosen",
              .help = "How the cells of an oriented box are found. All methods find the same pairs.",
              .choices = kCovers},
};

class GridOriented final : public BroadPhase {
  public:
    explicit GridOriented(const ParameterValues& values)
        : requested_cell_size_(values[kCellSize]),
          cell_size_(requested_cell_size_ > 0 ? requested_cell_size_ : 1),
          max_cells_(std::max(1.0, values[kCellsPerBody])),
          method_(static_cast<CoverMethod>(values.integer(kCover))) {}

    void insert(std::uint32_t slot) override {
        slots_.insert(slot);
        cells_of_.resize(slots_.size());
    }

    void remove(std::uint32_t slot) override {
        if (!slots_.has(slot)) return;
        for (const CellKey key : lists_.values(cells_of_[slot])) table_.remove(key, slot), ++cells_changed_;
        lists_.free(cells_of_[slot]);
        slots_.set_state(slot, SlotState::absent);
    }

    void update(std::span<const std::uint32_t> moved, const WorldBounds& bounds, Executor&) override {
        counts_.cells_changed = std::exchange(cells_changed_, 0);
        counts_.unchanged = 0;
        const auto update_body = [&](std::uint32_t slot) { update_cells(slot, bounds); };
        if (requested_cell_size_ <= 0 && slots_.cell_size_is_stale() && choose_cell_size(bounds.boxes)) {
            slots_.for_each(update_body);
            slots_.mark_rebuilt();
        } else {
            slots_.place_waiting(update_body);
            for (const std::uint32_t slot : moved) update_cells(slot, bounds);
        }
        counts_.cells_changed += std::exchange(cells_changed_, 0);
    }

    void find_pairs(std::span<const std::uint32_t> moved, const WorldBounds& bounds, Executor& executor,
                    std::vector<PairKey>& out) override {
        slots_.mark_moved(moved, true);
        collector_.begin(executor.worker_count());
        if (seen_.size() < executor.worker_count()) seen_.resize(executor.worker_count());
        for (Seen& seen : seen_) seen.stamp.resize(slots_.size(), 0);
        executor.parallel_for(moved.size(), 32, [&](std::size_t begin, std::size_t end, unsigned worker) {
            for (const std::uint32_t slot : moved.subspan(begin, end - begin))
                find_pairs_of(slot, bounds, seen_[worker], collector_.worker(worker));
        });
        slots_.mark_moved(moved, false);
        collector_.finish(slots_.size(), out);
        counts_.raw_candidates = collector_.raw();
    }

    BroadPhaseCounts counts() const override { return counts_; }

    std::size_t memory_bytes() const override {
        std::size_t bytes = sizeof *this + table_.memory_bytes() + lists_.memory_bytes() +
                            cover_.memory_bytes() + collector_.memory_bytes() + slots_.memory_bytes() +
                            cells_of_.capacity() * sizeof(Cells::Array);
        for (const Seen& seen : seen_) bytes += sizeof(Seen) + seen.stamp.capacity() * sizeof(std::uint32_t);
        return bytes;
    }

    void view(StructureView& out) const override {
        table_.for_each_cell([&](CellKey key, std::uint32_t bodies) {
            out.add(cell_bounds(key, cell_size_),
                    std::min<std::uint32_t>(bodies, kBodyCountNames.size()) - 1);
        });
    }

  private:
    using Cells = ArrayPool<CellKey>;
    static constexpr std::uint32_t kHysteresis = 8;
    struct alignas(kCacheLine) Seen {
        std::vector<std::uint32_t> stamp;  ///< by slot: value of `now` when last met
        std::uint32_t now = 0;             ///< number of the searching body
        void begin_next() {
            if (++now > 0) return;
            std::fill(stamp.begin(), stamp.end(), 0u);
            now = 1;
        }
    };

    static OrientedBox oriented(const WorldBounds& bounds, std::uint32_t slot) {
        return bounds.oriented.empty() ? orient(bounds.boxes[slot]) : bounds.oriented[slot];
    }

    /// Both cell lists are sorted: leaves the cells of the old list only, enters the cells of the new list
    /// only.
    void update_cells(std::uint32_t slot, const WorldBounds& bounds) {
        const bool fits = cover_.find(method_, oriented(bounds, slot), 1 / cell_size_, max_cells_);
        const std::span<const CellKey> to = cover_.cells(), from = lists_.values(cells_of_[slot]);
        if (slots_.state(slot) == SlotState::in_cells && fits &&
            std::equal(from.begin(), from.end(), to.begin(), to.end())) {
            ++counts_.unchanged;
            return;
        }
        slots_.set_state(slot, fits ? SlotState::in_cells : SlotState::large);
        std::size_t i = 0;
        for (const CellKey key : from) {
            while (i < to.size() && to[i] < key) ++i;
            if (i == to.size() || to[i] != key) table_.remove(key, slot), ++cells_changed_;
        }
        i = 0;
        for (const CellKey key : to) {
            while (i < from.size() && from[i] < key) ++i;
            if (i == from.size() || from[i] != key) table_.add(key, slot), ++cells_changed_;
        }
        lists_.free(cells_of_[slot]);
        for (const CellKey key : to) lists_.push(cells_of_[slot], key);
    }

    /// Returns true when the size has changed.
    bool choose_cell_size(std::span<const Aabb> boxes) {
        return std::exchange(cell_size_, slots_.choose_cell_size(boxes)) != cell_size_;
    }

    /// Of two moved bodies, the lower slot reports the pair.
    void find_pairs_of(std::uint32_t slot, const WorldBounds& bounds, Seen& seen,
                       PairCollector::Worker& worker) const {
        seen.begin_next();
        const auto test = [&](std::uint32_t other) {
            if (other == slot || (slots_.moved(other) && other < slot)) return;
            ++worker.raw;
            if (std::exchange(seen.stamp[other], seen.now) == seen.now) return;
            const PairKey pair = make_pair_key(slot, other);
            if (overlap(bounds.boxes[slot], bounds.boxes[other]) &&
                finer_bounds_overlap(bounds, kOrientedBounds, pair))
                worker.pairs.push_back(pair);
        };
        if (slots_.state(slot) == SlotState::large) return slots_.for_each(test);
        for (const CellKey key : lists_.values(cells_of_[slot])) table_.for_each(key, test);
        for (const std::uint32_t other : slots_.large()) test(other);
    }

    double requested_cell_size_;  ///< metres; 0: automatic
    double cell_size_;
    double max_cells_;
    CoverMethod method_;
    GridSlots slots_;
    CellTable table_;
    CellCover cover_;
    Cells lists_{kHysteresis};            ///< memory of cells_of_
    std::vector<Cells::Array> cells_of_;  ///< by slot, sorted
    std::vector<Seen> seen_;              ///< by worker
    std::uint64_t cells_changed_ = 0;     ///< since the last update
    PairCollector collector_;
    BroadPhaseCounts counts_;
};

}  // namespace

const BroadPhaseDescriptor& describe_grid_oriented() {
    static const BroadPhaseDescriptor descriptor{
        "grid_oriented",
        "Grid, oriented",
        "Zachmann 1994, section 5.5.1",
        "Each body is in the cells that its oriented box intersects: fewer cells for rods and plates.",
        kParameters,
        [](const ParameterValues& values) -> std::unique_ptr<BroadPhase> {
            return std::make_unique<GridOriented>(values);
        },
        "Bodies in a cell",
        kBodyCountNames,
        kOrientedBounds,
        kOrientedBounds,
    };
    return descriptor;
}

}  // namespace claybox::collision
