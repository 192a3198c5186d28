#pragma once
/// \file
/// Traversal of the doubly connected edge list: around vertices, and to neighbours. Works for broken meshes
/// too: a traversal ends at an edge without a unique twin, and a vertex may have several fans.

#include "collision/geometry/polyhedron.hpp"

namespace claybox::collision {

/// The next outgoing half-edge of the same vertex, counter-clockwise seen from outside; kNoIndex at a border.
inline std::uint32_t next_around_origin(const Topology& t, std::uint32_t h) {
    return t.twin[t.prev(h)];
}

/// The next outgoing half-edge of the same vertex, clockwise seen from outside; kNoIndex at a border.
inline std::uint32_t prev_around_origin(const Topology& t, std::uint32_t h) {
    const std::uint32_t g = t.twin[h];
    return g == kNoIndex ? kNoIndex : t.next(g);
}

/// The outgoing half-edges of one vertex, fan by fan. Fan i is half_edges[begin[i] .. begin[i+1]),
/// counter-clockwise. An open fan starts at its border, a closed fan at its smallest half-edge. A manifold
/// vertex has one fan.
struct VertexFans {
    std::vector<std::uint32_t> half_edges;  ///< fan after fan
    std::vector<std::uint32_t> begin{0};    ///< first entry per fan, and the end of the last one
    std::vector<bool> closed;               ///< per fan: whether it goes all around the vertex

    /// Number of fans.
    std::size_t count() const { return closed.size(); }
};

/// Computes the fans around a vertex. Reuses the memory of `out`. Linear in the corners of the polygons
/// around it.
void fans_around(const Topology& topology, std::uint32_t vertex, VertexFans& out);

/// The vertices connected to `vertex` by an edge, counter-clockwise within each fan, without duplicates.
std::vector<std::uint32_t> vertex_neighbours(const Topology& topology, std::uint32_t vertex);

/// The neighbours of `polygon`, in the order of its half-edges; kNoIndex for a half-edge without a twin.
std::vector<std::uint32_t> polygon_neighbours(const Topology& topology, std::uint32_t polygon);

}  // namespace claybox::collision
