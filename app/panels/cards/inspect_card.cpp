#include "app/panels/cards/cards.hpp"

#include <algorithm>
#include <vector>

namespace claybox::app {

using engine::grouped;
using engine::key_value;

namespace {

constexpr int kGrowFrames = 3;  // until the rows of a new answer exist and the column knows its height

/// Whose steps: the pair algorithm at the poses of this frame, or a continuous one on the way there.
void algorithm_row(engine::Ui& ui, TraceRequest& request) {
    std::vector<std::string> names{"Of the pair algorithm"};
    for (const collision::ContinuousAlgorithm* algorithm : collision::continuous_algorithms())
        names.push_back(std::string("Of ") + algorithm->title);
    std::vector<engine::ComboItem> items{{names[0].c_str(), "", "Its steps at the poses of this frame."}};
    std::size_t index = 0;
    for (const collision::ContinuousAlgorithm* algorithm : collision::continuous_algorithms()) {
        items.push_back({names[items.size()].c_str(), "", algorithm->summary, algorithm->source});
        if (algorithm == request.motion) index = items.size() - 1;
    }
    if (!engine::combo(ui, "Steps of", false, items, index)) return;
    request.motion = index == 0 ? nullptr : collision::continuous_algorithms()[index - 1];
    request.step = 0;
}

/// The algorithm's steps on the selected pair, one at a time.
void step_rows(engine::Ui& ui, const Inspection::Steps& steps, PanelState& state) {
    TraceRequest& request = state.trace;
    if (engine::check_box(ui, "Show its steps", request.on,
                          "Draws the algorithm's work in this frame over the scene, one step at a time. "
                          "Pause to stay in one frame."))
        state.bring_inspect = kGrowFrames;
    if (!request.on) return;
    if (steps.moves || request.motion != nullptr) algorithm_row(ui, request);
    if (steps.count == 0 && !steps.rows.empty()) return engine::paragraph(ui, steps.rows.front().value);
    if (steps.count == 0)
        return engine::paragraph(ui, "The algorithm answered without a step that can be drawn.");
    key_value(ui, "Steps", steps.is_cut ? "More than " + grouped(steps.count) : grouped(steps.count));
    if (steps.count > 1) {
        engine::SliderSpec spec;
        spec.label = "Step drawn";
        spec.min = 1;
        spec.max = spec.default_value = static_cast<double>(steps.count);
        spec.integer = true;
        spec.help = "The step to draw. Double-click for the last step.";
        auto value = static_cast<double>(steps.shown);
        if (engine::slider(ui, spec, value))
            request.step = value >= spec.max ? 0 : static_cast<std::size_t>(value);
        engine::check_box(ui, "With earlier steps", request.before,
                          "Also draws the steps before, in thin lines.");
    }
    for (const Inspection::Row& row : steps.rows) key_value(ui, row.key, row.value);
}

}  // namespace

void inspect_card(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
                  bool open) {
    const Inspection& it = *model.inspection;
    const bool fresh = !it.title.empty() && it.title != state.inspected;
    if (engine::begin_card(ui, "Inspect", it.title.empty() ? "Nothing selected" : it.title, open)) {
        probe_rows(ui, model, state);
        if (it.title.empty())
            engine::paragraph(ui, "Click a body (key: " + first_key(model.devices, "next_body") +
                                      ") to see its shape and test it against the nearest body. Shift+click "
                                      "chooses another body to test against.");
        if (!it.text.empty()) engine::paragraph(ui, it.text);
        if (it.has_verdict) {
            key_value(ui, "Verdict", verdict_word(it.verdict),
                      "Answer of the chosen algorithm in this frame.", verdict_mark(it.verdict),
                      verdict_colour(ui.theme(), it.verdict), true);
        }
        for (const Inspection::Row& row : it.rows) key_value(ui, row.key, row.value);
        if (it.has_verdict) {
            step_rows(ui, it.steps, state);
            ask_rows(ui, model, state, requests);
            tumble_rows(ui, model, state, requests);
            heat_rows(ui, model, state, requests);
        }
        if (!it.title.empty()) object_rows(ui, model, state, requests);
        check_rows(ui, model, requests);
    }
    if (fresh) state.bring_inspect = kGrowFrames;
    engine::end_card(ui, state.bring_inspect > 0);
    state.bring_inspect = std::max(0, state.bring_inspect - 1);
    // An opening card grows: keep it in view until it has its full height.
    if (!fresh || engine::card_is_settled(ui, "Inspect")) state.inspected = it.title;
}

}  // namespace claybox::app
