#include "engine/input/mapping/device_graph.hpp"

#include "engine/input/hand_features.hpp"

#include <algorithm>

namespace claybox::engine {

namespace {

std::string quoted(std::string_view word) {
    return "'" + std::string(word) + "'";
}

/// Parses a hand feature, the name after the dot.
bool parse_feature(std::string_view name, std::size_t& feature, DeviceClass& type, std::string& error) {
    const auto found = hand_feature(name);
    if (!found) {
        error = quoted(name) +
                " is not a feature of a hand, expected an angle, curl or joint like index_bend, index_curl, "
                "pinch, "
                "grip or index_tip";
        return false;
    }
    feature = *found;
    type = hand_feature_class(*found);
    return true;
}

}  // namespace

bool GraphBuilder::resolve(const MapRef& ref, Operand& out, std::string& error) const {
    return ref.logical ? resolve_device(ref.text, out, error) : resolve_channel(ref.text, out, error);
}

bool GraphBuilder::resolve_device(std::string_view text, Operand& out, std::string& error) const {
    const std::size_t dot = text.find('.');
    const std::string_view name = text.substr(0, dot);
    const auto found =
        std::find_if(lines_->begin(), lines_->end(), [&](const MapLine& l) { return l.name == name; });
    if (found == lines_->end()) {
        error = "there is no device " + quoted(name) + ", expected the name of another line after '@'";
        return false;
    }
    out.index = static_cast<std::size_t>(found - lines_->begin());
    out.type = found->type;
    if (dot == std::string_view::npos) return true;
    if (found->type != DeviceClass::hand) {
        error = quoted(name) + " is not a hand, expected nothing after it";
        return false;
    }
    return parse_feature(text.substr(dot + 1), out.feature, out.type, error);
}

bool GraphBuilder::resolve_channel(std::string_view text, Operand& out, std::string& error) const {
    const std::size_t dot = text.find('.');
    const std::string_view id = text.substr(0, dot), name = text.substr(dot + 1);
    const auto found =
        std::find_if(sources_.begin(), sources_.end(), [&](const InputSource* s) { return s->id() == id; });
    if (found == sources_.end()) {
        error = quoted(id) + " is not a source, expected one of ";
        for (const InputSource* source : sources_)
            error += (source == sources_.front() ? "" : ", ") + source->id();
        return false;
    }
    InputSource& source = **found;
    out.source = static_cast<std::size_t>(found - sources_.begin());
    std::optional<std::size_t> channel = source.open(name);
    const std::size_t last = name.rfind('.');
    const bool is_feature = !channel && last != std::string_view::npos;
    // Hand channels always exist, so look the hand up without creating a channel for its feature.
    if (is_feature) channel = source.InputSource::open(name.substr(0, last));
    if (!channel) {
        error = quoted(name) + " is not a channel of " + source.id() + ", expected " + source.expected();
        return false;
    }
    out.index = *channel;
    out.type = source.channels()[*channel].type;
    out.rests = source.channels()[*channel].rests;
    if (!is_feature) return true;
    if (out.type != DeviceClass::hand) {
        error = quoted(name.substr(0, last)) + " is not a hand, expected nothing after it";
        return false;
    }
    return parse_feature(name.substr(last + 1), out.feature, out.type, error);
}

bool GraphBuilder::join(const MapTerm& parsed, Term& out, DeviceClass& type, std::string& error) const {
    out.join = parsed.join;
    type = out.first.type;
    out.rests = out.first.rests || type == DeviceClass::button;
    if (parsed.join == MapJoin::none) return true;
    if (!resolve(parsed.second, out.second, error)) return false;
    const DeviceClass a = out.first.type, b = out.second.type;
    if (parsed.join == MapJoin::with) {
        type = DeviceClass::space;
        const bool good = converts(a, DeviceClass::location) && converts(b, DeviceClass::orientation);
        if (!good)
            error = std::string("expected a location 'with' an orientation, not a ") + to_string(a) +
                    " with a " + to_string(b);
        return good;
    }
    type = DeviceClass::value;
    out.rests = out.rests && (out.second.rests || b == DeviceClass::button);
    const bool good = converts(a, type) && converts(b, type);
    if (!good)
        error = std::string("expected two buttons or values around 'plus' or 'minus', not a ") +
                to_string(a) + " and a " + to_string(b);
    return good;
}

bool GraphBuilder::build_term(const MapTerm& parsed, DeviceClass wanted, Term& out,
                              std::string& error) const {
    if (!resolve(parsed.first, out.first, error) || !join(parsed, out, out.type, error)) return false;
    for (const MapStep& step : parsed.steps) {
        const auto after = class_after(step, out.type, wanted, error);
        if (!after) return false;
        out.steps.push_back({step, out.type, *after, {}});
        out.type = *after;
    }
    const bool picks = wanted == DeviceClass::choice && out.type == DeviceClass::button;
    if (picks || converts(out.type, wanted)) return true;
    const char* hint = wanted == DeviceClass::choice ? ": use buttons, or 'steps' after a value or button"
                       : wanted == DeviceClass::value && out.type != DeviceClass::hand
                           ? ": 'axis x' selects one number"
                       : wanted == DeviceClass::space && out.type != DeviceClass::hand
                           ? ": join a location 'with' an orientation"
                           : "";
    error =
        "expected a mapping to a " + std::string(to_string(wanted)) + ", not a " + to_string(out.type) + hint;
    return false;
}

bool GraphBuilder::visit(std::size_t device, LogicalDevices::Graph& out, std::string& error) {
    if (mark_[device] == Mark::done) return true;
    const bool cycle = mark_[device] == Mark::visiting;
    if (cycle) {
        error = "expected no cycle: ";
        const auto from = std::find(path_.begin(), path_.end(), device);
        for (auto at = from; at != path_.end(); ++at) error += (*lines_)[*at].name + " reads ";
        error += (*lines_)[device].name;
        return false;
    }
    mark_[device] = Mark::visiting;
    path_.push_back(device);
    for (const Term& term : out.terms[device])
        for (const Operand* operand : {&term.first, &term.second}) {
            const bool unused = operand == &term.second && term.join == MapJoin::none;
            if (unused || operand->source != LogicalDevices::kNone) continue;
            if (!visit(operand->index, out, error)) return false;
        }
    path_.pop_back();
    mark_[device] = Mark::done;
    out.order.push_back(device);
    return true;
}

bool GraphBuilder::build(const std::vector<MapLine>& lines, LogicalDevices::Graph& out, std::size_t& bad,
                         std::string& error) {
    lines_ = &lines;
    out.terms.resize(lines.size());
    for (bad = 0; bad < lines.size(); ++bad) {
        const MapLine& line = lines[bad];
        out.devices.push_back({line.type, line.name, {}, line.mapping, {}});
        out.hands.push_back(line.type == DeviceClass::hand ? std::make_unique<HandJoints>() : nullptr);
        for (const MapTerm& parsed : line.terms)
            if (!build_term(parsed, line.type, out.terms[bad].emplace_back(), error)) return false;
    }
    out.suppress_press.assign(lines.size(), 0);
    out.in_scope.assign(lines.size(), 1);
    mark_.assign(lines.size(), Mark::unvisited);
    for (bad = 0; bad < lines.size(); ++bad)
        if (!visit(bad, out, error)) return false;
    return true;
}

}  // namespace claybox::engine
