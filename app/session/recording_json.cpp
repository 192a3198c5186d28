#include "app/session/recording_json.hpp"

#include "app/scenes/shared/body_shapes.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>

namespace claybox::app {

using namespace collision;
using Json = nlohmann::ordered_json;
using nlohmann::json;

namespace {

constexpr float kMinScale = 1e-3f;  // of a hand; the largest is 1 / kMinScale
// Limits of a hand, far outside of those that hand_from_joints() keeps. Scenes build bodies from these
// numbers.
constexpr double kMaxPosition = 1e6, kMinSize = 1e-6, kMaxSize = 1e3;  // metres
constexpr double kMaxGesture = 1e3;                                    // pinch and grip; 1 is closed
constexpr double kMaxStepSeconds = 10;  // a longer step could turn a wheel to infinity

Error bad(const std::string& message) {
    return Error{message, {}, 0};
}

bool is_finite_number(const json& value) {
    return value.is_number() && std::isfinite(value.get<double>());
}

/// A hand as 16 parts of nine numbers: rotation w x y z, position x y z, radius, length.
Json hand_to_json(const HandInput& hand) {
    if (!hand.present) return nullptr;
    Json parts = Json::array();
    for (std::size_t i = 0; i < kHandParts; ++i) {
        const Pose& p = hand.part[i];
        parts.push_back({p.rotation.w, p.rotation.x, p.rotation.y, p.rotation.z, p.translation.x,
                         p.translation.y, p.translation.z, hand.radius[i], hand.length[i]});
    }
    Json out = {{"pinch", hand.pinch}, {"grip", hand.grip}, {"parts", std::move(parts)}};
    if (hand.held) out["held"] = true;
    if (hand.scale != 1) out["scale"] = hand.scale;
    if (hand.pressure != 1) out["pressure"] = hand.pressure;
    return out;
}

bool part_from_json(const json& value, Pose& pose, float& radius, float& length) {
    if (!value.is_array() || value.size() != 9) return false;
    double n[9];
    for (std::size_t i = 0; i < 9; ++i) {
        if (!is_finite_number(value[i])) return false;
        n[i] = value[i].get<double>();
        const bool in_range = i < 7 ? std::abs(n[i]) <= kMaxPosition : n[i] >= kMinSize && n[i] <= kMaxSize;
        if (!in_range) return false;
    }
    const double norm = n[0] * n[0] + n[1] * n[1] + n[2] * n[2] + n[3] * n[3];
    if (!(norm >= 0.01 && norm <= 100)) return false;
    pose.rotation = {n[0], n[1], n[2], n[3]};
    pose.translation = {n[4], n[5], n[6]};
    radius = static_cast<float>(n[7]);
    length = static_cast<float>(n[8]);
    return true;
}

bool hand_from_json(const json& value, HandInput& hand) {
    if (value.is_null()) return true;
    if (!value.is_object() || !value.contains("pinch") || !value.contains("grip") || !value.contains("parts"))
        return false;
    const json &pinch = value["pinch"], &grip = value["grip"], &parts = value["parts"];
    for (const json& gesture : {std::cref(pinch), std::cref(grip)})
        if (!is_finite_number(gesture) || std::abs(gesture.get<double>()) > kMaxGesture) return false;
    if (!parts.is_array() || parts.size() != kHandParts) return false;
    for (std::size_t i = 0; i < kHandParts; ++i) {
        if (!part_from_json(parts[i], hand.part[i], hand.radius[i], hand.length[i])) return false;
    }
    hand.pinch = pinch.get<float>();
    hand.grip = grip.get<float>();
    if (value.contains("held") && !get_bool(value, "held", hand.held)) return false;
    if (value.contains("scale")) {
        if (!is_finite_number(value["scale"])) return false;
        hand.scale = value["scale"].get<float>();
        if (!(hand.scale >= kMinScale && hand.scale <= 1 / kMinScale)) return false;
    }
    if (value.contains("pressure")) {
        if (!is_finite_number(value["pressure"])) return false;
        hand.pressure = value["pressure"].get<float>();
        if (!(hand.pressure >= 0 && hand.pressure <= 1)) return false;
    }
    hand.present = true;
    return true;
}

Status read_algorithms(const json& value, WorldSettings& out) {
    std::string pair, fallback, broad;
    if (!get_text(value, "pair", pair) || !get_text(value, "broad", broad))
        return bad("\"pair\" and \"broad\" must be ids");
    out.pair_algorithm = find_pair_algorithm(pair);
    out.broad_phase = find_broad_phase(broad);
    if (out.pair_algorithm == nullptr) return bad("the pair algorithm '" + pair + "' is not built in");
    if (out.broad_phase == nullptr) return bad("the broad phase '" + broad + "' is not built in");
    for (const auto& [key, algorithm] :
         {std::pair{"fallback", &out.fallback_algorithm}, std::pair{"solid_fallback", &out.solid_fallback}}) {
        *algorithm = nullptr;
        if (!get_text(value, key, fallback)) continue;
        *algorithm = find_pair_algorithm(fallback);
        if (*algorithm == nullptr) return bad("the pair algorithm '" + fallback + "' is not built in");
    }
    const auto pair_values =
        values_from_json(out.pair_algorithm->parameters, value.value("pair_parameters", json()));
    if (!pair_values) return pair_values.error();
    const auto broad_values =
        values_from_json(out.broad_phase->parameters, value.value("broad_parameters", json()));
    if (!broad_values) return broad_values.error();
    out.pair_parameters = pair_values.value();
    out.broad_parameters = broad_values.value();
    if (value.contains("bound_parameters")) {
        const auto bound_values = values_from_json(bound_parameters(), value["bound_parameters"]);
        if (!bound_values) return bound_values.error();
        out.bound_parameters = bound_values.value();
    }
    return Done{};
}

/// Recordings from before continuous algorithms do not name one, and replay without.
Status read_continuous(const json& value, WorldSettings& out) {
    out.continuous = false;
    const auto found = value.find("continuous");
    if (found == value.end()) return Done{};
    std::string id;
    if (!found->is_object() || !get_bool(*found, "on", out.continuous) || !get_text(*found, "algorithm", id))
        return bad("\"continuous\" must have \"on\" and \"algorithm\"");
    out.continuous_algorithm = find_continuous_algorithm(id);
    if (out.continuous_algorithm == nullptr)
        return bad("the continuous algorithm '" + id + "' is not built in");
    const auto values =
        values_from_json(out.continuous_algorithm->parameters, found->value("parameters", json::object()));
    if (!values) return values.error();
    out.continuous_parameters = values.value();
    const auto tolerance = found->find("tolerance");
    if (tolerance == found->end()) return Done{};
    if (!is_finite_number(*tolerance) || !(tolerance->get<double>() > 0))
        return bad("\"tolerance\" must be a positive number");
    out.continuous_tolerance = tolerance->get<double>();
    return Done{};
}

}  // namespace

std::string hash_text(std::uint64_t hash) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string out(16, '0');
    for (std::size_t i = 16; i-- > 0; hash >>= 4) out[i] = kDigits[hash & 15];
    return out;
}

bool hash_from_text(const std::string& text, std::uint64_t& hash) {
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, hash, 16);
    return text.size() == 16 && read.ec == std::errc{} && read.ptr == end;
}

bool get_count(const json& object, const char* field, std::uint64_t& out) {
    const auto found = object.find(field);
    if (found == object.end() || !found->is_number_unsigned()) return false;
    out = found->get<std::uint64_t>();
    return true;
}

bool get_text(const json& object, const char* field, std::string& out) {
    const auto found = object.find(field);
    if (found == object.end() || !found->is_string()) return false;
    out = found->get<std::string>();
    return true;
}

bool get_bool(const json& object, const char* field, bool& out) {
    const auto found = object.find(field);
    if (found == object.end() || !found->is_boolean()) return false;
    out = found->get<bool>();
    return true;
}

Json values_to_json(std::span<const Parameter> table, const ParameterValues& values) {
    Json out = Json::object();
    for (std::size_t i = 0; i < table.size(); ++i) out[table[i].id] = values[i];
    return out;
}

Result<ParameterValues> values_from_json(std::span<const Parameter> table, const json& value) {
    if (!value.is_object()) return bad("expected an object of parameters");
    for (const auto& [id, number] : value.items())
        if (find_parameter(table, id) == table.size()) return bad("unknown parameter '" + id + "'");
    ParameterValues out = default_values(table);
    for (std::size_t i = 0; i < table.size(); ++i) {
        const auto found = value.find(table[i].id);
        if (found == value.end()) continue;
        if (!is_finite_number(*found))
            return bad(std::string("the parameter '") + table[i].id + "' is not a number");
        out[i] = found->get<double>();
        const bool choice = table[i].kind == ParameterKind::choice;
        const double low = choice ? 0 : table[i].min;
        const double high = choice ? static_cast<double>(table[i].choices.size()) - 1 : table[i].max;
        if (!(out[i] >= low && out[i] <= high))
            return bad(std::string("the parameter '") + table[i].id + "' is out of range");
    }
    return out;
}

Json settings_to_json(const WorldSettings& s) {
    Json out{{"pair", s.pair_algorithm->id},
             {"pair_parameters", values_to_json(s.pair_algorithm->parameters, s.pair_parameters)},
             {"broad", s.broad_phase->id},
             {"broad_parameters", values_to_json(s.broad_phase->parameters, s.broad_parameters)}};
    if (s.bound_parameters != ParameterValues{})
        out["bound_parameters"] = values_to_json(bound_parameters(), s.bound_parameters);
    if (s.continuous_algorithm != nullptr)
        out["continuous"] = {
            {"on", s.continuous},
            {"algorithm", s.continuous_algorithm->id},
            {"parameters", values_to_json(s.continuous_algorithm->parameters, s.continuous_parameters)},
            {"tolerance", s.continuous_tolerance}};
    if (s.fallback_algorithm != nullptr) out["fallback"] = s.fallback_algorithm->id;
    if (s.solid_fallback != nullptr) out["solid_fallback"] = s.solid_fallback->id;
    out["exactness"] = to_string(s.exactness);
    if (s.solid) out["solid"] = true;
    if (!s.ignored_groups.empty()) out["ignored_groups"] = to_text(s.ignored_groups);
    out["parallel"] = to_string(s.parallel);
    out["workers"] = s.workers;
    out["concurrent"] = s.concurrent;
    out["assert_pairs"] = s.assert_pairs;
    if (!s.narrow) out["narrow"] = false;
    if (s.budget_ms > 0) out["budget_ms"] = s.budget_ms;
    out["seed"] = s.seed;
    return out;
}

Result<WorldSettings> settings_from_json(const json& value) {
    if (!value.is_object()) return bad("\"settings\" is not an object");
    WorldSettings out;
    if (const Status read = read_algorithms(value, out); !read) return read.error();
    if (const Status read = read_continuous(value, out); !read) return read.error();
    if (value.contains("solid") && !get_bool(value, "solid", out.solid))
        return bad("\"solid\" must be true or false");
    if (std::string groups; value.contains("ignored_groups")) {
        if (!get_text(value, "ignored_groups", groups)) return bad("\"ignored_groups\" must be a text");
        const Result<GroupPairs> pairs = group_pairs_from_text(groups);
        if (!pairs) return bad("\"ignored_groups\": " + pairs.error().message);
        out.ignored_groups = pairs.value();
    }
    if (value.contains("narrow") && !get_bool(value, "narrow", out.narrow))
        return bad("\"narrow\" must be true or false");
    if (const auto budget = value.find("budget_ms"); budget != value.end()) {
        if (!is_finite_number(*budget) || !(budget->get<double>() > 0))
            return bad("\"budget_ms\" must be a positive number");
        out.budget_ms = budget->get<double>();
    }
    std::string exactness, parallel;
    std::uint64_t workers = 0;
    const bool complete =
        get_text(value, "exactness", exactness) && get_text(value, "parallel", parallel) &&
        get_count(value, "workers", workers) && get_bool(value, "concurrent", out.concurrent) &&
        get_bool(value, "assert_pairs", out.assert_pairs) && get_count(value, "seed", out.seed);
    const auto mode = parallel_mode(parallel);
    const bool known =
        (exactness == to_string(Exactness::exact) || exactness == to_string(Exactness::fast)) && mode;
    if (!complete || !known || workers < 1 || workers > kMaxWorkers)
        return bad("\"settings\" is incomplete or has invalid values");
    out.exactness = exactness == to_string(Exactness::exact) ? Exactness::exact : Exactness::fast;
    out.parallel = *mode;
    out.workers = static_cast<unsigned>(workers);
    return out;
}

namespace {

constexpr BodyEdit::Kind kEditKinds[] = {BodyEdit::Kind::hold,     BodyEdit::Kind::let_go,
                                         BodyEdit::Kind::put_down, BodyEdit::Kind::add,
                                         BodyEdit::Kind::copy,     BodyEdit::Kind::remove};

bool has_pose(BodyEdit::Kind kind) {
    return kind == BodyEdit::Kind::hold || kind == BodyEdit::Kind::add || kind == BodyEdit::Kind::copy;
}

Json edit_to_json(const BodyEdit& edit) {
    Json out{{"do", to_string(edit.kind)}};
    if (edit.kind == BodyEdit::Kind::add)
        out.update({{"shape", edit.shape}, {"size", edit.size}});
    else
        out["body"] = edit.body;
    const Pose& p = edit.pose;
    if (has_pose(edit.kind))
        out["pose"] = {p.rotation.w,    p.rotation.x,    p.rotation.y,   p.rotation.z,
                       p.translation.x, p.translation.y, p.translation.z};
    return out;
}

bool edit_from_json(const json& value, BodyEdit& edit) {
    std::string kind;
    if (!value.is_object() || !get_text(value, "do", kind)) return false;
    const auto* const known = std::find_if(std::begin(kEditKinds), std::end(kEditKinds),
                                           [&](BodyEdit::Kind k) { return kind == to_string(k); });
    if (known == std::end(kEditKinds)) return false;
    edit.kind = *known;
    if (edit.kind == BodyEdit::Kind::add) {
        const auto size = value.find("size");
        if (!get_text(value, "shape", edit.shape) || !is_body_shape(edit.shape) || size == value.end() ||
            !is_finite_number(*size))
            return false;
        edit.size = size->get<double>();
        if (!(edit.size >= kMinBodySize && edit.size <= kMaxBodySize)) return false;
    } else {
        std::uint64_t body = 0;
        if (!get_count(value, "body", body) || body > kNoIndex) return false;
        edit.body = static_cast<std::uint32_t>(body);
    }
    if (!has_pose(edit.kind)) return true;
    const auto pose = value.find("pose");
    if (pose == value.end() || !pose->is_array() || pose->size() != 7) return false;
    double n[7];
    for (std::size_t i = 0; i < 7; ++i) {
        if (!is_finite_number((*pose)[i])) return false;
        n[i] = (*pose)[i].get<double>();
    }
    edit.pose = {{n[0], n[1], n[2], n[3]}, {n[4], n[5], n[6]}};
    return is_place(edit.pose);
}

Status edits_from_json(const json& value, const SceneDescriptor& scene, StepInput& input) {
    if (const auto edits = value.find("edits"); edits != value.end()) {
        if (!edits->is_array()) return bad("\"edits\" must be an array");
        if (scene.edits == EditSupport::none) return bad("\"edits\" in a scene without edits");
        for (const json& edit : *edits)
            if (!edit_from_json(edit, input.edits.emplace_back()))
                return bad("\"edits\" has an edit without its fields, or with numbers out of range");
    }
    if (value.contains("frozen") && !get_bool(value, "frozen", input.frozen))
        return bad("\"frozen\" must be true or false");
    return Done{};
}

}  // namespace

Json input_to_json(const StepInput& input) {
    Json out{{"dt", input.dt}};
    if (input.hand[0].present || input.hand[1].present) {
        out["hands"] = {hand_to_json(input.hand[0]), hand_to_json(input.hand[1])};
    }
    if (!input.actions.empty()) out["actions"] = input.actions;
    for (const BodyEdit& edit : input.edits) out["edits"].push_back(edit_to_json(edit));
    if (input.frozen) out["frozen"] = true;
    // Only values that differ from the defaults: none in most frames.
    const std::span<const Parameter> table = program_parameters();
    const ParameterValues defaults = default_values(table);
    for (std::size_t i = 0; i < table.size(); ++i)
        if (input.program[i] != defaults[i]) out["program"][table[i].id] = input.program[i];
    return out;
}

Json bodies_to_json(const std::vector<PlacedBody>& bodies) {
    Json out = Json::array();
    for (const PlacedBody& body : bodies) out.push_back(to_text(body));
    return out;
}

Result<std::vector<PlacedBody>> bodies_from_json(const json& value) {
    if (!value.is_array() || value.size() > kMaxPlacedBodies)
        return bad("\"bodies\" must be an array of at most " + std::to_string(kMaxPlacedBodies) + " bodies");
    std::vector<PlacedBody> out;
    for (const json& text : value) {
        if (!text.is_string()) return bad("\"bodies\" must contain texts");
        auto body = read_placed_body(text.get<std::string>());
        if (!body) return bad("\"bodies\": " + body.error().message);
        out.push_back(std::move(body).value());
    }
    return out;
}

Status input_from_json(const json& value, const SceneDescriptor& scene, StepInput& input,
                       const StepInput* previous) {
    const auto dt = value.find("dt");
    if (dt == value.end() || !is_finite_number(*dt) || !(dt->get<double>() > 0) ||
        dt->get<double>() > kMaxStepSeconds)
        return bad("\"dt\" must be a positive number of at most 10 seconds");
    input.dt = dt->get<double>();
    if (const auto hands = value.find("hands"); hands != value.end() && *hands == kSameHands) {
        if (previous == nullptr) return bad("\"hands\" of the first frame cannot be the same");
        input.hand = previous->hand;
    } else if (hands != value.end()) {
        const bool pair = hands->is_array() && hands->size() == 2;
        if (!pair || !hand_from_json((*hands)[0], input.hand[0]) ||
            !hand_from_json((*hands)[1], input.hand[1])) {
            return bad("\"hands\" must be two hands with 16 parts of nine numbers in the range of a hand");
        }
    }
    if (const auto program = value.find("program"); program != value.end()) {
        const auto values = values_from_json(program_parameters(), *program);
        if (!values) return values.error();
        input.program = values.value();
    }
    if (const auto actions = value.find("actions"); actions != value.end()) {
        if (!actions->is_array()) return bad("\"actions\" must be an array");
        for (const json& action : *actions) {
            if (!action.is_number_unsigned() || action.get<std::uint64_t>() >= scene.actions.size()) {
                return bad("\"actions\" has an action that the scene does not have");
            }
            input.actions.push_back(action.get<std::uint32_t>());
        }
    }
    return edits_from_json(value, scene, input);
}

}  // namespace claybox::app
