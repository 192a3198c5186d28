#include "bench/experiments/broad_report.hpp"

#include "bench/experiments/tables.hpp"

#include <algorithm>
#include <string_view>

namespace claybox::bench {

namespace {

constexpr const char* kOurs = "best";
constexpr double kAllTarget = 5, kFewTarget = 2;       // times faster than the fastest library
constexpr double kAllMsTarget = 12, kFewMsTarget = 2;  // of a hundred thousand bodies
constexpr double kGrowthTarget = 1.3;                  // of the cost of a body, ten times as many
constexpr std::uint32_t kMany = 100000, kFewer = 10000;

std::string in_ms(double ms) {
    return in_digits(ms < 1 ? "%.4f" : ms < 100 ? "%.2f" : "%.0f", ms);
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

/// Of those that told every frame's pairs; null when there is none.
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
    std::size_t met = 0, aims = 0;
    for (const BroadRowResult& row : run.rows) {
        const BroadResult *ours = find_broad(row, kOurs), *library = fastest(row, false);
        if (ours == nullptr || library == nullptr) continue;
        const double times = library->frame_ms / ours->frame_ms, aim = broad_target(row.row);
        aims += aim > 0 ? 1 : 0;
        met += aim > 0 && times >= aim ? 1 : 0;
        out += line_of({row.row.name(), std::to_string(row.moved), in_digits("%.0f", row.pairs),
                        in_ms(ours->frame_ms), in_ms(library->frame_ms), library->entry->id,
                        in_digits("%.1f", times), aim > 0 ? in_digits("%g", aim) : "",
                        aim > 0 ? yes_or_no(times >= aim) : "", fastest(row, true)->entry->id,
                        in_ms(row.plain_ms)});
    }
    if (out.empty()) return "\nThere is no `best`, or no library, among the contestants: no ratios.\n";
    return "\n### `best` against the fastest library of each row that told all pairs\n\n" +
           head_of({"row", "moved", "pairs", "`best`, ms", "library, ms", "which", "times faster", "aim",
                    "met", "fastest of ours", "plain grid, ms"},
                   1) +
           out + '\n' + std::to_string(met) + " of " + std::to_string(aims) + " aims are met.\n";
}

std::string aim_line(const std::string& what, double measured, double aim) {
    return line_of(
        {what, in_digits("%.2f", measured), "< " + in_digits("%g", aim), yes_or_no(measured < aim)});
}

std::string aims(const BroadRun& run) {
    std::string out;
    const auto ms_of = [&](BroadPart part, std::uint32_t bodies) {
        for (const BroadRowResult& row : run.rows)
            if (row.row == BroadRow{part, bodies})
                if (const BroadResult* r = find_broad(row, kOurs)) return r->frame_ms;
        return 0.0;
    };
    for (const BroadPart part : {BroadPart::all, BroadPart::few, BroadPart::turns})
        if (const double ms = ms_of(part, kMany); ms > 0)
            out += aim_line(BroadRow{part, kMany}.name() + ", ms a frame", ms,
                            part == BroadPart::all ? kAllMsTarget : kFewMsTarget);
    const double many = ms_of(BroadPart::all, kMany), fewer = ms_of(BroadPart::all, kFewer);
    if (many > 0 && fewer > 0)
        out += aim_line("cost of a body, 100000 against 10000 bodies, all moving, times",
                        many / kMany / (fewer / kFewer), kGrowthTarget);
    if (out.empty()) return {};
    return "\n### Aims of `best`\n\n" + head_of({"what", "measured", "aim", "met"}, 1) + out;
}

/// The rows of a part, or the others of it.
std::vector<const BroadRowResult*> rows_of(const BroadRun& run, BroadPart part) {
    std::vector<const BroadRowResult*> out;
    for (const BroadRowResult& row : run.rows)
        if (row.row.part == part) out.push_back(&row);
    return out;
}

std::string times(const BroadRun& run, BroadPart part, const std::string& title) {
    const auto rows = rows_of(run, part);
    if (rows.empty()) return {};
    std::vector<std::string> head{"contestant"}, plain{"(plain grid from scratch, the referee)"};
    for (const BroadRowResult* row : rows) {
        head.push_back(std::to_string(row->row.bodies));
        plain.push_back(in_ms(row->plain_ms));
    }
    std::string out = "\n### " + title + ", ms a frame: update + pairs = frame\n\n" + head_of(head, 1);
    for (std::size_t i = 0; i < run.entries.size(); ++i) {
        std::vector<std::string> cells{run.entries[i].id};
        for (const BroadRowResult* row : rows) {
            const BroadResult& r = row->results[i];
            cells.push_back(
                timed(r) ? in_ms(r.update_ms) + " + " + in_ms(r.find_ms) + " = " + in_ms(r.frame_ms) : "n/a");
        }
        out += line_of(cells);
    }
    return out + line_of(plain);
}

std::string coherence(const BroadRun& run) {
    std::string out;
    for (const BroadRowResult* row : rows_of(run, BroadPart::lasting)) {
        out += "\n### " + std::to_string(row->row.bodies) + " bodies, all moving, for " +
               std::to_string(run.effort.long_frames) + " frames\n\n" +
               head_of({"contestant", "frames", "first twentieth, ms", "last twentieth, ms", "times",
                        "wrong frames", "most pairs missing"},
                       1);
        for (const BroadResult& r : row->results)
            if (timed(r))
                out += line_of({r.entry->id, std::to_string(r.asked), in_ms(r.early_ms), in_ms(r.late_ms),
                                in_digits("%.2f", r.late_ms / r.early_ms), std::to_string(r.wrong),
                                std::to_string(r.most_missing)});
    }
    return out;
}

std::string answers(const BroadRun& run) {
    std::string out = "\n### Answers\n\n" + head_of({"contestant", "what", "frames", "wrong frames",
                                                     "most pairs missing", "most pairs too many"},
                                                    2);
    for (std::size_t i = 0; i < run.entries.size(); ++i) {
        BroadResult sum;
        for (const BroadRowResult& row : run.rows) {
            sum.asked += row.results[i].asked;
            sum.wrong += row.results[i].wrong;
            sum.most_missing = std::max(sum.most_missing, row.results[i].most_missing);
            sum.most_extra = std::max(sum.most_extra, row.results[i].most_extra);
        }
        out += line_of({run.entries[i].id, run.entries[i].title, std::to_string(sum.asked),
                        std::to_string(sum.wrong), std::to_string(sum.most_missing),
                        std::to_string(sum.most_extra)});
    }
    return out;
}

std::string introduction(const BroadRun& run) {
    std::string out = "## Broad phases side by side\n\n";
    out +=
        "Boxes with sides of 0.6 to 1.4 m in a cage, each overlapping three others on average, 1 to 5 % of "
        "their size a frame, one core, seed " +
        std::to_string(run.effort.seed) +
        ". A frame is: following the boxes that moved, then telling all pairs that overlap, those of bodies "
        "at rest too. Contestants play the same " +
        std::to_string(run.effort.frames) + " frames, " + std::to_string(run.effort.block) +
        " at a time in turn; medians; `n/a` where there are too many bodies for one. The pairs of every "
        "frame are compared with those of a plain grid.\n";
    for (const std::string& word : run.left_out) out += "\nLeft out is " + word + ".\n";
    return out + warning_of_build();
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
                            {"asked", static_cast<double>(r.asked)},
                            {"wrong", static_cast<double>(r.wrong)}}});
}

std::string failure_of(const BroadRun& run) {
    for (const BroadRowResult& row : run.rows)
        for (const BroadResult& r : row.results)
            if (r.entry->ours && r.wrong > 0)
                return r.entry->id + " told wrong pairs in " + std::to_string(r.wrong) + " of " +
                       std::to_string(r.asked) + " frames of " + row.row.name();
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
    for (const std::string& word : run.left_out) out.context.emplace_back("left_out", word);
    out.markdown = introduction(run) + ratios(run) + aims(run) + times(run, BroadPart::all, "All move") +
                   times(run, BroadPart::few, "The same 1 % moves") +
                   times(run, BroadPart::turns, "Another 1 % moves each frame") + coherence(run) +
                   answers(run);
    out.failure = failure_of(run);
    return out;
}

}  // namespace claybox::bench
