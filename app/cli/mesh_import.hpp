#pragma once

#include "collision/geometry/polyhedron.hpp"

#include <filesystem>

namespace claybox::app {

/// Reads a mesh file; errors name the file and, where there are lines, the line.
collision::Result<collision::PolygonList> import_polygons(const std::filesystem::path& file);

}  // namespace claybox::app
