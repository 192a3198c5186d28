#pragma once
// One strict reader per format. Each takes the whole file, never believes a count before the bytes are there,
// and reports the first thing that is wrong.

#include "engine/assets/mesh_file.hpp"

#include <string_view>

namespace claybox::engine {

bool read_obj(std::string_view bytes, FileMesh& mesh, FileError& error);
bool read_stl(std::string_view bytes, FileMesh& mesh, FileError& error);
bool read_ply(std::string_view bytes, FileMesh& mesh, FileError& error);
bool read_off(std::string_view bytes, FileMesh& mesh, FileError& error);

/// Sets `error` and returns false, so that readers can return it.
bool fail(FileError& error, std::uint64_t line, std::string message);

/// Indices are 32 bits; true when one more polygon of `size` vertices still fits.
bool room_for_polygon(const FileMesh& mesh, std::uint64_t size);
std::uint64_t vertex_count(const FileMesh& mesh);

/// The last check of every reader: vertices and polygons are there.
bool check_not_empty(const FileMesh& mesh, FileError& error);

}  // namespace claybox::engine
