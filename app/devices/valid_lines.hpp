#pragma once

#include "engine/input/mapping/logical_devices.hpp"

#include <string>
#include <vector>

namespace claybox::app {

/// A line of a device map that is not valid in this run.
struct UnusedLine {
    std::string device, text;
};

/// Loads a map after it has removed its invalid lines one by one, until the rest is valid. Lines that read a
/// removed device become invalid, too. Appends the removed lines to `unused` and empties them in `text`;
/// `error` has one line per removed line. False with one sentence in `error` if the file is not a map: the
/// devices are unchanged. `file`: its name in the errors.
bool load_valid_lines(engine::LogicalDevices& devices, std::string& text, const std::string& file,
                      std::vector<UnusedLine>& unused, std::string& error);

}  // namespace claybox::app
