#pragma once
// The switches that the sandbox, `run` and `replay` share, as text; and what they mean.

#include "app/session/session.hpp"

#include <optional>
#include <string>
#include <vector>

namespace claybox::app {

struct Switches {
    std::optional<std::string> scene, pair, broad, parallel, exactness;
    std::optional<std::uint64_t> seed, frames;
    std::optional<unsigned> workers;
    std::vector<std::string> assignments;  ///< k=v
    std::vector<std::string> meshes;       ///< files
    bool headless = false, concurrent = false, solid = false, hash = false, xr = false, no_hint = false;
    std::string json, screenshot, record, report;
    std::string devices, track, record_track;  ///< files
    std::optional<std::uint64_t> osc;          ///< port
    bool osc_any = false;
    std::string size;  ///< "1600x900"
    std::optional<float> ui_scale;
};

/// Overrides what the switches name; ids that do not exist are errors that list those that do.
collision::Status apply_switches(const Switches& switches, SessionOptions& options);

/// "k=v" onto a table of one algorithm; false in the value when the table has no such parameter.
collision::Result<bool> assign(const std::string& assignment, std::span<const collision::Parameter> table,
                               collision::ParameterValues& values);

collision::Result<const collision::PairAlgorithm*> pair_by_id(const std::string& id);
collision::Result<collision::Exactness> exactness_by_name(const std::string& name);

/// "1600x900" as two numbers from 1 to 16384.
collision::Status parse_size(const std::string& text, int& width, int& height);

/// "a, b, c": for messages that list what there is.
std::string join(const std::vector<std::string>& words);
std::vector<std::string> parameter_ids(std::span<const collision::Parameter> table);

}  // namespace claybox::app
