#pragma once

#include <string>
#include <utility>
#include <vector>

namespace claybox::app {

/// The conditions of a run that its times depend on: date, processor, compiler, load, build.
std::vector<std::pair<std::string, std::string>> run_context();
/// Whether this is a release build.
bool is_release_build();

}  // namespace claybox::app
