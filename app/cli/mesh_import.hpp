#pragma once

#include "collision/geometry/shape.hpp"

#include <filesystem>

namespace claybox::app {

/// Reads a mesh file. Errors name the file and, in text formats, the line.
collision::Result<collision::PolygonList> import_polygons(const std::filesystem::path& file);

/// Reads a mesh file as a shape. Any polygons are accepted; defects are kept as they are. Errors as above.
collision::Result<collision::ShapePtr> import_shape(const std::filesystem::path& file);

}  // namespace claybox::app
