#include "app/cli/switches.hpp"

#include "app/cli/files/input_file.hpp"
#include "app/cli/files/mesh_import.hpp"
#include "app/cli/files/scene_file.hpp"
#include "app/cli/name_lookup.hpp"
#include "app/scenes/workbench/start_set.hpp"
#include "engine/files/path_text.hpp"

#include <algorithm>
#include <charconv>

namespace claybox::app {

using namespace collision;

namespace {

std::vector<NamedEntry> words(const std::vector<std::string>& ids) {
    std::vector<NamedEntry> out;
    for (const std::string& id : ids) out.push_back({id, {}});
    return out;
}

/// Words joined by '+'.
Status choose_parallel(const std::string& text, WorldSettings& settings) {
    std::vector<std::string> ids{to_string(ParallelMode::serial)};
    for (unsigned i = 0; i < kParallelModes; ++i) ids.push_back(to_string(ParallelMode(1u << i)));
    const std::vector<NamedEntry> entries = words(ids);
    const auto unknown = [&](const std::string& name) {
        return unknown_name("parallel mode", name, entries,
                            "serial, or some of pairs, halves, dual, three, fine joined by '+'");
    };
    std::string modes;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('+', begin), text.size());
        const std::string name = text.substr(begin, end - begin);
        const auto found = find_name(name, entries);
        if (!found) return unknown(name);
        modes += (modes.empty() ? "" : "+") + ids[*found];
        begin = end + 1;
    }
    const auto mode = parallel_mode(modes);
    if (!mode) return unknown(text);  // serial joined with others
    settings.parallel = *mode;
    return Done{};
}

/// An algorithm, or off.
Status choose_continuous(const std::string& text, WorldSettings& settings) {
    std::vector<NamedEntry> entries = named_entries(continuous_algorithms());
    entries.push_back({"off", {}});
    const auto found = find_name(text, entries);
    if (!found) return unknown_name("continuous algorithm", text, entries);
    settings.continuous = *found + 1 < entries.size();
    if (!settings.continuous) return Done{};
    settings.continuous_algorithm = continuous_algorithms()[*found];
    settings.continuous_parameters = default_values(settings.continuous_algorithm->parameters);
    return Done{};
}

Status choose_algorithms(const Switches& switches, WorldSettings& settings) {
    if (switches.pair) {
        const auto found = pair_by_name(*switches.pair);
        if (!found) return found.error();
        settings.pair_algorithm = found.value();
        settings.pair_parameters = default_values(settings.pair_algorithm->parameters);
    }
    if (switches.broad) {
        const auto found = entry_by_name("broad phase", *switches.broad, broad_phases());
        if (!found) return found.error();
        settings.broad_phase = found.value();
        settings.broad_parameters = default_values(settings.broad_phase->parameters);
    }
    return switches.continuous ? choose_continuous(*switches.continuous, settings) : Status(Done{});
}

Status choose_modes(const Switches& switches, WorldSettings& settings) {
    if (switches.parallel) {
        if (const Status chosen = choose_parallel(*switches.parallel, settings); !chosen) return chosen;
    }
    if (switches.exactness) {
        const auto exactness = exactness_by_name(*switches.exactness);
        if (!exactness) return exactness.error();
        settings.exactness = exactness.value();
    }
    if (switches.ignore) {
        const Result<GroupPairs> pairs = group_pairs_from_text(*switches.ignore);
        if (!pairs) return Error{"--ignore " + pairs.error().message, {}, 0};
        settings.ignored_groups = pairs.value();
    }
    if (switches.workers) {
        if (*switches.workers < 1 || *switches.workers > kMaxWorkers) {
            return Error{"--workers " + std::to_string(*switches.workers) + ": expected 1 to " +
                             std::to_string(kMaxWorkers),
                         {},
                         0};
        }
        settings.workers = *switches.workers;
    }
    if (switches.concurrent) settings.concurrent = true;
    if (switches.solid) settings.solid = true;
    return Done{};
}

/// "cage, workbench or potter"
std::string mesh_scenes() {
    std::vector<std::string> ids;
    for (const SceneDescriptor* scene : scenes())
        if (scene->accepts_meshes) ids.emplace_back(scene->id);
    std::string out;
    for (std::size_t i = 0; i < ids.size(); ++i)
        out += (i == 0 ? "" : i + 1 < ids.size() ? ", " : " or ") + ids[i];
    return out;
}

Status load_meshes(const std::vector<std::string>& files, const SceneDescriptor& scene, SessionOptions& out) {
    if (!files.empty() && !scene.accepts_meshes)
        return Error{"--mesh: the scene '" + std::string(scene.id) + "' has no place for meshes, expected " +
                         mesh_scenes(),
                     {},
                     0};
    for (const std::string& file : files) {
        Result<ShapePtr> shape = import_shape(input_file(file), scene);
        if (!shape) return shape.error();
        std::error_code code;
        out.mesh_files.resize(out.meshes.size());
        out.mesh_files.push_back(
            engine::text_of(std::filesystem::absolute(input_file(file), code).lexically_normal()));
        out.meshes.push_back(std::move(shape).value());
    }
    return Done{};
}

Status place_bodies(const std::vector<std::string>& texts, const SceneDescriptor& scene,
                    SessionOptions& out) {
    if (texts.empty()) return Done{};
    if (scene.edits != EditSupport::all)
        return Error{
            "--body: the scene '" + std::string(scene.id) + "' has no place for bodies, expected workbench",
            {},
            0};
    if (!out.bodies) out.bodies.emplace();
    for (const std::string& text : texts) {
        if (text == "none") continue;
        auto body = read_placed_body(text);
        if (!body) return Error{"--body " + text + ": " + body.error().message, {}, 0};
        if (out.bodies->size() >= kMaxPlacedBodies)
            return Error{"--body: expected at most " + std::to_string(kMaxPlacedBodies) + " bodies", {}, 0};
        out.bodies->push_back(std::move(body).value());
    }
    return Done{};
}

/// Searches the parameters of the scene, the pair algorithm, the broad phase, the bounds and the continuous
/// algorithm, in this order; "broad.depth=5" searches one of them.
Status assign_anywhere(const std::string& assignment, SessionOptions& options) {
    std::vector<ParameterTable> tables = parameter_tables(options);
    std::string wanted = assignment;
    const std::size_t dot = assignment.find('.');
    if (dot < assignment.find('=')) {
        const std::string group = assignment.substr(0, dot);
        std::vector<NamedEntry> groups;
        for (const ParameterTable& t : tables) groups.push_back({t.group, {}});
        const auto found = find_name(group, groups);
        if (!found)
            return Error{"--set " + assignment + ": " + unknown_name("group", group, groups).message, {}, 0};
        tables = {tables[*found]};
        wanted = assignment.substr(dot + 1);
    }
    std::vector<ParameterOwner> owners;
    for (const ParameterTable& t : tables) owners.push_back({t.owner, t.table});
    const Result<std::string> by_id = with_parameter_id(wanted, owners);
    if (!by_id) return by_id.error();
    for (const ParameterTable& t : tables) {
        const Result<bool> assigned = assign(by_id.value(), t.table, *t.values);
        if (!assigned) return assigned.error();
        if (assigned.value()) break;
    }
    return Done{};
}

}  // namespace

std::vector<ParameterTable> parameter_tables(SessionOptions& options) {
    const SceneDescriptor& scene = *find_scene(options.scene);
    WorldSettings& s = options.settings;
    std::vector<ParameterTable> out{
        {"scene", std::string("scene ") + scene.id, scene.parameters, &options.scene_parameters},
        {"pair", s.pair_algorithm->id, s.pair_algorithm->parameters, &s.pair_parameters},
        {"broad", s.broad_phase->id, s.broad_phase->parameters, &s.broad_parameters},
        {"bounds", "bounds", bound_parameters(), &s.bound_parameters}};
    if (s.continuous_algorithm)
        out.push_back({"continuous", s.continuous_algorithm->id, s.continuous_algorithm->parameters,
                       &s.continuous_parameters});
    return out;
}

Result<const PairAlgorithm*> pair_by_name(const std::string& name) {
    return entry_by_name("pair algorithm", name, pair_algorithms());
}

Result<Exactness> exactness_by_name(const std::string& name) {
    constexpr Exactness kModes[] = {Exactness::exact, Exactness::fast};
    const std::vector<std::string> ids{to_string(kModes[0]), to_string(kModes[1])};
    const std::vector<NamedEntry> entries = words(ids);
    if (const auto found = find_name(name, entries)) return kModes[*found];
    return unknown_name("exactness", name, entries);
}

Result<std::string> with_parameter_id(const std::string& assignment, std::span<const ParameterOwner> owners) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0)
        return Error{"--set " + assignment + ": expected NAME=VALUE", {}, 0};
    std::vector<NamedEntry> entries;
    std::string known;
    for (const ParameterOwner& owner : owners) {
        if (owner.table.empty()) continue;
        std::string ids;
        for (const Parameter& p : owner.table) {
            entries.push_back({p.id, p.title});
            ids += (ids.empty() ? "" : ", ") + std::string(p.id);
        }
        known += (known.empty() ? "" : "; ") + owner.name + ": " + ids;
    }
    if (entries.empty())
        return Error{"--set " + assignment + ": expected no parameters, the algorithm has none", {}, 0};
    const std::string name = assignment.substr(0, equals);
    const auto found = find_name(name, entries);
    if (found) return std::string(entries[*found].id) + assignment.substr(equals);
    const Error unknown = unknown_name("parameter", name, entries, "one of " + known);
    return Error{"--set " + assignment + ": " + unknown.message, {}, 0};
}

Result<bool> assign(const std::string& assignment, std::span<const Parameter> table,
                    ParameterValues& values) {
    const std::size_t equals = assignment.find('=');
    const std::size_t at = find_parameter(table, assignment.substr(0, equals));
    if (at == table.size()) return false;
    const Result<double> value = parse_parameter(table[at], assignment.substr(equals + 1));
    if (!value) return Error{"--set " + assignment + ": " + value.error().message, {}, 0};
    values[at] = value.value();
    return true;
}

Status parse_size(const std::string& text, int& width, int& height) {
    constexpr int kMaxSide = 16384;
    const char* const end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, width);
    bool good = first.ec == std::errc{} && first.ptr != end && *first.ptr == 'x';
    if (good) {
        const auto second = std::from_chars(first.ptr + 1, end, height);
        good = second.ec == std::errc{} && second.ptr == end;
    }
    if (good && width >= 1 && height >= 1 && width <= kMaxSide && height <= kMaxSide) return Done{};
    return Error{"--size " + text + ": expected WIDTHxHEIGHT in pixels, for example 1600x900", {}, 0};
}

void place_meshes(SessionOptions& options) {
    const SceneDescriptor* scene = find_scene(options.scene);
    if (scene->edits != EditSupport::all || options.bodies || options.meshes.empty()) return;
    options.bodies = mesh_set(options.meshes.size());
}

Status apply_switches(const Switches& switches, SessionOptions& options) {
    const Status applied = apply_part(switches, options);
    if (applied) place_meshes(options);
    return applied;
}

Status apply_part(const Switches& switches, SessionOptions& options) {
    if (switches.scene && is_scene_file(engine::path_of(*switches.scene))) {
        Switches others = switches;
        others.scene.reset();
        if (const Status read = read_scene_file(input_file(*switches.scene), options); !read) return read;
        return apply_part(others, options);
    }
    const SceneDescriptor* scene = find_scene(options.scene);
    if (switches.scene) {
        const auto found = entry_by_name("scene", *switches.scene, scenes());
        if (!found) return found.error();
        if (found.value() != scene) options.scene_parameters = default_values(found.value()->parameters);
        scene = found.value();
        options.scene = scene->id;
    }
    if (scene == nullptr) return unknown_name("scene", options.scene, named_entries(scenes()));
    if (const Status chosen = choose_algorithms(switches, options.settings); !chosen) return chosen;
    if (const Status chosen = choose_modes(switches, options.settings); !chosen) return chosen;
    if (switches.seed) {
        options.seed = *switches.seed;
        options.settings.seed = *switches.seed;
    }
    if (const Status loaded = load_meshes(switches.meshes, *scene, options); !loaded) return loaded;
    if (const Status placed = place_bodies(switches.bodies, *scene, options); !placed) return placed;
    for (const std::string& assignment : switches.assignments) {
        if (const Status assigned = assign_anywhere(assignment, options); !assigned) return assigned;
    }
    return Done{};
}

}  // namespace claybox::app
