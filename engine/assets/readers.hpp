#pragma once
// One strict reader per format. Each gets the whole file, never trusts a count before the bytes are there,
// and reports the first error.

#include "engine/assets/mesh_file.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace claybox::engine {

bool read_obj(std::string_view bytes, FileMesh& mesh, FileError& error);
bool read_stl(std::string_view bytes, FileMesh& mesh, FileError& error);
bool read_ply(std::string_view bytes, FileMesh& mesh, FileError& error);
bool read_off(std::string_view bytes, FileMesh& mesh, FileError& error);
/// Reads .gltf or .glb; a .glb is recognised by its first bytes. `folder`: of the file, for its buffers;
/// empty: no other file is opened.
bool read_gltf(std::string bytes, const std::filesystem::path& folder, FileMesh& mesh, FileError& error);

/// The first words of the OBJ and PLY files that we write.
inline constexpr std::string_view kOurMetres = "Claybox, metres";

/// Limits of formats in which few bytes can become many vertices or corners: 20 million vertices and 50
/// million corners take about half a gigabyte.
inline constexpr std::size_t kMaxMeshVertices = 20'000'000, kMaxMeshCorners = 50'000'000;

/// The content of a regular file of at most kMaxMeshFileBytes.
bool load_bytes(const std::filesystem::path& path, std::string& bytes, FileError& error);

/// Sets `error` and returns false, so a reader can write `return fail(...)`.
bool fail(FileError& error, std::uint64_t line, std::string message);

/// "expected at most 65536 vertices"
std::string expected_polygon_size();
std::uint64_t vertex_count(const FileMesh& mesh);

/// Last check of every reader: the mesh has vertices and polygons.
bool check_not_empty(const FileMesh& mesh, FileError& error);

}  // namespace claybox::engine
