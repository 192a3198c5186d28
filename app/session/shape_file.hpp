#pragma once

#include "collision/geometry/shape.hpp"

#include <filesystem>
#include <string>

namespace claybox::app {

/// Writes the polygons of a shape as a mesh file, chosen by the ending. Returns false with one sentence.
bool write_shape(const std::filesystem::path& file, const collision::Shape& shape, std::string& error);

}  // namespace claybox::app
