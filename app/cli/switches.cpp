#include "app/cli/switches.hpp"

#include "app/cli/mesh_import.hpp"

#include <charconv>

namespace claybox::app {

using namespace collision;

namespace {

Error unknown(const char* kind, const std::string& id, const std::vector<std::string>& known) {
    const std::string expected = known.empty() ? "none is built in" : "expected one of " + join(known);
    return Error{std::string("unknown ") + kind + " '" + id + "', " + expected, {}, 0};
}

template <class Entries>
std::vector<std::string> ids(const Entries& entries) {
    std::vector<std::string> out;
    for (const auto* entry : entries) out.emplace_back(entry->id);
    return out;
}

Status choose_parallel(const std::string& name, WorldSettings& settings) {
    const auto mode = parallel_mode(name);
    if (!mode)
        return Error{"unknown parallel mode '" + name +
                         "', expected serial, or some of pairs, halves, dual, three, fine joined by '+'",
                     {},
                     0};
    settings.parallel = *mode;
    return Done{};
}

Status choose_algorithms(const Switches& switches, WorldSettings& settings) {
    if (switches.pair) {
        const auto found = pair_by_id(*switches.pair);
        if (!found) return found.error();
        settings.pair_algorithm = found.value();
        settings.pair_parameters = default_values(settings.pair_algorithm->parameters);
    }
    if (switches.broad) {
        const BroadPhaseDescriptor* found = find_broad_phase(*switches.broad);
        if (found == nullptr) return unknown("broad phase", *switches.broad, ids(broad_phases()));
        settings.broad_phase = found;
        settings.broad_parameters = default_values(found->parameters);
    }
    return Done{};
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
    if (switches.workers) {
        if (*switches.workers < 1 || *switches.workers > kMostWorkers) {
            return Error{"--workers " + std::to_string(*switches.workers) + ", expected 1 to " +
                             std::to_string(kMostWorkers),
                         {},
                         0};
        }
        settings.workers = *switches.workers;
    }
    if (switches.concurrent) settings.concurrent = true;
    if (switches.solid) settings.solid = true;
    return Done{};
}

Status load_meshes(const std::vector<std::string>& files, const SceneDescriptor& scene,
                   std::vector<ShapePtr>& out) {
    if (!files.empty() && !scene.takes_meshes)
        return Error{
            "--mesh: the scene '" + std::string(scene.id) + "' takes no meshes, expected cage", {}, 0};
    for (const std::string& file : files) {
        Result<ShapePtr> shape = import_shape(file);
        if (!shape) return shape.error();
        out.push_back(std::move(shape).value());
    }
    return Done{};
}

/// Scene parameters come first, then those of the pair algorithm, of the broad phase, and of bounds.
Status assign_anywhere(const std::string& assignment, const SceneDescriptor& scene, SessionOptions& options) {
    WorldSettings& settings = options.settings;
    const struct {
        std::span<const Parameter> table;
        ParameterValues& values;
        std::string owner;
    } places[] = {
        {scene.parameters, options.scene_parameters, std::string("scene ") + scene.id},
        {settings.pair_algorithm->parameters, settings.pair_parameters, settings.pair_algorithm->id},
        {settings.broad_phase->parameters, settings.broad_parameters, settings.broad_phase->id},
        {bound_parameters(), settings.bound_parameters, "bounds"},
    };
    std::string known;
    for (const auto& place : places) {
        const Result<bool> assigned = assign(assignment, place.table, place.values);
        if (!assigned) return assigned.error();
        if (assigned.value()) return Done{};
        if (!place.table.empty())
            known += (known.empty() ? "" : "; ") + place.owner + ": " + join(parameter_ids(place.table));
    }
    return Error{"--set " + assignment + ": unknown parameter, expected one of " + known, {}, 0};
}

}  // namespace

std::string join(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
    return out;
}

std::vector<std::string> parameter_ids(std::span<const Parameter> table) {
    std::vector<std::string> out;
    for (const Parameter& p : table) out.emplace_back(p.id);
    return out;
}

Result<const PairAlgorithm*> pair_by_id(const std::string& id) {
    const PairAlgorithm* found = find_pair_algorithm(id);
    if (found == nullptr) return unknown("pair algorithm", id, ids(pair_algorithms()));
    return found;
}

Result<Exactness> exactness_by_name(const std::string& name) {
    for (const Exactness e : {Exactness::exact, Exactness::fast}) {
        if (name == to_string(e)) return e;
    }
    return unknown("exactness", name, {to_string(Exactness::exact), to_string(Exactness::fast)});
}

Result<bool> assign(const std::string& assignment, std::span<const Parameter> table,
                    ParameterValues& values) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0) {
        return Error{"--set " + assignment + ": expected name=value", {}, 0};
    }
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
    return Error{"--size " + text + ": expected WIDTHxHEIGHT in pixels, like 1600x900", {}, 0};
}

Status apply_switches(const Switches& switches, SessionOptions& options) {
    if (switches.scene && *switches.scene != options.scene) {
        const SceneDescriptor* scene = find_scene(*switches.scene);
        if (scene == nullptr) return unknown("scene", *switches.scene, ids(scenes()));
        options.scene = scene->id;
        options.scene_parameters = default_values(scene->parameters);
    }
    const SceneDescriptor* scene = find_scene(options.scene);
    if (scene == nullptr) return unknown("scene", options.scene, ids(scenes()));
    if (const Status chosen = choose_algorithms(switches, options.settings); !chosen) return chosen;
    if (const Status chosen = choose_modes(switches, options.settings); !chosen) return chosen;
    if (switches.seed) {
        options.seed = *switches.seed;
        options.settings.seed = *switches.seed;
    }
    if (const Status loaded = load_meshes(switches.meshes, *scene, options.meshes); !loaded) return loaded;
    for (const std::string& assignment : switches.assignments) {
        if (const Status assigned = assign_anywhere(assignment, *scene, options); !assigned) return assigned;
    }
    return Done{};
}

}  // namespace claybox::app
