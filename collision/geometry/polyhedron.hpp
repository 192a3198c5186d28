#pragma once
// Boundary representation: polygons of any size over a doubly connected edge list.

#include "collision/core/ids.hpp"
#include "collision/core/result.hpp"
#include "collision/core/vec.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace claybox::collision {

/// Polygons as lists of vertex indices: polygon p is indices[begin[p] .. begin[p+1]). The form in which
/// meshes enter.
struct PolygonList {
    std::vector<Vec3f> positions;
    std::vector<std::uint32_t> begin{0};
    std::vector<std::uint32_t> indices;

    std::size_t polygon_count() const { return begin.size() - 1; }
    std::span<const std::uint32_t> polygon(std::size_t p) const {
        return {indices.data() + begin[p], indices.data() + begin[p + 1]};
    }
    void add_polygon(std::span<const std::uint32_t> loop) {
        indices.insert(indices.end(), loop.begin(), loop.end());
        begin.push_back(static_cast<std::uint32_t>(indices.size()));
    }
};

/// An undirected edge of polygon boundaries; vertices[0] < vertices[1]. The polygons are the first two that
/// use it (kNoIndex where there is none); `use_count` says how many do.
struct Edge {
    std::uint32_t vertices[2] = {kNoIndex, kNoIndex};
    std::uint32_t polygons[2] = {kNoIndex, kNoIndex};
    std::uint32_t use_count = 0;
};

/// A triangle of the fixed triangulation: the exact surface of its polygon.
struct Triangle {
    std::uint32_t vertices[3] = {0, 0, 0};
    std::uint32_t polygon = 0;
};

/// One of several simple loops that make up the boundary of a polygon: vertices outline_vertices[begin ..
/// end). A hole runs against the sense of the polygon.
struct Outline {
    std::uint32_t polygon = 0;
    std::uint32_t begin = 0, end = 0;
    bool hole = false;
};

/// Connectivity of a polyhedron, immutable and shared; may be open, non-manifold or degenerate.
/// Half-edge h runs from origin[h] to origin[next[h]] along polygon polygon_of[h]; half-edges of polygon p
/// are polygon_begin[p] .. polygon_begin[p+1], in order. twin[h] is kNoIndex on borders and where an edge has
/// not exactly two uses of opposite direction. edge_of[h] is kNoIndex where a polygon repeats a vertex at
/// once.
struct Topology {
    std::uint32_t vertex_count = 0;
    std::vector<std::uint32_t> polygon_begin{0};
    std::vector<std::uint32_t> origin;
    std::vector<std::uint32_t> twin;
    std::vector<std::uint32_t> polygon_of;
    std::vector<std::uint32_t> edge_of;       ///< undirected edge of each half-edge
    std::vector<std::uint32_t> vertex_first;  ///< one outgoing half-edge per vertex, or kNoIndex
    std::vector<Edge> edges;
    std::vector<Triangle> triangles;               ///< sorted by polygon
    std::vector<std::uint32_t> triangle_begin{0};  ///< triangles of polygon p: triangle_begin[p] .. [p+1]
    /// Polygons around vertex v, ascending and each once: vertex_polygons[vertex_polygon_begin[v] .. [v+1]).
    std::vector<std::uint32_t> vertex_polygon_begin, vertex_polygons;
    /// Loops of keyhole polygons (a hole joined to the outside by a bridge that is walked there and back) and
    /// of others whose boundary comes back to a vertex; sorted by polygon, outer ones before holes. Polygons
    /// with one simple loop have none here: it is loop(p).
    std::vector<Outline> outlines;
    std::vector<std::uint32_t> outline_vertices;

    std::uint32_t polygon_count() const { return static_cast<std::uint32_t>(polygon_begin.size() - 1); }
    std::uint32_t half_edge_count() const { return static_cast<std::uint32_t>(origin.size()); }
    std::uint32_t next(std::uint32_t h) const {
        const std::uint32_t p = polygon_of[h];
        return h + 1 < polygon_begin[p + 1] ? h + 1 : polygon_begin[p];
    }
    std::uint32_t prev(std::uint32_t h) const {
        const std::uint32_t p = polygon_of[h];
        return h > polygon_begin[p] ? h - 1 : polygon_begin[p + 1] - 1;
    }
    std::span<const std::uint32_t> loop(std::uint32_t p) const {
        return {origin.data() + polygon_begin[p], origin.data() + polygon_begin[p + 1]};
    }
    std::span<const Triangle> triangles_of(std::uint32_t p) const {
        return {triangles.data() + triangle_begin[p], triangles.data() + triangle_begin[p + 1]};
    }
    std::span<const std::uint32_t> polygons_around(std::uint32_t v) const {
        return {vertex_polygons.data() + vertex_polygon_begin[v],
                vertex_polygons.data() + vertex_polygon_begin[v + 1]};
    }
    /// Empty for a polygon with one simple loop.
    std::span<const Outline> outlines_of(std::uint32_t p) const;
    std::span<const std::uint32_t> loop(const Outline& outline) const {
        return {outline_vertices.data() + outline.begin, outline_vertices.data() + outline.end};
    }
    std::size_t memory_bytes() const;
};

struct Polyhedron {
    std::shared_ptr<const Topology> topology;
    std::vector<Vec3f> positions;
};

/// Builds connectivity in linear time and fixes the triangulation. Vertices of equal position are merged (-0
/// equals 0). Accepts broken meshes (open, non-manifold, flipped, degenerate, duplicated); refuses indices
/// out of range, non-finite or too large numbers, and a list without vertices. Polygons of one or two
/// vertices are refused.
Result<Polyhedron> build_polyhedron(const PolygonList& polygons);

/// Merges vertices of equal position (-0 becomes 0), numbered by first occurrence.
void merge_equal_positions(PolygonList& polygons);

/// Fills polygon_of, edges, edge_of, twin, vertex_first and the polygons around vertices from vertex_count,
/// polygon_begin and origin. For code that builds connectivity of its own; build_polyhedron calls it.
void connect(Topology& topology);

}  // namespace claybox::collision
