#include "app/cli/commands/run_report.hpp"

#include "app/session/recording_json.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {

using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kStages[] = {"take", "bounds", "broad", "narrow", "events", "total"};

/// The smallest value that is not exceeded by at least `share` of the sorted values; 0 without values.
double percentile(const std::vector<double>& sorted, double share) {
    if (sorted.empty()) return 0;
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
    return sorted[std::max<std::size_t>(rank, 1) - 1];
}

/// A figure without decimals is a count, written as an integer.
Json figure_value(const Figure& figure) {
    const bool count =
        figure.decimals == 0 && std::abs(figure.value) < 0x1p53 && figure.value == std::floor(figure.value);
    if (!std::isfinite(figure.value)) return nullptr;
    return count ? Json(static_cast<std::int64_t>(figure.value)) : Json(figure.value);
}

}  // namespace

void RunReport::add(const Session& session) {
    const FrameReport& report = session.report();
    frame_ms_.push_back(report.step_seconds * 1e3);
    for (const SceneEvent& event : session.output().events) {
        if (event.kind == SceneEvent::Kind::fired) ++presses_;
        if (event.kind == SceneEvent::Kind::released) ++releases_;
    }
    add_pass(report.pass);
}

void RunReport::add_pass(const collision::PassStats& pass) {
    hash_ = pass.state_hash;
    if (pass.pass == last_pass_) return;  // no pass ended in this frame
    last_pass_ = pass.pass;
    ++passes_;
    const double seconds[] = {pass.seconds_take,   pass.seconds_bounds, pass.seconds_broad,
                              pass.seconds_narrow, pass.seconds_events, pass.seconds_total};
    for (std::size_t i = 0; i < std::size(kStages); ++i) stage_seconds_[i] += seconds[i];
    candidates_ += pass.candidates;
    tests_ += pass.tests;
    colliding_ += pass.colliding;
    exact_rung_ += pass.rung[2];
    undecided_ += pass.undecided;
}

void RunReport::close(Session& session) {
    session.world().wait_idle();
    add_pass(session.world().stats());
}

namespace {

std::string continuous_name(const collision::WorldSettings& settings) {
    return settings.continuous && settings.continuous_algorithm ? settings.continuous_algorithm->id : "off";
}

}  // namespace

Json RunReport::describe(Session& session) const {
    std::vector<double> sorted = frame_ms_;
    std::sort(sorted.begin(), sorted.end());
    Json out{{"scene", session.descriptor().id},
             {"seed", session.options().seed},
             {"pair", session.settings().pair_algorithm->id},
             {"broad", session.settings().broad_phase->id},
             {"continuous", continuous_name(session.settings())},
             {"frames", frame_ms_.size()},
             {"bodies", session.world().body_count()},
             {"hash", hash_text(hash_)},
             {"frame_ms",
              {{"p50", percentile(sorted, 0.50)},
               {"p95", percentile(sorted, 0.95)},
               {"p99", percentile(sorted, 0.99)},
               {"max", percentile(sorted, 1.0)}}}};
    const double passes = static_cast<double>(std::max<std::uint64_t>(passes_, 1));
    for (std::size_t i = 0; i < std::size(kStages); ++i)
        out["stage_ms"][kStages[i]] = stage_seconds_[i] * 1e3 / passes;
    out["passes"] = passes_;
    out["counts"] = {{"candidates", candidates_},
                     {"tests", tests_},
                     {"colliding", colliding_},
                     {"exact_rung", exact_rung_},
                     {"undecided", undecided_}};
    out["presses"] = presses_;
    out["releases"] = releases_;
    for (const Figure& figure : session.figures(session.world().stats())) {
        if (!out.contains(figure.id)) out[figure.id] = figure_value(figure);
    }
    return out;
}

}  // namespace claybox::app
