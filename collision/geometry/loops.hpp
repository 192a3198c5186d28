#pragma once
// Walks over the doubly connected edge list: around vertices and polygons, and to neighbours. Right for
// broken meshes, too: where an edge has no one partner a walk ends, and a vertex then has several fans.

#include "collision/geometry/polyhedron.hpp"

namespace claybox::collision {

/// The next half-edge counter-clockwise (seen from outside) that leaves the same vertex; kNoIndex past a
/// border.
inline std::uint32_t next_around_origin(const Topology& t, std::uint32_t h) {
    return t.twin[t.prev(h)];
}

/// The next one clockwise; kNoIndex past a border.
inline std::uint32_t prev_around_origin(const Topology& t, std::uint32_t h) {
    const std::uint32_t g = t.twin[h];
    return g == kNoIndex ? kNoIndex : t.next(g);
}

/// The half-edges that leave one vertex, fan by fan. Fan i is half_edges[begin[i] .. begin[i+1]),
/// counter-clockwise; an open one starts at its border, a closed one at its smallest half-edge. A manifold
/// vertex has one fan.
struct VertexFans {
    std::vector<std::uint32_t> half_edges;
    std::vector<std::uint32_t> begin{0};
    std::vector<bool> closed;

    std::size_t count() const { return closed.size(); }
};

/// Fills `out`, which keeps its memory. Takes time linear in the corners of the polygons around the vertex.
void fans_around(const Topology& topology, std::uint32_t vertex, VertexFans& out);

/// The vertices joined to `vertex` by an edge, counter-clockwise within each fan, each once.
std::vector<std::uint32_t> vertex_neighbours(const Topology& topology, std::uint32_t vertex);

/// The polygons across the sides of `polygon`, in the order of its half-edges; kNoIndex where a side has no
/// one partner.
std::vector<std::uint32_t> polygon_neighbours(const Topology& topology, std::uint32_t polygon);

}  // namespace claybox::collision
