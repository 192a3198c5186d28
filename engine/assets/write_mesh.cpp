#include "engine/assets/mesh_file.hpp"
#include "engine/assets/text_lines.hpp"
#include "engine/files/write_file.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

namespace claybox::engine {

namespace {

void append_float(std::string& text, float value) {
    char buffer[32];
    text += ' ';
    text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

/// Writes the shortest decimals that read back as the same float32, so nothing is lost.
std::string obj_text(const FileMesh& mesh) {
    std::string text = "# Claybox, metres\n";
    for (std::size_t i = 0; i + 2 < mesh.positions.size(); i += 3) {
        text += 'v';
        for (std::size_t k = 0; k < 3; ++k) append_float(text, mesh.positions[i + k]);
        text += '\n';
    }
    for (std::size_t p = 0; p + 1 < mesh.begin.size(); ++p) {
        text += 'f';
        for (std::size_t i = mesh.begin[p]; i < mesh.begin[p + 1]; ++i)
            text += ' ' + std::to_string(std::uint64_t{mesh.indices[i]} + 1);
        text += '\n';
    }
    return text;
}

void append_u32(std::string& bytes, std::uint32_t value) {
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
}

void append_vector(std::string& bytes, const double (&v)[3]) {
    for (const double x : v) append_u32(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(x)));
}

void append_triangle(std::string& bytes, const FileMesh& mesh, const std::uint32_t* corner) {
    constexpr double kMillimetres = 1000;  // 3D-printing programs expect STL in millimetres
    double p[3][3];
    for (int c = 0; c < 3; ++c) {
        for (std::size_t k = 0; k < 3; ++k)
            p[c][k] = kMillimetres * mesh.positions[std::size_t{corner[c]} * 3 + k];
    }
    double n[3];
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        n[k] = (p[1][i] - p[0][i]) * (p[2][j] - p[0][j]) - (p[1][j] - p[0][j]) * (p[2][i] - p[0][i]);
    }
    const double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (double& x : n) x = length > 0 ? x / length : 0;  // a triangle without area has no normal
    append_vector(bytes, n);
    for (const auto& corner_position : p) append_vector(bytes, corner_position);
    bytes += {'\0', '\0'};
}

std::string stl_bytes(const FileMesh& mesh, const std::vector<std::uint32_t>& triangles) {
    std::string bytes = "Claybox, binary STL, millimetres";
    bytes.resize(80, '\0');
    append_u32(bytes, static_cast<std::uint32_t>(triangles.size() / 3));
    bytes.reserve(bytes.size() + triangles.size() / 3 * 50);
    for (std::size_t t = 0; t + 2 < triangles.size(); t += 3) append_triangle(bytes, mesh, &triangles[t]);
    return bytes;
}

bool in_range(const std::vector<std::uint32_t>& indices, std::size_t count) {
    for (const std::uint32_t i : indices) {
        if (i >= count) return false;
    }
    return true;
}

}  // namespace

bool write_mesh(const std::filesystem::path& path, const FileMesh& mesh,
                const std::vector<std::uint32_t>& triangles, std::string& error) {
    const std::size_t count = mesh.positions.size() / 3;
    if (!in_range(mesh.indices, count) || !in_range(triangles, count)) {
        error = "the mesh has an index beyond its last vertex";
        return false;
    }
    if (path.extension() == ".obj") return write_file_atomically(path, obj_text(mesh), error);
    if (path.extension() == ".stl") return write_file_atomically(path, stl_bytes(mesh, triangles), error);
    error =
        path.string() + ": the ending is " + in_quotes(path.extension().string()) + ", expected .obj or .stl";
    return false;
}

}  // namespace claybox::engine
