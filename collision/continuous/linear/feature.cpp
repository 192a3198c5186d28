#include "collision/continuous/linear/feature.hpp"

#include <algorithm>
#include <array>

namespace claybox::collision {

namespace {

/// The topology's vertex at the position of a hull vertex.
std::uint32_t topology_vertex(const PairBody& body, std::uint32_t hull_vertex) {
    const Vec3f p = body.shape->hull()->vertex(hull_vertex);
    const auto& positions = body.geometry->positions;
    if (hull_vertex < positions.size() && positions[hull_vertex] == p) return hull_vertex;
    const auto found = std::find(positions.begin(), positions.end(), p);
    return found == positions.end() ? kNoIndex : static_cast<std::uint32_t>(found - positions.begin());
}

bool has_vertices(const Topology& t, std::uint32_t polygon, std::span<const std::uint32_t> vertices) {
    const auto loop = t.loop(polygon);
    return std::all_of(vertices.begin(), vertices.end(),
                       [&](std::uint32_t v) { return std::find(loop.begin(), loop.end(), v) != loop.end(); });
}

std::uint32_t edge_between(const Topology& t, std::uint32_t u, std::uint32_t v) {
    for (const std::uint32_t p : t.polygons_around(u))
        for (std::uint32_t h = t.polygon_begin[p]; h < t.polygon_begin[p + 1]; ++h) {
            const std::uint32_t from = t.origin[h], to = t.origin[t.next(h)];
            if ((from == u && to == v) || (from == v && to == u)) return t.edge_of[h];
        }
    return kNoIndex;
}

}  // namespace

Feature feature_of(const PairBody& body, std::span<const std::uint32_t> hull_vertices,
                   const Vec3d& outward_w) {
    std::array<std::uint32_t, 5> vertex{};
    std::size_t count = 0;
    for (const std::uint32_t v : hull_vertices) {
        const std::uint32_t t = topology_vertex(body, v);
        if (t != kNoIndex && std::find(vertex.begin(), vertex.begin() + count, t) == vertex.begin() + count)
            vertex[count++] = t;
    }
    if (count == 0) return {};
    if (count == 1) return {FeatureKind::vertex, vertex[0]};
    const Topology& t = body.shape->topology();
    if (count == 2) {
        const std::uint32_t edge = edge_between(t, vertex[0], vertex[1]);
        if (edge != kNoIndex) return {FeatureKind::edge, edge};
    }
    std::uint32_t only = kNoIndex,
                  shared = 0;  // most often one polygon has them all, and no direction matters
    for (const std::uint32_t p : t.polygons_around(vertex[0])) {
        if (!has_vertices(t, p, {vertex.data() + 1, count - 1})) continue;
        only = p;
        ++shared;
    }
    if (shared == 1) return {FeatureKind::face, only};
    const Vec3d local = transpose_vector(to_double(body.world_from_body), outward_w);
    Feature best;
    double best_facing = 0;
    for (const std::uint32_t p : t.polygons_around(vertex[0])) {
        if (shared != 0 && !has_vertices(t, p, {vertex.data() + 1, count - 1})) continue;
        const double facing = dot(local, cast<double>(polygon_normal(*body.geometry, p)));
        if (best.kind != FeatureKind::none && facing <= best_facing) continue;
        best = {FeatureKind::face, p};
        best_facing = facing;
    }
    return best.kind == FeatureKind::none ? Feature{FeatureKind::vertex, vertex[0]} : best;
}

}  // namespace claybox::collision
