#include "app/potter/history/clay_delta.hpp"

namespace claybox::app {

std::size_t ClayDelta::bytes() const {
    return vertices.size() * sizeof(vertices[0]) + masks.size() * sizeof(masks[0]) +
           triangles.size() * sizeof(triangles[0]);
}

ClayDelta difference(const ClayMesh& now, const ClayMesh& before) {
    ClayDelta out;
    out.vertex_count = static_cast<std::uint32_t>(before.positions.size());
    out.triangle_count = static_cast<std::uint32_t>(before.triangles.size());
    for (std::uint32_t v = 0; v < out.vertex_count; ++v) {
        const bool is_new = v >= now.positions.size();
        if (is_new || !(now.positions[v] == before.positions[v]))
            out.vertices.push_back({v, before.positions[v]});
        if (is_new || now.mask[v] != before.mask[v]) out.masks.push_back({v, before.mask[v]});
    }
    for (std::uint32_t t = 0; t < out.triangle_count; ++t)
        if (t >= now.triangles.size() || now.triangles[t] != before.triangles[t])
            out.triangles.emplace_back(t, before.triangles[t]);
    out.remeshed = !out.triangles.empty() || now.triangles.size() != before.triangles.size() ||
                   now.positions.size() != before.positions.size();
    return out;
}

void apply(const ClayDelta& delta, ClayMesh& mesh) {
    if (delta.remeshed) {
        mesh.positions.resize(delta.vertex_count);
        mesh.mask.resize(delta.vertex_count);
        mesh.triangles.resize(delta.triangle_count);
    }
    for (const collision::VertexChange& c : delta.vertices) mesh.positions[c.vertex] = c.position;
    for (const MaskChange& c : delta.masks) mesh.mask[c.vertex] = c.value;
    for (const auto& [t, corners] : delta.triangles) mesh.triangles[t] = corners;
}

}  // namespace claybox::app
