#include "app/panels/cards/cards.hpp"
#include "app/panels/cards/parameters.hpp"
#include "app/scenes/shared/choices.hpp"

#include <algorithm>

namespace claybox::app {

using engine::fixed;
using engine::grouped;
using engine::key_value;

namespace {

std::string figure_text(const Figure& figure) {
    std::string text = figure.decimals == 0 && figure.value >= 0
                           ? grouped(static_cast<unsigned long long>(figure.value + 0.5))
                           : fixed(figure.value, figure.decimals);
    if (*figure.unit) text += std::string(" ") + figure.unit;
    return text;
}

void scene_parameters(engine::Ui& ui, const Session& session, PanelState& state, PanelRequests& requests) {
    const SceneDescriptor& scene = session.descriptor();
    collision::ParameterValues values = session.options().scene_parameters;
    if (state.held_parameter) values[state.held_parameter->first] = state.held_parameter->second;
    const collision::ParameterValues before = values;
    parameter_rows(ui, scene.parameters, values, 0, scene.parameters.size());
    for (std::size_t i = 0; i < scene.parameters.size(); ++i)
        if (values[i] != before[i]) state.held_parameter = {i, values[i]};
    if (!state.held_parameter) return;
    // Parameters that rebuild the scene wait until the slider is released; a rebuild per pixel would stutter.
    const bool rebuilds = (scene.rebuild_mask >> state.held_parameter->first & 1u) != 0;
    if (rebuilds && ui.input().down[0]) return;
    requests.parameter = state.held_parameter;
    state.held_parameter.reset();
}

void scene_actions(engine::Ui& ui, const Session& session, PanelRequests& requests) {
    const auto actions = session.descriptor().actions;
    for (std::size_t first = 0; first < actions.size(); first += 3) {
        const auto part = actions.subspan(first, std::min<std::size_t>(3, actions.size() - first));
        const int clicked = engine::button_row(ui, part);
        if (clicked >= 0)
            requests.actions.push_back(static_cast<std::uint32_t>(first + static_cast<std::size_t>(clicked)));
    }
    if (session.scene().export_mesh().topology) {
        static constexpr const char* kExports[] = {"Export OBJ", "Export STL", "Turntable"};
        static constexpr const char* kHelp[] = {
            "Saves the clay with its polygons, in metres.",
            "Saves the clay as triangles, in millimetres, for 3D printing.",
            "Saves one turn of the clay as an animated GIF."};
        const int clicked = engine::button_row(ui, kExports, kHelp);
        if (clicked == 0) requests.export_ending = ".obj";
        if (clicked == 1) requests.export_ending = ".stl";
        if (clicked == 2) requests.turntable = true;
    }
}

void run_rows(engine::Ui& ui, const Session& session, PanelState& state, PanelRequests& requests) {
    std::uint64_t seed = session.options().seed;
    if (engine::number_field(ui, "Seed", seed, "The same seed and parameters give the same run."))
        requests.seed = seed;
    static constexpr const char* kSpeeds[] = {"¼ ×", "½ ×", "1 ×", "2 ×"};
    static_assert(std::size(kSpeeds) == kTimeFactors.size());
    std::size_t speed = time_choice(state.speed);
    if (engine::segmented(ui, "Time", true, kSpeeds, speed, "Speed of time in the scene."))
        state.speed = kTimeFactors[speed];
}

}  // namespace

void scene_card(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
                bool open) {
    const Session& session = *model.session;
    const SceneDescriptor& scene = session.descriptor();
    const std::size_t bodies = model.session->world().body_count();
    const std::string summary =
        std::string(scene.title) + ", " + grouped(bodies) + (bodies == 1 ? " body" : " bodies");
    if (engine::begin_card(ui, "Scene", summary, open)) {
        scene_parameters(ui, session, state, requests);
        scene_actions(ui, session, requests);
        for (const Figure& figure : session.figures(session.report().pass))
            key_value(ui, figure.title, figure_text(figure));
        if (engine::fold_row(ui, "Seed and time", "The random seed of the run and the speed of time."))
            run_rows(ui, session, state, requests);
    }
    engine::end_card(ui);
}

}  // namespace claybox::app
