#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace claybox::engine {

/// A mesh as stored in a file: float32 positions, and polygons as index lists. Polygon p uses
/// indices[begin[p] .. begin[p + 1]).
struct FileMesh {
    std::vector<float> positions;  ///< x y z ...
    std::vector<std::uint32_t> begin{0};
    std::vector<std::uint32_t> indices;
    double metres_per_unit = 0;  ///< 0: the file does not say it
    bool z_up = false;           ///< the format's custom; otherwise +Y is up
};

/// A mesh to write, owned by the caller. Polygons as in FileMesh.
struct MeshView {
    std::span<const float> positions;  ///< x y z ..., metres, +Y up
    std::span<const std::uint32_t> begin, indices;
    std::span<const std::uint32_t> triangles;  ///< the polygons cut into triangles: three vertices each
};

inline MeshView view_of(const FileMesh& mesh, std::span<const std::uint32_t> triangles = {}) {
    return {mesh.positions, mesh.begin, mesh.indices, triangles};
}

/// Why a read failed: one sentence with what was found and what was expected. Line 0: the format has no
/// lines.
struct FileError {
    std::string message;
    std::uint64_t line = 0;
};

/// Larger files are refused. A reader holds the file, at most one cleaned copy and the mesh: together under 1
/// GB.
inline constexpr std::uint64_t kMaxMeshFileBytes = 200'000'000;

/// Polygons with more vertices are refused: cutting them into triangles takes quadratic time in the worst
/// case.
inline constexpr std::uint64_t kMaxPolygonVertices = 65536;

/// Reads .obj, .stl, .ply, .off, .gltf or .glb, chosen by file extension; numbers are not scaled. Returns
/// false with an error otherwise. Uses at most 1 GB, and checks every count against the bytes that are there.
/// Opens no other file, except the buffers of a .gltf file: only files in its folder or below.
bool read_mesh(const std::filesystem::path& path, FileMesh& mesh, FileError& error);

/// The endings that write_mesh() knows.
inline constexpr const char* kWrittenMeshes[] = {".obj", ".ply", ".stl", ".glb"};

class FileWriter;

/// Writes a mesh, chosen by file extension; replaces the file atomically. .obj and .ply (binary) have the
/// polygons in metres, .glb the triangles in metres. .stl (binary) has the triangles in millimetres with +Z
/// up, as programs for 3D printers expect it.
bool write_mesh(const std::filesystem::path& path, const MeshView& mesh, std::string& error);
/// Appends it to an open file. `ending`: one of kWrittenMeshes.
bool write_mesh(FileWriter& file, const std::string& ending, const MeshView& mesh, std::string& error);

/// Writes RGB rows, top row first, as PNG; replaces the file atomically.
bool write_png(const std::filesystem::path& path, int width, int height, const std::vector<std::uint8_t>& rgb,
               std::string& error);
/// Appends it to an open file.
bool write_png(FileWriter& file, int width, int height, const std::vector<std::uint8_t>& rgb,
               std::string& error);

}  // namespace claybox::engine
