#include "app/panels/cards.hpp"
#include "engine/ui/plot.hpp"

#include <algorithm>
#include <array>

namespace claybox::app {
namespace {

constexpr std::size_t kBuckets = 240;  // about one per pixel of the plot

struct PlotBuffers {
    std::array<engine::PlotPoint, kBuckets> frame, narrow;
    std::size_t count = 0;
};

/// The largest frame of each bucket, so that no spike is lost.
void fill_buckets(const FrameHistory& history, PlotBuffers& out) {
    out.count = 0;
    std::size_t last = kBuckets;
    for (std::size_t i = 0; i < history.size(); ++i) {
        const FrameHistory::Entry& e = history.at(i);
        const double t = 1 + (e.time - history.now()) / FrameHistory::kWindow;
        if (t < 0) continue;
        const auto bucket =
            std::min(kBuckets - 1, static_cast<std::size_t>(t * static_cast<double>(kBuckets)));
        const auto frame = static_cast<float>(e.times.total * 1e3),
                   narrow = static_cast<float>(e.times.narrow * 1e3);
        if (bucket == last) {
            out.frame[out.count - 1].value = std::max(out.frame[out.count - 1].value, frame);
            out.narrow[out.count - 1].value = std::max(out.narrow[out.count - 1].value, narrow);
            continue;
        }
        if (out.count == kBuckets) break;
        last = bucket;
        out.frame[out.count] = {static_cast<float>(t), frame};
        out.narrow[out.count++] = {static_cast<float>(t), narrow};
    }
}

void draw_plot(engine::Ui& ui, const FrameHistory& history) {
    PlotBuffers buffers;
    fill_buckets(history, buffers);
    const engine::PlotSeries series[] = {
        {{buffers.frame.data(), buffers.count}, ui.theme().ink, "frame"},
        {{buffers.narrow.data(), buffers.count}, ui.theme().teal, "narrow phase"},
    };
    std::vector<engine::PlotMark> marks;
    for (const FrameHistory::Switch& s : history.switches())
        marks.push_back(
            {static_cast<float>(1 + (s.time - history.now()) / FrameHistory::kWindow), s.label.c_str()});
    // Only the newest says its name: labels of switches in quick succession would lie over each other.
    for (std::size_t i = 0; i + 1 < marks.size(); ++i)
        if (marks.back().t - marks[i].t < 0.35f) marks[i].label = "";
    engine::PlotSpec spec;
    spec.series = series;
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
         "Reading input, the scene's own rules, and what the pass does beside broad and narrow phase."},
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
    if (!engine::fold_row(ui, "How pairs were settled", "Iterations and proofs of the last pass.")) return;
    const std::uint64_t rungs = stats.rung[0] + stats.rung[1] + stats.rung[2];
    key_value(ui, "Iterations a pair",
              stats.tests
                  ? engine::fixed(static_cast<double>(stats.iterations) / static_cast<double>(stats.tests), 1)
                  : "–",
              "Rounds of the algorithm's main loop, on average.");
    key_value(ui, "Settled by float alone", percent(stats.rung[0], rungs, 1),
              "Answers of the float kernel that needed no proof.");
    key_value(ui, "Settled by certificate", percent(stats.rung[1], rungs, 1),
              "Verdicts that double precision proved.");
    key_value(ui, "Settled by exact arithmetic", percent(stats.rung[2], rungs, 1),
              "Verdicts so close to touching that only exact numbers decide.");
}

}  // namespace

std::string milliseconds(double seconds) {
    const double ms = seconds * 1e3;
    if (ms >= 999.5) return engine::fixed(seconds, 2) + " s";
    return engine::fixed(ms, ms < 0.0995 ? 2 : ms < 99.95 ? 1 : 0) + " ms";
}

void performance_card(engine::Ui& ui, const PanelModel& model, PanelRequests& requests, bool open) {
    const FrameHistory& history = *model.history;
    const Percentiles& p = history.percentiles();
    const std::string summary =
        engine::card_is_open(ui, "Performance", open) ? "Last 5 seconds" : "Frame " + milliseconds(p.p50);
    bool memory_seen = false;
    if (engine::begin_card(ui, "Performance", summary, open)) {
        const engine::Headline heads[] = {
            {milliseconds(p.p50), "Frame p50"}, {milliseconds(p.p95), "p95"}, {milliseconds(p.p99), "p99"}};
        engine::headlines(ui, heads);
        draw_plot(ui, history);
        const collision::WorldSettings settings = model.session->settings();
        draw_flame(ui, history.average(), settings.concurrent);
        pipeline_rows(ui, model.session->report().pass);
        draw_counts(ui, model.session->report().pass);
        if (engine::fold_row(ui, "Threads", "Whether frames wait for the module, and who shares its work."))
            thread_rows(ui, model, requests);
        if (engine::fold_row(ui, "Module", "Its budget of time, whether the broad phase pays, and memory."))
            memory_seen = module_rows(ui, model, requests);
    }
    model.session->world().want_memory(memory_seen);  // adding up costs time: only while somebody looks
    engine::end_card(ui);
}

}  // namespace claybox::app
