// Rows of the Performance card about who does the work: the concurrent module, the parallel modes and what
// they gain.
#include "app/panels/cards.hpp"

#include <array>

namespace claybox::app {

using collision::ParallelMode;

namespace {

struct ModeSwitch {
    ParallelMode mode;
    const char *label, *help;
};

constexpr std::array<ModeSwitch, collision::kParallelModes> kSwitches{{
    {ParallelMode::pairs, "Pairs in parallel", "Workers share the pairs of a pass. Verdicts are the same."},
    {ParallelMode::halves, "Two halves of a pair",
     "Of long pairs: edges of one body against polygons of the other, and the reverse, on two workers."},
    {ParallelMode::fine, "Many parts of a pair",
     "Edges and polygons of a long pair are shared out in parts, one a worker."},
    {ParallelMode::dual, "Race against a gap",
     "On long pairs a search for a separating plane runs beside the algorithm; the first answer ends both."},
    {ParallelMode::three, "Race against gap and point",
     "On long pairs a search for common points runs beside both as well."},
}};

/// Five switches that may be combined; none of them is serial. True when one changed.
bool mode_switches(engine::Ui& ui, ParallelMode& modes) {
    const ParallelMode before = modes;
    for (const ModeSwitch& s : kSwitches) {
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
    spec.max = kMostWorkers;
    spec.default_value = kFirstWorkers;
    spec.integer = spec.logarithmic = true;
    spec.help = "Threads that share the work of a pass. One shares nothing.";
    auto value = static_cast<double>(workers);
    if (!engine::slider(ui, spec, value)) return false;
    workers = static_cast<unsigned>(value);
    return true;
}

/// Who had the answer first where algorithms ran against each other.
void race_rows(engine::Ui& ui, const collision::PassStats& stats, bool points) {
    using engine::grouped;
    using engine::key_value;
    key_value(ui, "First: the algorithm", grouped(stats.first_was_chosen),
              "Raced pairs of the last pass that the chosen algorithm answered first.");
    key_value(ui, "First: the search for a gap", grouped(stats.first_was_gap),
              "Raced pairs of the last pass for which a separating plane was found first.");
    if (points)
        key_value(ui, "First: the search for a point", grouped(stats.first_was_point),
                  "Raced pairs of the last pass for which a common point was found first.");
    const std::uint64_t races = stats.first_was_chosen + stats.first_was_gap + stats.first_was_point;
    const double each = races > 0 ? stats.seconds_to_listen / static_cast<double>(races) : 0;
    key_value(
        ui, "Until the others listened", races > 0 ? engine::fixed(each * 1e6, 1) + " µs" : "–",
        "From the first answer until all have ended, on average over the raced pairs of the last pass.");
}

void gain_rows(engine::Ui& ui, const FrameTimes& mean, const collision::PassStats& stats,
               ParallelMode modes) {
    using engine::key_value;
    const double speed_up = mean.speed_up();
    key_value(
        ui, "Speed-up", engine::fixed(speed_up, 2),
        "What one worker would take of a pass, over what it took: from the workers' busy times, mean of "
        "half a second.");
    key_value(ui, "Efficiency", engine::fixed(speed_up / stats.workers, 2), "Speed-up over workers.");
    if (!has(modes, ParallelMode::halves | ParallelMode::fine | ParallelMode::dual | ParallelMode::three))
        return;
    key_value(ui, "Shared pairs", engine::grouped(stats.shared_pairs),
              "Pairs of the last pass that were split among workers, or raced. Only long ones are.");
    key_value(ui, "Parts of shared pairs", engine::grouped(stats.shared_parts),
              "All that shared pairs were divided into.");
    if (has(modes, ParallelMode::dual | ParallelMode::three))
        race_rows(ui, stats, has(modes, ParallelMode::three));
}

}  // namespace

void thread_rows(engine::Ui& ui, const PanelModel& model, PanelRequests& requests) {
    collision::WorldSettings settings = model.session->settings();
    bool concurrent = settings.concurrent;
    if (engine::check_box(ui, "Concurrent module", concurrent,
                          "The collision module runs on a thread of its own; frames never wait for it."))
        requests.commands.push_back({Command::Kind::concurrent, concurrent ? "on" : "off"});
    const bool was_serial = settings.parallel == ParallelMode::serial;
    bool changed = mode_switches(ui, settings.parallel);
    // One worker shares nothing: a switch that seems to do nothing is taken for broken.
    if (was_serial && changed && settings.workers == 1) settings.workers = kFirstWorkers;
    if (!was_serial) {
        changed |= workers_row(ui, settings.workers);
        const collision::PassStats& stats = model.session->report().pass;
        if (stats.workers > 1) gain_rows(ui, model.history->average(), stats, settings.parallel);
    }
    if (changed) requests.settings = settings;
}

}  // namespace claybox::app
