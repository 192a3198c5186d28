#include "engine/assets/mesh_file.hpp"
#include "engine/assets/readers.hpp"
#include "engine/assets/text_lines.hpp"
#include "engine/files/path_text.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <limits>
#include <system_error>

namespace claybox::engine {

namespace {

std::string lower_extension(const std::filesystem::path& path) {
    std::string text = text_of(path.extension());
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

}  // namespace

bool load_bytes(const std::filesystem::path& path, std::string& bytes, FileError& error) {
    std::error_code code;
    const auto status = std::filesystem::status(path, code);
    if (!std::filesystem::exists(status)) return fail(error, 0, "does not exist, expected a mesh file");
    if (!std::filesystem::is_regular_file(status))
        return fail(error, 0, "is not a regular file, expected a mesh file");
    const std::uintmax_t size = std::filesystem::file_size(path, code);
    if (code) return fail(error, 0, "cannot be read: " + code.message());
    if (size > kMaxMeshFileBytes) {
        return fail(
            error, 0,
            "has " + std::to_string(size) + " bytes, expected at most " + std::to_string(kMaxMeshFileBytes));
    }
    std::ifstream file(path, std::ios::binary);
    bytes.resize(static_cast<std::size_t>(size));
    file.read(bytes.data(), static_cast<std::streamsize>(size));
    if (!file || file.gcount() != static_cast<std::streamsize>(size)) return fail(error, 0, "cannot be read");
    return true;
}

bool fail(FileError& error, std::uint64_t line, std::string message) {
    error.message = std::move(message);
    error.line = line;
    return false;
}

// A polygon corner takes two bytes or more, so indices and counts fit in 32 bits.
static_assert(kMaxMeshFileBytes / 2 < std::numeric_limits<std::uint32_t>::max());

std::string expected_polygon_size() {
    return "expected at most " + std::to_string(kMaxPolygonVertices) + " vertices";
}

std::uint64_t vertex_count(const FileMesh& mesh) {
    return mesh.positions.size() / 3;
}

bool check_not_empty(const FileMesh& mesh, FileError& error) {
    if (mesh.positions.empty()) return fail(error, 0, "has no vertices, expected at least three");
    if (mesh.begin.size() < 2)
        return fail(error, 0, "has vertices but no polygons, expected at least one polygon");
    return true;
}

bool read_mesh(const std::filesystem::path& path, FileMesh& mesh, FileError& error) {
    mesh = FileMesh{};
    const std::string extension = lower_extension(path);
    using Reader = bool (*)(std::string_view, FileMesh&, FileError&);
    Reader reader = nullptr;
    const bool gltf = extension == ".gltf" || extension == ".glb";
    if (extension == ".obj") reader = read_obj;
    if (extension == ".stl") reader = read_stl;
    if (extension == ".ply") reader = read_ply;
    if (extension == ".off") reader = read_off;
    if (reader == nullptr && !gltf) {
        return fail(
            error, 0,
            "has the ending " + in_quotes(extension) + ", expected .obj, .stl, .ply, .off, .gltf or .glb");
    }
    std::string bytes;
    if (!load_bytes(path, bytes, error)) return false;
    if (bytes.empty()) return fail(error, 0, "is empty, expected a mesh file");
    if (gltf)
        return read_gltf(std::move(bytes), path.has_parent_path() ? path.parent_path() : ".", mesh, error);
    return reader(bytes, mesh, error);
}

}  // namespace claybox::engine
