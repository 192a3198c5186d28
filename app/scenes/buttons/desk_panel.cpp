#include "app/scenes/buttons/desk_panel.hpp"

#include <algorithm>
namespace claybox::app {

using collision::Parameter;
using Kind = Command::Kind;

namespace {

constexpr double kLightSeconds = 0.3;  // the lamp of a key stays on this long after a press
constexpr double kDialDead = 0.004;    // metres; radius of the dead zone of the dial
constexpr double kStill = 1e-6;        // share of the rail; far less than a finger can move a knob

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
    shown_.resize(count);
    sent_.resize(count);
    fired_.assign(count, -1e9);
    for (const SceneDescriptor* scene : scenes())
        scene_values_.push_back(collision::default_values(scene->parameters));
    own_ = static_cast<std::size_t>(index_in(scenes(), find_scene("buttons")));
    fingers_ = collision::find_parameter(scenes()[own_]->parameters, "fingers");
    for (std::size_t i = 0; i < count; ++i) {
        const DeskControl& control = desk_controls()[i];
        if (control.kind == DeskKind::wheel)
            wheels_[i].shape(static_cast<int>(desk_entries(control.role).size()), kDrumPitch);
    }
    dial_.shape(kDialTurn, kDialDead, 0);
    follow(settings_, scene_values_[own_], collision::default_values(program_parameters()));
}

std::span<const Parameter> DeskPanel::group_table(DeskGroup group) const {
    switch (group) {
        case DeskGroup::algorithm:
            return settings_.pair_algorithm->parameters;
        case DeskGroup::broad_phase:
            return settings_.broad_phase->parameters;
        case DeskGroup::bounds:
            return collision::bound_parameters();
        case DeskGroup::module:
            return module_parameters();
        case DeskGroup::program:
            return program_parameters();
    }
    return {};
}

std::span<const Parameter> DeskPanel::table(DeskRole column) const {
    return column == DeskRole::scene_parameter ? scenes()[scene_]->parameters : group_table(group_);
}

std::size_t DeskPanel::pages(DeskRole column) const {
    return std::max<std::size_t>(1, (table(column).size() + kDeskSliders - 1) / kDeskSliders);
}

std::size_t DeskPanel::table_index(const DeskControl& slider) const {
    return (slider.role == DeskRole::scene_parameter ? scene_page_ : page_) * kDeskSliders + slider.index;
}

const Parameter* DeskPanel::parameter(const DeskControl& slider) const {
    const std::span<const Parameter> all = table(slider.role);
    return table_index(slider) < all.size() ? &all[table_index(slider)] : nullptr;
}

const collision::ParameterValues& DeskPanel::values(DeskRole column) const {
    return column == DeskRole::scene_parameter ? scene_values_[scene_]
                                               : group_values_[static_cast<std::size_t>(group_)];
}

double& DeskPanel::value(const DeskControl& slider) {
    collision::ParameterValues& all = slider.role == DeskRole::scene_parameter
                                          ? scene_values_[scene_]
                                          : group_values_[static_cast<std::size_t>(group_)];
    return all[table_index(slider)];
}

/// Sets up the sliders for their current parameters. A finger on a slider whose parameter changes loses it.
void DeskPanel::shape_sliders() {
    scene_page_ = std::min(scene_page_, pages(DeskRole::scene_parameter) - 1);
    page_ = std::min(page_, pages(DeskRole::setting) - 1);
    for (std::size_t i = 0; i < sliders_.size(); ++i) {
        const DeskControl& control = desk_controls()[i];
        if (control.kind != DeskKind::slider) continue;
        const Parameter* p = parameter(control);
        if (p != shown_[i]) sliders_[i].end();
        shown_[i] = p;
        if (p == nullptr) continue;
        sliders_[i].shape(kRailHalf, kKnobHalf, detents_of(*p));
        sliders_[i].follow(share_of(*p, value(control)));
    }
}

void DeskPanel::follow_control(std::size_t i) {
    const DeskControl& control = desk_controls()[i];
    const collision::ParameterValues& program = group_values_[static_cast<std::size_t>(DeskGroup::program)];
    switch (control.role) {
        case DeskRole::theme:
            return toggles_[i].follow(program.on(program_choice::theme));
        case DeskRole::sound:
            return toggles_[i].follow(program.on(program_choice::sound));
        case DeskRole::concurrent:
            return toggles_[i].follow(settings_.concurrent);
        case DeskRole::exact:
            return toggles_[i].follow(settings_.exactness == collision::Exactness::exact);
        case DeskRole::all_fingers:
            return toggles_[i].follow(scene_values_[own_].on(fingers_));
        case DeskRole::parallel:
            return toggles_[i].follow(is_on(settings_, control.index));
        case DeskRole::algorithm:
            return wheels_[i].follow(index_in(collision::pair_algorithms(), settings_.pair_algorithm));
        case DeskRole::broad_phase:
            return wheels_[i].follow(index_in(collision::broad_phases(), settings_.broad_phase));
        default:
            return;
    }
}

void DeskPanel::follow(const collision::WorldSettings& settings, const collision::ParameterValues& own,
                       const collision::ParameterValues& program) {
    settings_ = settings;
    workers_ = settings.workers;
    scene_values_[own_] = own;
    const auto set = [&](DeskGroup group, const collision::ParameterValues& now) {
        group_values_[static_cast<std::size_t>(group)] = now;
    };
    set(DeskGroup::algorithm, settings.pair_parameters);
    set(DeskGroup::broad_phase, settings.broad_parameters);
    set(DeskGroup::bounds, settings.bound_parameters);
    set(DeskGroup::module, module_values(settings));
    set(DeskGroup::program, program);
    for (std::size_t i = 0; i < toggles_.size(); ++i) follow_control(i);
    dial_.follow(workers_share(workers_));
    shape_sliders();
}

void DeskPanel::show_group(DeskGroup group) {
    group_ = group;
    page_ = 0;
    shape_sliders();
}

std::string DeskPanel::heading(DeskRole column) const {
    constexpr const char* kTitles[kDeskGroups] = {"Settings of the pair algorithm",
                                                  "Settings of the broad phase", "World box and pair filter",
                                                  "Settings of the module", "Settings of the program"};
    const bool of_scene = column == DeskRole::scene_parameter;
    std::string text = of_scene ? "Settings of the scene above" : kTitles[static_cast<std::size_t>(group_)];
    if (table(column).empty()) return text + ": none";
    if (pages(column) == 1) return text;
    return text + ", " + std::to_string((of_scene ? scene_page_ : page_) + 1) + " of " +
           std::to_string(pages(column));
}

/// The scene and its changed parameters: "cage speed=3".
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

void DeskPanel::press_page(DeskRole role) {
    if (role == DeskRole::scene_page)
        scene_page_ = (scene_page_ + 1) % pages(DeskRole::scene_parameter);
    else
        page_ = (page_ + 1) % pages(DeskRole::setting);
    shape_sliders();
}

void DeskPanel::press_switch(const DeskControl& toggle, bool on, std::vector<Command>& out) const {
    switch (toggle.role) {
        case DeskRole::theme:
            return out.push_back({Kind::program, on ? "theme=dark" : "theme=light"});
        case DeskRole::sound:
            return out.push_back({Kind::program, on ? "sound=on" : "sound=off"});
        case DeskRole::concurrent:
            return out.push_back({Kind::concurrent, on ? "on" : "off"});
        case DeskRole::exact:
            return out.push_back({Kind::exactness, on ? "exact" : "fast"});
        case DeskRole::all_fingers:
            return out.push_back({Kind::set_parameter, on ? "fingers=all" : "fingers=index"});
        default:
            break;
    }
    out.push_back({Kind::parallel, "toggle " + collision::to_string(static_cast<collision::ParallelMode>(
                                                   1u << toggle.index))});
    // Parallel switches do nothing with one worker and would look broken.
    if (on && settings_.parallel == collision::ParallelMode::serial && workers_ == 1)
        out.push_back({Kind::workers, std::to_string(kFirstWorkers)});
}

void DeskPanel::press(std::uint32_t i, double time, std::vector<Command>& out) {
    const DeskControl& control = desk_controls()[i];
    fired_[i] = time;
    if (control.kind == DeskKind::toggle) return press_switch(control, toggles_[i].flip(), out);
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
        case DeskRole::scene_page:
        case DeskRole::page:
            return press_page(control.role);
        case DeskRole::group:
            return show_group(static_cast<DeskGroup>((static_cast<std::size_t>(group_) + 1) % kDeskGroups));
        default:
            return;
    }
}

void DeskPanel::touch(std::uint32_t i, const FacePoint& at, double time, std::vector<Command>& out) {
    switch (desk_controls()[i].kind) {
        case DeskKind::slider:
            if (parameter(desk_controls()[i]) == nullptr) return;
            sent_[i] = value(desk_controls()[i]);
            sliders_[i].begin(at.x);
            return send(i, out);
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
            return send(i, out);
        case DeskKind::dial:
            dial_.circle(from, to);
            return send(i, out);
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
            return send(i, out);
        default:
            return;
    }
}

void DeskPanel::lose(std::uint32_t i) {
    sliders_[i].end();
    wheels_[i].lose();
    if (desk_controls()[i].kind == DeskKind::dial) dial_.end();
}

void DeskPanel::twist(double angle, std::vector<Command>& out) {
    if (!twists_ && !dial_.held()) dial_.begin();
    twists_ = true;
    dial_.twist(angle);
    send(desk_control(DeskRole::workers), out);
}

void DeskPanel::end_twist() {
    if (twists_) dial_.end();
    twists_ = false;
}

/// Sends the value of a slider, the dial or a wheel if it has changed.
void DeskPanel::send(std::uint32_t i, std::vector<Command>& out) {
    const DeskControl& control = desk_controls()[i];
    if (control.kind == DeskKind::wheel)
        return send_wheel(control, static_cast<std::size_t>(wheels_[i].chosen()), out);
    if (control.kind == DeskKind::slider) return send_setting(i, out);
    const unsigned count = workers_at(dial_.share());
    if (count != workers_) out.push_back({Kind::workers, std::to_string(count)});
    workers_ = count;
}

/// Choosing an algorithm or broad phase also shows its settings.
void DeskPanel::send_wheel(const DeskControl& wheel, std::size_t chosen, std::vector<Command>& out) {
    if (wheel.role == DeskRole::scene) {
        if (scene_ != chosen) scene_page_ = 0;
        scene_ = chosen;
        return shape_sliders();
    }
    if (wheel.role == DeskRole::algorithm) {
        if (collision::pair_algorithms()[chosen] == settings_.pair_algorithm) return;
        out.push_back({Kind::pair_algorithm, collision::pair_algorithms()[chosen]->id});
        return show_group(DeskGroup::algorithm);
    }
    if (collision::broad_phases()[chosen] == settings_.broad_phase) return;
    out.push_back({Kind::broad_phase, collision::broad_phases()[chosen]->id});
    show_group(DeskGroup::broad_phase);
}

void DeskPanel::send_setting(std::uint32_t i, std::vector<Command>& out) {
    constexpr Kind kKinds[kDeskGroups] = {Kind::pair_parameter, Kind::broad_parameter, Kind::bound_parameter,
                                          Kind::module_parameter, Kind::program};
    const DeskControl& control = desk_controls()[i];
    const Parameter* p = parameter(control);
    if (p == nullptr || !sliders_[i].held()) return;
    // A touch without a drag leaves the value bit-identical.
    if (std::abs(sliders_[i].share() - share_of(*p, sent_[i])) < kStill) return;
    const double now = value_at(*p, sliders_[i].share());
    if (now == sent_[i]) return;
    sent_[i] = value(control) = now;
    if (control.role == DeskRole::setting)
        out.push_back({kKinds[static_cast<std::size_t>(group_)], parameter_text(*p, now)});
    else if (scene_ == own_)  // the running scene: changes take effect at once
        out.push_back({Kind::set_parameter, parameter_text(*p, now)});
}

void DeskPanel::settle(double dt) {
    for (Toggle& toggle : toggles_) toggle.settle(dt);
    for (ChoiceWheel& wheel : wheels_) wheel.settle(dt);
}

void DeskPanel::show(std::uint32_t i, double time, DeskState& state) const {
    const DeskControl& control = desk_controls()[i];
    state.lit = control.kind == DeskKind::toggle ? toggles_[i].on() : time < fired_[i] + kLightSeconds;
    state.caption.clear();
    switch (control.kind) {
        case DeskKind::toggle:
            state.position = toggles_[i].tilt();
            return;
        case DeskKind::slider: {
            const Parameter* p = parameter(control);
            state.used = p != nullptr;
            state.position = sliders_[i].place();
            if (p == nullptr) return;
            state.caption = parameter_words(*p, values(control.role)[table_index(control)]);
            return;
        }
        case DeskKind::dial:
            state.position = dial_.angle();
            state.caption = "Workers: " + std::to_string(workers_);
            return;
        case DeskKind::wheel:
            state.position = wheels_[i].position();
            return;
        default:
            return;
    }
}

}  // namespace claybox::app
