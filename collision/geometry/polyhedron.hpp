#pragma once
/// \file
/// Boundary representation: polygons of any size over a doubly connected edge list (DCEL).

#include "collision/core/ids.hpp"
#include "collision/core/result.hpp"
#include "collision/core/vec.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace claybox::collision {

/// The input form of meshes: polygons as lists of vertex indices, counter-clockwise seen from outside.
/// Polygon p is indices[begin[p] .. begin[p+1]).
struct PolygonList {
    std::vector<Vec3f> positions;         ///< vertex positions in the body's frame, metres
    std::vector<std::uint32_t> begin{0};  ///< one entry per polygon and the end of the last one
    std::vector<std::uint32_t> indices;   ///< of `positions`, polygon after polygon

    /// Number of polygons.
    std::size_t polygon_count() const { return begin.size() - 1; }
    /// The vertex indices of polygon p.
    std::span<const std::uint32_t> polygon(std::size_t p) const {
        return {indices.data() + begin[p], indices.data() + begin[p + 1]};
    }
    /// Appends a polygon with these vertex indices. Nothing is checked here: build_polyhedron() does it.
    void add_polygon(std::span<const std::uint32_t> loop) {
        indices.insert(indices.end(), loop.begin(), loop.end());
        begin.push_back(static_cast<std::uint32_t>(indices.size()));
    }
};

/// An undirected edge of polygon boundaries.
struct Edge {
    std::uint32_t vertices[2] = {kNoIndex, kNoIndex};  ///< vertices[0] < vertices[1]
    std::uint32_t polygons[2] = {kNoIndex, kNoIndex};  ///< the first two polygons that use it, or kNoIndex
    std::uint32_t use_count = 0;                       ///< number of half-edges along it
};

/// A triangle of the fixed triangulation. The triangles of a polygon define its exact surface.
struct Triangle {
    std::uint32_t vertices[3] = {0, 0, 0};  ///< in the direction of the polygon
    std::uint32_t polygon = 0;              ///< the polygon that it is a part of
};

/// One of several simple loops of a polygon's boundary: outline_vertices[begin .. end). Holes have the
/// opposite direction of the polygon.
struct Outline {
    std::uint32_t polygon = 0;  ///< whose boundary it is
    std::uint32_t begin = 0;    ///< first entry in Topology::outline_vertices
    std::uint32_t end = 0;      ///< one past the last entry
    bool hole = false;          ///< whether it bounds a hole instead of the polygon's outside
};

/// The connectivity of a polyhedron. It is immutable and shared between bodies. It may be open, non-manifold
/// or degenerate.
///
/// Half-edge h goes from vertex origin[h] to origin[next(h)] along polygon polygon_of[h]. The half-edges of
/// polygon p are polygon_begin[p] .. polygon_begin[p+1]-1, in order.
struct Topology {
    std::uint32_t vertex_count = 0;               ///< length of Polyhedron::positions
    std::vector<std::uint32_t> polygon_begin{0};  ///< first half-edge per polygon, and the end
    std::vector<std::uint32_t> origin;            ///< per half-edge: its start vertex
    /// Per half-edge: the opposite half-edge, or kNoIndex if the edge does not have exactly two uses in
    /// opposite directions.
    std::vector<std::uint32_t> twin;
    std::vector<std::uint32_t> polygon_of;    ///< per half-edge: its polygon
    std::vector<std::uint32_t> edge_of;       ///< per half-edge: its edge; kNoIndex if its ends are equal
    std::vector<std::uint32_t> vertex_first;  ///< per vertex: one outgoing half-edge, or kNoIndex
    std::vector<Edge> edges;                  ///< undirected, each once
    std::vector<Triangle> triangles;          ///< sorted by polygon
    std::vector<std::uint32_t> triangle_begin{0};  ///< polygon p has triangles triangle_begin[p] .. [p+1]-1
    /// The polygons around vertex v, ascending, without duplicates:
    /// vertex_polygons[vertex_polygon_begin[v] .. vertex_polygon_begin[v+1]).
    std::vector<std::uint32_t> vertex_polygon_begin;
    std::vector<std::uint32_t> vertex_polygons;  ///< see vertex_polygon_begin
    /// The simple loops of polygons whose boundary visits a vertex twice. Such are keyhole polygons, where a
    /// bridge (two coincident edges) connects a hole to the outer boundary. Sorted by polygon, outer loops
    /// before holes. A polygon with one simple loop has no entry; its loop is loop(p).
    std::vector<Outline> outlines;
    std::vector<std::uint32_t> outline_vertices;  ///< the vertices of the outlines, one after the other

    /// Number of polygons.
    std::uint32_t polygon_count() const { return static_cast<std::uint32_t>(polygon_begin.size() - 1); }
    /// Number of half-edges: the corners of all polygons.
    std::uint32_t half_edge_count() const { return static_cast<std::uint32_t>(origin.size()); }
    /// The next half-edge along the polygon.
    std::uint32_t next(std::uint32_t h) const {
        const std::uint32_t p = polygon_of[h];
        return h + 1 < polygon_begin[p + 1] ? h + 1 : polygon_begin[p];
    }
    /// The previous half-edge along the polygon.
    std::uint32_t prev(std::uint32_t h) const {
        const std::uint32_t p = polygon_of[h];
        return h > polygon_begin[p] ? h - 1 : polygon_begin[p + 1] - 1;
    }
    /// The vertices of polygon p, in order.
    std::span<const std::uint32_t> loop(std::uint32_t p) const {
        return {origin.data() + polygon_begin[p], origin.data() + polygon_begin[p + 1]};
    }
    /// The triangles of polygon p.
    std::span<const Triangle> triangles_of(std::uint32_t p) const {
        return {triangles.data() + triangle_begin[p], triangles.data() + triangle_begin[p + 1]};
    }
    /// The polygons that use vertex v, ascending, each once.
    std::span<const std::uint32_t> polygons_around(std::uint32_t v) const {
        return {vertex_polygons.data() + vertex_polygon_begin[v],
                vertex_polygons.data() + vertex_polygon_begin[v + 1]};
    }
    /// The simple loops of polygon p; empty if its boundary is one simple loop.
    std::span<const Outline> outlines_of(std::uint32_t p) const;
    /// The vertices of an outline, in order.
    std::span<const std::uint32_t> loop(const Outline& outline) const {
        return {outline_vertices.data() + outline.begin, outline_vertices.data() + outline.end};
    }
    /// Memory of the object and its arrays.
    std::size_t memory_bytes() const;
};

/// Connectivity and vertex positions (body frame, metres).
struct Polyhedron {
    std::shared_ptr<const Topology> topology;  ///< never null after build_polyhedron()
    std::vector<Vec3f> positions;              ///< one per vertex
};

/// Builds the connectivity in linear time and fixes the triangulation. Merges vertices of equal position (-0
/// equals 0).
///
/// Accepts broken meshes: open, non-manifold, flipped, degenerate or with duplicates. Errors: no vertices, a
/// polygon with fewer than three vertices, an index out of range, a coordinate that is not finite or larger
/// than kMaxMagnitude.
Result<Polyhedron> build_polyhedron(const PolygonList& polygons);

/// The polyhedron of a mesh after connect(), with a fixed triangulation. `positions`: one per vertex, all
/// different.
Polyhedron triangulated(Topology connected, std::vector<Vec3f> positions);

/// Merges vertices of equal position (-0 becomes 0). Vertices are numbered by first occurrence.
void merge_equal_positions(PolygonList& polygons);

/// Computes polygon_of, edges, edge_of, twin, vertex_first and the polygons around vertices from
/// vertex_count, polygon_begin and origin. build_polyhedron calls it; call it yourself only for connectivity
/// that you build yourself.
void connect(Topology& topology);

}  // namespace claybox::collision
