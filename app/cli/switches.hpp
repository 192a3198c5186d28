#pragma once
// The switches that the sandbox, `run` and `replay` share, as typed, and their effect on a session's options.

#include "app/session/session.hpp"

#include <optional>
#include <string>
#include <vector>

namespace claybox::app {

struct Switches {
    std::optional<std::string> scene, pair, broad, continuous, parallel, exactness;
    std::optional<std::string> ignore;  ///< as to_text(GroupPairs)
    std::optional<std::uint64_t> seed, frames;
    std::optional<unsigned> workers;
    std::vector<std::string> assignments;  ///< "name=value"
    std::vector<std::string> meshes;       ///< files
    std::vector<std::string> bodies;       ///< as to_text(PlacedBody), or "none"
    bool headless = false, concurrent = false, solid = false, hash = false, xr = false, no_hint = false;
    std::string json, screenshot, turntable, record, report;
    std::optional<std::uint64_t> turntable_pictures;
    std::string autosave;                      ///< folder
    std::string devices, track, record_track;  ///< files
    std::optional<std::uint64_t> osc;          ///< port
    bool osc_any = false;
    std::string size;  ///< "1600x900"
    std::optional<float> ui_scale;
};

/// Parameters that `--set` can change, with their current values.
struct ParameterTable {
    const char* group;  ///< as in "broad.depth=5": scene, pair, broad, bounds or continuous
    std::string owner;  ///< the name that errors show
    std::span<const collision::Parameter> table;
    collision::ParameterValues* values;
};

/// In the order in which `--set` searches them. The scene and all algorithms must be set.
std::vector<ParameterTable> parameter_tables(SessionOptions& options);

/// Overrides the options that the switches name. An unknown name is an error that lists the known ones.
/// `scene` may be a scene file; the other switches then override its lines.
collision::Status apply_switches(const Switches& switches, SessionOptions& options);
/// The same for one of several parts of the switches: see place_meshes().
collision::Status apply_part(const Switches& switches, SessionOptions& options);
/// In a scene with edits, meshes without bodies get one body each. Call it after the last part.
void place_meshes(SessionOptions& options);

/// A parameter table and the name that errors show for it.
struct ParameterOwner {
    std::string name;
    std::span<const collision::Parameter> table;
};

/// Replaces the parameter's name in "name=value" by its id. The name is an id or title of any of the tables;
/// equal ids win, then earlier tables.
collision::Result<std::string> with_parameter_id(const std::string& assignment,
                                                 std::span<const ParameterOwner> owners);

/// Applies "id=value" to the values of one table; the result is false when the table has no such parameter.
collision::Result<bool> assign(const std::string& assignment, std::span<const collision::Parameter> table,
                               collision::ParameterValues& values);

collision::Result<const collision::PairAlgorithm*> pair_by_name(const std::string& name);
collision::Result<collision::Exactness> exactness_by_name(const std::string& name);

/// Reads "1600x900": two numbers from 1 to 16384.
collision::Status parse_size(const std::string& text, int& width, int& height);

}  // namespace claybox::app
