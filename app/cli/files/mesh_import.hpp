#pragma once

#include "app/scenes/scene.hpp"

#include <filesystem>

namespace claybox::app {

/// Reads a mesh file; numbers are not scaled. Errors name the file and, in text formats, the line. `units`:
/// what the file says about its numbers.
collision::Result<collision::PolygonList> import_polygons(const std::filesystem::path& file,
                                                          MeshUnits* units = nullptr);

/// Reads a mesh file as a shape. Any polygons are accepted; defects are kept as they are. Errors as above.
collision::Result<collision::ShapePtr> import_shape(const std::filesystem::path& file);
/// The same, placed as the scene needs it.
collision::Result<collision::ShapePtr> import_shape(const std::filesystem::path& file,
                                                    const SceneDescriptor& scene);

}  // namespace claybox::app
