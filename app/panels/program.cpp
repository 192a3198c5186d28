#include "app/panels/program.hpp"

namespace claybox::app {

collision::ParameterValues program_values(const PanelState& state) {
    collision::ParameterValues values = collision::default_values(program_parameters());
    const auto set = [&](std::size_t choice, bool on) { values[choice] = on ? 1 : 0; };
    set(program_choice::theme, state.dark);
    set(program_choice::sound, state.sound);
    set(program_choice::labels, state.view.labels);
    set(program_choice::witness, state.view.witness);
    set(program_choice::boxes, state.view.bounds);
    set(program_choice::structure, state.view.broad_phase);
    set(program_choice::headset, state.headset.on);
    set(program_choice::haptics, state.headset.haptics);
    set(program_choice::seated, state.headset.seated);
    values[program_choice::world_size] = state.headset.zoom;
    values[program_choice::time] = static_cast<double>(time_choice(state.speed));
    values[program_choice::hand_filter] = state.hands.filter;
    values[program_choice::stroke_lead] = state.hands.lead;
    values[program_choice::pressure_from] = static_cast<double>(state.hands.pressure);
    return values;
}

void set_program_values(const collision::ParameterValues& values, PanelState& state) {
    state.dark = values.on(program_choice::theme);
    state.sound = values.on(program_choice::sound);
    state.view.labels = state.view.dimensions = values.on(program_choice::labels);
    state.view.witness = values.on(program_choice::witness);
    state.view.bounds = values.on(program_choice::boxes);
    state.view.broad_phase = values.on(program_choice::structure);
    state.headset.on = values.on(program_choice::headset);
    state.headset.haptics = values.on(program_choice::haptics);
    state.headset.seated = values.on(program_choice::seated);
    state.headset.zoom = values[program_choice::world_size];
    state.hands.filter = values[program_choice::hand_filter];
    state.hands.lead = values[program_choice::stroke_lead];
    state.hands.pressure = static_cast<PressureFrom>(values.integer(program_choice::pressure_from));
    state.speed = kTimeFactors[static_cast<std::size_t>(values.integer(program_choice::time))];
}

}  // namespace claybox::app
