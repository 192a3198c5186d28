#include "app/bridge/sandbox/report.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace claybox::app {
namespace {

using nlohmann::json;

json widgets(engine::Ui& ui) {
    json out = json::array();
    for (const engine::WidgetRecord& w : ui.log().records)
        out.push_back({{"kind", w.kind},
                       {"label", w.label},
                       {"value", w.value},
                       {"rect", {w.x0, w.y0, w.x1, w.y1}},
                       {"visible", w.visible}});
    return out;
}

json events(const std::deque<EventRow>& rows) {
    json out = json::array();
    for (const EventRow& e : rows)
        out.push_back({{"time", e.time}, {"word", event_word(e.kind)}, {"text", e.text}});
    return out;
}

/// Milliseconds per stage, means of the last half second.
json stages_of(const FrameTimes& times) {
    json out = json::object();
    for (std::size_t i = 0; i < kStages; ++i)
        out[stage_title(static_cast<Stage>(i))] = times[static_cast<Stage>(i)] * 1e3;
    return out;
}

json past_of(const PastModel& past) {
    return {{"oldest", past.oldest},
            {"newest", past.newest},
            {"shown", past.shown ? json(past.shown->frame()) : json()},
            {"to_repeat", past.to_repeat}};
}

}  // namespace

std::string report_text(engine::Ui& ui, const PanelModel& model, const PanelState& state) {
    const Session& session = *model.session;
    const collision::WorldSettings settings = session.settings();
    const FrameReport& report = session.report();
    char hash[20];
    std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(report.state_hash));
    json figures = json::object();
    for (const Figure& f : session.figures(report.pass)) figures[f.id] = f.value;
    const auto milliseconds = [](const Percentiles& p) {
        return json{{"p50", p.p50 * 1e3}, {"p95", p.p95 * 1e3}, {"p99", p.p99 * 1e3}};
    };
    const json object = {
        {"scene", session.descriptor().id},
        {"frame", session.frame()},
        {"pair", settings.pair_algorithm->id},
        {"broad", settings.broad_phase->id},
        {"concurrent", settings.concurrent},
        {"paused", state.paused},
        {"building", model.build.title},
        {"past", past_of(model.past)},
        {"dark", state.dark},
        {"hand", state.hand},
        {"bodies", model.session->world().body_count()},
        {"candidates", report.pass.candidates},
        {"colliding", report.pass.colliding},
        {"hash", hash},
        {"scale", ui.scale()},
        {"window", {ui.width(), ui.height()}},
        {"frame_ms", milliseconds(model.history->percentiles())},
        {"work_ms", milliseconds(model.history->work())},
        {"stage_ms", stages_of(model.history->average())},
        {"headset",
         {{"running", model.headset.running},
          {"frames", model.headset.frames},
          {"missed", model.headset.missed},
          {"resolution", model.headset.resolution}}},
        {"figures", figures},
        {"selected", model.inspection->title},
        {"events", events(*model.events)},
        {"widgets", widgets(ui)},
    };
    return object.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace claybox::app
