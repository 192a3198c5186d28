#pragma once
// One strict reader per format. Each gets the whole file, never trusts a count before the bytes are there,
// and reports the first error.

#include "engine/assets/mesh_file.hpp"

#include <string_view>

namespace claybox::engine {

bool read_obj(std::string_view bytes, FileMesh& mesh, FileError& error);
bool read_stl(std::string_view bytes, FileMesh& mesh, FileError& error);
bool read_ply(std::string_view bytes, FileMesh& mesh, FileError& error);
bool read_off(std::string_view bytes, FileMesh& mesh, FileError& error);

/// Sets `error` and returns false, so a reader can write `return fail(...)`.
bool fail(FileError& error, std::uint64_t line, std::string message);

/// "expected at most 65536 vertices"
std::string expected_polygon_size();
std::uint64_t vertex_count(const FileMesh& mesh);

/// Last check of every reader: the mesh has vertices and polygons.
bool check_not_empty(const FileMesh& mesh, FileError& error);

}  // namespace claybox::engine
