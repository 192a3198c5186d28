#include "app/panels/cards/cards.hpp"
#include "app/panels/cards/parallel_switches.hpp"
#include "collision/module/pass/broad_phase_benefit.hpp"
#include "engine/ui/widgets/plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace claybox::app {

using collision::Accuracy;
using collision::MemoryPart;
using collision::ParallelMode;

namespace {

/// Whether times of this build say anything: only those of a release do.
constexpr bool measures_well() {
#if defined(NDEBUG) && !defined(CLAYBOX_ASSERTIONS)
    return true;
#else
    return false;
#endif
}

constexpr std::size_t kBuckets = 240;  // about one per pixel of the plot

struct PlotBuffers {
    std::array<engine::PlotPoint, kBuckets> frame, narrow;
    std::size_t count = 0;

    void take(std::span<const KeptRun::Point> points) {
        count = std::min(points.size(), kBuckets);
        for (std::size_t i = 0; i < count; ++i) {
            frame[i] = {points[i].t, points[i].frame};
            narrow[i] = {points[i].t, points[i].narrow};
        }
    }
};

void draw_plot(engine::Ui& ui, const FrameHistory& history) {
    PlotBuffers buffers, kept;
    std::array<KeptRun::Point, kBuckets> points;
    buffers.take({points.data(), bucketed(history, points)});
    if (history.kept() != nullptr) kept.take(history.kept()->points);
    const engine::PlotSeries series[] = {
        {{kept.frame.data(), kept.count}, engine::faded(ui.theme().accent, 0.8f), "kept"},
        {{buffers.frame.data(), buffers.count}, ui.theme().ink, "frame"},
        {{buffers.narrow.data(), buffers.count}, ui.theme().teal, "narrow"},
    };
    std::vector<engine::PlotMark> marks;
    for (const FrameHistory::Switch& s : history.switches())
        marks.push_back(
            {static_cast<float>(1 + (s.time - history.now()) / FrameHistory::kWindow), s.label.c_str()});
    // Labels of switches in quick succession would overlap: only the newest is shown.
    for (std::size_t i = 0; i + 1 < marks.size(); ++i)
        if (marks.back().t - marks[i].t < 0.35f) marks[i].label = "";
    engine::PlotSpec spec;
    spec.series = std::span(series).subspan(history.kept() != nullptr ? 0 : 1);
    spec.marks = marks;
    spec.left = "−5 s";
    spec.right = "now";
    engine::time_plot(ui, spec);
}

void draw_flame(engine::Ui& ui, const FrameTimes& mean, bool concurrent) {
    const auto colour_at = [](std::size_t i) { return engine::kStageColours[i]; };
    const double broad = concurrent ? 0 : mean.broad, narrow = concurrent ? 0 : mean.narrow;
    const double rest = std::max(0.0, mean[Stage::collide] - broad - narrow);
    const engine::FlamePart parts[] = {
        {"Scene", mean[Stage::input] + mean[Stage::scene] + rest, colour_at(0),
         "Input, the scene's own rules, and the collision pass without broad and narrow phase."},
        {"Broad", broad, colour_at(1), "Finding the pairs whose boxes overlap."},
        {"Narrow", narrow, colour_at(2), "Testing those pairs."},
        {"View", mean[Stage::view], colour_at(3), stage_help(Stage::view)},
        {"Draw", mean[Stage::draw], colour_at(4), stage_help(Stage::draw)},
        {"Panels", mean[Stage::panels], colour_at(5), stage_help(Stage::panels)},
        {"Wait", mean[Stage::wait], colour_at(6), stage_help(Stage::wait)},
    };
    engine::flame_strip(ui, parts);
}

std::string percent(std::uint64_t part, std::uint64_t whole, int decimals) {
    if (whole == 0) return "–";
    return engine::fixed(100.0 * static_cast<double>(part) / static_cast<double>(whole), decimals) + " %";
}

void draw_counts(engine::Ui& ui, const collision::PassStats& stats) {
    using engine::key_value;
    if (!engine::fold_row(ui, "How pairs were decided", "Iterations and proofs of the last pass.")) return;
    const std::uint64_t rungs = stats.rung[0] + stats.rung[1] + stats.rung[2];
    key_value(ui, "Iterations per pair",
              stats.tests
                  ? engine::fixed(static_cast<double>(stats.iterations) / static_cast<double>(stats.tests), 1)
                  : "–",
              "Iterations of the algorithm's main loop, on average.");
    key_value(ui, "Decided by float alone", percent(stats.rung[0], rungs, 1),
              "Answers of the float kernel that needed no proof.");
    key_value(ui, "Decided by certificate", percent(stats.rung[1], rungs, 1),
              "Verdicts proved in double precision.");
    key_value(ui, "Decided by exact arithmetic", percent(stats.rung[2], rungs, 1),
              "Verdicts of bodies so close to touching that only exact arithmetic decides.");
}

/// A stage of the pass and how many bodies or pairs it keeps.
struct PassStage {
    const char* name;
    std::uint64_t count;
    const char* help;
};

/// A row with a bar behind it, as long as the logarithm of the count.
void stage_row(engine::Ui& ui, const PassStage& set, std::uint64_t most, bool last) {
    const engine::Rect row = engine::take_row(ui, 20, 4);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const engine::Theme& theme = ui.theme();
    const double share = std::log1p(static_cast<double>(set.count)) / std::log1p(static_cast<double>(most));
    const float end = row.x0 + static_cast<float>(share) * row.width();
    if (set.count > 0)
        list.AddRectFilled(row.min(), {end, row.y1}, engine::faded(last ? theme.crimson : theme.teal, 0.22f),
                           ui.px(2));
    const engine::Rect inside{row.x0 + ui.px(6), row.y0, row.x1 - ui.px(6), row.y1};
    const std::string count = engine::grouped(set.count);
    engine::draw_text(ui, list, inside, engine::TextSize::body, theme.secondary, set.name);
    engine::draw_text(ui, list, inside, engine::TextSize::body, theme.ink, count, engine::Align::right);
    engine::tooltip_at(ui, row, set.help, "Zachmann, thesis, section 7.1");
    engine::log_widget(ui, "value", row, set.name, count);
}

/// The pass as a funnel: each stage keeps a part of the stage before (Zachmann, thesis, section 7.1).
void pipeline_rows(engine::Ui& ui, const collision::PassStats& stats) {
    if (!engine::fold_row(ui, "From moved bodies to collisions",
                          "Bodies and pairs left after each stage of the last pass. Bars are logarithmic."))
        return;
    const std::uint64_t kept = stats.candidates - stats.filtered;
    const std::array<PassStage, 6> stages{{
        {"Moved bodies", stats.moved, "Bodies that have moved since the pass before."},
        {"Near each other", stats.raw_candidates,
         "Pairs in the same cell, node or interval of the broad phase; some are counted more than once."},
        {"Boxes overlap", stats.candidates, "Pairs whose boxes overlap, each counted once."},
        {"Kept by the filter", kept,
         "Pairs that pass the pair filter of the Broad phase card. Without a filter, all pairs."},
        {"Tested", stats.tests, "Pairs that the scene requests and an algorithm has tested."},
        {"Collide", stats.colliding, "Pairs that collide now, including pairs of bodies at rest."},
    }};
    std::uint64_t most = 1;
    for (const PassStage& stage : stages) most = std::max(most, stage.count);
    for (const PassStage& stage : stages) stage_row(ui, stage, most, &stage == &stages.back());
    engine::key_value(
        ui, "Not requested", engine::grouped(stats.ignored),
        "Pairs with overlapping boxes that the scene does not request, for example two parts of "
        "one hand.");
}

/// Five switches that can be combined; serial means that none is on. True when one changed.
bool mode_switches(engine::Ui& ui, ParallelMode& modes) {
    const ParallelMode before = modes;
    for (const ParallelSwitch& s : kParallelSwitches) {
        bool on = has(modes, s.mode);
        if (engine::check_box(ui, s.label, on, s.help))
            modes = ParallelMode(static_cast<unsigned char>(modes) ^ static_cast<unsigned char>(s.mode));
    }
    return modes != before;
}

bool workers_row(engine::Ui& ui, unsigned& workers) {
    engine::SliderSpec spec;
    spec.label = "Workers";
    spec.min = 1;
    spec.max = kMaxWorkers;
    spec.default_value = kFirstWorkers;
    spec.integer = spec.logarithmic = true;
    spec.help = "Number of threads that share the work of a pass.";
    auto value = static_cast<double>(workers);
    if (!engine::slider(ui, spec, value)) return false;
    workers = static_cast<unsigned>(value);
    return true;
}

/// The winners of races between algorithms.
void race_rows(engine::Ui& ui, const collision::PassStats& stats, bool points) {
    using engine::grouped;
    using engine::key_value;
    key_value(ui, "Won by the algorithm", grouped(stats.won_by_algorithm),
              "Raced pairs of the last pass that the chosen algorithm answered first.");
    key_value(ui, "Won by the gap search", grouped(stats.won_by_gap_search),
              "Raced pairs of the last pass for which a separating plane was found first.");
    if (points)
        key_value(ui, "Won by the point search", grouped(stats.won_by_point_search),
                  "Raced pairs of the last pass for which a common point was found first.");
    const std::uint64_t races = stats.won_by_algorithm + stats.won_by_gap_search + stats.won_by_point_search;
    const double each = races > 0 ? stats.seconds_to_stop / static_cast<double>(races) : 0;
    key_value(
        ui, "Time to stop the others", races > 0 ? engine::fixed(each * 1e6, 1) + " µs" : "–",
        "From the first answer until all searches have stopped: mean over the raced pairs of the last pass.");
}

void gain_rows(engine::Ui& ui, const FrameTimes& mean, const collision::PassStats& stats,
               ParallelMode modes) {
    using engine::key_value;
    const double speed_up = mean.speed_up();
    key_value(
        ui, "Speed-up", engine::fixed(speed_up, 2),
        "Estimated time of a pass with one worker, divided by its measured time: from the workers' busy "
        "times, mean of the last half second.");
    key_value(ui, "Efficiency", engine::fixed(speed_up / stats.workers, 2),
              "Speed-up divided by the number of workers.");
    if (!has(modes, ParallelMode::halves | ParallelMode::fine | ParallelMode::dual | ParallelMode::three))
        return;
    key_value(ui, "Shared pairs", engine::grouped(stats.shared_pairs),
              "Slow pairs of the last pass that were split among workers or raced.");
    key_value(ui, "Parts of shared pairs", engine::grouped(stats.shared_parts),
              "Total number of parts of these pairs.");
    if (has(modes, ParallelMode::dual | ParallelMode::three))
        race_rows(ui, stats, has(modes, ParallelMode::three));
}

void thread_rows(engine::Ui& ui, const PanelModel& model, PanelRequests& requests) {
    collision::WorldSettings settings = model.session->settings();
    bool concurrent = settings.concurrent;
    if (engine::check_box(ui, "Concurrent module", concurrent,
                          "The collision module runs on its own thread; frames never wait for it."))
        requests.commands.push_back({Command::Kind::concurrent, concurrent ? "on" : "off"});
    const bool was_serial = settings.parallel == ParallelMode::serial;
    bool changed = mode_switches(ui, settings.parallel);
    // With one worker the switch would do nothing and look broken.
    if (was_serial && changed && settings.workers == 1) settings.workers = kFirstWorkers;
    if (!was_serial) {
        changed |= workers_row(ui, settings.workers);
        const collision::PassStats& stats = model.report().pass;
        if (stats.workers > 1) gain_rows(ui, model.history->average(), stats, settings.parallel);
    }
    if (changed) requests.settings = settings;
}

const char* accuracy_help(Accuracy accuracy) {
    constexpr std::array<const char*, collision::kAccuracies> kHelp{
        "Not reduced: the last pass answered as the settings require.",
        "Reduced: float answers without proofs, and no fallback algorithm.",
        "Reduced: fast answers without hits, distances, depths or axes.",
        "Reduced: no pair is tested; overlapping boxes count as colliding."};
    return kHelp[static_cast<std::size_t>(accuracy)];
}

void draw_governor(engine::Ui& ui, const collision::WorldSettings& before, const collision::PassStats& stats,
                   const FrameTimes& mean, PanelRequests& requests) {
    engine::key_value(ui, "Pass time", milliseconds(mean.pass), "Mean of the last half second.");
    engine::SliderSpec spec;
    spec.label = "Pass budget";
    spec.unit = "ms";
    spec.zero = "Off";
    spec.min = 0;
    spec.max = 50;
    spec.default_value = 0;
    spec.help =
        "If a pass takes longer, accuracy is reduced in steps: fast answers, verdicts only, boxes only. It "
        "is restored when passes are fast again. 0 is off. With a budget, hashes depend on the machine.";
    double budget = before.budget_ms;
    if (engine::slider(ui, spec, budget)) {
        collision::WorldSettings settings = before;
        settings.budget_ms = budget;
        requests.settings = settings;
    }
    if (before.budget_ms > 0)
        engine::key_value(ui, "Accuracy", accuracy_text(stats.accuracy), accuracy_help(stats.accuracy));
}

void draw_broad_phase_benefit(engine::Ui& ui, const collision::PassStats& stats) {
    const collision::BroadPhaseBenefit benefit = collision::broad_phase_benefit(stats);
    engine::key_value(ui, benefit.pays_off() ? "Broad phase pays off" : "Broad phase costs more",
                      engine::grouped(static_cast<std::uint64_t>(benefit.pairs)) +
                          (benefit.pays_off() ? " < " : " ≥ ") +
                          engine::grouped(static_cast<std::uint64_t>(std::max(0.0, benefit.limit))),
                      "Number of tested pairs compared with n²/2 − Ts/Tp, for n moved bodies, Ts the time of "
                      "the broad phase and Tp the time of a pair test. Below this limit, the broad phase "
                      "costs less than testing all pairs.");
}

/// "65 kB", "1.2 MB": short, to leave space for the name.
std::string memory_text(std::size_t bytes) {
    const std::size_t kilobytes = (bytes + 1023) / 1024;
    if (kilobytes < 1000) return engine::grouped(kilobytes) + " kB";
    return engine::fixed(static_cast<double>(bytes) / (1024.0 * 1024.0), 1) + " MB";
}

std::string title_of(const MemoryPart& part) {
    if (part.kind == MemoryPart::Kind::shape) return "Shape " + part.name;
    if (part.kind == MemoryPart::Kind::algorithm) {
        const collision::PairAlgorithm* algorithm = collision::find_pair_algorithm(part.name);
        return algorithm ? algorithm->title : part.name;
    }
    if (const collision::BroadPhaseDescriptor* phase = collision::find_broad_phase(part.name))
        return std::string("Broad phase: ") + phase->title;
    return capitalised(part.name);
}

/// Memory by part; for shapes, the largest ones and the sum. True when the fold is open.
bool draw_memory(engine::Ui& ui, const collision::World& world) {
    if (!engine::fold_row(ui, "Memory", "Memory of the module per structure, algorithm and shape."))
        return false;
    constexpr std::size_t kShapes = 3;
    std::vector<MemoryPart> parts = world.memory();
    if (parts.empty()) {  // the next pass adds it up; while paused that can take long
        engine::paragraph(ui, "Shown after the next step.");
        return true;
    }
    std::stable_partition(parts.begin(), parts.end(),
                          [](const MemoryPart& part) { return part.kind != MemoryPart::Kind::shape; });
    std::size_t shapes = 0, bytes_of_shapes = 0, bytes = 0;
    for (const MemoryPart& part : parts) {
        bytes += part.bytes;
        if (part.kind == MemoryPart::Kind::shape) {
            bytes_of_shapes += part.bytes;
            if (++shapes > kShapes) continue;
        }
        const bool prepared = part.kind == MemoryPart::Kind::algorithm;
        const char* help = prepared ? "Data that this pair algorithm prepared for shapes." : "";
        if (part.bytes > 0) engine::key_value(ui, title_of(part), memory_text(part.bytes), help);
    }
    engine::key_value(ui, "All " + engine::grouped(shapes) + " shapes", memory_text(bytes_of_shapes));
    engine::key_value(ui, "Total", memory_text(bytes), "Shapes may be shared with other worlds.");
    return true;
}

/// True while the list of memory is in view.
bool module_rows(engine::Ui& ui, const PanelModel& model, PanelRequests& requests) {
    const collision::PassStats& stats = model.report().pass;
    draw_governor(ui, model.session->settings(), stats, model.history->average(), requests);
    draw_broad_phase_benefit(ui, stats);
    return draw_memory(ui, model.session->world());
}

}  // namespace

void performance_card(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
                      bool open) {
    const FrameHistory& history = *model.history;
    const Percentiles& p = history.percentiles();
    const bool shown = engine::card_is_open(ui, "Performance", open);
    const std::string summary = !shown            ? "Frame " + milliseconds(p.p50)
                                : measures_well() ? "Last 5 seconds"
                                                  : "Debug build: no measure";
    bool memory_seen = false;
    if (engine::begin_card(ui, "Performance", summary, open)) {
        const engine::Headline heads[] = {
            {milliseconds(p.p50), "Frame p50",
             measures_well()
                 ? "Half of the frames of the last 5 seconds took at most this long."
                 : "Half of the frames of the last 5 seconds took at most this long. This build checks "
                   "assertions, so its times are no measure: build the release."},
            {milliseconds(p.p95), "p95", "95 of 100 frames took at most this long."},
            {milliseconds(p.p99), "p99", "99 of 100 frames took at most this long."}};
        engine::headlines(ui, heads);
        draw_plot(ui, history);
        const collision::WorldSettings settings = model.session->settings();
        draw_flame(ui, history.average(), settings.concurrent);
        statistics_rows(ui, model);
        kept_run_rows(ui, model, state, requests);
        pipeline_rows(ui, model.report().pass);
        draw_counts(ui, model.report().pass);
        if (engine::fold_row(ui, "Threads", "The concurrent module and parallel work within a pass."))
            thread_rows(ui, model, requests);
        if (engine::fold_row(ui, "Module", "Time budget, benefit of the broad phase, and memory."))
            memory_seen = module_rows(ui, model, requests);
    }
    model.session->world().request_memory_list(memory_seen);  // adding it up costs time
    engine::end_card(ui);
}

}  // namespace claybox::app
