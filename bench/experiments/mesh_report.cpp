#include "bench/experiments/mesh_report.hpp"

#include "bench/experiments/tables.hpp"

#include <algorithm>
#include <functional>
#include <span>

namespace claybox::bench {

using namespace collision;
using streams::QueryKind;

namespace {

constexpr const char* kOurs = "mesh_bvh";
constexpr const char* kWithoutMemory = "mesh_bvh_no_memory";
constexpr double kMemoryTarget = 3;    // times faster than without
constexpr double kDentTarget = 0.25;   // ms a frame at a million
constexpr double kGrowthTarget = 2;    // times the cost at ten thousand
constexpr double kBuildTarget = 1000;  // ms for a million
constexpr std::uint32_t kMillion = 1000000, kTenThousand = 10000;

std::string in_ms(double ms) {
    return in_digits(ms < 10 ? "%.3f" : "%.1f", ms);
}

const char* yes_or_no(bool met) {
    return met ? "yes" : "no";
}

/// The library's entry that leaves out a part of its work; null when there is none.
const PlayResult* fastest_in_part(const MeshRowResult& row) {
    const PlayResult* out = nullptr;
    for (const PlayResult& r : row.results)
        if (r.entry->loads_each && r.fits && r.all_ns > 0 && (out == nullptr || r.all_ns < out->all_ns))
            out = &r;
    return out;
}

std::string ratios(const MeshRun& run) {
    std::string out;
    std::size_t met = 0, aims = 0;
    for (const auto* rows : {&run.contacts, &run.moving})
        for (const MeshRowResult& row : *rows) {
            const PlayResult *ours = find_result(row, kOurs), *library = fastest_library(row, false);
            if (ours == nullptr || library == nullptr) continue;
            const double times = library->all_ns / ours->all_ns, aim = mesh_target(row.row);
            const PlayResult* part = fastest_in_part(row);
            aims += aim > 0 ? 1 : 0;
            met += aim > 0 && times >= aim ? 1 : 0;
            out += line_of({row.row.name(), std::to_string(row.triangles), in_us(ours->all_ns),
                            in_us(library->all_ns), library->entry->id, in_digits("%.2f", times),
                            aim > 0 ? in_digits("%g", aim) : "", aim > 0 ? yes_or_no(times >= aim) : "",
                            part == nullptr ? "" : in_digits("%.2f", part->all_ns / ours->all_ns)});
        }
    if (out.empty()) return "\nThere is no `mesh_bvh`, or no library, among the contestants: no ratios.\n";
    return "\n### `mesh_bvh` against the fastest library of each row, first hit\n\n" +
           head_of({"row", "triangles", "`mesh_bvh`, µs", "library, µs", "which", "times faster", "aim",
                    "met", "than rtcCollide alone"},
                   1) +
           out +
           (aims == 0 ? "" : '\n' + std::to_string(met) + " of " + std::to_string(aims) + " aims are met.\n");
}

std::string remembering(const MeshRun& run) {
    std::string out;
    for (const MeshRowResult& row : run.moving) {
        const PlayResult *with = find_result(row, kOurs), *without = find_result(row, kWithoutMemory);
        if (with == nullptr || without == nullptr) continue;
        const double times = without->all_ns / with->all_ns;
        const auto kind = [&](const PlayResult& r, QueryKind k) {
            return in_us(r.ns[static_cast<std::size_t>(k)]);
        };
        out += line_of({row.row.name(), in_us(with->all_ns), in_us(without->all_ns), in_digits("%.2f", times),
                        in_digits("%g", kMemoryTarget), yes_or_no(times >= kMemoryTarget),
                        kind(*with, QueryKind::separated) + " / " + kind(*with, QueryKind::colliding),
                        kind(*without, QueryKind::separated) + " / " + kind(*without, QueryKind::colliding)});
    }
    if (out.empty()) return {};
    return "\n### Remembering the last query of the pair in coherent motion, `mesh_bvh`, µs a query\n\n" +
           head_of({"row", "with", "without", "times faster", "aim", "met", "with: apart / colliding",
                    "without: apart / colliding"},
                   1) +
           out;
}

/// So many rows of the run stand side by side in a table that a page has room for.
constexpr std::size_t kMostColumns = 6;

using Rows = std::vector<MeshRowResult>;
/// Calls `table(rows)` for one table after another.
void in_tables(std::span<const MeshRowResult> rows,
               const std::function<void(std::span<const MeshRowResult>)>& table) {
    for (std::size_t i = 0; i < rows.size(); i += kMostColumns)
        table(rows.subspan(i, std::min(kMostColumns, rows.size() - i)));
}

/// "torus/1000", or the name of a file.
std::string short_name(const MeshRow& row) {
    const std::string name = row.name();
    return row.shape == MeshShape::file ? row.file : name.substr(name.find('/') + 1);
}

std::vector<std::string> heads_of(std::span<const MeshRowResult> rows) {
    std::vector<std::string> out{"contestant"};
    for (const MeshRowResult& row : rows) out.push_back(short_name(row.row));
    return out;
}

/// Of everyone in the rows: all queries, then apart / colliding.
std::string times_table(const MeshRun& run, std::span<const MeshRowResult> rows) {
    std::vector<std::string> shares{"colliding, %"};
    for (const MeshRowResult& row : rows)
        shares.push_back(in_digits(
            "%.0f", 100.0 * static_cast<double>(row.kinds[static_cast<std::size_t>(QueryKind::colliding)]) /
                        static_cast<double>(row.queries)));
    std::string out = '\n' + head_of(heads_of(rows), 1) + line_of(shares);
    for (std::size_t i = 0; i < run.entries.size(); ++i) {
        std::vector<std::string> cells{run.entries[i].id};
        for (const MeshRowResult& row : rows) {
            const PlayResult& r = row.results[i];
            const bool timed = r.fits && r.all_ns > 0;
            cells.push_back(timed ? in_us(r.all_ns) + " (" + in_us(r.ns[0]) + " / " +
                                        in_us(r.ns[static_cast<std::size_t>(QueryKind::colliding)]) + ")"
                                  : "n/a");
        }
        out += line_of(cells);
    }
    return out;
}

std::string times(const MeshRun& run, const Rows& rows, const std::string& title) {
    if (rows.empty()) return {};
    std::string out = "\n### " + title + ", µs a query: all (apart / colliding)\n";
    in_tables(rows, [&](auto some) { out += times_table(run, some); });
    return out;
}

std::string answers(const MeshRun& run) {
    std::string out =
        "\n### Answers\n\n" + head_of({"contestant", "what", "queries", "wrong", "undecided"}, 2);
    for (std::size_t i = 0; i < run.entries.size(); ++i) {
        std::uint64_t asked = 0, wrong = 0, undecided = 0;
        for (const Rows* rows : {&run.contacts, &run.moving})
            for (const MeshRowResult& row : *rows) {
                const PlayResult& r = row.results[i];
                if (!r.fits) continue;
                asked += r.asked;
                wrong += r.wrong;
                undecided += r.undecided;
            }
        out += line_of({run.entries[i].id, run.entries[i].title, std::to_string(asked), std::to_string(wrong),
                        std::to_string(undecided)});
    }
    return out;
}

std::string preparation(const MeshRun& run) {
    if (run.contacts.empty()) return {};
    std::string out = "\n### Preparation of one mesh, ms\n";
    in_tables(run.contacts, [&](std::span<const MeshRowResult> rows) {
        out += '\n' + head_of(heads_of(rows), 1);
        for (std::size_t i = 0; i < run.entries.size(); ++i) {
            std::vector<std::string> cells{run.entries[i].id};
            for (const MeshRowResult& row : rows) {
                const PlayResult& r = row.results[i];
                cells.push_back(r.fits ? in_digits("%.2f", 1e-3 * r.prepare_us) : "n/a");
            }
            out += line_of(cells);
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

std::string dent_aims(const MeshRun& run) {
    std::string out;
    for (const std::uint32_t moved : {default_moved(kMillion), default_moved(kTenThousand)}) {
        const DentResult *large = find_dents(run, kMillion, moved),
                         *small = find_dents(run, kTenThousand, moved);
        const std::string what = std::to_string(moved) + " vertices moved";
        if (large != nullptr && moved == default_moved(kMillion))
            out += line_of({"a frame at 1,000,000 triangles, " + what + ", ms", in_ms(large->frame_ms),
                            "< " + in_digits("%g", kDentTarget), yes_or_no(large->frame_ms < kDentTarget)});
        if (large == nullptr || small == nullptr) continue;
        const double times = large->frame_ms / small->frame_ms;
        out += line_of({"1,000,000 against 10,000 triangles, " + what + ", times", in_digits("%.2f", times),
                        "< " + in_digits("%g", kGrowthTarget), yes_or_no(times < kGrowthTarget)});
    }
    if (const DentResult* r = find_dents(run, kMillion, default_moved(kMillion)))
        out += line_of({"building 1,000,000 triangles, ms", in_ms(r->build_ms),
                        "< " + in_digits("%g", kBuildTarget), yes_or_no(r->build_ms < kBuildTarget)});
    if (out.empty()) return {};
    return "\n### Aims of a deforming mesh, `mesh_bvh`\n\n" + head_of({"what", "measured", "aim", "met"}, 1) +
           out;
}

std::string dents(const MeshRun& run) {
    if (run.dents.empty()) return {};
    std::string out =
        "\n### A deforming sphere and the 16 convex parts of a hand, ms a frame: update + queries = "
        "frame\n\n";
    std::vector<std::string> head{"contestant"}, meeting{"parts that meet, %"};
    for (const DentRowResult& row : run.dents) {
        head.push_back(std::to_string(row.triangles) + " triangles, " + std::to_string(row.row.moved) +
                       " moved");
        const double parts = static_cast<double>(run.effort.dents) * streams::kHandParts;
        meeting.push_back(in_digits("%.0f", 100.0 * static_cast<double>(row.meeting) / parts));
    }
    out += head_of(head, 1) + line_of(meeting);
    std::string more = "\n### Building the structure, ms, and wrong answers\n\n" + head_of(head, 1);
    for (std::size_t i = 0; i < run.deforming.size(); ++i) {
        std::vector<std::string> cells{run.deforming[i].id}, others{run.deforming[i].id};
        for (const DentRowResult& row : run.dents) {
            const DentResult& r = row.results[i];
            cells.push_back(in_ms(r.update_ms) + " + " + in_ms(r.query_ms) + " = " + in_ms(r.frame_ms));
            others.push_back(in_ms(r.build_ms) + "; " + std::to_string(r.wrong) + " of " +
                             std::to_string(r.asked));
        }
        out += line_of(cells);
        more += line_of(others);
    }
    return out + more;
}

std::string introduction(const MeshRun& run) {
    std::string out = "## Mesh algorithms side by side\n\n";
    out +=
        "First hit, surface against surface, one core, seed " + std::to_string(run.effort.seed) +
        ". Contact rows: " + std::to_string(run.effort.contacts) +
        " random poses of two copies of a mesh, every other one colliding, all 1 % of the radius from first "
        "contact on their line of approach. Moving rows: " +
        std::to_string(run.effort.bodies) + " copies in a narrow cage, " + std::to_string(run.effort.frames) +
        " frames of 2 % of the radius and 3 degrees; they turn back when they hit. Slow rows: a tenth of "
        "that "
        "motion. Every contestant answers the same queries in turn, medians of the repeats; `n/a` where it "
        "does not take the mesh. The exact "
        "answer of every query was decided beforehand by two of our algorithms.\n";
    for (const std::string& word : run.left_out) out += "\nLeft out is " + word + ".\n";
    if (!run.without_files.empty()) out += "\n" + run.without_files + "\n";
    return out + warning_of_build();
}

void add_measurements(const MeshRowResult& row, std::vector<Measurement>& out) {
    for (const PlayResult& r : row.results) {
        if (!r.fits || r.asked == 0) continue;
        Measurement all{"mesh/" + row.row.name() + "/all/" + r.entry->id, r.all_ns, 0, {}};
        for (const std::uint64_t timed : r.timed) all.queries += timed * r.repeats;
        all.counters = {
            {"asked", static_cast<double>(r.asked)},           {"wrong", static_cast<double>(r.wrong)},
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
                        {"asked", static_cast<double>(r.asked)},
                        {"wrong", static_cast<double>(r.wrong)}}});
}

/// The first answer of an exact algorithm of ours that is not exact.
std::string failure_of(const MeshRun& run) {
    const auto words = [](const std::string& id, std::uint64_t wrong, std::uint64_t asked,
                          const MeshRow& row) {
        return id + " answers " + std::to_string(wrong) + " wrongly of " + std::to_string(asked) +
               " queries of " + row.name() + ", expected none";
    };
    for (const auto* rows : {&run.contacts, &run.moving, &run.thresholds})
        for (const MeshRowResult& row : *rows)
            for (const PlayResult& r : row.results)
                if (r.entry->algorithm != nullptr && r.entry->algorithm->exact && r.wrong + r.undecided > 0)
                    return words(r.entry->id, r.wrong + r.undecided, r.asked, row.row);
    for (const DentRowResult& row : run.dents)
        for (const DentResult& r : row.results)
            if (r.entry->ours && r.wrong > 0) return words(r.entry->id, r.wrong, r.asked, row.row);
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
    for (const std::string& word : run.left_out) out.context.emplace_back("left_out", word);
    if (!run.without_files.empty()) out.context.emplace_back("files", run.without_files);
    std::vector<MeshRowResult> made, files, moving, slow;
    for (const MeshRowResult& row : run.contacts)
        (row.row.shape == MeshShape::file ? files : made).push_back(row);
    for (const MeshRowResult& row : run.moving)
        (row.row.part == MeshPart::slow ? slow : moving).push_back(row);
    out.markdown = introduction(run);
    if (!run.contacts.empty() || !run.moving.empty())
        out.markdown += ratios(run) + remembering(run) + times(run, made, "Near contact") +
                        times(run, files, "Near contact, meshes of files") +
                        times(run, moving, "In coherent motion") + times(run, slow, "In slow motion") +
                        answers(run) + preparation(run);
    out.markdown += summarise_thresholds(run) + dent_aims(run) + dents(run);
    out.failure = failure_of(run);
    return out;
}

}  // namespace claybox::bench
