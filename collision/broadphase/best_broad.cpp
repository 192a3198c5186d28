// Source: ours; grids by size as in hierarchical hash grids (Teschner and others 2003, section 4; Ericson
// 2005,
//   section 7.2), counting sort of cells and the half neighbourhood as in the neighbour lists of molecular
//   dynamics (Quentrec and Brot 1973).
// Idea: a body stands in one cell of the grid of its size, that of its lower corner (best_broad_cells.hpp),
// and
//   has a code of two words, which says by one addition each who cannot overlap it (simd/box_codes.hpp). When
//   many bodies moved, all are sorted anew by cell, and groups of bodies that follow each other in a column
//   of cells ask the half of their surroundings that lies ahead. When few moved, a body that stays in its
//   cell is only rewritten; one that leaves it makes a hole, and fills a hole of its new cell or goes into a
//   list that the cell gets; only the moved look around. Who has not been turned away by his code is compared
//   by his box.
// Also: bodies that are larger than all others, and all where there are few, are compared with all.
// Preconditions: none. Exact: yes, exactly the pairs of overlapping boxes; grids only decide who is compared.
// Complexity: all moved: O(bodies + candidates); few: O(moved + candidates); for sizes of any distribution
//   each body looks into one more grid per factor of two to four in size that larger bodies span. Memory is
//   linear in bodies and pairs.
// Caches: boxes in the order of cells, and nothing of pairs.
#include "collision/broadphase/best_broad_cells.hpp"
#include "collision/broadphase/best_broad_queries.hpp"
#include "collision/broadphase/broad_phase.hpp"
#include "collision/jobs/pair_collector.hpp"

#include <array>
#include <limits>
#include <memory>

namespace claybox::collision {

namespace {

/// When at least one of so many bodies has moved, all are sorted anew instead of following each.
constexpr std::size_t kBodiesPerRebuild = 6;
/// So many bodies of a column at most ask together, if they stand in so many cells: their surroundings are
/// looked up once, and a body meets a few more strangers.
constexpr std::uint32_t kGroup = 32, kMostCells = 8;
/// Bodies that a worker claims at a time: whole groups.
constexpr std::size_t kGrain = 4 * kGroup;

/// Of the levels of its view: bodies that are compared with all, and grids from the largest cells on.
constexpr std::array kSizeNames{"No cell", "Largest", "Second", "Third", "Fourth", "Fifth", "Sixth"};

/// Questions that a worker has been asked, and the pairs of bodies that answer them.
class Search {
  public:
    static constexpr std::size_t kRunsAtOnce = 32;
    static_assert(kRunsAtOnce >= BoxCells::kMostRuns);

    Search() {
        near_.flush = [](NearBoxes& near) { static_cast<Near&>(near).search->compare_near(); };
    }
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;

    /// `moved` by slot: only pairs with one of them are wanted; null: all pairs. Where only the moved ask
    /// (`from_moved`), and ask all around, two of them meet twice and each meets itself.
    void begin(const BoxCells& cells, PairCollector::Worker& worker, const unsigned char* moved,
               bool from_moved) {
        cells_ = &cells;
        worker_ = &worker;
        moved_ = moved;
        from_moved_ = from_moved;
    }
    /// The next question; its runs are told afterwards. Room for kRunsAtOnce runs is kept.
    void open(const CodeTask& task) {
        if (task_count_ == kTasks || run_count_ + kRunsAtOnce > kRuns) ask_codes();
        tasks_[task_count_++] = task;
    }
    /// Where up to kRunsAtOnce runs of the question may be written; then close with the end of them.
    CodeRun* runs() { return runs_.data() + run_count_; }
    void close(const CodeRun* end) {
        const auto count = static_cast<std::uint32_t>(end - runs());
        tasks_[task_count_ - 1].runs += count;
        run_count_ += count;
    }
    /// One run, of any number.
    void add(std::uint32_t begin, std::uint32_t end) {
        if (run_count_ == kRuns) {
            CodeTask task = tasks_[task_count_ - 1];
            task.own_end = task.runs = 0;
            open(task);
        }
        runs_[run_count_++] = {begin, end};
        ++tasks_[task_count_ - 1].runs;
    }
    /// Now the worker has all pairs that were asked for.
    void finish() {
        ask_codes();
        compare_near();
        worker_->raw += near_.compared;
        near_.compared = 0;
    }

  private:
    static constexpr std::size_t kTasks = 64, kRuns = 512, kNear = 2048;

    void ask_codes() {
        find_near_boxes(cells_->codes(), {tasks_.data(), task_count_}, runs_.data(), near_);
        task_count_ = run_count_ = 0;
    }
    /// Codes leave few to be compared.
    void compare_near() {
        std::vector<PairKey>& pairs = worker_->pairs;
        const std::size_t before = pairs.size();
        pairs.resize(before + near_.count);
        PairKey* out = pairs.data() + before;
        for (std::size_t i = 0; i < near_.count; ++i) {
            const BoxEntry &a = cells_->entry(near_.asker[i]), &b = cells_->entry(near_.other[i]);
            const Int4 below = load4(b.numbers()) <= negated(load4(a.numbers() + 4)),
                       above = load4(b.numbers() + 4) <= negated(load4(a.numbers()));
            // The smaller of the two ways to write the pair is its key.
            const PairKey one = PairKey{a.slot} << 32 | b.slot, other = PairKey{b.slot} << 32 | a.slot;
            *out = std::min(one, other);
            bool counts = (bits4(below & above) & 7u) == 7u;
            if (moved_ != nullptr && counts) counts = is_wanted(a.slot, b.slot);
            out += counts ? 1 : 0;
        }
        pairs.resize(static_cast<std::size_t>(out - pairs.data()));
        near_.count = 0;
    }
    bool is_wanted(std::uint32_t asker, std::uint32_t other) const {
        if (from_moved_) return other > asker || (other < asker && moved_[other] == 0);
        return (moved_[asker] | moved_[other]) != 0;
    }
    static Float4 negated(Float4 v) {
        return Float4(Int4(v) ^ whole4(std::numeric_limits<std::int32_t>::min()));
    }

    struct Near : NearBoxes {
        explicit Near(Search* s) : search(s) {
            asker = askers.data();
            other = others.data();
            room = kNear;
        }
        Search* search;
        std::array<std::uint32_t, kNear + kCodePadding> askers, others;
    };
    const BoxCells* cells_ = nullptr;
    PairCollector::Worker* worker_ = nullptr;
    const unsigned char* moved_ = nullptr;
    bool from_moved_ = false;
    std::size_t task_count_ = 0, run_count_ = 0;
    std::array<CodeTask, kTasks> tasks_;
    std::array<CodeRun, kRuns> runs_;
    Near near_{this};
};

class Best final : public BroadPhase {
  public:
    void insert(std::uint32_t slot) override {
        cells_.insert(slot);
        moved_.resize(cells_.slot_count(), 0);
        clean_ = false;
    }

    void remove(std::uint32_t slot) override {
        cells_.remove(slot);
        clean_ = false;
    }

    void update(std::span<const std::uint32_t> moved, const WorldBounds& bounds, Executor&) override {
        const std::span<const Aabb> boxes = bounds.boxes;
        cells_.clear_counts();
        if (are_many(moved.size() + cells_.waiting())) {
            sort(boxes);
        } else {
            clean_ = clean_ && moved.empty() && cells_.waiting() == 0;
            cells_.follow(moved, boxes);
            if (cells_.is_worn()) sort(boxes);
        }
        counts_.cells_changed = cells_.changed();
        counts_.unchanged = cells_.unchanged();
    }

    void find_pairs(std::span<const std::uint32_t> moved, const WorldBounds& bounds, Executor& executor,
                    std::vector<PairKey>& out) override {
        const std::span<const Aabb> boxes = bounds.boxes;
        const bool all_moved = moved.size() == cells_.size();
        if (!all_moved)
            for (const std::uint32_t slot : moved) moved_[slot] = 1;
        if (!moved.empty() && are_many(moved.size())) {
            if (!clean_) sort(boxes);
            find_all(executor, all_moved);
        } else {
            find_of(moved, executor);
        }
        if (!all_moved)
            for (const std::uint32_t slot : moved) moved_[slot] = 0;
        collector_.finish(cells_.slot_count(), out);
        counts_.raw_candidates = collector_.raw();
    }

    void overlapping(const Aabb& box, std::span<const Aabb> boxes, WalkScratch& scratch,
                     FunctionRef<bool(std::uint32_t)> visit) const override {
        const auto ask = [&](std::uint32_t slot) { return !overlap(box, boxes[slot]) || visit(slot); };
        if (!CellQueries(cells_, boxes).overlapping(box, ask))
            BroadPhase::overlapping(box, boxes, scratch, visit);
    }

    void along_ray(const RayPart& part, std::span<const Aabb> boxes, WalkScratch& scratch,
                   FunctionRef<double(std::uint32_t)> visit) const override {
        const RayBoxTest test(part.ray);
        double end = part.end;
        const auto ask = [&](std::uint32_t slot) {
            if (test.enter(boxes[slot], part.begin, end) <= end) end = visit(slot);
            return end >= part.begin;
        };
        if (!CellQueries(cells_, boxes).along_ray(part, ask, [&] { return end; }))
            BroadPhase::along_ray(part, boxes, scratch, visit);
    }

    BroadPhaseCounts counts() const override { return counts_; }

    std::size_t memory_bytes() const override {
        std::size_t bytes =
            sizeof *this + cells_.memory_bytes() + collector_.memory_bytes() + moved_.capacity();
        bytes += searches_.size() * sizeof(Search);
        return bytes;
    }

    /// Cells where bodies stand, and the boxes of those that are compared with all.
    void view(StructureView& out) const override {
        Aabb last;
        for (std::uint32_t place = 0; place < cells_.place_count(); ++place) {
            if (cells_.entry(place).slot == kNoIndex) continue;
            const std::uint32_t cell = cells_.entry(place).cell;
            Aabb box = cells_.entry(place).box();
            std::uint32_t level = 0;
            if (cell != cells_.large_cell()) {
                const std::size_t grid_index = cells_.grid_with(cell);
                const BoxGrid& grid = cells_.grids()[grid_index];
                for (std::size_t k = 0; k < 3; ++k) {
                    const double begin = static_cast<double>(grid.at(box.min[k])) * grid.cell;
                    box.min[k] = static_cast<float>(begin);
                    box.max[k] = static_cast<float>(begin + grid.cell);
                }
                if (box == last) continue;  // bodies of a cell stand together
                last = box;
                level = static_cast<std::uint32_t>(grid_index) + 1;
            }
            out.add(box, level);
        }
    }

  private:
    bool are_many(std::size_t count) const { return count * kBodiesPerRebuild >= cells_.size(); }
    void sort(std::span<const Aabb> boxes) {
        cells_.sort(boxes);
        clean_ = true;
    }
    void begin_searches(unsigned workers, const unsigned char* moved, bool from_moved) {
        collector_.begin(workers);
        while (searches_.size() < workers) searches_.push_back(std::make_unique<Search>());
        for (unsigned worker = 0; worker < workers; ++worker)
            searches_[worker]->begin(cells_, collector_.worker(worker), moved, from_moved);
    }
    void finish_searches(unsigned workers) {
        for (unsigned worker = 0; worker < workers; ++worker) searches_[worker]->finish();
    }

    // Pairs of all: each body asks the half of its neighbourhood that lies ahead.

    void find_all(Executor& executor, bool all_moved) {
        begin_searches(executor.worker_count(), all_moved ? nullptr : moved_.data(), false);
        executor.parallel_for(cells_.sorted_count(), kGrain,
                              [&](std::size_t begin, std::size_t end, unsigned worker) {
                                  ask_ahead(static_cast<std::uint32_t>(begin),
                                            static_cast<std::uint32_t>(end), *searches_[worker]);
                              });
        finish_searches(executor.worker_count());
    }

    void ask_ahead(std::uint32_t begin, std::uint32_t end, Search& search) const {
        const std::span<const BoxGrid> grids = cells_.grids();
        std::size_t grid = 0;
        for (std::uint32_t place = begin, last = 0; place < end; place = last) {
            const std::uint32_t cell = cells_.entry(place).cell;
            if (cell == cells_.large_cell()) {
                last = end;
                search.open({place, last, cells_.sorted_count(), 0, true});
                search.add(0, cells_.first_of(cell));
                continue;
            }
            while (grid + 1 < grids.size() && cell >= grids[grid + 1].first_cell) ++grid;
            last = look_ahead(grids[grid], cell, place, end, search);
            for (std::uint32_t asker = place; grid > 0 && asker < last; ++asker)
                for (std::size_t larger = 0; larger < grid; ++larger) ask_grid(asker, grids[larger], search);
        }
    }

    /// Everyone of a grid who stands around a body, which may belong to another one.
    void ask_grid(std::uint32_t place, const BoxGrid& grid, Search& search) const {
        const Aabb box = cells_.entry(place).box();
        const bool all = !(reach_of(box) <= grid.largest);
        search.open({place, place + 1, 0, 0, all, true, all ? BoxCode{} : grid.code_of(box)});
        cells_.for_each_run(grid, range_of(grid, box),
                            [&](std::uint32_t begin, std::uint32_t end) { search.add(begin, end); });
    }

    /// The next few bodies of a column ask what lies ahead of them in their own grid; returns who is next.
    /// Where groups end depends on places alone, and none reaches over so many cells that it meets a cell
    /// twice.
    std::uint32_t look_ahead(const BoxGrid& grid, std::uint32_t cell, std::uint32_t place, std::uint32_t end,
                             Search& search) const {
        const std::uint32_t* const first = cells_.first_of_cells();
        const std::uint32_t local = cell - grid.first_cell, top = grid.mask[2], z = local & top;
        const std::uint32_t y = (local >> grid.shift_y) & grid.mask[1], x = local >> grid.shift_x;
        const std::uint32_t column = cell - z;
        std::uint32_t last = std::min({(place | (kGroup - 1)) + 1, first[column + top + 1], end});
        while (cells_.entry(last - 1).cell > cell + std::min(kMostCells, top - 3)) --last;
        const std::uint32_t last_z = cells_.entry(last - 1).cell - column;
        const std::uint32_t from = std::max(z, 1u) - 1, to = std::min(last_z + 1, top) + 1;
        search.open({place, last, first[column + to], 0});
        CodeRun* run = search.runs();
        if (last_z == top) *run++ = {first[column], first[column + 1]};
        const auto add_column = [&](std::uint32_t ahead) {
            *run++ = {first[ahead + from], first[ahead + to]};
            if (z == 0) *run++ = {first[ahead + top], first[ahead + top + 1]};
            if (last_z == top) *run++ = {first[ahead], first[ahead + 1]};
        };
        add_column(grid.column(x, y + 1));
        for (const std::uint32_t step : {grid.mask[1], 0u, 1u}) add_column(grid.column(x + 1, y + step));
        search.close(run);
        return last;
    }

    // Pairs of a few: each asks everyone around.

    void find_of(std::span<const std::uint32_t> moved, Executor& executor) {
        begin_searches(executor.worker_count(), moved_.data(), true);
        executor.parallel_for(moved.size(), 32, [&](std::size_t begin, std::size_t end, unsigned worker) {
            for (const std::uint32_t slot : moved.subspan(begin, end - begin))
                ask_around(slot, *searches_[worker]);
        });
        finish_searches(executor.worker_count());
    }

    void ask_around(std::uint32_t slot, Search& search) const {
        const std::uint32_t place = cells_.place_of(slot);
        const CodeTask with_all{place, place + 1, 0, 0, true};
        const std::uint32_t cell = cells_.entry(place).cell;
        if (cell == cells_.large_cell()) {
            search.open(with_all);
            search.add(0, cells_.place_count());
            return;
        }
        if (cells_.has_large()) {
            search.open(with_all);
            cells_.for_each_large_run(
                [&](std::uint32_t begin, std::uint32_t end) { search.add(begin, end); });
        }
        for (const BoxGrid& grid : cells_.grids())
            if (!grid.has(cell) || !ask_own_grid(place, grid, search)) ask_grid(place, grid, search);
    }

    bool ask_own_grid(std::uint32_t place, const BoxGrid& grid, Search& search) const {
        search.open({place, place + 1, 0, 0});
        CodeRun* run = search.runs();
        const bool few = cells_.write_runs_around(place, grid, run);
        search.close(run);
        return few;
    }

    BoxCells cells_;
    std::vector<std::unique_ptr<Search>> searches_;  ///< by worker
    std::vector<unsigned char> moved_;               ///< by slot; set during find_pairs only
    bool clean_ = false;                             ///< as after sorting all anew
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
        "Size of cells",
        kSizeNames,
    };
    return descriptor;
}

}  // namespace claybox::collision
