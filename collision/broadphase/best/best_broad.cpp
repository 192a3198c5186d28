// Source: ours. Grids by size as in hierarchical hash grids (Teschner and others 2003, section 4; Ericson
//   2005, section 7.2); counting sort of cells and half neighbourhood as in the neighbour lists of
//   molecular dynamics (Quentrec and Brot 1973).
// Idea: a body is in one cell of the grid for its size, the cell of its lower corner
//   (best_broad_cells.hpp). Its code of two words rejects most non-overlapping bodies with one addition
//   per word (simd/box_codes.hpp); boxes decide about the rest. Many moved bodies: all are sorted by cell
//   again, and groups of bodies in a column of cells search the half neighbourhood ahead of them. Few
//   moved bodies: a body that stays in its cell is rewritten in place; a body that leaves it leaves a hole
//   and fills a hole of its new cell or joins the cell's list; only moved bodies search their
//   neighbourhood.
// Also: bodies much larger than the others, and all bodies when there are few, are compared with all.
// Preconditions: none. Exact: yes, exactly the pairs of overlapping boxes; grids only decide which are
//   compared.
// Complexity: many moved: O(bodies + candidates); few moved: O(moved + candidates). For any distribution
//   of sizes, each body searches one more grid per factor of two to four between its size and the largest
//   size. Memory is linear in bodies and pairs.
// Cache: boxes in the order of cells; nothing per pair.
#include "collision/broadphase/best/best_broad_cells.hpp"
#include "collision/broadphase/best/best_broad_queries.hpp"
#include "collision/broadphase/broad_phase.hpp"
#include "collision/jobs/pair_collector.hpp"

#include <array>
#include <limits>
#include <memory>

namespace claybox::collision {

namespace {

/// If at least one in this many bodies has moved, sorting all again is cheaper than updating each.
constexpr std::size_t kBodiesPerRebuild = 6;
/// Maximum number of bodies, and of cells of a column, that search together: their neighbourhood is looked up
/// once, at the cost of a few more comparisons.
constexpr std::uint32_t kGroup = 32, kMaxCells = 8;
/// Bodies per claim of a worker: whole groups.
constexpr std::size_t kGrain = 4 * kGroup;

/// Names of the view's levels: bodies without a cell, then grids from the largest cells on.
constexpr std::array kSizeNames{"No cell", "Largest", "Second", "Third", "Fourth", "Fifth", "Sixth"};

/// Searches of one worker: collects queries with their runs of candidates and compares them in batches.
class Search {
  public:
    static constexpr std::size_t kRunsAtOnce = 32;
    static_assert(kRunsAtOnce >= BoxCells::kMaxRuns);

    Search() {
        near_.flush = [](NearPairs& near) { static_cast<Near&>(near).search->compare_boxes(); };
    }
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;

    /// `moved`: flags by slot; only pairs with a moved body are reported; null: all pairs. `from_moved`: only
    /// moved bodies search, in their whole neighbourhood: two moved bodies then meet twice, and each meets
    /// itself.
    void begin(const BoxCells& cells, PairCollector::Worker& worker, const unsigned char* moved,
               bool from_moved) {
        cells_ = &cells;
        worker_ = &worker;
        moved_ = moved;
        from_moved_ = from_moved;
    }
    /// Starts a query; its runs follow. Afterwards there is space for at least kRunsAtOnce runs.
    void open(const CodeTask& task) {
        if (task_count_ == kTasks || run_count_ + kRunsAtOnce > kRuns) compare_codes();
        tasks_[task_count_++] = task;
    }
    /// The caller writes up to kRunsAtOnce runs here and calls close() with their end.
    CodeRun* runs() { return runs_.data() + run_count_; }
    void close(const CodeRun* end) {
        const auto count = static_cast<std::uint32_t>(end - runs());
        tasks_[task_count_ - 1].runs += count;
        run_count_ += count;
    }
    /// Adds one run; may be called any number of times.
    void add(std::uint32_t begin, std::uint32_t end) {
        if (run_count_ == kRuns) {
            CodeTask task = tasks_[task_count_ - 1];
            task.own_end = task.runs = 0;
            open(task);
        }
        runs_[run_count_++] = {begin, end};
        ++tasks_[task_count_ - 1].runs;
    }
    /// Completes all queries: the worker then has all their pairs.
    void finish() {
        compare_codes();
        compare_boxes();
        worker_->raw += near_.compared;
        near_.compared = 0;
    }

  private:
    static constexpr std::size_t kTasks = 64, kRuns = 512, kNear = 2048;

    void compare_codes() {
        find_near_pairs(cells_->codes(), {tasks_.data(), task_count_}, runs_.data(), near_);
        task_count_ = run_count_ = 0;
    }
    /// Compares the boxes of the pairs that passed the codes.
    void compare_boxes() {
        std::vector<PairKey>& pairs = worker_->pairs;
        const std::size_t before = pairs.size();
        pairs.resize(before + near_.count);
        PairKey* out = pairs.data() + before;
        for (std::size_t i = 0; i < near_.count; ++i) {
            const BoxEntry &a = cells_->entry(near_.query[i]), &b = cells_->entry(near_.other[i]);
            const Int4 below = load4(b.numbers()) <= negated(load4(a.numbers() + 4)),
                       above = load4(b.numbers() + 4) <= negated(load4(a.numbers()));
            // The smaller of the two orders is the key.
            const PairKey one = PairKey{a.slot} << 32 | b.slot, other = PairKey{b.slot} << 32 | a.slot;
            *out = std::min(one, other);
            bool reported = (mask_bits4(below & above) & 7u) == 7u;
            if (moved_ != nullptr && reported) reported = is_reported(a.slot, b.slot);
            out += reported ? 1 : 0;
        }
        pairs.resize(static_cast<std::size_t>(out - pairs.data()));
        near_.count = 0;
    }
    bool is_reported(std::uint32_t body, std::uint32_t other) const {
        if (from_moved_) return other > body || (other < body && moved_[other] == 0);
        return (moved_[body] | moved_[other]) != 0;
    }
    static Float4 negated(Float4 v) {
        return Float4(Int4(v) ^ splat_int4(std::numeric_limits<std::int32_t>::min()));
    }

    struct Near : NearPairs {
        explicit Near(Search* s) : search(s) {
            query = queries.data();
            other = others.data();
            capacity = kNear;
        }
        Search* search;
        std::array<std::uint32_t, kNear + kCodePadding> queries, others;
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
        if (should_rebuild(moved.size() + cells_.waiting())) {
            sort(boxes);
        } else {
            clean_ = clean_ && moved.empty() && cells_.waiting() == 0;
            cells_.update(moved, boxes);
            if (cells_.needs_sort()) sort(boxes);
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
        if (!moved.empty() && should_rebuild(moved.size())) {
            if (!clean_) sort(boxes);
            find_all(executor, all_moved);
        } else {
            find_of_moved(moved, executor);
        }
        if (!all_moved)
            for (const std::uint32_t slot : moved) moved_[slot] = 0;
        collector_.finish(cells_.slot_count(), out);
        counts_.raw_candidates = collector_.raw();
    }

    void overlapping(const Aabb& box, std::span<const Aabb> boxes, WalkScratch& scratch,
                     FunctionRef<bool(std::uint32_t)> visit) const override {
        const auto visit_body = [&](std::uint32_t slot) { return !overlap(box, boxes[slot]) || visit(slot); };
        if (!CellQueries(cells_, boxes).overlapping(box, visit_body))
            BroadPhase::overlapping(box, boxes, scratch, visit);
    }

    void along_ray(const RayPart& part, std::span<const Aabb> boxes, WalkScratch& scratch,
                   FunctionRef<double(std::uint32_t)> visit) const override {
        const RayBoxTest test(part.ray);
        double end = part.end;
        const auto visit_body = [&](std::uint32_t slot) {
            if (test.enter(boxes[slot], part.begin, end) <= end) end = visit(slot);
            return end >= part.begin;
        };
        if (!CellQueries(cells_, boxes).along_ray(part, visit_body, [&] { return end; }))
            BroadPhase::along_ray(part, boxes, scratch, visit);
    }

    BroadPhaseCounts counts() const override { return counts_; }

    std::size_t memory_bytes() const override {
        std::size_t bytes =
            sizeof *this + cells_.memory_bytes() + collector_.memory_bytes() + moved_.capacity();
        bytes += searches_.size() * sizeof(Search);
        return bytes;
    }

    /// Occupied cells, and the boxes of bodies that are compared with all.
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
                if (box == last) continue;  // bodies of a cell are adjacent
                last = box;
                level = static_cast<std::uint32_t>(grid_index) + 1;
            }
            out.add(box, level);
        }
    }

  private:
    bool should_rebuild(std::size_t count) const { return count * kBodiesPerRebuild >= cells_.size(); }
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

    // Many moved: each body searches the half of its neighbourhood ahead of it.

    void find_all(Executor& executor, bool all_moved) {
        begin_searches(executor.worker_count(), all_moved ? nullptr : moved_.data(), false);
        executor.parallel_for(cells_.sorted_count(), kGrain,
                              [&](std::size_t begin, std::size_t end, unsigned worker) {
                                  query_ahead(static_cast<std::uint32_t>(begin),
                                              static_cast<std::uint32_t>(end), *searches_[worker]);
                              });
        finish_searches(executor.worker_count());
    }

    void query_ahead(std::uint32_t begin, std::uint32_t end, Search& search) const {
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
            last = query_group_ahead(grids[grid], cell, place, end, search);
            for (std::uint32_t body = place; grid > 0 && body < last; ++body)
                for (std::size_t larger = 0; larger < grid; ++larger) query_grid(body, grids[larger], search);
        }
    }

    /// Searches the neighbourhood of a body in any grid.
    void query_grid(std::uint32_t place, const BoxGrid& grid, Search& search) const {
        const Aabb box = cells_.entry(place).box();
        const bool all = !(reach_of(box) <= grid.largest);
        search.open({place, place + 1, 0, 0, all, true, all ? BoxCode{} : grid.code_of(box)});
        cells_.for_each_run(grid, range_of(grid, box),
                            [&](std::uint32_t begin, std::uint32_t end) { search.add(begin, end); });
    }

    /// Searches ahead of a group of bodies of one column in their own grid. Returns the place after the
    /// group. Group limits depend on places only, and a group never spans so many cells that it visits a cell
    /// twice.
    std::uint32_t query_group_ahead(const BoxGrid& grid, std::uint32_t cell, std::uint32_t place,
                                    std::uint32_t end, Search& search) const {
        const std::uint32_t* const first = cells_.first_of_cells();
        const std::uint32_t local = cell - grid.first_cell, top = grid.mask[2], z = local & top;
        const std::uint32_t y = (local >> grid.shift_y) & grid.mask[1], x = local >> grid.shift_x;
        const std::uint32_t column = cell - z;
        std::uint32_t last = std::min({(place | (kGroup - 1)) + 1, first[column + top + 1], end});
        while (cells_.entry(last - 1).cell > cell + std::min(kMaxCells, top - 3)) --last;
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

    // Few moved: each moved body searches its whole neighbourhood.

    void find_of_moved(std::span<const std::uint32_t> moved, Executor& executor) {
        begin_searches(executor.worker_count(), moved_.data(), true);
        executor.parallel_for(moved.size(), 32, [&](std::size_t begin, std::size_t end, unsigned worker) {
            for (const std::uint32_t slot : moved.subspan(begin, end - begin))
                query_around(slot, *searches_[worker]);
        });
        finish_searches(executor.worker_count());
    }

    void query_around(std::uint32_t slot, Search& search) const {
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
            if (!grid.has(cell) || !query_own_grid(place, grid, search)) query_grid(place, grid, search);
    }

    bool query_own_grid(std::uint32_t place, const BoxGrid& grid, Search& search) const {
        search.open({place, place + 1, 0, 0});
        CodeRun* run = search.runs();
        const bool written = cells_.write_runs_around(place, grid, run);
        search.close(run);
        return written;
    }

    BoxCells cells_;
    std::vector<std::unique_ptr<Search>> searches_;  ///< by worker
    std::vector<unsigned char> moved_;               ///< by slot; set during find_pairs only
    bool clean_ = false;                             ///< nothing has changed since the last sort
    PairCollector collector_;
    BroadPhaseCounts counts_;
};

}  // namespace

const BroadPhaseDescriptor& describe_best_broad() {
    static const BroadPhaseDescriptor descriptor{
        "best",
        "Best",
        "ours: grids by size, sorted by cell; see docs/explanation/broad-phases.md",
        "Each body is in one cell of a grid for its size. All bodies are sorted again when many move; few "
        "are updated one by one.",
        {},
        [](const ParameterValues&) -> std::unique_ptr<BroadPhase> { return std::make_unique<Best>(); },
        "Size of cells",
        kSizeNames,
    };
    return descriptor;
}

}  // namespace claybox::collision
