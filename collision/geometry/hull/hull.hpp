#pragma once
/// \file
/// Exact convex hulls.

#include "collision/geometry/polyhedron.hpp"

namespace claybox::collision {

/// The convex hull of a point set, prepared for support queries. Its vertices are unchanged input points.
struct ConvexHull {
    int dimension = 3;  ///< 0 point, 1 segment, 2 flat polygon, 3 solid
    /// Vertex coordinates, one array per axis, padded to a multiple of 16 with copies of vertex 0. Scans
    /// prefer the lowest index at ties, so they never return a padding entry.
    std::vector<float> x;
    std::vector<float> y;            ///< like x
    std::vector<float> z;            ///< like x
    std::uint32_t vertex_count = 0;  ///< without padding
    /// The neighbours of vertex v, ascending: neighbours[neighbour_begin[v] .. neighbour_begin[v+1]).
    std::vector<std::uint32_t> neighbour_begin;
    std::vector<std::uint32_t> neighbours;  ///< see neighbour_begin
    /// The faces as polygons over hull vertices, counter-clockwise seen from outside. Dimension 2 has two
    /// faces, dimensions 0 and 1 have none.
    PolygonList faces;
    Vec3f interior;  ///< the mean of the vertices, rounded to float: inside the hull, or near a flat one

    /// Vertex v < vertex_count.
    Vec3f vertex(std::uint32_t v) const { return {x[v], y[v], z[v]}; }
};

/// The convex hull of at least one point. Duplicate, interior and coplanar points are allowed.
///
/// All decisions are exact: no point is in front of any face, coplanar facets form one face, and no three
/// vertices of a face are collinear. Every hull passes check_hull() before it is returned. We do not use
/// Qhull: it merges facets by a tolerance and rejects flat sets. The tests compare against it. Errors: no
/// points, or a coordinate that is not finite or larger than kMaxMagnitude.
Result<ConvexHull> convex_hull(std::span<const Vec3f> points);

/// A hull and the connectivity of its faces.
struct ConnectedHull {
    ConvexHull hull;    ///< as convex_hull() returns it
    Topology topology;  ///< of hull.faces, after connect()
};

/// Like convex_hull(), for callers that need the connectivity too: the check of the hull has computed it.
Result<ConnectedHull> connected_convex_hull(std::span<const Vec3f> points);

}  // namespace claybox::collision
