#pragma once
/// \file
/// Classifies a mesh exactly (closed, manifold, convex, ...) and lists its defects.
/// docs/explanation/geometry.md explains the classes.

#include "collision/geometry/polyhedron.hpp"

#include <array>
#include <optional>
#include <string>

namespace claybox::collision {

/// Kinds of mesh defects.
enum class DefectKind : unsigned char {
    boundary_edge,       ///< an edge with one polygon
    nonmanifold_edge,    ///< an edge with more than two polygons
    flipped_edge,        ///< two polygons use an edge in the same direction: their orientations disagree
    degenerate_polygon,  ///< all vertices are on one line, or two successive vertices are equal
    duplicate_polygon,   ///< same vertices as an earlier polygon, in any order
    vertex_fan,          ///< the polygons around a vertex form more than one fan
    bent_polygon,        ///< the vertices are not in one plane
    isolated_vertex,     ///< no polygon uses the vertex
};

/// The name of the kind as `inspect` prints it, e.g. "boundary_edge".
const char* to_string(DefectKind kind);

/// One defect. Polygon indices refer to the order of the input, vertex indices to the merged vertices; both
/// count from 0.
///
/// `first` and `second` locate it: an edge's two vertices; a vertex; or a polygon, for duplicates followed by
/// the earlier polygon. At least one of the `suspects` is wrong; the mesh alone does not show which. Unused
/// entries are kNoIndex: a boundary edge has one suspect, a degenerate or bent polygon is its own suspect, an
/// isolated vertex has none.
struct Defect {
    DefectKind kind;                                            ///< what is wrong
    std::uint32_t first = kNoIndex;                             ///< where: the first number
    std::uint32_t second = kNoIndex;                            ///< where: the second number
    std::array<std::uint32_t, 2> suspects{kNoIndex, kNoIndex};  ///< polygons, one of which is wrong
};

/// The location as text: "edge 3-7", "polygon 12".
std::string describe_location(const Defect& defect);

/// The suspects as text: "polygons 4 and 9", "polygon 4"; empty if there are none.
std::string describe_suspects(const Defect& defect);

/// The properties of a polyhedron. All decisions are exact. Vertices of equal position count as one.
struct Classification {
    std::uint32_t vertices = 0;    ///< after merging equal positions
    std::uint32_t edges = 0;       ///< undirected, each counted once
    std::uint32_t polygons = 0;    ///< as in the input
    std::uint32_t triangles = 0;   ///< of the fixed triangulation
    bool closed = false;           ///< no edge has only one polygon
    bool manifold = false;         ///< no edge has more than two polygons
    bool oriented = false;         ///< no two polygons use an edge in the same direction
    bool planar_polygons = false;  ///< every polygon is exactly planar
    bool convex_polygons = false;  ///< every polygon has area and a convex (projected) outline
    /// The surface is closed, manifold, oriented, connected, of genus 0, and the boundary of its convex hull.
    /// No polygon is bent on purpose (see is_bent_on_purpose), so the choice of diagonals never turns a
    /// twisted solid into a convex one.
    bool convex = false;
    std::uint32_t components = 0;                   ///< sets of polygons connected through shared edges
    std::vector<std::uint32_t> component_vertices;  ///< one vertex of each component
    std::optional<int> genus;  ///< only if closed, manifold, oriented, connected, and vertex_fans_ok
    std::uint32_t degenerate_polygons = 0;  ///< number of defects of this kind, like the next two
    std::uint32_t boundary_edges = 0;       ///< zero if and only if closed
    std::uint32_t nonmanifold_edges = 0;    ///< zero if and only if manifold
    std::uint32_t keyhole_polygons = 0;     ///< polygons with at least one hole
    double largest_bend = 0;      ///< largest distance of a corner from its polygon's best-fit plane, metres
    bool vertex_fans_ok = false;  ///< around every vertex the polygons are connected through edges
    std::vector<Defect> defects;  ///< all of them, or the first ones: see Shape::classification
};

/// Classifies a polyhedron. Thread-safe.
Classification classify(const Polyhedron& polyhedron);

/// What classify() finds for the polyhedron of a hull of dimension 3 that passed check_hull(), which has
/// decided all of it.
Classification classification_of_hull(const Topology& topology);

}  // namespace claybox::collision
