// The rows of the Performance card about slow frames, counts, the kept run and files.

#include "app/panels/cards/cards.hpp"

#include <array>

namespace claybox::app {

using engine::Align;
using engine::Rect;
using engine::TextSize;

namespace {

/// A row of a table: a name and four right-aligned cells.
void table_row(engine::Ui& ui, const char* name, const std::array<std::string, 4>& cells, bool head,
               const char* help) {
    const Rect row = engine::take_row(ui, head ? 16 : 18, head ? 2 : 0);
    const engine::Theme& theme = ui.theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    constexpr TextSize size = TextSize::secondary;
    const float width = ui.px(48), first = row.x1 - width * 4;
    engine::draw_text(ui, list, {row.x0, row.y0, first, row.y1}, size, theme.secondary, name);
    std::string value;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const float x = first + width * static_cast<float>(i);
        engine::draw_text(ui, list, {x, row.y0, x + width, row.y1}, size, head ? theme.secondary : theme.ink,
                          cells[i], Align::right);
        value += (i > 0 ? " " : "") + cells[i];
    }
    if (head) list.AddLine({row.x0, row.y1}, {row.x1, row.y1}, theme.line);
    engine::tooltip_at(ui, row, help);
    engine::log_widget(ui, "row", row, name, value);
}

/// Milliseconds with at most three digits, without the unit.
std::string table_ms(double seconds) {
    const double ms = seconds * 1e3;
    return engine::fixed(ms, ms < 0.9995 ? 3 : ms < 9.995 ? 2 : ms < 99.95 ? 1 : 0);
}

/// At most six letters: "12,345", "1.2 M".
std::string table_count(double value) {
    if (value < 99999.5) return engine::grouped(static_cast<unsigned long long>(value + 0.5));
    return value < 999.5e3 ? engine::fixed(value * 1e-3, 0) + " k" : engine::fixed(value * 1e-6, 1) + " M";
}

constexpr const char* kSeriesHelp[kSeries] = {
    "Time of a frame, in milliseconds.",
    "Processor time of the window's thread for input and the scene.",
    "Time of a collision pass, in milliseconds.",
    "Finding the pairs whose boxes overlap, in milliseconds.",
    "Testing these pairs, in milliseconds.",
    "Pairs of a pass whose boxes overlap.",
    "Pairs that an algorithm has tested.",
    "Iterations of the algorithm's main loop, all pairs of a pass together.",
    "Answers of a pass that needed no proof.",
    "Verdicts of a pass proved in double precision.",
    "Verdicts of a pass that only exact arithmetic decides."};

void series_rows(engine::Ui& ui, const FrameHistory& history) {
    table_row(ui, "Last 5 seconds", {"p50", "p95", "p99", "max"}, true,
              "Of 100 frames, 50, 95 or 99 are at most this; the last column is the largest. Times in "
              "milliseconds.");
    for (std::size_t i = 0; i < kSeries; ++i) {
        const auto series = static_cast<Series>(i);
        if (series == Series::work) continue;
        const Percentiles& p = history.of(series);
        const auto text = [&](double v) {
            return series < Series::candidates ? table_ms(v) : table_count(v);
        };
        table_row(ui, series_title(series), {text(p.p50), text(p.p95), text(p.p99), text(p.max)}, false,
                  kSeriesHelp[i]);
    }
    engine::take_row(ui, 2, 4);
}

std::string ratio_text(double kept, double now) {
    return kept > 0 ? engine::fixed(now / kept, now / kept < 9.995 ? 2 : 1) : "–";
}

void comparison_rows(engine::Ui& ui, const FrameHistory& history) {
    const KeptRun& kept = *history.kept();
    engine::paragraph(ui, "Kept: " + kept.label);
    table_row(ui, "Median, ms", {"", "kept", "now", "ratio"}, true,
              "Medians of the kept run, and of the frames since then or since the last switch. Ratio: now "
              "divided by kept; below 1 is faster.");
    struct Row {
        const char* name;
        double KeptRun::*value;
    };
    constexpr Row kRows[] = {
        {"Frame", &KeptRun::frame}, {"Pass", &KeptRun::pass}, {"Narrow phase", &KeptRun::narrow}};
    const std::optional<KeptRun>& now = history.since_kept();
    for (const Row& row : kRows)
        table_row(ui, row.name,
                  {"", table_ms(kept.*row.value), now ? table_ms((*now).*row.value) : "–",
                   now ? ratio_text(kept.*row.value, (*now).*row.value) : "–"},
                  false, "Median time in milliseconds.");
    engine::take_row(ui, 2, 4);
}

}  // namespace

void statistics_rows(engine::Ui& ui, const PanelModel& model) {
    const FrameHistory& history = *model.history;
    if (!engine::fold_row(ui, "Slow frames and counts",
                          "Late frames, the slowest frames, and counts beside times."))
        return;
    const SlowFrames& slow = history.slow();
    engine::key_value(ui, "Slowest frame", milliseconds(history.percentiles().max),
                      "The longest frame of the last 5 seconds.");
    engine::key_value(ui, "1 % low", engine::fixed(slow.low, slow.low < 99.95 ? 1 : 0) + " fps",
                      "Frames per second of the slowest 1 % of the frames.");
    engine::key_value(ui, "Dropped frames",
                      engine::grouped(slow.late) + " of " + engine::grouped(slow.frames),
                      "Frames that took longer than the display's interval, with a tolerance of 1 ms. Unless "
                      "the display names another one, the interval is 16.7 ms.",
                      slow.late > 0 ? engine::Mark::triangle : engine::Mark::none, ui.theme().amber);
    series_rows(ui, history);
}

void kept_run_rows(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests) {
    if (!engine::fold_row(ui, "Compare and export",
                          "Keeps this run as a curve to compare with, and saves the frames to a file."))
        return;
    const FrameHistory& history = *model.history;
    static constexpr const char* kButtons[] = {"Keep this run", "Clear"};
    const std::string keep = "Freezes the curve of the last 5 seconds; later ones are drawn over it. Key " +
                             first_key(model.devices, "keep_run");
    const char* const help[] = {keep.c_str(), "Removes the kept run."};
    const int pressed = engine::button_row(ui, {kButtons, history.kept() != nullptr ? 2u : 1u}, help);
    if (pressed == 0) requests.keep_run = true;
    if (pressed == 1) requests.clear_run = true;
    if (history.kept() != nullptr) comparison_rows(ui, history);
    engine::SliderSpec spec;
    spec.label = "Seconds to export";
    spec.min = 1;
    spec.max = FrameHistory::kStored;
    spec.default_value = 10;
    spec.integer = true;
    spec.unit = "s";
    spec.help = "The last seconds that an export contains. A minute is stored.";
    engine::slider(ui, spec, state.compare.export_seconds);
    static constexpr const char* kExport[] = {"CSV", "JSON"};
    const std::string csv =
        "One row per frame: stages, passes and counts. Key " + first_key(model.devices, "export_times");
    const char* const export_help[] = {
        csv.c_str(), "Percentiles in the format of Google Benchmark, for its compare tool."};
    const int saved = engine::labelled_button_row(ui, "Export", kExport, export_help);
    if (saved == 0) requests.export_csv = true;
    if (saved == 1) requests.export_json = true;
}

}  // namespace claybox::app
