// Slices of time. If pixels are also sorted by time, the runs of a row are put into slices as long as the
// motion. A pixel of B meets pixels of A in its own slice and the next, so B's runs go to all slices of
// [t, t + 1], those of A to all slices of t.

#include "collision/continuous/screw_motion/screen/scan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace claybox::collision {

namespace {

constexpr std::uint32_t kMaxSlices = 64;

template <class T, class Less>
void shell_sort(std::span<T> items, Less&& less) {
    const std::size_t n = items.size();
    std::size_t gap = 1;
    while (gap < n / 3) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (std::size_t i = gap; i < n; ++i) {
            const T item = items[i];
            std::size_t k = i;
            for (; k >= gap && less(item, items[k - gap]); k -= gap) items[k] = items[k - gap];
            items[k] = item;
        }
}

class Scanner {
  public:
    Scanner(const ScreenSettings& settings, const SideScreen& a, const SideScreen& b, ScanMemory& memory)
        : settings_(settings), a_(a), b_(b), memory_(memory) {}

    void run() {
        memory_.edge_pairs.clear(), memory_.a_in_b.clear(), memory_.b_in_a.clear();
        memory_.comparisons = 0;
        memory_.pairs.clear(a_.runs.size());
        memory_.vertex_pairs.clear(a_.vertices.size());
        sort_runs(a_, memory_.a), sort_runs(b_, memory_.b);
        sort_vertices(a_, memory_.a), sort_vertices(b_, memory_.b);
        memory_.a.face_slot.assign(a_.mesh->face_count(), kNoIndex);
        memory_.b.face_slot.assign(b_.mesh->face_count(), kNoIndex);
        for (std::size_t row = 0; row < rows(); ++row) scan_row(row);
    }

  private:
    std::size_t rows() const { return static_cast<std::size_t>(settings_.rows); }

    /// Bucket sort by row. Sorting inside a row follows when the row is scanned.
    void sort_runs(const SideScreen& side, ScanMemory::Side& out) const {
        auto& begin = out.row_begin;
        begin.assign(rows() + 1, 0);
        for (const PixelRun& run : side.runs) ++begin[static_cast<std::size_t>(run.row) + 1];
        for (std::size_t r = 0; r < rows(); ++r) begin[r + 1] += begin[r];
        out.sorted.resize(side.runs.size());
        for (std::uint32_t i = 0; i < side.runs.size(); ++i) {
            const PixelRun& run = side.runs[i];
            out.sorted[begin[static_cast<std::size_t>(run.row)]++] = {run.h_min, run.h_max, run.edge, i};
        }
        for (std::size_t r = rows(); r > 0; --r) begin[r] = begin[r - 1];
        begin[0] = 0;
    }
    void sort_vertices(const SideScreen& side, ScanMemory::Side& out) const {
        auto& begin = out.vertex_begin;
        begin.assign(rows() + 1, 0);
        for (const VertexPixel& v : side.vertices)
            for (std::int32_t row = v.row; v.wanted && row <= v.row_end; ++row)
                ++begin[static_cast<std::size_t>(row) + 1];
        for (std::size_t r = 0; r < rows(); ++r) begin[r + 1] += begin[r];
        out.vertex_order.resize(begin[rows()]);
        for (std::uint32_t i = 0; i < side.vertices.size(); ++i)
            for (std::int32_t row = side.vertices[i].row;
                 side.vertices[i].wanted && row <= side.vertices[i].row_end; ++row)
                out.vertex_order[begin[static_cast<std::size_t>(row)]++] = i;
        for (std::size_t r = rows(); r > 0; --r) begin[r] = begin[r - 1];
        begin[0] = 0;
    }
    static std::span<RowRun> runs_of(ScanMemory::Side& side, std::size_t row) {
        return {side.sorted.data() + side.row_begin[row], side.sorted.data() + side.row_begin[row + 1]};
    }
    static std::span<std::uint32_t> vertices_of(ScanMemory::Side& side, std::size_t row) {
        return {side.vertex_order.data() + side.vertex_begin[row],
                side.vertex_order.data() + side.vertex_begin[row + 1]};
    }

    void scan_row(std::size_t row) {
        const auto runs_a = runs_of(memory_.a, row), runs_b = runs_of(memory_.b, row);
        const auto vertices_a = vertices_of(memory_.a, row), vertices_b = vertices_of(memory_.b, row);
        if (!runs_a.empty() && !runs_b.empty()) {
            const auto near_a = crossing(runs_a, runs_b, memory_.a),
                       near_b = crossing(runs_b, near_a, memory_.b);
            if (near_a.empty() || near_b.empty()) {
                // nothing crosses
            } else if (settings_.hash_pixels) {
                match_pixels(near_a, near_b);
            } else if (settings_.time_sort) {
                cross_in_slices(near_a, near_b);
            } else {
                shell_sort_by_start(near_a), shell_sort_by_start(near_b);
                cross_edges(near_a, near_b);
            }
        }
        if (!vertices_a.empty() && !runs_b.empty())
            vertices_in_faces(a_, vertices_a, b_, runs_b, memory_.b, memory_.a_in_b, 0x40000000u);
        if (!vertices_b.empty() && !runs_a.empty())
            vertices_in_faces(b_, vertices_b, a_, runs_a, memory_.a, memory_.b_in_a, 0x80000000u);
    }

    /// The runs in the columns that the other body's runs cover.
    std::span<RowRun> crossing(std::span<const RowRun> runs, std::span<const RowRun> others,
                               ScanMemory::Side& work) const {
        std::int32_t low = INT32_MAX, high = INT32_MIN;
        for (const RowRun& run : others) low = std::min(low, run.h_min), high = std::max(high, run.h_max);
        work.crossing.clear();
        for (const RowRun& run : runs)
            if (run.h_max >= low && run.h_min <= high) work.crossing.push_back(run);
        return work.crossing;
    }

    /// The same for each slice of time of a row.
    void cross_in_slices(std::span<const RowRun> a, std::span<const RowRun> b) {
        double low = 1e300, high = -1e300;
        for (const RowRun& run : a) {
            low = std::min(low, a_.edges[run.edge].t_low), high = std::max(high, a_.edges[run.edge].t_high);
        }
        const double slices = std::clamp(std::ceil(high - low), 1.0, static_cast<double>(kMaxSlices));
        const auto slice = [&](double t) { return std::clamp(std::floor(t - low), 0.0, slices - 1); };
        const auto put = [&](const SideScreen& side, std::span<const RowRun> runs, double longer,
                             ScanMemory::Side& work) {
            work.slice_begin.assign(static_cast<std::size_t>(slices) + 1, 0);
            const auto visit = [&](const RowRun& run, auto&& cell) {
                const SubEdge& e = side.edges[run.edge];
                if (e.t_low > high || e.t_high + longer < low) return;
                for (double s = slice(e.t_low); s <= slice(e.t_high + longer); ++s)
                    cell(static_cast<std::size_t>(s));
            };
            auto& begin = work.slice_begin;
            for (const RowRun& run : runs) visit(run, [&](std::size_t s) { ++begin[s + 1]; });
            for (std::size_t s = 0; s + 1 < begin.size(); ++s) begin[s + 1] += begin[s];
            work.sliced.resize(begin.back());
            for (const RowRun& run : runs) visit(run, [&](std::size_t s) { work.sliced[begin[s]++] = run; });
            for (std::size_t s = begin.size() - 1; s > 0; --s) begin[s] = begin[s - 1];
            begin[0] = 0;
        };
        put(a_, a, 0, memory_.a), put(b_, b, 1, memory_.b);
        const auto of_slice = [](ScanMemory::Side& work, std::size_t s) {
            return std::span(work.sliced.data() + work.slice_begin[s],
                             work.sliced.data() + work.slice_begin[s + 1]);
        };
        for (std::size_t s = 0; s < static_cast<std::size_t>(slices); ++s) {
            const auto in_a = of_slice(memory_.a, s), in_b = of_slice(memory_.b, s);
            if (in_a.empty() || in_b.empty()) continue;
            shell_sort_by_start(in_a), shell_sort_by_start(in_b);
            cross_edges(in_a, in_b);
        }
    }

    /// Step 6: both sorted lists merged; a run that starts meets the open runs of the other body.
    void cross_edges(std::span<const RowRun> a, std::span<const RowRun> b) {
        auto &open_a = memory_.a.active, &open_b = memory_.b.active;
        open_a.clear(), open_b.clear();
        const auto meet = [&](const RowRun& run, std::span<const RowRun> others,
                              std::vector<std::uint32_t>& open, bool run_is_a) {
            for (std::size_t k = 0; k < open.size();) {
                const RowRun& other = others[open[k]];
                if (other.h_max < run.h_min) {
                    open[k] = open.back();
                    open.pop_back();
                    continue;
                }
                run_is_a ? pair(run, other) : pair(other, run);
                ++k;
            }
        };
        std::size_t i = 0, j = 0;
        while (i < a.size() || j < b.size()) {
            if (j == b.size() || (i < a.size() && a[i].h_min <= b[j].h_min)) {
                meet(a[i], b, open_b, true);
                open_a.push_back(static_cast<std::uint32_t>(i++));
            } else {
                meet(b[j], a, open_a, false);
                open_b.push_back(static_cast<std::uint32_t>(j++));
            }
            if ((i == a.size() && open_a.empty()) || (j == b.size() && open_b.empty())) return;
        }
    }

    /// The outlook's variant: B's pixels in a hash table, A's pixels looked up. Tiles of columns stand for
    /// pixels, so that a long run does not fill the table.
    void match_pixels(std::span<const RowRun> a, std::span<const RowRun> b) {
        std::size_t bits = 6;
        while ((std::size_t{1} << bits) < 2 * b.size()) ++bits;
        memory_.chain.assign(std::size_t{1} << bits, kNoIndex);
        memory_.chain_run.clear();
        int shift = 0;
        std::int64_t widest = 1;
        for (const RowRun& run : b)
            widest = std::max<std::int64_t>(widest, run.h_max - std::int64_t{run.h_min});
        for (const RowRun& run : a)
            widest = std::max<std::int64_t>(widest, run.h_max - std::int64_t{run.h_min});
        while ((widest >> shift) > 8) ++shift;
        const auto bucket = [&](std::int64_t column) {
            return static_cast<std::size_t>(static_cast<std::uint64_t>(column) * 0x9E3779B97F4A7C15ull >>
                                            (64 - bits));
        };
        for (std::uint32_t j = 0; j < b.size(); ++j)
            for (std::int64_t c = b[j].h_min >> shift; c <= b[j].h_max >> shift; ++c) {
                memory_.chain_run.push_back(j);
                memory_.chain_run.push_back(memory_.chain[bucket(c)]);
                memory_.chain[bucket(c)] = static_cast<std::uint32_t>(memory_.chain_run.size() - 2);
            }
        for (const RowRun& run : a)
            for (std::int64_t c = run.h_min >> shift; c <= run.h_max >> shift; ++c)
                for (std::uint32_t at = memory_.chain[bucket(c)]; at != kNoIndex;
                     at = memory_.chain_run[at + 1]) {
                    const RowRun& other = b[memory_.chain_run[at]];
                    if (other.h_min <= run.h_max && run.h_min <= other.h_max) pair(run, other);
                }
    }

    /// Two runs on the same pixel. The earliest pixel of a pair is kept.
    void pair(const RowRun& a, const RowRun& b) {
        ++memory_.comparisons;
        const SubEdge &ea = a_.edges[a.edge], &eb = b_.edges[b.edge];
        if (ea.is_virtual() || eb.is_virtual()) return;
        if (ea.t_high < eb.t_low || ea.t_low > eb.t_high + 1) return;
        bool inserted = false;
        const std::uint32_t k = memory_.pairs.find(
            a.edge, b.edge, static_cast<std::uint32_t>(memory_.edge_pairs.size()), inserted);
        if (!settings_.times) {
            if (inserted) memory_.edge_pairs.push_back({a.edge, b.edge});
            return;
        }
        const PixelRun &run_a = a_.runs[a.run], &run_b = b_.runs[b.run];
        const float time = 0.5f * (run_a.t_low + run_a.t_high - run_b.t_low - run_b.t_high);
        const EdgePair found{a.edge, b.edge, time, run_a.first, run_a.last, run_b.first, run_b.last};
        if (inserted) {
            memory_.edge_pairs.push_back(found);
        } else {
            EdgePair& old = memory_.edge_pairs[k];
            // Times before the motion are not collisions.
            const auto rank = [](float t) { return t < 0 ? 2 - t : t; };
            if (rank(time) < rank(old.time)) old = found;
        }
    }

    /// Step 5: the spans of faces in this row, entered by first column and left by last.
    void vertices_in_faces(const SideScreen& owner, std::span<const std::uint32_t> vertices,
                           const SideScreen& side, std::span<const RowRun> runs, ScanMemory::Side& work,
                           std::vector<VertexFacePair>& out, std::uint32_t table) {
        auto& spans = work.spans;
        spans.clear();
        for (const RowRun& run : runs) {
            const SubEdge& e = side.edges[run.edge];
            for (const std::uint32_t face : {e.left, e.right}) {
                if (face == kNoIndex) continue;
                std::uint32_t& slot = work.face_slot[face];
                if (slot == kNoIndex) {
                    slot = static_cast<std::uint32_t>(spans.size());
                    spans.push_back({run.h_min, run.h_max, face});
                } else {
                    spans[slot].h_min = std::min(spans[slot].h_min, run.h_min);
                    spans[slot].h_max = std::max(spans[slot].h_max, run.h_max);
                }
            }
        }
        for (const FaceSpan& span : spans) work.face_slot[span.face] = kNoIndex;
        const auto take = [&](std::uint32_t vertex, std::uint32_t face) {
            bool inserted = false;
            memory_.vertex_pairs.find(vertex | table, face, 0, inserted);
            if (inserted) out.push_back({vertex, face});
        };
        if (vertices.size() * spans.size() <= 256 || settings_.hash_pixels) {
            for (const std::uint32_t v : vertices)
                for (const FaceSpan& span : spans)
                    if (span.h_min <= owner.vertices[v].h_max && owner.vertices[v].h_min <= span.h_max)
                        take(v, span.face);
            return;
        }
        sweep_faces(owner, vertices, work, take);
    }

    template <class Take>
    void sweep_faces(const SideScreen& owner, std::span<const std::uint32_t> vertices, ScanMemory::Side& work,
                     Take&& take) {
        work.leaving = work.spans;
        shell_sort_by_start(std::span(work.spans));
        shell_sort_by_end(std::span(work.leaving));
        std::vector<std::uint32_t>& order = work.active;
        order.assign(vertices.begin(), vertices.end());
        shell_sort(std::span(order), [&](std::uint32_t x, std::uint32_t y) {
            return owner.vertices[x].h_min < owner.vertices[y].h_min;
        });
        auto& entered = work.entered;
        entered.clear();
        std::size_t enter = 0, leave = 0;
        for (const std::uint32_t v : order) {
            const VertexPixel& pixel = owner.vertices[v];
            for (; enter < work.spans.size() && work.spans[enter].h_min <= pixel.h_max; ++enter) {
                work.face_slot[work.spans[enter].face] = static_cast<std::uint32_t>(entered.size());
                entered.push_back(work.spans[enter]);
            }
            for (; leave < work.leaving.size() && work.leaving[leave].h_max < pixel.h_min; ++leave) {
                std::uint32_t& slot = work.face_slot[work.leaving[leave].face];
                entered[slot] = entered.back();
                work.face_slot[entered[slot].face] = slot;
                entered.pop_back();
                slot = kNoIndex;
            }
            for (const FaceSpan& span : entered)
                if (span.h_min <= pixel.h_max)
                    take(v, span.face);  // a wider vertex may have entered it early
        }
        for (const FaceSpan& span : entered) work.face_slot[span.face] = kNoIndex;
    }

    const ScreenSettings& settings_;
    const SideScreen &a_, &b_;
    ScanMemory& memory_;
};

}  // namespace

void shell_sort_by_start(std::span<RowRun> runs) {
    shell_sort(runs, [](const RowRun& x, const RowRun& y) { return x.h_min < y.h_min; });
}

void shell_sort_by_start(std::span<FaceSpan> spans) {
    shell_sort(spans, [](const FaceSpan& x, const FaceSpan& y) { return x.h_min < y.h_min; });
}

void shell_sort_by_end(std::span<FaceSpan> spans) {
    shell_sort(spans, [](const FaceSpan& x, const FaceSpan& y) { return x.h_max < y.h_max; });
}

void IndexPairTable::clear(std::size_t expected) {
    std::size_t size = 64;
    while (size < 2 * expected) size *= 2;
    if (slots_.size() < size) {
        slots_.assign(size, Slot{0, 0, 0});
        stamp_ = 0;
    }
    used_ = 0;
    if (++stamp_ == 0) {
        for (Slot& slot : slots_) slot.stamp = 0;
        stamp_ = 1;
    }
}

std::uint32_t& IndexPairTable::find(std::uint32_t a, std::uint32_t b, std::uint32_t value, bool& inserted) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    const std::uint64_t key = std::uint64_t{a} << 32 | b;
    std::size_t at = static_cast<std::size_t>((key * 0x9E3779B97F4A7C15ull) >> 32) & (slots_.size() - 1);
    for (;; at = (at + 1) & (slots_.size() - 1)) {
        Slot& slot = slots_[at];
        if (slot.stamp != stamp_) {
            slot = {key, stamp_, value};
            ++used_;
            inserted = true;
            return slot.value;
        }
        if (slot.key == key) {
            inserted = false;
            return slot.value;
        }
    }
}

void IndexPairTable::grow() {
    std::vector<Slot> old(slots_.size() * 2, Slot{0, 0, 0});
    old.swap(slots_);
    const std::uint32_t stamp = stamp_;
    used_ = 0;
    for (const Slot& slot : old) {
        if (slot.stamp != stamp) continue;
        bool inserted = false;
        find(static_cast<std::uint32_t>(slot.key >> 32), static_cast<std::uint32_t>(slot.key), slot.value,
             inserted);
    }
}

void scan_screen(const ScreenSettings& settings, const SideScreen& a, const SideScreen& b,
                 ScanMemory& memory) {
    Scanner(settings, a, b, memory).run();
}

}  // namespace claybox::collision
