#pragma once
// Saves the mesh that a scene offers.

#include "app/scenes/scene.hpp"
#include "engine/files/write_file.hpp"

#include <filesystem>
#include <string>

namespace claybox::app {

/// Writes the mesh under a new name, "claybox-pot-3.stl", and never overwrites. Returns a message: the file
/// with what is watertight or not about it, or why it cannot be written.
std::string save_mesh(const ExportMesh& mesh, const std::filesystem::path& folder, const std::string& ending);

/// Writes a new file in the current folder. Returns a message: the file's name or the error.
std::string save_here(const std::string& start, const std::string& ending, const engine::WriteTo& write);

}  // namespace claybox::app
