#include "engine/input/mapping/logical_devices.hpp"

#include "engine/input/hand_features.hpp"
#include "engine/input/mapping/device_graph.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace claybox::engine {

namespace {

constexpr double kMaxFrame = 0.1;  // seconds; limits jumps after a pause

bool same(const HandJoint& a, const HandJoint& b) {
    return a.valid == b.valid && a.position == b.position && a.rotation == b.rotation && a.radius == b.radius;
}

bool same(const HandJoints& a, const HandJoints& b) {
    if (a.active != b.active || a.left != b.left) return false;
    for (std::size_t j = 0; j < a.joint.size(); ++j)
        if (!same(a.joint[j], b.joint[j])) return false;
    return true;
}

/// Whether the value of a device changed. Hands are compared elsewhere, with their stored joints.
bool differs(DeviceClass type, const Reading& a, const Reading& b) {
    switch (type) {
        case DeviceClass::choice:
            return a.choice != b.choice;
        case DeviceClass::value:
            return a.number != b.number;
        case DeviceClass::location:
            return a.position != b.position;
        case DeviceClass::orientation:
            return a.rotation != b.rotation;
        case DeviceClass::space:
            return a.position != b.position || a.rotation != b.rotation;
        default:
            return false;
    }
}

MapLine declared_line(const DeviceDeclaration& d) {
    MapLine line;
    line.type = d.type;
    line.name = d.name;
    line.mapping = d.mapping;
    return line;
}

/// Aborts: the program's own declarations are wrong.
[[noreturn]] void abort_on_wrong_declaration(const std::string& what) {
    std::fprintf(stderr, "claybox: the declared devices are wrong: %s\n", what.c_str());
    std::abort();
}

}  // namespace

LogicalDevices::LogicalDevices(std::span<const DeviceDeclaration> declared, std::vector<InputSource*> sources)
    : declared_(declared.begin(), declared.end()), sources_(std::move(sources)) {
    std::string error;
    if (!load("", "the declared devices", error)) abort_on_wrong_declaration(error);
}

bool LogicalDevices::load(std::string_view text, std::string_view file, std::string& error,
                          std::size_t* wrong) {
    std::vector<MapLine> all, read;
    std::size_t number = 0;
    const auto fail = [&](std::size_t line) {
        if (wrong != nullptr) *wrong = line;
        error = std::string(file) + (line > 0 ? ":" + std::to_string(line) : "") + ": " + error;
        return false;
    };
    for (const DeviceDeclaration& d : declared_) {
        all.push_back(declared_line(d));
        if (!parse_mapping(d.mapping, all.back().terms, error)) return fail(0);
    }
    if (!parse_map(text, read, number, error)) return fail(number);
    for (MapLine& line : read) {
        const auto known =
            std::find_if(all.begin(), all.end(), [&](const MapLine& l) { return l.name == line.name; });
        if (known == all.end()) {
            all.push_back(std::move(line));
        } else if (known->type != line.type) {
            error = "expected " + std::string(to_string(known->type)) + " " + line.name +
                    ", as the program declares it";
            return fail(line.number);
        } else {
            *known = std::move(line);
        }
    }
    std::size_t bad = 0;
    std::vector<std::size_t> numbers;
    for (const MapLine& line : all) numbers.push_back(line.number);
    return adopt(std::move(all), bad, error) || fail(numbers[bad]);
}

std::vector<MapLine> LogicalDevices::lines() const {
    std::vector<MapLine> out;
    std::string error;
    for (const LogicalDevice& device : graph_.devices) {
        MapLine& line = out.emplace_back();
        line.type = device.type;
        line.name = device.name;
        line.mapping = device.mapping;
        parse_mapping(device.mapping, line.terms, error);  // valid: it was parsed before
    }
    return out;
}

bool LogicalDevices::remap(std::string_view name, std::string_view mapping, std::string& error) {
    std::vector<MapLine> all = lines();
    const auto line = std::find_if(all.begin(), all.end(), [&](const MapLine& l) { return l.name == name; });
    if (line == all.end()) {
        error = "there is no device '" + std::string(name) + "'";
        return false;
    }
    if (mapping.find('\n') != std::string_view::npos) {
        error = "expected one line";
        return false;
    }
    if (!parse_mapping(mapping, line->terms, error)) return false;
    line->mapping = mapping;
    std::size_t bad = 0;
    return adopt(std::move(all), bad, error);
}

/// Activates a map, or changes nothing on error.
bool LogicalDevices::adopt(std::vector<MapLine> lines, std::size_t& bad, std::string& error) {
    Graph next;
    if (!GraphBuilder(sources_).build(lines, next, bad, error)) return false;
    for (std::size_t i = 0; i < declared_.size(); ++i) {
        next.devices[i].title = declared_[i].title;
        next.devices[i].default_mapping = declared_[i].mapping;
        next.devices[i].scope = declared_[i].scope;
    }
    copy_states(next);
    mask_channels(next);
    graph_ = std::move(next);
    events_.clear();
    constexpr std::size_t kMaxEvents =
        2 * kMaxPresses + 1;  // per device: press and release, plus the final state
    events_.reserve(kMaxEvents * graph_.devices.size());
    listening_.reset();
    return true;
}

/// Copies the last values of devices; copies modifier states only where the mapping is unchanged.
void LogicalDevices::copy_states(Graph& next) const {
    for (std::size_t i = 0; i < next.devices.size(); ++i) {
        LogicalDevice& device = next.devices[i];
        const LogicalDevice* old = find(device.name);
        if (old == nullptr || old->type != device.type) continue;
        device.now = old->now;
        const auto index = static_cast<std::size_t>(old - graph_.devices.data());
        if (next.hands[i] != nullptr) {
            *next.hands[i] = *graph_.hands[index];
            device.now.hand = next.hands[i].get();
        }
        const bool remapped = old->mapping != device.mapping;
        next.suppress_press[i] = remapped ? char{1} : graph_.suppress_press[index];
        if (remapped) continue;
        const auto& terms = graph_.terms[index];
        for (std::size_t t = 0; t < terms.size(); ++t) {
            next.terms[i][t].hold = terms[t].hold;
            for (std::size_t s = 0; s < terms[t].steps.size(); ++s)
                next.terms[i][t].steps[s].state = terms[t].steps[s].state;
        }
    }
}

void LogicalDevices::set_scope(std::string_view scope) {
    if (scope == scope_) return;
    scope_ = scope;
    mask_channels(graph_);
}

/// Finds the devices of the current scope and the channels that they take from the others. A button that is
/// down now was not pressed for a device that begins to act.
void LogicalDevices::mask_channels(Graph& graph) const {
    using Place = std::pair<std::size_t, std::size_t>;
    const auto place_of = [](const Operand& operand) { return Place{operand.source, operand.index}; };
    std::vector<Place> taken;
    for (std::size_t i = 0; i < graph.devices.size(); ++i) {
        const std::string& scope = graph.devices[i].scope;
        const bool acts = scope.empty() || scope == scope_;
        if (acts && graph.in_scope[i] == 0) graph.suppress_press[i] = 1;
        graph.in_scope[i] = acts ? 1 : 0;
        if (!acts || scope.empty()) continue;
        for (const Term& term : graph.terms[i]) {
            if (term.first.source != kNone) taken.push_back(place_of(term.first));
            if (term.join != MapJoin::none && term.second.source != kNone)
                taken.push_back(place_of(term.second));
        }
    }
    const auto is_taken = [&](const Operand& operand) {
        return std::find(taken.begin(), taken.end(), place_of(operand)) != taken.end();
    };
    for (std::size_t i = 0; i < graph.devices.size(); ++i) {
        if (!graph.devices[i].scope.empty()) continue;
        for (Term& term : graph.terms[i]) {
            const bool masked = is_taken(term.first) || (term.join != MapJoin::none && is_taken(term.second));
            if (term.masked && !masked) graph.suppress_press[i] = 1;
            term.masked = masked;
        }
    }
}

std::string LogicalDevices::changes() const {
    std::string out =
        "# Logical devices with a changed mapping; docs/reference/devices.md describes the language.\n";
    for (const LogicalDevice& device : graph_.devices)
        if (device.mapping != device.default_mapping)
            out += std::string(to_string(device.type)) + " " + device.name + " = " + device.mapping + "\n";
    return out;
}

const LogicalDevice* LogicalDevices::find(std::string_view name) const {
    for (const LogicalDevice& device : graph_.devices)
        if (device.name == name) return &device;
    return nullptr;
}

const Reading& LogicalDevices::poll(std::string_view name) const {
    static const Reading kNothing;
    const LogicalDevice* device = find(name);
    return device != nullptr ? device->now : kNothing;
}

void LogicalDevices::update(double now) {
    const double dt = started_ ? std::clamp(now - now_, 0.0, kMaxFrame) : 0;
    started_ = true;
    now_ = now;
    events_.clear();
    for (InputSource* source : sources_) source->update(now);
    for (const std::size_t device : graph_.order) update_device(device, dt);
    if (listening_) detect_movement();
}

Reading LogicalDevices::read(const Operand& operand) const {
    const Reading& whole = operand.source == kNone ? graph_.devices[operand.index].now
                                                   : sources_[operand.source]->channels()[operand.index].now;
    Reading out = whole;
    if (operand.feature != kNone)
        out = whole.valid && whole.hand != nullptr ? read_hand_feature(*whole.hand, operand.feature)
                                                   : Reading{};
    out.source = operand.source == kNone ? whole.source : sources_[operand.source];
    return out;
}

Reading LogicalDevices::read_joined(const Term& term) const {
    Reading a = read(term.first);
    if (term.join == MapJoin::none) return a;
    const Reading b = read(term.second);
    a.valid = a.valid && b.valid;
    if (term.join == MapJoin::with) {
        a.rotation = b.rotation;
        return a;
    }
    const double x = converted(a, term.first.type, DeviceClass::value).number;
    const double y = converted(b, term.second.type, DeviceClass::value).number;
    a.number = term.join == MapJoin::plus ? x + y : x - y;
    return a;
}

Reading LogicalDevices::evaluate(Term& term, DeviceClass wanted, double dt) {
    Reading out = read_joined(term);
    if (term.masked) {
        out.down = false;
        out.presses = 0;
        out.number = 0;
    }
    for (Step& s : term.steps) apply_step(s.step, s.before, s.after, now_, dt, s.state, out);
    // Numbers that overflowed are not usable.
    out.valid = out.valid && std::isfinite(out.number) && is_finite(out.position);
    return wanted == DeviceClass::choice && term.type == DeviceClass::button
               ? out
               : converted(out, term.type, wanted);
}

void LogicalDevices::update_device(std::size_t device, double dt) {
    if (graph_.in_scope[device] == 0) return store(device, {});
    const DeviceClass type = graph_.devices[device].type;
    std::vector<Term>& terms = graph_.terms[device];
    if (type == DeviceClass::button) return store(device, update_button(terms, dt));
    if (type == DeviceClass::choice) return store(device, update_choice(device, terms, dt));
    store(device, update_first(type, terms, dt));
}

/// Down when any source is down.
Reading LogicalDevices::update_button(std::vector<Term>& terms, double dt) {
    Reading out;
    bool pressed = false;
    for (Term& term : terms) {
        const Reading one = evaluate(term, DeviceClass::button, dt);
        Hold& hold = term.hold;
        hold.lost = !one.valid;
        if (hold.lost) continue;
        pressed |= one.presses > 0 || (one.down && !hold.down);
        hold.overtaken = hold.overtaken && one.down && one.presses == 0;
        hold.down = one.down;
        out.valid = true;
        out.down |= one.down && !hold.overtaken;
        out.presses += one.presses;
    }
    if (out.valid) hold_lost(terms, pressed, out);
    out.presses = std::min(out.presses, kMaxPresses);
    return out;
}

/// A source lost while down keeps the button down until another source is pressed: a loss releases nothing,
/// and no one must wait for a gamepad that never comes back.
void LogicalDevices::hold_lost(std::vector<Term>& terms, bool pressed, Reading& out) {
    for (Term& term : terms) {
        Hold& hold = term.hold;
        if (!hold.lost || !hold.down || hold.overtaken) continue;
        hold.overtaken = pressed;
        // The button was already down, so only a counted press makes an event.
        if (pressed) out.presses = std::max(out.presses, 1);
        out.down |= !pressed;
    }
}

/// Each button source is one alternative; any other source is the choice itself. The first available one
/// counts. A button that is lost while down chooses again only after a release: a returning device cannot
/// report when its button was pressed, and another source may have chosen since.
Reading LogicalDevices::update_choice(std::size_t device, std::vector<Term>& terms, double dt) {
    Reading out;
    int alternative = 0;
    for (Term& term : terms) {
        const Reading one = evaluate(term, DeviceClass::choice, dt);
        const bool button = term.type == DeviceClass::button;
        Hold& hold = term.hold;
        if (!one.valid) {
            hold.overtaken = hold.down;
        } else {
            hold.overtaken = hold.overtaken && one.down && one.presses == 0;
            hold.down = one.down;
        }
        const bool chosen = one.valid && ((one.down && !hold.overtaken) || one.presses > 0);
        if (one.valid && !out.valid) {
            out.valid = true;
            out.choice = button ? graph_.devices[device].now.choice : one.choice;
        }
        if (button && chosen) out.choice = alternative;
        alternative += button ? 1 : 0;
    }
    return out;
}

/// The first available source; among controls that rest at 0, the first that is not at rest.
Reading LogicalDevices::update_first(DeviceClass type, std::vector<Term>& terms, double dt) {
    Reading out;
    bool resting = false;
    for (Term& term : terms) {
        const Reading one = evaluate(term, type, dt);
        const bool rests = type == DeviceClass::value && term.rests && one.number == 0;
        if (!one.valid || (out.valid && (!resting || rests))) continue;
        out = one;
        resting = rests;
    }
    return out;
}

void LogicalDevices::store(std::size_t device, const Reading& reading) {
    Reading& now = graph_.devices[device].now;
    if (!reading.valid) {
        now.valid = false;
        now.presses = 0;
        return;
    }
    const DeviceClass type = graph_.devices[device].type;
    Reading next = reading;
    bool changed = differs(type, now, next);
    if (type == DeviceClass::hand) {
        HandJoints& kept = *graph_.hands[device];
        changed = !same(kept, *reading.hand);
        kept = *reading.hand;
        next.hand = &kept;
    }
    const bool was_down = now.down;
    now = next;
    const bool suppress_press = std::exchange(graph_.suppress_press[device], char{0}) != 0;
    if (type == DeviceClass::button && suppress_press && now.down) return;
    if (type == DeviceClass::button) return press_events(device, was_down, now);
    if (changed) events_.push_back({device, now});
}

void LogicalDevices::press_events(std::size_t device, bool was_down, const Reading& reading) {
    bool down = was_down;
    const auto turn = [&](bool to) {
        if (down == to) return;
        down = to;
        events_.push_back({device, reading});
        events_.back().reading.down = to;
    };
    for (int i = 0; i < reading.presses; ++i) {
        turn(false);
        turn(true);
    }
    turn(reading.down);
}

void LogicalDevices::listen(std::size_t device) {
    listening_ = device;
    heard_mapping_.clear();
    readings_before_.resize(sources_.size());
    for (std::size_t s = 0; s < sources_.size(); ++s) {
        readings_before_[s].clear();
        for (const Channel& channel : sources_[s]->channels()) readings_before_[s].push_back(channel.now);
    }
}

void LogicalDevices::detect_movement() {
    for (std::size_t s = 0; s < sources_.size() && heard_mapping_.empty(); ++s)
        if (const auto moved =
                sources_[s]->moved_since(readings_before_[s], graph_.devices[*listening_].type))
            heard_mapping_ = sources_[s]->id() + "." + *moved;
}

std::optional<std::string> LogicalDevices::take_heard_mapping() {
    if (!listening_ || heard_mapping_.empty()) return std::nullopt;
    listening_.reset();
    return std::exchange(heard_mapping_, {});
}

}  // namespace claybox::engine
