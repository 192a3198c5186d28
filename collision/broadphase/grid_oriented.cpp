// Source: Zachmann 1994, section 5.5.1 (bounding boxes that are not aligned, entered into a grid by
// stabbing). Idea: a body stands in the cells that its turned box meets, which are far fewer than those of
// the box around
//   it for rods and plates. Rays along the longest side find them; a move changes the cells of the difference
//   only, and nothing when the cells stay.
// Corrected: FIX-38 (the ray's parameters), and the cells that rays and corners miss
// (grid_oriented_cover.cpp); the two
//   methods that the section considered and left can be chosen.
// Ours: a pair is taken where it is first met by its moved body, by marks of each worker. Bodies of too many
//   cells are compared with all.
// Preconditions: none. Exact: yes, the pairs whose boxes and oriented boxes overlap.
// Complexity: O(cells met + moved * (cells per body) * (bodies per cell)).
// Caches: the cells of each body.
#include "collision/broadphase/broad_phase.hpp"
#include "collision/broadphase/grid_oriented_cover.hpp"
#include "collision/broadphase/grid_slots.hpp"
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
              .help = "How the cells of a turned box are found; all methods find the same pairs.",
              .choices = kCovers},
};

class GridOriented final : public BroadPhase {
  public:
    explicit GridOriented(const ParameterValues& values)
        : wanted_cell_(values[kCellSize]),
          cell_size_(wanted_cell_ > 0 ? wanted_cell_ : 1),
          most_cells_(std::max(1.0, values[kCellsPerBody])),
          method_(static_cast<CoverMethod>(values.integer(kCover))) {}

    void insert(std::uint32_t slot) override {
        slots_.insert(slot);
        cells_of_.resize(slots_.size());
    }

    void remove(std::uint32_t slot) override {
        if (!slots_.has(slot)) return;
        for (const CellKey key : lists_.values(cells_of_[slot])) table_.remove(key, slot), ++cells_changed_;
        lists_.free(cells_of_[slot]);
        slots_.put(slot, Place::absent);
    }

    void update(std::span<const std::uint32_t> moved, const WorldBounds& bounds, Executor&) override {
        counts_.cells_changed = std::exchange(cells_changed_, 0);
        counts_.unchanged = 0;
        const auto to_follow = [&](std::uint32_t slot) { follow(slot, bounds); };
        if (wanted_cell_ <= 0 && slots_.cell_size_is_stale() && choose_cell_size(bounds.boxes)) {
            slots_.for_each(to_follow);
            slots_.note_rebuilt();
        } else {
            slots_.take_waiting(to_follow);
            for (const std::uint32_t slot : moved) follow(slot, bounds);
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
            out.add(cell_bounds(key, cell_size_), std::min<std::uint32_t>(bodies, kCrowdedNames.size()) - 1);
        });
    }

  private:
    using Cells = ArrayPool<CellKey>;
    static constexpr std::uint32_t kHysteresis = 8;
    struct alignas(kCacheLine) Seen {
        std::vector<std::uint32_t> stamp;  ///< by slot: when it was met last
        std::uint32_t now = 0;             ///< counts the bodies that ask
        void begin_next() {
            if (++now > 0) return;
            std::fill(stamp.begin(), stamp.end(), 0u);
            now = 1;
        }
    };

    static OrientedBox oriented(const WorldBounds& bounds, std::uint32_t slot) {
        return bounds.oriented.empty() ? orient(bounds.boxes[slot]) : bounds.oriented[slot];
    }

    /// Both lists are sorted: what is only in the old one is left, what is only in the new one is entered.
    void follow(std::uint32_t slot, const WorldBounds& bounds) {
        const bool fits = cover_.find(method_, oriented(bounds, slot), 1 / cell_size_, most_cells_);
        const std::span<const CellKey> to = cover_.cells(), from = lists_.values(cells_of_[slot]);
        if (slots_.place(slot) == Place::in_cells && fits &&
            std::equal(from.begin(), from.end(), to.begin(), to.end())) {
            ++counts_.unchanged;
            return;
        }
        slots_.put(slot, fits ? Place::in_cells : Place::large);
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

    /// True when the size has changed.
    bool choose_cell_size(std::span<const Aabb> boxes) {
        return std::exchange(cell_size_, slots_.choose_cell_size(boxes)) != cell_size_;
    }

    /// Of two moved ones the lower slot finds the pair.
    void find_pairs_of(std::uint32_t slot, const WorldBounds& bounds, Seen& seen,
                       PairCollector::Worker& worker) const {
        seen.begin_next();
        const auto meet = [&](std::uint32_t other) {
            if (other == slot || (slots_.moved(other) && other < slot)) return;
            ++worker.raw;
            if (std::exchange(seen.stamp[other], seen.now) == seen.now) return;
            const PairKey pair = make_pair_key(slot, other);
            if (overlap(bounds.boxes[slot], bounds.boxes[other]) &&
                finer_bounds_overlap(bounds, kOrientedBounds, pair))
                worker.pairs.push_back(pair);
        };
        if (slots_.place(slot) == Place::large) return slots_.for_each(meet);
        for (const CellKey key : lists_.values(cells_of_[slot])) table_.for_each(key, meet);
        for (const std::uint32_t other : slots_.large()) meet(other);
    }

    double wanted_cell_;  ///< metres; 0: automatic
    double cell_size_;
    double most_cells_;
    CoverMethod method_;
    GridSlots slots_;
    CellTable table_;
    CellCover cover_;
    Cells lists_{kHysteresis};            ///< the memory of cells_of_
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
        "Bodies stand in the cells that their turned boxes meet: fewer for rods and plates.",
        kParameters,
        [](const ParameterValues& values) -> std::unique_ptr<BroadPhase> {
            return std::make_unique<GridOriented>(values);
        },
        "Bodies in a cell",
        kCrowdedNames,
        kOrientedBounds,
        kOrientedBounds,
    };
    return descriptor;
}

}  // namespace claybox::collision
