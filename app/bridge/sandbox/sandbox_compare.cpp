// Comparisons: all algorithms about a pair, all pairs of a frame, kept runs and files of frames.

#include "app/bridge/compare/times_file.hpp"
#include "app/bridge/sandbox/export_mesh.hpp"
#include "app/bridge/sandbox/sandbox.hpp"
#include "app/session/compare/saved_pair.hpp"
#include "app/session/pair_line.hpp"
#include "engine/files/path_text.hpp"
#include "engine/files/paths.hpp"
#include "engine/files/write_file.hpp"
#include "engine/ui/drawing/draw.hpp"

namespace claybox::app {
namespace {

// Seconds per frame: little while the scene runs, more after a click, when the user waits.
constexpr double kAskSlice = 0.002, kAskAtOnce = 0.010, kCheckSlice = 0.008;
constexpr double kHeadsetShare = 0.2;
constexpr double kSlowest = 0.002;  // an algorithm that takes longer is not asked in every frame

/// "V-Clip, broad phase Grid, serial".
std::string run_label(const collision::WorldSettings& settings) {
    const bool parallel = settings.parallel != collision::ParallelMode::serial && settings.workers != 1;
    return std::string(settings.pair_algorithm->title) + ", broad phase " + settings.broad_phase->title +
           ", " +
           (settings.concurrent ? "concurrent"
            : parallel          ? "parallel"
                                : "serial");
}

}  // namespace

/// Continues the comparisons for a part of a frame.
void Sandbox::compare() {
    const PairSubject& subject = inspector_.subject();
    const PairSubject& asked = asked_.subject();
    if (!asked_.rows().empty() && (asked.name_a != subject.name_a || asked.name_b != subject.name_b))
        asked_.clear();  // another pair is selected
    const bool keep = state_.compare.keep_asking && subject.complete();
    const bool stale = asked_.rows().empty() || asked.frame != subject.frame;
    if (keep && stale && !asked_.running()) asked_.start(subject, {session_->settings(), kSlowest});
    const double share = in_headset_ ? kHeadsetShare : 1;
    asked_.advance(share * (state_.compare.keep_asking ? kAskSlice : kAskAtOnce));
    if (check_.advance(share * kCheckSlice)) finish_check();
    if (tumble_.advance(share * kCheckSlice)) show_message("Sweep finished");
    if (heat_.advance(share * kCheckSlice)) finish_heat_map();
}

void Sandbox::ask_all() {
    if (!inspector_.subject().complete()) return ask_for_body();
    asked_.start(inspector_.subject(), {session_->settings(), 0});
}

void Sandbox::start_heat_map() {
    static constexpr std::size_t kAxes[3][2] = {{0, 1}, {0, 2}, {2, 1}};
    if (!inspector_.subject().complete()) return ask_for_body();
    HeatRequest& request = state_.compare.heat;
    const auto& axes = kAxes[std::min<std::size_t>(request.slice, 2)];
    request.cell.reset();
    heat_.start(inspector_.subject(), session_->settings(),
                {axes[0], axes[1], static_cast<std::uint32_t>(request.cells)});
}

void Sandbox::finish_heat_map() {
    std::size_t wrong = 0;
    for (std::size_t cell = 0; cell < heat_.done(); ++cell)
        wrong += heat_.standing(cell) == Standing::disagrees ? 1 : 0;
    show_message(wrong == 0 ? "Map finished: no exact algorithm is wrong"
                            : "Map finished: an algorithm is wrong in " + engine::grouped(wrong) + " cells");
}

void Sandbox::finish_check() {
    const PairCheck::Counts& counts = check_.counts();
    if (!check_.first()) {
        return show_message(engine::grouped(counts.pairs) + " pairs: all " +
                            engine::grouped(counts.answers - counts.unchecked) + " answers agree");
    }
    const PairCheck::Difference& first = *check_.first();
    const bool swap = first.pick_a == collision::kNoIndex;
    selected_ = swap ? first.pick_b : first.pick_a;
    partner_ = swap ? first.pick_a : first.pick_b;
    show_message(engine::grouped(counts.disagreements) + " answers of " + engine::grouped(counts.pairs) +
                 " pairs disagree; the first is " + first.algorithm->title);
}

void Sandbox::carry_out_comparisons(const PanelRequests& r) {
    if (r.ask_all) ask_all();
    if (r.check_pairs)
        check_.start(inspector_.bodies(bridge_), session_->settings(), looking_.value_or(session_->frame()));
    if (r.cancel_check) check_.cancel();
    if (r.tumble && !inspector_.subject().complete())
        ask_for_body();
    else if (r.tumble)
        tumble_.start(inspector_.subject(), session_->settings());
    if (r.cancel_tumble) tumble_.cancel();
    if (r.heat) start_heat_map();
    if (r.cancel_heat) heat_.cancel();
    if (r.save_heat_cell && *r.save_heat_cell < heat_.done())
        save_subject(heat_.subject_at(*r.save_heat_cell), heat_.answers(*r.save_heat_cell));
    if (r.save_pair) compare_by_key(KeyAction::save_pair);
    if (r.save_difference && check_.first()) save_subject(check_.first()->subject, {});
    if (r.keep_run) compare_by_key(KeyAction::keep_run);
    if (r.clear_run) history_.forget_kept();
    if (r.export_csv) export_times(".csv");
    if (r.export_json) export_times(".json");
}

void Sandbox::compare_by_key(KeyAction action) {
    if (action == KeyAction::ask_all) ask_all();
    if (action == KeyAction::save_pair) {
        // The rows are about another moment while the scene runs: then that moment is saved.
        const bool asked = !asked_.rows().empty();
        const PairSubject& subject = asked ? asked_.subject() : inspector_.subject();
        if (!subject.complete()) return ask_for_body();
        save_subject(subject, asked_.rows());
    }
    if (action == KeyAction::keep_run) {
        history_.keep(run_label(session_->settings()));
        show_message("Kept this run: " + history_.kept()->label);
    }
    if (action == KeyAction::export_times) export_times(".csv");
}

void Sandbox::save_subject(const PairSubject& subject, std::span<const AlgorithmAnswer> answers) {
    std::error_code code;
    std::filesystem::path file;
    std::string error;
    const SavedPairNotes notes{session_->descriptor().id, answers};
    const bool saved = save_pair(subject, notes, std::filesystem::current_path(code), file, error);
    show_message(saved ? "Saved " + engine::text_of(file) : error);
}

void Sandbox::export_times(const char* ending) {
    const RunInfo info{session_->descriptor().id, session_->settings(), session_->world().body_count()};
    const std::string text = ending == std::string_view(".csv")
                                 ? times_csv(history_, state_.compare.export_seconds)
                                 : times_json(history_, state_.compare.export_seconds, info);
    show_message(save_here("claybox-frames-", ending, text));
}

FrameCounts Sandbox::counts_of_pass() const {
    const collision::PassStats& pass = session_->report().pass;
    FrameCounts out;
    out.pass = pass.pass;
    out.candidates = pass.candidates;
    out.tests = pass.tests;
    out.colliding = pass.colliding;
    out.iterations = pass.iterations;
    for (std::size_t i = 0; i < out.rung.size(); ++i) out.rung[i] = pass.rung[i];
    return out;
}

void Sandbox::save_hardest_pair() {
    if (refuse_in_past("saving the hardest pair")) return;
    const collision::HardestPair pair = session_->world().hardest_pair();
    if (pair.iterations == 0) return;
    show_message(save_here("claybox-hardest-", ".jsonl", hardest_pair_line(pair)));
}

}  // namespace claybox::app
