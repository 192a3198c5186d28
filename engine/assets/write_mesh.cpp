#include "engine/assets/readers.hpp"
#include "engine/assets/text_lines.hpp"
#include "engine/assets/writers.hpp"
#include "engine/files/path_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace claybox::engine {

namespace {

void append_number(ByteSink& sink, auto value) {
    char buffer[32];
    const char* const end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    sink.text({buffer, static_cast<std::size_t>(end - buffer)});
}

void append_triangle(ByteSink& sink, const MeshView& mesh, const std::uint32_t* corner) {
    constexpr double kMillimetres = 1000;
    double p[3][3];
    for (std::size_t c = 0; c < 3; ++c) {
        const float* const v = &mesh.positions[std::size_t{corner[c]} * 3];
        const double turned[] = {kMillimetres * v[0], -kMillimetres * v[2], kMillimetres * v[1]};  // +Z up
        std::copy_n(turned, 3, p[c]);
    }
    double n[3];
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        n[k] = (p[1][i] - p[0][i]) * (p[2][j] - p[0][j]) - (p[1][j] - p[0][j]) * (p[2][i] - p[0][i]);
    }
    const double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (const double x : n) sink.f32(length > 0 ? static_cast<float>(x / length) : 0);  // no area, no normal
    for (const auto& position : p)
        for (const double x : position) sink.f32(static_cast<float>(x));
    sink.text({"\0\0", 2});
}

bool all_below(std::span<const std::uint32_t> indices, std::size_t count) {
    return std::all_of(indices.begin(), indices.end(), [=](std::uint32_t i) { return i < count; });
}

/// Checks what the writers rely on. Returns the problem, or an empty text.
std::string problem_of(const MeshView& mesh, bool as_triangles) {
    const std::size_t count = mesh.positions.size() / 3;
    if (!all_below(mesh.indices, count) || !all_below(mesh.triangles, count))
        return "the mesh has an index beyond its last vertex";
    if (mesh.begin.empty() || mesh.begin.back() != mesh.indices.size() || mesh.triangles.size() % 3 != 0)
        return "the mesh has a polygon without its corners";
    if (mesh.begin.size() < 2 || (as_triangles && mesh.triangles.empty())) return "the mesh has no polygons";
    constexpr std::size_t kMost =
        std::numeric_limits<std::uint32_t>::max() / 64;  // sizes must fit in 32 bits
    if (std::max({count, mesh.indices.size(), mesh.triangles.size()}) > kMost) return "the mesh is too large";
    const auto finite = [](float x) { return std::isfinite(x); };
    if (!std::all_of(mesh.positions.begin(), mesh.positions.end(), finite))
        return "the mesh has a coordinate that is not finite";
    return {};
}

}  // namespace

/// Writes the shortest decimals that read back as the same float32, so nothing is lost.
void write_obj(const MeshView& mesh, ByteSink& sink) {
    sink.text("# ");
    sink.text(kOurMetres);
    sink.text("\n");
    for (std::size_t i = 0; i + 2 < mesh.positions.size(); i += 3) {
        sink.text("v");
        for (std::size_t k = 0; k < 3; ++k) {
            sink.text(" ");
            append_number(sink, mesh.positions[i + k]);
        }
        sink.text("\n");
    }
    for (std::size_t p = 0; p + 1 < mesh.begin.size(); ++p) {
        sink.text("f");
        for (std::size_t i = mesh.begin[p]; i < mesh.begin[p + 1]; ++i) {
            sink.text(" ");
            append_number(sink, std::uint64_t{mesh.indices[i]} + 1);
        }
        sink.text("\n");
    }
}

void write_ply(const MeshView& mesh, ByteSink& sink) {
    std::uint32_t most = 0;
    for (std::size_t p = 0; p + 1 < mesh.begin.size(); ++p)
        most = std::max(most, mesh.begin[p + 1] - mesh.begin[p]);
    const bool small = most < 256;  // the usual type of the count, which all programs read
    sink.text("ply\nformat binary_little_endian 1.0\ncomment ");
    sink.text(kOurMetres);
    sink.text("\nelement vertex " + std::to_string(mesh.positions.size() / 3));
    sink.text("\nproperty float x\nproperty float y\nproperty float z\nelement face ");
    sink.text(std::to_string(mesh.begin.size() - 1));
    sink.text(small ? "\nproperty list uchar int vertex_indices\nend_header\n"
                    : "\nproperty list uint int vertex_indices\nend_header\n");
    for (const float x : mesh.positions) sink.f32(x);
    for (std::size_t p = 0; p + 1 < mesh.begin.size(); ++p) {
        const std::uint32_t corners = mesh.begin[p + 1] - mesh.begin[p];
        if (small)
            sink.u8(corners);
        else
            sink.u32(corners);
        for (std::size_t i = mesh.begin[p]; i < mesh.begin[p + 1]; ++i) sink.u32(mesh.indices[i]);
    }
}

void write_stl(const MeshView& mesh, ByteSink& sink) {
    std::string header = "Claybox, binary STL, millimetres";
    header.resize(80, '\0');
    sink.text(header);
    sink.u32(static_cast<std::uint32_t>(mesh.triangles.size() / 3));
    for (std::size_t t = 0; t + 2 < mesh.triangles.size(); t += 3)
        append_triangle(sink, mesh, &mesh.triangles[t]);
}

bool write_mesh(FileWriter& file, const std::string& ending, const MeshView& mesh, std::string& error) {
    const auto refuse = [&](const std::string& why) {
        error = "cannot write '" + text_of(file.target()) + "': " + why;
        return false;
    };
    static constexpr decltype(&write_obj) kWriters[] = {write_obj, write_ply, write_stl, write_glb};
    static_assert(std::size(kWriters) == std::size(kWrittenMeshes));
    const auto* const known = std::find(std::begin(kWrittenMeshes), std::end(kWrittenMeshes), ending);
    if (known == std::end(kWrittenMeshes))
        return refuse("the ending is " + in_quotes(ending) + ", expected .obj, .ply, .stl or .glb");
    const std::string problem = problem_of(mesh, ending == ".stl" || ending == ".glb");
    if (!problem.empty()) return refuse(problem);
    ByteSink sink(file);
    kWriters[known - std::begin(kWrittenMeshes)](mesh, sink);
    return true;
}

bool write_mesh(const std::filesystem::path& path, const MeshView& mesh, std::string& error) {
    FileWriter file;
    return file.open(path, error) && write_mesh(file, text_of(path.extension()), mesh, error) &&
           file.commit(error);
}

}  // namespace claybox::engine
