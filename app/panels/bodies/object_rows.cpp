#include "app/panels/cards/cards.hpp"

namespace claybox::app {

using engine::key_value;

void object_rows(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests) {
    state.object_open = engine::fold_row(ui, "About the body", "Its shape, pose, motion and pairs.");
    if (!state.object_open || model.object == nullptr) return;
    const ObjectReport& object = *model.object;
    for (const ReportRow& row : object.shape) key_value(ui, row.key, row.value);
    for (const ReportRow& row : object.motion) key_value(ui, row.key, row.value);
    if (object.pairs.empty()) key_value(ui, "Pairs", "No box overlaps");
    for (const ObjectReport::Pair& pair : object.pairs) {
        const bool clicked =
            engine::link_row(ui, pair.name, verdict_word(pair.verdict),
                             "The boxes of both bodies overlap. A click tests this pair.",
                             verdict_mark(pair.verdict), verdict_colour(ui.theme(), pair.verdict));
        if (clicked) requests.partner = pair.pick;
    }
    if (object.more_pairs > 0) key_value(ui, "More pairs", engine::grouped(object.more_pairs));
}

void probe_rows(engine::Ui& ui, const PanelModel& model, PanelState& state) {
    ProbeRequest& probe = state.probe;
    const std::string help = "Asks the bodies at the pointer, or at the fingertip of the hand. Key: " +
                             first_key(model.devices, "probe") + ".";
    engine::check_box(ui, "Probe", probe.on, help.c_str());
    if (!probe.on) return;
    static constexpr const char* kQuestions[] = {"Distance", "Cast", "Overlap"};
    auto question = static_cast<std::size_t>(probe.question);
    if (engine::segmented(
            ui, "Ask", false, kQuestions, question,
            "Distance to the nearest body, the first body that the probe hits on the way along the "
            "view, or all bodies that it overlaps."))
        probe.question = static_cast<ProbeQuestion>(question);
    static constexpr const char* kShapes[] = {"Point", "Ray", "Ball", "Box", "Body"};
    auto shape = static_cast<std::size_t>(probe.shape);
    if (engine::segmented(ui, "With", false, kShapes, shape,
                          "Shape of the probe. Body: that of the selected body."))
        probe.shape = static_cast<ProbeShape>(shape);
    if (probe.shape == ProbeShape::ball || probe.shape == ProbeShape::box) {
        engine::SliderSpec spec;
        spec.label = "Probe size";
        spec.unit = "mm";
        spec.decimals = 0;
        spec.min = 2;
        spec.max = 400;
        spec.default_value = 40;
        spec.logarithmic = true;
        spec.help = "Radius of the ball, half the side of the box.";
        engine::slider(ui, spec, probe.size);
    }
    if (probe.shape != ProbeShape::ray && probe.question != ProbeQuestion::cast) {
        engine::SliderSpec spec;
        spec.label = "Lift";
        spec.unit = "mm";
        spec.decimals = 0;
        spec.min = 0;
        spec.max = 500;
        spec.default_value = 60;
        spec.help = "How far the probe floats above the surface under the pointer.";
        engine::slider(ui, spec, probe.lift);
    }
    if (model.probe != nullptr)
        for (const ReportRow& row : model.probe->rows) key_value(ui, row.key, row.value);
}

}  // namespace claybox::app
