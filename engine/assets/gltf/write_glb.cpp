// Writes one self-contained .glb: triangles with positions, normals and indices in a single buffer, and a
// dull clay as their material, because the default of the format is metal.

#include "engine/assets/writers.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace claybox::engine {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t kMagic = 0x46546c67, kJsonChunk = 0x4e4f534a, kBinaryChunk = 0x004e4942;
constexpr std::uint32_t kFloat = 5126, kUnsignedInt = 5125, kVertices = 34962, kElements = 34963;

/// Unit normal per vertex: the mean of its triangles, weighted by area.
std::vector<float> vertex_normals(const MeshView& mesh) {
    std::vector<double> sum(mesh.positions.size());
    const auto point = [&](std::uint32_t v, std::size_t k) {
        return static_cast<double>(mesh.positions[std::size_t{v} * 3 + k]);
    };
    for (std::size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
        const std::uint32_t* const v = &mesh.triangles[t];
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
            const double n = (point(v[1], i) - point(v[0], i)) * (point(v[2], j) - point(v[0], j)) -
                             (point(v[1], j) - point(v[0], j)) * (point(v[2], i) - point(v[0], i));
            for (int c = 0; c < 3; ++c) sum[std::size_t{v[c]} * 3 + k] += n;
        }
    }
    std::vector<float> out(sum.size());
    for (std::size_t i = 0; i + 2 < sum.size(); i += 3) {
        const double length = std::hypot(sum[i], sum[i + 1], sum[i + 2]);
        const bool has_normal = length > 0 && std::isfinite(length);
        for (std::size_t k = 0; k < 3; ++k)
            out[i + k] = has_normal ? static_cast<float>(sum[i + k] / length) : k == 1 ? 1.f : 0.f;
    }
    return out;
}

/// The smallest or largest coordinates. Without a sign of zero, because validators compare text.
std::array<double, 3> corner_of(std::span<const float> positions, bool largest) {
    std::array<double, 3> out{positions[0], positions[1], positions[2]};
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const double x = positions[i];
        double& extreme = out[i % 3];
        extreme = largest ? std::max(extreme, x) : std::min(extreme, x);
    }
    for (double& x : out) x += 0.0;
    return out;
}

Json buffer_view(std::size_t offset, std::size_t length, std::uint32_t target) {
    return {{"buffer", 0}, {"byteOffset", offset}, {"byteLength", length}, {"target", target}};
}

std::string json_text(const MeshView& mesh) {
    const std::size_t vertices = mesh.positions.size() / 3, points = mesh.positions.size() * 4,
                      elements = mesh.triangles.size() * 4;
    const Json clay = {
        {"name", "clay"},
        {"pbrMetallicRoughness",
         {{"baseColorFactor", {0.62, 0.42, 0.31, 1.0}}, {"metallicFactor", 0.0}, {"roughnessFactor", 0.8}}}};
    const Json primitive = {
        {"attributes", {{"POSITION", 0}, {"NORMAL", 1}}}, {"indices", 2}, {"material", 0}, {"mode", 4}};
    Json file;
    file["asset"] = {{"version", "2.0"}, {"generator", "Claybox"}};
    file["scene"] = 0;
    file["scenes"] = Json::array({{{"nodes", {0}}}});
    file["nodes"] = Json::array({{{"name", "pot"}, {"mesh", 0}}});
    file["meshes"] = Json::array({{{"primitives", Json::array({primitive})}}});
    file["materials"] = Json::array({clay});
    file["buffers"] = Json::array({{{"byteLength", 2 * points + elements}}});
    file["bufferViews"] =
        Json::array({buffer_view(0, points, kVertices), buffer_view(points, points, kVertices),
                     buffer_view(2 * points, elements, kElements)});
    file["accessors"] =
        Json::array({{{"bufferView", 0},
                      {"componentType", kFloat},
                      {"count", vertices},
                      {"type", "VEC3"},
                      {"min", corner_of(mesh.positions, false)},
                      {"max", corner_of(mesh.positions, true)}},
                     {{"bufferView", 1}, {"componentType", kFloat}, {"count", vertices}, {"type", "VEC3"}},
                     {{"bufferView", 2},
                      {"componentType", kUnsignedInt},
                      {"count", mesh.triangles.size()},
                      {"type", "SCALAR"}}});
    std::string text = file.dump();
    text.resize((text.size() + 3) / 4 * 4, ' ');
    return text;
}

}  // namespace

void write_glb(const MeshView& mesh, ByteSink& sink) {
    const std::string text = json_text(mesh);
    const std::size_t binary = mesh.positions.size() * 8 + mesh.triangles.size() * 4;
    sink.u32(kMagic);
    sink.u32(2);
    sink.u32(static_cast<std::uint32_t>(12 + 8 + text.size() + 8 + binary));
    sink.u32(static_cast<std::uint32_t>(text.size()));
    sink.u32(kJsonChunk);
    sink.text(text);
    sink.u32(static_cast<std::uint32_t>(binary));
    sink.u32(kBinaryChunk);
    for (const float x : mesh.positions) sink.f32(x);
    for (const float x : vertex_normals(mesh)) sink.f32(x);
    for (const std::uint32_t v : mesh.triangles) sink.u32(v);
}

}  // namespace claybox::engine
