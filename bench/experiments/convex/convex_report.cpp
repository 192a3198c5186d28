#include "bench/experiments/convex/convex_report.hpp"

#include <algorithm>
#include <set>

namespace claybox::bench {

using namespace collision;
using streams::QueryKind;

double convex_target(const ConvexRow& row) {
    if (row.step > 5 || row.turn > 10) return 1.5;
    return row.vertices < 100 ? 3 : row.vertices < 500 ? 5 : row.vertices < 2000 ? 8 : 20;
}

namespace {

std::string motion_of(const ConvexRow& row) {
    return format_number("%g %% of the radius and ", row.step) +
           format_number("%g degrees per frame", row.turn);
}

/// Rows with the same motion.
using Group = std::vector<const ConvexRowResult*>;

std::vector<Group> by_motion(const ConvexRun& run) {
    std::vector<Group> out;
    for (const ConvexRowResult& row : run.rows) {
        const auto same = [&](const Group& g) {
            return g[0]->row.step == row.row.step && g[0]->row.turn == row.row.turn;
        };
        const auto at = std::find_if(out.begin(), out.end(), same);
        if (at == out.end())
            out.push_back({&row});
        else
            at->push_back(&row);
    }
    return out;
}

std::string short_name(const ConvexRow& row) {
    return row.shape() + ' ' + std::to_string(row.vertices);
}

std::vector<std::string> names_of(const Group& group, const char* first) {
    std::vector<std::string> out{first};
    for (const ConvexRowResult* row : group) out.push_back(short_name(row->row));
    return out;
}

/// ns per query of all contestants in the rows of one motion.
std::string times(const ConvexRun& run, const Group& group) {
    std::string out = "\n### " + motion_of(group[0]->row) + ", ns per query\n\n";
    out += table_head(names_of(group, "contestant"), 1);
    for (std::size_t i = 0; i < run.entries.size(); ++i) {
        std::vector<std::string> cells{run.entries[i].id};
        for (const ConvexRowResult* row : group)
            cells.push_back(row->results[i].fits ? format_ns(row->results[i].all_ns) : "n/a");
        out += table_row(cells);
    }
    return out;
}

std::string times_by_kind(const ConvexRun& run, const Group& group) {
    std::string out = "\n### By kind of query at " + motion_of(group[0]->row) +
                      ": separated / near / colliding, ns per query\n\n";
    out += table_head(names_of(group, "contestant"), 1);
    std::vector<std::string> shares{"share of the queries, %"};
    for (const ConvexRowResult* row : group) {
        std::string cell;
        for (const std::uint64_t n : row->kinds)
            cell += (cell.empty() ? "" : " / ") +
                    format_number("%.0f", 100.0 * static_cast<double>(n) / static_cast<double>(row->queries));
        shares.push_back(cell);
    }
    out += table_row(shares);
    for (std::size_t i = 0; i < run.entries.size(); ++i) {
        std::vector<std::string> cells{run.entries[i].id};
        for (const ConvexRowResult* row : group) {
            const PlayResult& r = row->results[i];
            cells.push_back(r.fits
                                ? format_ns(r.ns[0]) + " / " + format_ns(r.ns[1]) + " / " + format_ns(r.ns[2])
                                : "n/a");
        }
        out += table_row(cells);
    }
    return out;
}

/// Speed-up of `best` over `other`; empty if `other` is null.
std::string ratio_to(const PlayResult* other, const PlayResult& best) {
    return other == nullptr ? "" : format_number("%.2f", other->all_ns / best.all_ns);
}

std::string ratios(const ConvexRun& run) {
    std::string out = "\n### `best` compared with the fastest library, all queries\n\n";
    out += table_head({"row", "`best`, ns", "library, ns", "fastest library", kSpreadTitle, "times faster",
                       "target", "met", "times faster than libccd with our hill climbing"},
                      1);
    std::size_t met = 0, all = 0;
    for (const ConvexRowResult& row : run.rows) {
        const PlayResult* best = find_result(row, "best");
        const PlayResult* library = fastest_library(row, false);
        if (best == nullptr || library == nullptr) continue;
        const double target = convex_target(row.row);
        const bool good = library->all_ns >= target * best->all_ns;
        ++all;
        met += good ? 1 : 0;
        out += table_row({row.row.name(), format_ns(best->all_ns), format_ns(library->all_ns),
                          library->entry->id, format_spreads(best->spread, library->spread),
                          ratio_to(library, *best), format_number("%g", target), good ? "yes" : "no",
                          ratio_to(fastest_library(row, true), *best)});
    }
    if (all == 0) return "\nNo ratios: `best` or all libraries are missing.\n";
    return out + "\n" + std::to_string(met) + " of " + std::to_string(all) + " targets are met.\n";
}

/// Answers over all rows, and preparation times.
std::string answers(const ConvexRun& run) {
    std::string out = "\n### Answers and preparation\n\n";
    std::set<std::uint32_t> counts;
    for (const ConvexRowResult& row : run.rows) counts.insert(row.row.vertices);
    std::vector<std::string> head{"contestant", "queries",   "wrong",    "undecided",
                                  "rung 1, %",  "rung 2, %", "rung 3, %"};
    for (const std::uint32_t n : counts)
        head.push_back("preparation of " + std::to_string(n) + " vertices, µs");
    out += table_head(head, 1);
    for (std::size_t i = 0; i < run.entries.size(); ++i) {
        std::uint64_t answered = 0, wrong = 0, undecided = 0, rung[4] = {};
        std::map<std::uint32_t, std::vector<double>> prepare;
        for (const ConvexRowResult& row : run.rows) {
            const PlayResult& r = row.results[i];
            if (!r.fits) continue;
            answered += r.answered;
            wrong += r.wrong;
            undecided += r.undecided;
            for (std::size_t k = 0; k < 4; ++k) rung[k] += r.rung[k];
            prepare[row.row.vertices].push_back(r.prepare_us);
        }
        std::vector<std::string> cells{run.entries[i].id, std::to_string(answered), std::to_string(wrong),
                                       std::to_string(undecided)};
        const bool ours = run.entries[i].algorithm != nullptr && answered > 0;
        for (std::size_t k = 1; k < 4; ++k)
            cells.push_back(ours ? format_number("%.2f", 100.0 * static_cast<double>(rung[k]) /
                                                             static_cast<double>(answered))
                                 : "");
        for (const std::uint32_t n : counts) {
            std::vector<double>& us = prepare[n];
            const auto middle = us.begin() + static_cast<std::ptrdiff_t>(us.size() / 2);
            std::nth_element(us.begin(), middle, us.end());
            cells.push_back(us.empty() ? "n/a" : format_number("%.1f", *middle));
        }
        out += table_row(cells);
    }
    return out;
}

std::string introduction(const ConvexRun& run) {
    std::string out = "## Comparison of convex algorithms\n\n";
    out += "Recorded streams of " + std::to_string(run.effort.bodies) + " hulls in a cage, " +
           std::to_string(run.effort.frames) + " frames, seed " + std::to_string(run.effort.seed) +
           ". All contestants answer the same boolean queries in turn, with one cache per pair. Times are "
           "medians of the repeats, spreads interquartile ranges divided by medians. Near: distance or "
           "penetration depth "
           "of at most 5 % of the radius. "
           "Claybox's algorithms answer exactly, except `separating_plane`, which leaves collisions "
           "undecided. Two exact algorithms and a checked certificate decided "
           "every query beforehand.\n";
    for (const std::string& word : run.missing_libraries) out += "\nNot measured: " + word + ".\n";
    return out + build_warning();
}

void add_measurements(const ConvexRow& row, const PlayResult& r, std::vector<Measurement>& out) {
    if (!r.fits || r.answered == 0) return;
    const auto part = [&](std::uint64_t n) {
        return static_cast<double>(n) / static_cast<double>(r.answered);
    };
    Measurement all{"convex/" + row.name() + "/all/" + r.entry->id, r.all_ns, 0, {}, r.spread};
    for (const std::uint64_t timed : r.timed) all.queries += timed * r.repeats;
    all.counters = {{"asked", static_cast<double>(r.answered)},
                    {"wrong", static_cast<double>(r.wrong)},
                    {"undecided", static_cast<double>(r.undecided)},
                    {"prepare_us", r.prepare_us},
                    {"repeats", r.repeats}};
    if (r.entry->algorithm != nullptr) {
        std::uint64_t iterations = 0;
        for (const Histogram& h : r.iterations)
            for (const auto& [k, n] : h) iterations += k * n;
        all.counters.insert(all.counters.end(), {{"rung_1", part(r.rung[1])},
                                                 {"rung_2", part(r.rung[2])},
                                                 {"rung_3", part(r.rung[3])},
                                                 {"mean_iterations", part(iterations)}});
    }
    out.push_back(std::move(all));
    for (std::size_t k = 0; k < streams::kQueryKinds; ++k)
        if (r.timed[k] > 0)
            out.push_back(
                {"convex/" + row.name() + '/' + to_string(static_cast<QueryKind>(k)) + '/' + r.entry->id,
                 r.ns[k],
                 r.timed[k] * r.repeats,
                 {}});
}

/// The first row with a wrong or undecided answer of an exact algorithm; empty if there is none.
std::string failure_of(const ConvexRun& run) {
    for (const auto* rows : {&run.rows, &run.largest})
        for (const ConvexRowResult& row : *rows)
            for (const PlayResult& r : row.results)
                if (r.entry->algorithm != nullptr && r.entry->algorithm->exact && r.wrong + r.undecided > 0)
                    return r.entry->id + ": " + std::to_string(r.wrong) + " wrong and " +
                           std::to_string(r.undecided) + " undecided answers to " +
                           std::to_string(r.answered) + " queries of " + row.row.name() + ", expected none";
    return {};
}

}  // namespace

ExperimentReport report_convex(const ConvexRun& run) {
    ExperimentReport out;
    for (const ConvexRowResult& row : run.rows)
        for (const PlayResult& r : row.results) add_measurements(row.row, r, out.measurements);
    out.context = {{"seed", std::to_string(run.effort.seed)},
                   {"bodies", std::to_string(run.effort.bodies)},
                   {"frames", std::to_string(run.effort.frames)}};
    for (const std::string& word : run.missing_libraries) out.context.emplace_back("left_out", word);
    const std::vector<Group> groups = by_motion(run);
    const auto papers = [](const Group& g) { return g[0]->row.step == 5 && g[0]->row.turn == 10; };
    const auto central = std::find_if(groups.begin(), groups.end(), papers);
    out.markdown = introduction(run) + ratios(run) + "\n" + summarise_convex(run);
    for (const Group& group : groups) out.markdown += times(run, group);
    out.markdown += times_by_kind(run, central == groups.end() ? groups.front() : *central) + answers(run);
    out.failure = failure_of(run);
    return out;
}

}  // namespace claybox::bench
