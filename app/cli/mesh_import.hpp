#pragma once

#include "collision/geometry/shape.hpp"

#include <filesystem>

namespace claybox::app {

/// Reads a mesh file; errors name the file and, where there are lines, the line.
collision::Result<collision::PolygonList> import_polygons(const std::filesystem::path& file);

/// A mesh of somebody's own as a body: any polygons will do, dirty ones as they are. Errors as above.
collision::Result<collision::ShapePtr> import_shape(const std::filesystem::path& file);

}  // namespace claybox::app
