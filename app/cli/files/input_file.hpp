#pragma once

#include <filesystem>
#include <string>

namespace claybox::app {

/// The path of an input file. A name such as "assets/meshes/ring.obj" that does not exist here means the
/// program's asset, so that the examples of the documentation work in every folder.
std::filesystem::path input_file(const std::string& name);

}  // namespace claybox::app
