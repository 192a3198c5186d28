#include "bench/experiments/mesh/mesh_report.hpp"

#include "bench/experiments/shared/tables.hpp"

#include <algorithm>
#include <functional>
#include <span>

namespace claybox::bench {

using namespace collision;
using streams::QueryKind;

namespace {

constexpr const char* kOurs = "mesh_bvh";
constexpr const char* kWithoutMemory = "mesh_bvh_no_memory";
constexpr double kMemoryTarget = 3;    // speed-up from the pair memory
constexpr double kDentTarget = 0.25;   // ms per frame with 1,000,000 triangles
constexpr double kGrowthTarget = 2;    // cost relative to 10,000 triangles
constexpr double kBuildTarget = 1000;  // ms for 1,000,000 triangles
constexpr std::uint32_t kMillion = 1000000, kTenThousand = 10000;

std::string format_ms(double ms) {
    return format_number(ms < 10 ? "%.3f" : "%.1f", ms);
}

const char* yes_or_no(bool met) {
    return met ? "yes" : "no";
}

/// The fastest entry whose time excludes a part of its work; null if there is none.
const PlayResult* fastest_partial(const MeshRowResult& row) {
    const PlayResult* out = nullptr;
    for (const PlayResult& r : row.results)
        if (r.entry->load_per_query && r.fits && r.all_ns > 0 && (out == nullptr || r.all_ns < out->all_ns))
            out = &r;
    return out;
}

std::string ratios(const MeshRun& run) {
    std::string out;
    std::size_t met = 0, targets = 0;
    for (const auto* rows : {&run.contacts, &run.moving})
        for (const MeshRowResult& row : *rows) {
            const PlayResult *ours = find_result(row, kOurs), *library = fastest_library(row, false);
            if (ours == nullptr || library == nullptr) continue;
            const double times = library->all_ns / ours->all_ns, target = mesh_target(row.row);
            const PlayResult* part = fastest_partial(row);
            targets += target > 0 ? 1 : 0;
            met += target > 0 && times >= target ? 1 : 0;
            out += table_row({row.row.name(), std::to_string(row.triangles), format_us(ours->all_ns),
                              format_us(library->all_ns), library->entry->id,
                              format_spreads(ours->spread, library->spread), format_number("%.2f", times),
                              target > 0 ? format_number("%g", target) : "",
                              target > 0 ? yes_or_no(times >= target) : "",
                              part == nullptr ? "" : format_number("%.2f", part->all_ns / ours->all_ns)});
        }
    if (out.empty()) return "\nNo ratios: `mesh_bvh` or all libraries are missing.\n";
    return "\n### `mesh_bvh` compared with the fastest library, first hit\n\n" +
           table_head({"row", "triangles", "`mesh_bvh`, µs", "library, µs", "fastest library", kSpreadTitle,
                       "times faster", "target", "met", "times faster than rtcCollide alone"},
                      1) +
           out +
           (targets == 0
                ? ""
                : '\n' + std::to_string(met) + " of " + std::to_string(targets) + " targets are met.\n");
}

std::string memory_gain(const MeshRun& run) {
    std::string out;
    for (const MeshRowResult& row : run.moving) {
        const PlayResult *with = find_result(row, kOurs), *without = find_result(row, kWithoutMemory);
        if (with == nullptr || without == nullptr) continue;
        const double times = without->all_ns / with->all_ns;
        const auto kind = [&](const PlayResult& r, QueryKind k) {
            return format_us(r.ns[static_cast<std::size_t>(k)]);
        };
        out +=
            table_row({row.row.name(), format_us(with->all_ns), format_us(without->all_ns),
                       format_number("%.2f", times), format_number("%g", kMemoryTarget),
                       yes_or_no(times >= kMemoryTarget),
                       kind(*with, QueryKind::separated) + " / " + kind(*with, QueryKind::colliding),
                       kind(*without, QueryKind::separated) + " / " + kind(*without, QueryKind::colliding)});
    }
    if (out.empty()) return {};
    return "\n### Pair memory in coherent motion, `mesh_bvh`, µs per query\n\n" +
           table_head({"row", "with", "without", "times faster", "target", "met",
                       "with: separated / colliding", "without: separated / colliding"},
                      1) +
           out;
}

/// Maximum number of rows of the run in one table; more do not fit on a page.
constexpr std::size_t kMaxColumns = 6;

using Rows = std::vector<MeshRowResult>;
/// Calls `table(rows)` for each table.
void for_each_table(std::span<const MeshRowResult> rows,
                    const std::function<void(std::span<const MeshRowResult>)>& table) {
    for (std::size_t i = 0; i < rows.size(); i += kMaxColumns)
        table(rows.subspan(i, std::min(kMaxColumns, rows.size() - i)));
}

/// "torus/1000", or the name of the file.
std::string short_name(const MeshRow& row) {
    const std::string name = row.name();
    return row.shape == MeshShape::file ? row.file : name.substr(name.find('/') + 1);
}

std::vector<std::string> column_titles(std::span<const MeshRowResult> rows) {
    std::vector<std::string> out{"contestant"};
    for (const MeshRowResult& row : rows) out.push_back(short_name(row.row));
    return out;
}

/// Times of all contestants: all queries (separated / colliding).
std::string times_table(const MeshRun& run, std::span<const MeshRowResult> rows) {
    std::vector<std::string> shares{"colliding, %"};
    for (const MeshRowResult& row : rows)
        shares.push_back(format_number(
            "%.0f", 100.0 * static_cast<double>(row.kinds[static_cast<std::size_t>(QueryKind::colliding)]) /
                        static_cast<double>(row.queries)));
    std::string out = '\n' + table_head(column_titles(rows), 1) + table_row(shares);
    for (std::size_t i = 0; i < run.entries.size(); ++i) {
        std::vector<std::string> cells{run.entries[i].id};
        for (const MeshRowResult& row : rows) {
            const PlayResult& r = row.results[i];
            const bool timed = r.fits && r.all_ns > 0;
            cells.push_back(timed ? format_us(r.all_ns) + " (" + format_us(r.ns[0]) + " / " +
                                        format_us(r.ns[static_cast<std::size_t>(QueryKind::colliding)]) + ")"
                                  : "n/a");
        }
        out += table_row(cells);
    }
    return out;
}

std::string times(const MeshRun& run, const Rows& rows, const std::string& title) {
    if (rows.empty()) return {};
    std::string out = "\n### " + title + ", µs per query: all (separated / colliding)\n";
    for_each_table(rows, [&](auto some) { out += times_table(run, some); });
    return out;
}

std::string answers(const MeshRun& run) {
    std::string out = "\n### Answers\n\n" +
                      table_head({"contestant", "implementation", "queries", "wrong", "undecided"}, 2);
    for (std::size_t i = 0; i < run.entries.size(); ++i) {
        std::uint64_t answered = 0, wrong = 0, undecided = 0;
        for (const Rows* rows : {&run.contacts, &run.moving})
            for (const MeshRowResult& row : *rows) {
                const PlayResult& r = row.results[i];
                if (!r.fits) continue;
                answered += r.answered;
                wrong += r.wrong;
                undecided += r.undecided;
            }
        out += table_row({run.entries[i].id, run.entries[i].title, std::to_string(answered),
                          std::to_string(wrong), std::to_string(undecided)});
    }
    return out;
}

std::string preparation(const MeshRun& run) {
    if (run.contacts.empty()) return {};
    std::string out = "\n### Preparation of one mesh, ms\n";
    for_each_table(run.contacts, [&](std::span<const MeshRowResult> rows) {
        out += '\n' + table_head(column_titles(rows), 1);
        for (std::size_t i = 0; i < run.entries.size(); ++i) {
            std::vector<std::string> cells{run.entries[i].id};
            for (const MeshRowResult& row : rows) {
                const PlayResult& r = row.results[i];
                cells.push_back(r.fits ? format_number("%.2f", 1e-3 * r.prepare_us) : "n/a");
            }
            out += table_row(cells);
        }
    });
    return out;
}

const DentResult* find_dents(const MeshRun& run, std::uint32_t triangles, std::uint32_t moved) {
    for (const DentRowResult& row : run.dents)
        if (row.row.triangles == triangles && row.row.moved == moved)
            for (const DentResult& r : row.results)
                if (r.entry->id == kOurs) return &r;
    return nullptr;
}

std::string dent_targets(const MeshRun& run) {
    std::string out;
    for (const std::uint32_t moved : {default_moved(kMillion), default_moved(kTenThousand)}) {
        const DentResult *large = find_dents(run, kMillion, moved),
                         *small = find_dents(run, kTenThousand, moved);
        const std::string moved_text = std::to_string(moved) + " vertices moved";
        if (large != nullptr && moved == default_moved(kMillion))
            out += table_row({"frame with 1,000,000 triangles, " + moved_text + ", ms",
                              format_ms(large->frame_ms), "< " + format_number("%g", kDentTarget),
                              yes_or_no(large->frame_ms < kDentTarget)});
        if (large == nullptr || small == nullptr) continue;
        const double times = large->frame_ms / small->frame_ms;
        out +=
            table_row({"1,000,000 relative to 10,000 triangles, " + moved_text, format_number("%.2f", times),
                       "< " + format_number("%g", kGrowthTarget), yes_or_no(times < kGrowthTarget)});
    }
    if (const DentResult* r = find_dents(run, kMillion, default_moved(kMillion)))
        out += table_row({"build of 1,000,000 triangles, ms", format_ms(r->build_ms),
                          "< " + format_number("%g", kBuildTarget), yes_or_no(r->build_ms < kBuildTarget)});
    if (out.empty()) return {};
    return "\n### Targets for a deforming mesh, `mesh_bvh`\n\n" +
           table_head({"quantity", "measured", "target", "met"}, 1) + out;
}

std::string dents(const MeshRun& run) {
    if (run.dents.empty()) return {};
    std::string out =
        "\n### A deforming sphere and the 16 convex parts of a hand, ms per frame: update + queries = "
        "frame (spread of the frame)\n\n";
    std::vector<std::string> head{"contestant"}, colliding{"colliding parts, %"};
    for (const DentRowResult& row : run.dents) {
        head.push_back(std::to_string(row.triangles) + " triangles, " + std::to_string(row.row.moved) +
                       " moved");
        const double parts = static_cast<double>(run.effort.dents) * streams::kHandParts;
        colliding.push_back(format_number("%.0f", 100.0 * static_cast<double>(row.colliding) / parts));
    }
    out += table_head(head, 1) + table_row(colliding);
    std::string more = "\n### Build time, ms; wrong answers\n\n" + table_head(head, 1);
    for (std::size_t i = 0; i < run.deforming.size(); ++i) {
        std::vector<std::string> cells{run.deforming[i].id}, others{run.deforming[i].id};
        for (const DentRowResult& row : run.dents) {
            const DentResult& r = row.results[i];
            cells.push_back(format_ms(r.update_ms) + " + " + format_ms(r.query_ms) + " = " +
                            format_ms(r.frame_ms) + format_number(" (%.0f %%)", 100 * r.spread));
            others.push_back(format_ms(r.build_ms) + "; " + std::to_string(r.wrong) + " of " +
                             std::to_string(r.answered));
        }
        out += table_row(cells);
        more += table_row(others);
    }
    return out + more;
}

std::string introduction(const MeshRun& run) {
    std::string out = "## Comparison of mesh algorithms\n\n";
    out +=
        "First hit, surface against surface, one core, seed " + std::to_string(run.effort.seed) +
        ". Contact rows: " + std::to_string(run.effort.contacts) +
        " random poses of two copies of a mesh, every other one colliding, all 1 % of the radius from first "
        "contact on their line of approach. Moving rows: " +
        std::to_string(run.effort.bodies) + " copies in a narrow cage that turn back on collision, " +
        std::to_string(run.effort.frames) +
        " frames of 2 % of the radius and 3 degrees. Slow rows: a tenth of that motion. All contestants "
        "answer the same queries in turn; times are medians of the repeats, spreads interquartile "
        "ranges divided by medians; `n/a`: the contestant does not "
        "support the mesh. Two of Claybox's exact algorithms decided every query beforehand.\n";
    for (const std::string& word : run.missing_libraries) out += "\nNot measured: " + word + ".\n";
    if (!run.without_files.empty()) out += "\n" + run.without_files + "\n";
    return out + build_warning();
}

void add_measurements(const MeshRowResult& row, std::vector<Measurement>& out) {
    for (const PlayResult& r : row.results) {
        if (!r.fits || r.answered == 0) continue;
        Measurement all{"mesh/" + row.row.name() + "/all/" + r.entry->id, r.all_ns, 0, {}, r.spread};
        for (const std::uint64_t timed : r.timed) all.queries += timed * r.repeats;
        all.counters = {
            {"asked", static_cast<double>(r.answered)},        {"wrong", static_cast<double>(r.wrong)},
            {"undecided", static_cast<double>(r.undecided)},   {"prepare_us", r.prepare_us},
            {"triangles", static_cast<double>(row.triangles)}, {"repeats", static_cast<double>(r.repeats)}};
        out.push_back(std::move(all));
        for (std::size_t k = 0; k < streams::kQueryKinds; ++k)
            if (r.timed[k] > 0)
                out.push_back({"mesh/" + row.row.name() + '/' + to_string(static_cast<QueryKind>(k)) + '/' +
                                   r.entry->id,
                               r.ns[k],
                               r.timed[k] * r.repeats,
                               {}});
    }
}

void add_measurements(const DentRowResult& row, std::vector<Measurement>& out) {
    for (const DentResult& r : row.results)
        out.push_back({"mesh/" + row.row.name() + "/frame/" + r.entry->id,
                       1e6 * r.frame_ms,
                       r.frames,
                       {{"update_ms", r.update_ms},
                        {"query_ms", r.query_ms},
                        {"build_ms", r.build_ms},
                        {"asked", static_cast<double>(r.answered)},
                        {"wrong", static_cast<double>(r.wrong)}},
                       r.spread});
}

/// The first row with a wrong or undecided answer of an exact algorithm; empty if there is none.
std::string failure_of(const MeshRun& run) {
    const auto text = [](const std::string& id, std::uint64_t wrong, std::uint64_t answered,
                         const MeshRow& row) {
        return id + ": " + std::to_string(wrong) + " wrong answers to " + std::to_string(answered) +
               " queries of " + row.name() + ", expected none";
    };
    for (const auto* rows : {&run.contacts, &run.moving, &run.thresholds})
        for (const MeshRowResult& row : *rows)
            for (const PlayResult& r : row.results)
                if (r.entry->algorithm != nullptr && r.entry->algorithm->exact && r.wrong + r.undecided > 0)
                    return text(r.entry->id, r.wrong + r.undecided, r.answered, row.row);
    for (const DentRowResult& row : run.dents)
        for (const DentResult& r : row.results)
            if (r.entry->ours && r.wrong > 0) return text(r.entry->id, r.wrong, r.answered, row.row);
    return {};
}

}  // namespace

double mesh_target(const MeshRow& row) {
    if (row.part != MeshPart::contact) return 0;
    return row.shape == MeshShape::torus ? 4 : row.shape == MeshShape::flake ? 3 : 0;
}

ExperimentReport report_mesh(const MeshRun& run) {
    ExperimentReport out;
    for (const auto* rows : {&run.contacts, &run.moving, &run.thresholds})
        for (const MeshRowResult& row : *rows) add_measurements(row, out.measurements);
    for (const DentRowResult& row : run.dents) add_measurements(row, out.measurements);
    out.context = {{"seed", std::to_string(run.effort.seed)}};
    for (const std::string& word : run.missing_libraries) out.context.emplace_back("left_out", word);
    if (!run.without_files.empty()) out.context.emplace_back("files", run.without_files);
    std::vector<MeshRowResult> made, files, moving, slow;
    for (const MeshRowResult& row : run.contacts)
        (row.row.shape == MeshShape::file ? files : made).push_back(row);
    for (const MeshRowResult& row : run.moving)
        (row.row.part == MeshPart::slow ? slow : moving).push_back(row);
    out.markdown = introduction(run);
    if (!run.contacts.empty() || !run.moving.empty())
        out.markdown += ratios(run) + memory_gain(run) + times(run, made, "Near contact") +
                        times(run, files, "Near contact, mesh files") +
                        times(run, moving, "In coherent motion") + times(run, slow, "In slow motion") +
                        answers(run) + preparation(run);
    out.markdown += summarise_thresholds(run) + dent_targets(run) + dents(run);
    out.failure = failure_of(run);
    return out;
}

}  // namespace claybox::bench
