#include "bench/experiments/broad/broad_report.hpp"

#include "bench/experiments/shared/tables.hpp"

#include <algorithm>
#include <string_view>

namespace claybox::bench {

namespace {

constexpr const char* kOurs = "best";
constexpr double kAllTarget = 5, kFewTarget = 2;       // speed-up over the fastest library
constexpr double kAllMsTarget = 12, kFewMsTarget = 2;  // ms per frame with 100,000 bodies
constexpr double kGrowthTarget = 1.3;                  // cost per body, 100,000 against 10,000 bodies
constexpr std::uint32_t kMany = 100000, kFewer = 10000;

std::string format_ms(double ms) {
    return format_number(ms < 1 ? "%.4f" : ms < 100 ? "%.2f" : "%.0f", ms);
}

const char* yes_or_no(bool met) {
    return met ? "yes" : "no";
}

bool timed(const BroadResult& r) {
    return r.fits && r.frames > 0;
}

const BroadResult* find_broad(const BroadRowResult& row, std::string_view id) {
    for (const BroadResult& r : row.results)
        if (r.entry->id == id && timed(r)) return &r;
    return nullptr;
}

/// The fastest contestant without wrong frames; null if there is none.
const BroadResult* fastest(const BroadRowResult& row, bool ours) {
    const BroadResult* out = nullptr;
    for (const BroadResult& r : row.results)
        if (r.entry->ours == ours && timed(r) && r.wrong == 0 &&
            (out == nullptr || r.frame_ms < out->frame_ms))
            out = &r;
    return out;
}

std::string ratios(const BroadRun& run) {
    std::string out;
    std::size_t met = 0, targets = 0;
    for (const BroadRowResult& row : run.rows) {
        const BroadResult *ours = find_broad(row, kOurs), *library = fastest(row, false);
        if (ours == nullptr || library == nullptr) continue;
        const double times = library->frame_ms / ours->frame_ms, target = broad_target(row.row);
        targets += target > 0 ? 1 : 0;
        met += target > 0 && times >= target ? 1 : 0;
        out += table_row({row.row.name(), std::to_string(row.moved), format_number("%.0f", row.pairs),
                          format_ms(ours->frame_ms), format_ms(library->frame_ms), library->entry->id,
                          format_spreads(ours->spread, library->spread), format_number("%.1f", times),
                          target > 0 ? format_number("%g", target) : "",
                          target > 0 ? yes_or_no(times >= target) : "", fastest(row, true)->entry->id,
                          format_ms(row.plain_ms)});
    }
    if (out.empty()) return "\nNo ratios: `best` or all libraries are missing.\n";
    return "\n### `best` compared with the fastest library that found all pairs\n\n" +
           table_head({"row", "moved", "pairs", "`best`, ms", "library, ms", "fastest library", kSpreadTitle,
                       "times faster", "target", "met", "fastest of Claybox", "plain grid, ms"},
                      1) +
           out + '\n' + std::to_string(met) + " of " + std::to_string(targets) + " targets are met.\n";
}

std::string target_line(const std::string& quantity, double measured, double target) {
    return table_row({quantity, format_number("%.2f", measured), "< " + format_number("%g", target),
                      yes_or_no(measured < target)});
}

std::string targets(const BroadRun& run) {
    std::string out;
    const auto ms_of = [&](BroadPart part, std::uint32_t bodies) {
        for (const BroadRowResult& row : run.rows)
            if (row.row == BroadRow{part, bodies})
                if (const BroadResult* r = find_broad(row, kOurs)) return r->frame_ms;
        return 0.0;
    };
    for (const BroadPart part : {BroadPart::all, BroadPart::few, BroadPart::turns})
        if (const double ms = ms_of(part, kMany); ms > 0)
            out += target_line(BroadRow{part, kMany}.name() + ", ms per frame", ms,
                               part == BroadPart::all ? kAllMsTarget : kFewMsTarget);
    const double many = ms_of(BroadPart::all, kMany), fewer = ms_of(BroadPart::all, kFewer);
    if (many > 0 && fewer > 0)
        out += target_line("cost per body, 100000 relative to 10000 bodies, all moving",
                           many / kMany / (fewer / kFewer), kGrowthTarget);
    if (out.empty()) return {};
    return "\n### Targets of `best`\n\n" + table_head({"quantity", "measured", "target", "met"}, 1) + out;
}

/// The rows of one part.
std::vector<const BroadRowResult*> rows_of(const BroadRun& run, BroadPart part) {
    std::vector<const BroadRowResult*> out;
    for (const BroadRowResult& row : run.rows)
        if (row.row.part == part) out.push_back(&row);
    return out;
}

std::string times(const BroadRun& run, BroadPart part, const std::string& title) {
    const auto rows = rows_of(run, part);
    if (rows.empty()) return {};
    std::vector<std::string> head{"contestant"}, plain{"(reference: plain grid, rebuilt per frame)"};
    for (const BroadRowResult* row : rows) {
        head.push_back(std::to_string(row->row.bodies));
        plain.push_back(format_ms(row->plain_ms));
    }
    std::string out = "\n### " + title + ", ms per frame: update + pairs = frame\n\n" + table_head(head, 1);
    for (std::size_t i = 0; i < run.entries.size(); ++i) {
        std::vector<std::string> cells{run.entries[i].id};
        for (const BroadRowResult* row : rows) {
            const BroadResult& r = row->results[i];
            cells.push_back(timed(r) ? format_ms(r.update_ms) + " + " + format_ms(r.find_ms) + " = " +
                                           format_ms(r.frame_ms)
                                     : "n/a");
        }
        out += table_row(cells);
    }
    return out + table_row(plain);
}

std::string coherence(const BroadRun& run) {
    std::string out;
    for (const BroadRowResult* row : rows_of(run, BroadPart::lasting)) {
        out += "\n### " + std::to_string(row->row.bodies) + " bodies, all moving, for " +
               std::to_string(run.effort.long_frames) + " frames\n\n" +
               table_head({"contestant", "frames", "first 5 %, ms", "last 5 %, ms", "last / first",
                           "wrong frames", "max. missing pairs"},
                          1);
        for (const BroadResult& r : row->results)
            if (timed(r))
                out += table_row({r.entry->id, std::to_string(r.answered), format_ms(r.early_ms),
                                  format_ms(r.late_ms), format_number("%.2f", r.late_ms / r.early_ms),
                                  std::to_string(r.wrong), std::to_string(r.max_missing)});
    }
    return out;
}

std::string answers(const BroadRun& run) {
    std::string out =
        "\n### Answers\n\n" + table_head({"contestant", "implementation", "frames", "wrong frames",
                                          "max. missing pairs", "max. extra pairs"},
                                         2);
    for (std::size_t i = 0; i < run.entries.size(); ++i) {
        BroadResult sum;
        for (const BroadRowResult& row : run.rows) {
            sum.answered += row.results[i].answered;
            sum.wrong += row.results[i].wrong;
            sum.max_missing = std::max(sum.max_missing, row.results[i].max_missing);
            sum.max_extra = std::max(sum.max_extra, row.results[i].max_extra);
        }
        out += table_row({run.entries[i].id, run.entries[i].title, std::to_string(sum.answered),
                          std::to_string(sum.wrong), std::to_string(sum.max_missing),
                          std::to_string(sum.max_extra)});
    }
    return out;
}

std::string introduction(const BroadRun& run) {
    std::string out = "## Comparison of broad phases\n\n";
    out +=
        "Boxes with sides of 0.6 to 1.4 m in a cage; each overlaps three others on average and moves by 1 to "
        "5 % of its size per frame. One core, seed " +
        std::to_string(run.effort.seed) +
        ". A frame consists of an update of the moved boxes and a list of all overlapping pairs, including "
        "pairs of bodies at rest. All contestants play the same " +
        std::to_string(run.effort.frames) + " frames in turn, " + std::to_string(run.effort.block) +
        " at a time. Times are medians over the frames, spreads interquartile ranges divided by medians; "
        "`n/a`: more "
        "bodies than the contestant supports. The pairs of every "
        "frame are compared with those of a plain grid.\n";
    for (const std::string& word : run.missing_libraries) out += "\nNot measured: " + word + ".\n";
    return out + build_warning();
}

void add_measurements(const BroadRowResult& row, std::vector<Measurement>& out) {
    for (const BroadResult& r : row.results)
        if (timed(r))
            out.push_back({"broad/" + row.row.name() + '/' + r.entry->id,
                           1e6 * r.frame_ms,
                           r.frames,
                           {{"update_ms", r.update_ms},
                            {"find_ms", r.find_ms},
                            {"insert_ms", r.insert_ms},
                            {"early_ms", r.early_ms},
                            {"late_ms", r.late_ms},
                            {"pairs", row.pairs},
                            {"plain_ms", row.plain_ms},
                            {"asked", static_cast<double>(r.answered)},
                            {"wrong", static_cast<double>(r.wrong)}},
                           r.spread});
}

std::string failure_of(const BroadRun& run) {
    for (const BroadRowResult& row : run.rows)
        for (const BroadResult& r : row.results)
            if (r.entry->ours && r.wrong > 0)
                return r.entry->id + " reports wrong pairs in " + std::to_string(r.wrong) + " of " +
                       std::to_string(r.answered) + " frames of " + row.row.name();
    return {};
}

}  // namespace

double broad_target(const BroadRow& row) {
    return row.part == BroadPart::all                                   ? kAllTarget
           : row.part == BroadPart::few || row.part == BroadPart::turns ? kFewTarget
                                                                        : 0;
}

ExperimentReport report_broad(const BroadRun& run) {
    ExperimentReport out;
    for (const BroadRowResult& row : run.rows) add_measurements(row, out.measurements);
    out.context = {{"seed", std::to_string(run.effort.seed)}};
    for (const std::string& word : run.missing_libraries) out.context.emplace_back("left_out", word);
    out.markdown = introduction(run) + ratios(run) + targets(run) +
                   times(run, BroadPart::all, "All bodies move") +
                   times(run, BroadPart::few, "The same 1 % of the bodies move") +
                   times(run, BroadPart::turns, "A different 1 % of the bodies move in each frame") +
                   coherence(run) + answers(run);
    out.failure = failure_of(run);
    return out;
}

}  // namespace claybox::bench
