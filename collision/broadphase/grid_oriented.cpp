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

enum class Place : unsigned char { absent, waiting, in_cells, large };

class GridOriented final : public BroadPhase {
  public:
    explicit GridOriented(const ParameterValues& values)
        : wanted_cell_(values[kCellSize]),
          cell_size_(wanted_cell_ > 0 ? wanted_cell_ : 1),
          most_cells_(std::max(1.0, values[kCellsPerBody])),
          method_(static_cast<CoverMethod>(values.integer(kCover))) {}

    void insert(std::uint32_t slot) override {
        if (slot >= place_.size()) {
            place_.resize(slot + 1, Place::absent);
            cells_of_.resize(slot + 1);
            moved_.resize(slot + 1, 0);
        }
        CLAYBOX_ASSERT(place_[slot] == Place::absent);
        place_[slot] = Place::waiting;
        waiting_.push_back(slot);
        ++body_count_;
    }

    void remove(std::uint32_t slot) override {
        if (slot >= place_.size() || place_[slot] == Place::absent) return;
        leave(slot);
        place_[slot] = Place::absent;
        --body_count_;
    }

    void update(std::span<const std::uint32_t> moved, const WorldBounds& bounds, Executor&) override {
        counts_.cells_changed = std::exchange(cells_changed_, 0);
        counts_.unchanged = 0;
        if (cell_size_is_stale() && choose_cell_size(bounds)) {
            for (std::uint32_t slot = 0; slot < place_.size(); ++slot)
                if (place_[slot] != Place::absent) follow(slot, bounds);
            large_at_choice_ = large_.size();
        } else {
            for (const std::uint32_t slot : waiting_)
                if (place_[slot] == Place::waiting) follow(slot, bounds);
            for (const std::uint32_t slot : moved) follow(slot, bounds);
        }
        waiting_.clear();
        counts_.cells_changed += std::exchange(cells_changed_, 0);
    }

    void find_pairs(std::span<const std::uint32_t> moved, const WorldBounds& bounds, Executor& executor,
                    std::vector<PairKey>& out) override {
        for (const std::uint32_t slot : moved) moved_[slot] = 1;
        collector_.begin(executor.worker_count());
        if (seen_.size() < executor.worker_count()) seen_.resize(executor.worker_count());
        for (Seen& seen : seen_) seen.stamp.resize(place_.size(), 0);
        executor.parallel_for(moved.size(), 32, [&](std::size_t begin, std::size_t end, unsigned worker) {
            for (const std::uint32_t slot : moved.subspan(begin, end - begin))
                find_pairs_of(slot, bounds, seen_[worker], collector_.worker(worker));
        });
        for (const std::uint32_t slot : moved) moved_[slot] = 0;
        collector_.finish(place_.size(), out);
        counts_.raw_candidates = collector_.raw();
    }

    BroadPhaseCounts counts() const override { return counts_; }

    std::size_t memory_bytes() const override {
        std::size_t bytes = sizeof *this + table_.memory_bytes() + lists_.memory_bytes() +
                            cover_.memory_bytes() + collector_.memory_bytes() + place_.capacity() +
                            moved_.capacity() + cells_of_.capacity() * sizeof(Cells::Array) +
                            sizes_.capacity() * sizeof(float) +
                            (large_.capacity() + waiting_.capacity()) * sizeof(std::uint32_t);
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
        if (place_[slot] == Place::in_cells && fits &&
            std::equal(from.begin(), from.end(), to.begin(), to.end())) {
            ++counts_.unchanged;
            return;
        }
        set_large(slot, !fits);
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

    void set_large(std::uint32_t slot, bool large) {
        const auto at = std::lower_bound(large_.begin(), large_.end(), slot);
        const bool was = place_[slot] == Place::large;
        if (large && !was) large_.insert(at, slot);
        if (!large && was) large_.erase(at);
        place_[slot] = large ? Place::large : Place::in_cells;
    }

    void leave(std::uint32_t slot) {
        if (place_[slot] == Place::waiting) return;
        set_large(slot, false);
        for (const CellKey key : lists_.values(cells_of_[slot])) table_.remove(key, slot), ++cells_changed_;
        lists_.free(cells_of_[slot]);
    }

    /// As in the grid.
    bool cell_size_is_stale() const {
        return wanted_cell_ <= 0 && body_count_ > 0 &&
               (body_count_ > 2 * bodies_at_choice_ || 2 * body_count_ < bodies_at_choice_ ||
                large_.size() > 2 * large_at_choice_ + 8);
    }

    bool choose_cell_size(const WorldBounds& bounds) {
        bodies_at_choice_ = body_count_;
        large_at_choice_ = large_.size();
        sizes_.clear();
        for (std::uint32_t slot = 0; slot < place_.size(); ++slot) {
            if (place_[slot] == Place::absent) continue;
            const Vec3f half = bounds.boxes[slot].half();
            sizes_.push_back(2 * std::max({half.x, half.y, half.z}));
        }
        return std::exchange(cell_size_, choose_cell_edge(sizes_)) != cell_size_;
    }

    /// Of two moved ones the lower slot finds the pair.
    void find_pairs_of(std::uint32_t slot, const WorldBounds& bounds, Seen& seen,
                       PairCollector::Worker& worker) const {
        seen.begin_next();
        const auto meet = [&](std::uint32_t other) {
            if (other == slot || (moved_[other] && other < slot)) return;
            ++worker.raw;
            if (std::exchange(seen.stamp[other], seen.now) == seen.now) return;
            const PairKey pair = make_pair_key(slot, other);
            if (overlap(bounds.boxes[slot], bounds.boxes[other]) &&
                finer_bounds_overlap(bounds, kOrientedBounds, pair))
                worker.pairs.push_back(pair);
        };
        if (place_[slot] == Place::large) {
            for (std::uint32_t other = 0; other < place_.size(); ++other)
                if (place_[other] != Place::absent) meet(other);
            return;
        }
        for (const CellKey key : lists_.values(cells_of_[slot])) table_.for_each(key, meet);
        for (const std::uint32_t other : large_) meet(other);
    }

    double wanted_cell_;  ///< metres; 0: automatic
    double cell_size_;
    double most_cells_;
    CoverMethod method_;
    std::size_t body_count_ = 0, bodies_at_choice_ = 0, large_at_choice_ = 0;
    CellTable table_;
    CellCover cover_;
    Cells lists_{kHysteresis};            ///< the memory of cells_of_
    std::vector<Cells::Array> cells_of_;  ///< by slot, sorted
    std::vector<std::uint32_t> large_;    ///< sorted
    std::vector<std::uint32_t> waiting_;  ///< inserted since the last update
    std::vector<Place> place_;            ///< by slot
    std::vector<unsigned char> moved_;    ///< by slot; set during find_pairs only
    std::vector<Seen> seen_;              ///< by worker
    std::vector<float> sizes_;
    std::uint64_t cells_changed_ = 0;  ///< since the last update
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
