#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace claybox::engine {

/// A mesh as stored in a file: float32 positions, and polygons as index lists. Polygon p uses
/// indices[begin[p] .. begin[p + 1]).
struct FileMesh {
    std::vector<float> positions;  ///< x y z ...
    std::vector<std::uint32_t> begin{0};
    std::vector<std::uint32_t> indices;
};

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

/// Reads .obj, .stl, .ply or .off, chosen by file extension; numbers are not scaled. Returns false with an
/// error otherwise. Opens no other file (material libraries are ignored), uses at most 1 GB, and checks every
/// count against the bytes that are there.
bool read_mesh(const std::filesystem::path& path, FileMesh& mesh, FileError& error);

/// Writes .obj (polygons) or .stl (binary, millimetres), chosen by file extension; replaces the file
/// atomically. `triangles` holds vertex index triples and is used for STL only.
bool write_mesh(const std::filesystem::path& path, const FileMesh& mesh,
                const std::vector<std::uint32_t>& triangles, std::string& error);

/// Writes RGB rows, top row first, as PNG; replaces the file atomically.
bool write_png(const std::filesystem::path& path, int width, int height, const std::vector<std::uint8_t>& rgb,
               std::string& error);

}  // namespace claybox::engine
