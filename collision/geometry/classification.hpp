#pragma once

#include "collision/geometry/polyhedron.hpp"

#include <optional>
#include <string>

namespace claybox::collision {

enum class DefectKind : unsigned char {
    boundary_edge,       ///< an edge with one polygon
    nonmanifold_edge,    ///< an edge with more than two polygons
    flipped_edge,        ///< a directed edge used twice: neighbours disagree about outside
    degenerate_polygon,  ///< all vertices in line, or one repeated at once
    duplicate_polygon,   ///< the same vertices as an earlier polygon, in any order
    vertex_fan,          ///< the polygons around a vertex are not one fan
    bent_polygon,        ///< its vertices are not in one plane
    isolated_vertex,     ///< used by no polygon
};

/// `word` of a kind as it stands in `inspect` output, e.g. "boundary_edge".
const char* to_string(DefectKind kind);

/// A defect and its two suspects: edges name their vertices, polygons themselves and (for duplicates) the
/// earlier one.
struct Defect {
    DefectKind kind;
    std::uint32_t first = kNoIndex;
    std::uint32_t second = kNoIndex;
};

/// A sentence fragment that names the place: "edge 3-7", "polygon 12".
std::string describe_place(const Defect& defect);

/// What a polyhedron is, decided exactly, counted after vertices of equal position are merged.
struct Classification {
    std::uint32_t vertices = 0, edges = 0, polygons = 0, triangles = 0;
    bool closed = false;    ///< no edge with only one polygon
    bool manifold = false;  ///< no edge with more than two
    bool oriented = false;  ///< no directed edge twice
    bool planar_polygons = false;
    bool convex_polygons = false;  ///< bent ones by their outline; a zero-area polygon is not convex
    bool convex = false;           ///< closed, manifold, oriented, and the boundary of its convex hull
    std::uint32_t components = 0;  ///< through shared edges
    std::optional<int> genus;      ///< only when closed, manifold, oriented, connected, with simple fans
    std::uint32_t degenerate_polygons = 0, boundary_edges = 0, nonmanifold_edges = 0;
    bool vertex_fans_ok = false;  ///< around every vertex the polygons hang together through edges
    std::vector<Defect> defects;
};

Classification classify(const Polyhedron& polyhedron);

}  // namespace claybox::collision
