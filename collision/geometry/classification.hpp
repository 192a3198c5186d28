#pragma once

#include "collision/geometry/polyhedron.hpp"

#include <array>
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

/// A defect, its place and its two suspects. The place: an edge's two vertices, a vertex, or a polygon (and,
/// for duplicates, the earlier one). The suspects are two polygons one of which, at least, is wrong; which
/// one cannot be told from the place alone. kNoIndex where there is no such polygon: a border has one, a
/// polygon without area or bent has itself, an isolated vertex none.
struct Defect {
    DefectKind kind;
    std::uint32_t first = kNoIndex;
    std::uint32_t second = kNoIndex;
    std::array<std::uint32_t, 2> suspects{kNoIndex, kNoIndex};
};

/// A sentence fragment that names the place: "edge 3-7", "polygon 12".
std::string describe_place(const Defect& defect);

/// The suspects: "polygons 4 and 9", "polygon 4"; empty when there are none.
std::string describe_suspects(const Defect& defect);

/// What a polyhedron is, decided exactly, counted after vertices of equal position are merged.
struct Classification {
    std::uint32_t vertices = 0, edges = 0, polygons = 0, triangles = 0;
    bool closed = false;    ///< no edge with only one polygon
    bool manifold = false;  ///< no edge with more than two
    bool oriented = false;  ///< no directed edge twice
    bool planar_polygons = false;
    bool convex_polygons = false;  ///< bent ones by their outline; a zero-area polygon is not convex
    /// Closed, manifold, oriented, and the boundary of its convex hull; no polygon bent on purpose (see
    /// polygon_plane.hpp), so that our choice of diagonals makes no convex solid of a twisted one.
    bool convex = false;
    std::uint32_t components = 0;                   ///< through shared edges
    std::vector<std::uint32_t> component_vertices;  ///< one of each component
    std::optional<int> genus;  ///< only when closed, manifold, oriented, connected, with simple fans
    std::uint32_t degenerate_polygons = 0, boundary_edges = 0, nonmanifold_edges = 0;
    std::uint32_t keyhole_polygons = 0;  ///< with at least one hole
    double largest_bend = 0;             ///< of a corner from its polygon's best-fit plane, metres
    bool vertex_fans_ok = false;         ///< around every vertex the polygons hang together through edges
    std::vector<Defect> defects;
};

Classification classify(const Polyhedron& polyhedron);

}  // namespace claybox::collision
