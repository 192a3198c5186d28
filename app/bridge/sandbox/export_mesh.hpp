#pragma once
// Saves the mesh that a scene offers.

#include "app/scenes/scene.hpp"

#include <filesystem>
#include <functional>
#include <string>

namespace claybox::app {

/// A copy of the mesh, for another thread.
struct ExportCopy {
    explicit ExportCopy(const ExportMesh& mesh) : topology(*mesh.topology), positions(*mesh.positions) {}
    ExportMesh mesh() const { return {&topology, &positions}; }
    collision::Topology topology;
    std::vector<collision::Vec3f> positions;
};

/// Writes the mesh under a new name, "claybox-pot-3.stl", and never overwrites. Returns a message: the file
/// with what is watertight or not about it, or why it cannot be written. Writes no file if `cancelled`
/// becomes true before the file is complete. Any thread.
std::string save_mesh(const ExportMesh& mesh, const std::filesystem::path& folder, const std::string& ending,
                      const std::function<bool()>& cancelled);

/// Writes a new file in the current folder. Returns a message: the file's name or the error.
std::string save_here(const std::string& start, const std::string& ending, const std::string& text);

}  // namespace claybox::app
