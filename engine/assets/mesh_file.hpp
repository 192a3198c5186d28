#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace claybox::engine {

/// A mesh as it stands in a file: float32 positions and polygons as lists of indices
/// (polygon p is indices[begin[p] .. begin[p+1])).
struct FileMesh {
    std::vector<float> positions;  ///< x y z ...
    std::vector<std::uint32_t> begin{0};
    std::vector<std::uint32_t> indices;
};

/// What was wrong: one sentence that says what was found and what was expected; line 0 where there are none.
struct FileError {
    std::string message;
    std::uint64_t line = 0;
};

/// Larger files are refused: a reader holds the file, at most one cleaned copy and the mesh, together under 1
/// GB.
inline constexpr std::uint64_t kMaxMeshFileBytes = 200'000'000;

/// Reads .obj, .stl, .ply or .off by ending, numbers as they stand there; false with an error otherwise.
/// Never reads any other file (material libraries are ignored), never takes more than 1 GB, and never trusts
/// a count before the bytes are there.
bool read_mesh(const std::filesystem::path& path, FileMesh& mesh, FileError& error);

/// Writes .obj (polygons) or .stl (binary, millimetres) by ending, beside and renamed.
/// `triangles` are vertex index triples for STL.
bool write_mesh(const std::filesystem::path& path, const FileMesh& mesh,
                const std::vector<std::uint32_t>& triangles, std::string& error);

/// RGB rows from the top as PNG, beside and renamed.
bool write_png(const std::filesystem::path& path, int width, int height, const std::vector<std::uint8_t>& rgb,
               std::string& error);

}  // namespace claybox::engine
