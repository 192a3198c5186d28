#include "app/scenes/desk_panel.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {

using collision::Parameter;
using Kind = Command::Kind;

namespace {

constexpr double kLightSeconds = 0.3;  // a key without a state shows a recent press
constexpr double kDialDead = 0.004;    // metres about the dial's middle

template <class Table>
std::vector<std::string> titles(const Table& table) {
    std::vector<std::string> out;
    for (const auto* entry : table) out.emplace_back(entry->title);
    return out;
}

template <class Table, class Entry>
int index_in(const Table& table, const Entry* entry) {
    const auto found = std::find(table.begin(), table.end(), entry);
    return found == table.end() ? 0 : static_cast<int>(found - table.begin());
}

bool is_on(const collision::WorldSettings& s, unsigned parallel) {
    return (static_cast<unsigned>(s.parallel) >> parallel & 1u) != 0;
}

}  // namespace

std::span<const std::string> desk_entries(DeskRole wheel) {
    static const std::vector<std::string> scene_titles = titles(scenes()),
                                          pair_titles = titles(collision::pair_algorithms()),
                                          broad_titles = titles(collision::broad_phases());
    if (wheel == DeskRole::scene) return scene_titles;
    return wheel == DeskRole::algorithm ? pair_titles : broad_titles;
}

DeskPanel::DeskPanel() : settings_(collision::default_settings()) {
    const std::size_t count = desk_controls().size();
    toggles_.resize(count);
    sliders_.resize(count);
    wheels_.resize(count);
    fired_.assign(count, -1e9);
    for (const SceneDescriptor* scene : scenes())
        scene_values_.push_back(collision::default_values(scene->parameters));
    for (std::size_t i = 0; i < count; ++i) {
        const DeskControl& control = desk_controls()[i];
        if (control.kind == DeskKind::wheel)
            wheels_[i].shape(static_cast<int>(desk_entries(control.role).size()), kDrumPitch);
    }
    dial_.shape(kDialTurn, kDialDead, kDeskWorkers);
    shape_sliders();
}

const Parameter* DeskPanel::parameter(const DeskControl& control) const {
    const std::span<const Parameter> table = control.role == DeskRole::scene_parameter
                                                 ? scenes()[scene_]->parameters
                                                 : settings_.pair_algorithm->parameters;
    return control.index < table.size() ? &table[control.index] : nullptr;
}

double& DeskPanel::value(const DeskControl& control) {
    return control.role == DeskRole::scene_parameter ? scene_values_[scene_][control.index]
                                                     : settings_.pair_parameters[control.index];
}

/// As the parameters are that they are about now.
void DeskPanel::shape_sliders() {
    for (std::size_t i = 0; i < sliders_.size(); ++i) {
        const DeskControl& control = desk_controls()[i];
        if (control.kind != DeskKind::slider) continue;
        const Parameter* p = parameter(control);
        if (p == nullptr) continue;
        sliders_[i].shape(kRailHalf, kKnobHalf, detents_of(*p));
        sliders_[i].follow(share_of(*p, value(control)));
    }
}

void DeskPanel::follow(const collision::WorldSettings& settings, bool all_fingers) {
    settings_ = settings;
    workers_ = settings.workers;
    for (std::size_t i = 0; i < toggles_.size(); ++i) {
        const DeskControl& control = desk_controls()[i];
        switch (control.role) {
            case DeskRole::concurrent:
                toggles_[i].follow(settings.concurrent);
                break;
            case DeskRole::exact:
                toggles_[i].follow(settings.exactness == collision::Exactness::exact);
                break;
            case DeskRole::all_fingers:
                toggles_[i].follow(all_fingers);
                break;
            case DeskRole::parallel:
                toggles_[i].follow(is_on(settings, control.index));
                break;
            case DeskRole::algorithm:
                wheels_[i].follow(index_in(collision::pair_algorithms(), settings.pair_algorithm));
                break;
            case DeskRole::broad_phase:
                wheels_[i].follow(index_in(collision::broad_phases(), settings.broad_phase));
                break;
            default:
                break;
        }
    }
    dial_.follow((std::min(workers_, kDeskWorkers) - 1.0) / (kDeskWorkers - 1.0));
    shape_sliders();
}

/// "cage speed=3": the scene and what its sliders were moved to.
std::string DeskPanel::scene_text() const {
    const SceneDescriptor& scene = *scenes()[scene_];
    const collision::ParameterValues standard = collision::default_values(scene.parameters);
    std::string text = scene.id;
    for (std::size_t i = 0; i < scene.parameters.size(); ++i) {
        const double now = scene_values_[scene_][i];
        if (now != standard[i]) text += " " + parameter_text(scene.parameters[i], now);
    }
    return text;
}

void DeskPanel::press(std::uint32_t i, double time, std::vector<Command>& out) {
    const DeskControl& control = desk_controls()[i];
    fired_[i] = time;
    const bool on = control.kind == DeskKind::toggle && toggles_[i].flip();
    switch (control.role) {
        case DeskRole::open:
            return out.push_back({Kind::scene, scene_text()});
        case DeskRole::pause:
            return out.push_back({Kind::pause, "toggle"});
        case DeskRole::step:
            return out.push_back({Kind::step, ""});
        case DeskRole::restart:
            return out.push_back({Kind::restart, ""});
        case DeskRole::next_algorithm:
            return out.push_back({Kind::pair_algorithm, "next"});
        case DeskRole::theme:
            return out.push_back({Kind::theme, "toggle"});
        case DeskRole::concurrent:
            return out.push_back({Kind::concurrent, on ? "on" : "off"});
        case DeskRole::exact:
            return out.push_back({Kind::exactness, on ? "exact" : "fast"});
        case DeskRole::all_fingers:
            return out.push_back({Kind::set_parameter, on ? "fingers=all" : "fingers=index"});
        case DeskRole::parallel:
            return out.push_back(
                {Kind::parallel, "toggle " + collision::to_string(
                                                 static_cast<collision::ParallelMode>(1u << control.index))});
        default:
            return;
    }
}

void DeskPanel::touch(std::uint32_t i, const FacePoint& at, double time, std::vector<Command>& out) {
    switch (desk_controls()[i].kind) {
        case DeskKind::slider:
            if (parameter(desk_controls()[i]) == nullptr) return;
            sliders_[i].begin(at.x);
            return say(i, out);
        case DeskKind::dial:
            return dial_.begin();
        case DeskKind::wheel:
            return wheels_[i].begin(at.y, time);
        default:
            return;
    }
}

void DeskPanel::drag(std::uint32_t i, const FacePoint& from, const FacePoint& to, double time,
                     std::vector<Command>& out) {
    switch (desk_controls()[i].kind) {
        case DeskKind::slider:
            sliders_[i].drag(to.x);
            return say(i, out);
        case DeskKind::dial:
            dial_.circle(from, to);
            return say(i, out);
        case DeskKind::wheel:
            return wheels_[i].drag(to.y, time);
        default:
            return;
    }
}

void DeskPanel::leave(std::uint32_t i, double time, std::vector<Command>& out) {
    switch (desk_controls()[i].kind) {
        case DeskKind::slider:
            return sliders_[i].end();
        case DeskKind::dial:
            return dial_.end();
        case DeskKind::wheel:
            wheels_[i].end(time);
            return say(i, out);
        default:
            return;
    }
}

void DeskPanel::twist(double angle, std::vector<Command>& out) {
    if (!twists_ && !dial_.held()) dial_.begin();
    twists_ = true;
    dial_.twist(angle);
    say(desk_control(DeskRole::workers), out);
}

void DeskPanel::end_twist() {
    if (twists_) dial_.end();
    twists_ = false;
}

/// What a slider, the dial or a wheel stands at, where that is news.
void DeskPanel::say(std::uint32_t i, std::vector<Command>& out) {
    const DeskControl& control = desk_controls()[i];
    const auto chosen = static_cast<std::size_t>(wheels_[i].chosen());
    if (control.role == DeskRole::scene) {
        scene_ = chosen;
        return shape_sliders();
    }
    if (control.role == DeskRole::algorithm) {
        if (collision::pair_algorithms()[chosen] != settings_.pair_algorithm)
            out.push_back({Kind::pair_algorithm, collision::pair_algorithms()[chosen]->id});
        return;
    }
    if (control.role == DeskRole::broad_phase) {
        if (collision::broad_phases()[chosen] != settings_.broad_phase)
            out.push_back({Kind::broad_phase, collision::broad_phases()[chosen]->id});
        return;
    }
    if (control.role == DeskRole::workers) {
        const auto count = static_cast<unsigned>(1 + std::lround(dial_.share() * (kDeskWorkers - 1)));
        if (count != std::min(workers_, kDeskWorkers)) out.push_back({Kind::workers, std::to_string(count)});
        workers_ = count;
        return;
    }
    const Parameter* p = parameter(control);
    if (p == nullptr) return;
    const double now = value_at(*p, sliders_[i].share());
    if (now == value(control)) return;
    value(control) = now;
    if (control.role == DeskRole::pair_parameter)
        out.push_back({Kind::pair_parameter, parameter_text(*p, now)});
}

void DeskPanel::settle(double dt) {
    for (Toggle& toggle : toggles_) toggle.settle(dt);
    for (ChoiceWheel& wheel : wheels_) wheel.settle(dt);
}

void DeskPanel::show(std::uint32_t i, double time, DeskState& state) const {
    const DeskControl& control = desk_controls()[i];
    state.lit = control.kind == DeskKind::toggle ? toggles_[i].on() : time < fired_[i] + kLightSeconds;
    state.words.clear();
    switch (control.kind) {
        case DeskKind::toggle:
            state.stand = toggles_[i].tilt();
            return;
        case DeskKind::slider: {
            const Parameter* p = parameter(control);
            state.used = p != nullptr;
            state.stand = sliders_[i].place();
            if (p == nullptr) return;
            const double now = control.role == DeskRole::scene_parameter
                                   ? scene_values_[scene_][control.index]
                                   : settings_.pair_parameters[control.index];
            state.words = parameter_words(*p, now);
            return;
        }
        case DeskKind::dial:
            state.stand = dial_.angle();
            state.words = "Workers: " + std::to_string(workers_);
            return;
        case DeskKind::wheel:
            state.stand = wheels_[i].position();
            return;
        default:
            return;
    }
}

}  // namespace claybox::app
