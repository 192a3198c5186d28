#include "app/cli/name_lookup.hpp"
#include "app/cli/output.hpp"
#include "app/cli/subcommands.hpp"
#include "app/devices/sources.hpp"
#include "collision/continuous/registry.hpp"
#include "collision/simd/vector_target.hpp"
#include "engine/input/hand_features.hpp"

namespace claybox::app {

using namespace collision;
using Json = nlohmann::ordered_json;

namespace {

Json describe_value(const Parameter& p, double value) {
    if (p.kind == ParameterKind::toggle) return value != 0;
    if (p.kind == ParameterKind::choice) return p.choices[static_cast<std::size_t>(value)];
    if (p.kind == ParameterKind::integer) return static_cast<std::int64_t>(value);
    return value;
}

Json describe_parameters(std::span<const Parameter> table) {
    Json out = Json::array();
    for (const Parameter& p : table) {
        Json entry{{"id", p.id},         {"title", p.title}, {"default", describe_value(p, p.default_value)},
                   {"min", p.min},       {"max", p.max},     {"unit", p.unit},
                   {"source", p.source}, {"help", p.help}};
        if (p.kind == ParameterKind::choice) {
            entry["min"] = 0;
            entry["max"] = p.choices.size() - 1;
            entry["choices"] = p.choices;
        }
        out.push_back(std::move(entry));
    }
    return out;
}

Json describe_gives(Wants gives) {
    Json out = Json::array({"verdict"});
    if ((gives & kWantAxis) != 0) out.push_back("axis");
    if ((gives & kWantDistance) != 0) out.push_back("distance");
    if ((gives & kWantDepth) != 0) out.push_back("depth");
    if ((gives & kWantAllHits) != 0) out.push_back("hits");
    return out;
}

Json describe_bias(Bias bias) {
    if (bias == Bias::none) return nullptr;
    return bias == Bias::separated ? "separated" : "colliding";
}

Json list_pair() {
    Json out = Json::array();
    for (const PairAlgorithm* a : pair_algorithms())
        out.push_back({{"id", a->id},
                       {"title", a->title},
                       {"source", a->source},
                       {"summary", a->summary},
                       {"meaning", to_string(a->meaning)},
                       {"needs", to_string(a->needs)},
                       {"gives", describe_gives(a->gives)},
                       {"exact", a->exact},
                       {"bias", describe_bias(a->bias)},
                       {"parameters", describe_parameters(a->parameters)}});
    return out;
}

Json describe_motions(MotionKinds kinds) {
    Json out = Json::array();
    if ((kinds & kFixedMotion) != 0) out.push_back("fixed");
    if ((kinds & kLinearMotion) != 0) out.push_back("linear");
    if ((kinds & kScrewMotion) != 0) out.push_back("screw");
    return out;
}

Json list_continuous() {
    Json out = Json::array();
    for (const ContinuousAlgorithm* a : continuous_algorithms()) {
        Json gives = Json::array({"verdict"});
        if (a->gives_time) gives.push_back("toi");
        if (a->gives_all_hits) gives.push_back("hits");
        out.push_back({{"id", a->id},
                       {"title", a->title},
                       {"source", a->source},
                       {"summary", a->summary},
                       {"meaning", to_string(a->meaning)},
                       {"needs", to_string(a->needs)},
                       {"motions", describe_motions(a->motions)},
                       {"gives", std::move(gives)},
                       {"convex_linear", to_string(a->promise)},
                       {"otherwise", to_string(a->promise_otherwise)},
                       {"bias", describe_bias(a->bias)},
                       {"parameters", describe_parameters(a->parameters)}});
    }
    return out;
}

Json list_broad() {
    Json out = Json::array();
    for (const BroadPhaseDescriptor* b : broad_phases()) {
        out.push_back({{"id", b->id},
                       {"title", b->title},
                       {"source", b->source},
                       {"summary", b->summary},
                       {"parameters", describe_parameters(b->parameters)}});
    }
    return out;
}

Json list_scene() {
    Json out = Json::array();
    for (const SceneDescriptor* s : scenes()) {
        out.push_back({{"id", s->id},
                       {"title", s->title},
                       {"summary", s->summary},
                       {"actions", s->actions},
                       {"uses_hand", s->uses_hand},
                       {"parameters", describe_parameters(s->parameters)}});
    }
    return out;
}

/// The key that sets the parameter to the choice; null if there is none.
const SceneKey* key_of(const SceneDescriptor& scene, std::string_view parameter, std::string_view choice) {
    for (const SceneKey& key : scene.keys)
        if (key.kind == SceneKey::Kind::set && key.target == parameter && key.value == choice) return &key;
    return nullptr;
}

/// Lists what a touch can do: the pictures of every scene that has a palette.
Json list_tool() {
    Json out = Json::array();
    for (const SceneDescriptor* s : scenes()) {
        if (!s->palette) continue;
        const Parameter& p = s->parameters[s->palette->parameter];
        for (std::size_t i = 0; i < p.choices.size(); ++i) {
            const SceneKey* key = key_of(*s, p.id, p.choices[i]);
            out.push_back({{"id", p.choices[i]},
                           {"title", key ? key->title : p.choices[i]},
                           {"scene", s->id},
                           {"key", key ? key->mapping : ""},
                           {"summary", s->palette->help[i]}});
        }
    }
    return out;
}

/// Lists the logical devices, then the channels of every physical source.
Json list_device() {
    Json out = Json::array();
    const auto add = [&](const std::string& id, const char* kind, engine::DeviceClass type, const char* title,
                         const std::string& summary) {
        out.push_back({{"id", id},
                       {"title", title},
                       {"kind", kind},
                       {"class", engine::to_string(type)},
                       {"summary", summary}});
    };
    for (const engine::DeviceDeclaration& d : app_devices())
        add(d.name, "logical", d.type, d.title, d.mapping);
    Sources sources;
    for (const engine::InputSource* source : sources.all())
        for (const engine::Channel& channel : source->channels())
            add(source->id() + "." + channel.name, "physical", channel.type, engine::to_string(channel.type),
                "");
    for (const char* free : {"network./ADDRESS", "network./ADDRESS:2"})
        add(free, "physical", engine::DeviceClass::value, "value", "a number received at an OSC address");
    for (const std::string& feature : engine::hand_feature_names()) {
        const auto type = engine::hand_feature_class(*engine::hand_feature(feature));
        add("HAND." + feature, "physical", type, engine::to_string(type),
            "of any hand, for example xr.right." + feature);
    }
    return out;
}

/// The vector instructions of this processor that --vectors can choose; the first ones are the default.
Json list_vectors() {
    Json out = Json::array();
    for (const std::string& name : vector_targets())
        out.push_back({{"id", name}, {"title", name}, {"summary", out.empty() ? "used by default" : ""}});
    return out;
}

std::string cell(const Json& value) {
    std::string text = value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump();
    if (value.is_boolean()) text = value.get<bool>() ? "yes" : "no";
    if (value.is_array()) {
        text.clear();
        for (const Json& entry : value) {
            const Json& word = entry.is_object() ? entry.at("id") : entry;
            text += (text.empty() ? "" : ", ") + cell(word);
        }
    }
    for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
    return text;
}

std::string markdown(const Json& entries) {
    if (entries.empty()) return {};
    std::string head, rule, body;
    for (const auto& column : entries.front().items()) {
        head += "| " + column.key() + ' ';
        rule += "|---";
    }
    for (const Json& entry : entries) {
        for (const auto& column : entry.items()) body += "| " + cell(column.value()) + ' ';
        body += "|\n";
    }
    return head + "|\n" + rule + "|\n" + body;
}

std::string plain(const Json& entries) {
    std::size_t width = 0;
    for (const Json& entry : entries) width = std::max(width, entry.at("id").get<std::string>().size());
    std::string out;
    for (const Json& entry : entries) {
        const auto id = entry.at("id").get<std::string>();
        const auto summary = entry.at("summary").get<std::string>();
        out += id + std::string(width + 2 - id.size(), ' ') + entry.at("title").get<std::string>() +
               (summary.empty() ? "" : ": " + summary) + '\n';
        if (!entry.contains("parameters")) continue;
        for (const Json& p : entry.at("parameters")) {
            out += "    " + cell(p.at("id")) + '=' + cell(p.at("default")) + "  " + cell(p.at("help")) + '\n';
        }
    }
    return out;
}

}  // namespace

int list_command(const ListArguments& arguments) {
    const struct {
        const char* what;
        const char* name;
        Json (*list)();
    } kinds[] = {{"pair", "pair algorithm", list_pair},
                 {"continuous", "continuous algorithm", list_continuous},
                 {"broad", "broad phase", list_broad},
                 {"scene", "scene", list_scene},
                 {"tool", "tool", list_tool},
                 {"device", "device", list_device},
                 {"vectors", "vector instructions", list_vectors}};
    std::vector<NamedEntry> names;
    for (const auto& kind : kinds) names.push_back({kind.what, kind.name});
    const auto found = find_name(arguments.what, names);
    if (!found) return report_error(unknown_name("list", arguments.what, names));
    const Json entries = kinds[*found].list();
    if (arguments.json) print(entries.dump(2) + '\n');
    if (arguments.markdown) print(markdown(entries));
    if (!arguments.json && !arguments.markdown) print(plain(entries));
    return finish_output(kExitDone);
}

}  // namespace claybox::app
