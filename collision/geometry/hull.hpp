#pragma once

#include "collision/geometry/polyhedron.hpp"

namespace claybox::collision {

/// The convex hull of a point set, ready for support searches. Vertices are original points, unchanged.
struct ConvexHull {
    int dimension = 3;  ///< 0 point, 1 segment, 2 flat polygon, 3 solid
    /// Vertex coordinates, one array each, padded to a multiple of 16 by repeating vertex 0 (lowest index
    /// wins ties).
    std::vector<float> x, y, z;
    std::uint32_t vertex_count = 0;
    /// Neighbours of vertex v: neighbours[neighbour_begin[v] .. neighbour_begin[v+1]).
    std::vector<std::uint32_t> neighbour_begin, neighbours;
    /// Faces as outward polygons over hull vertices (dimension 2 has two, dimensions 0 and 1 none).
    PolygonList faces;
    Vec3f interior;  ///< a point inside (or on a flat hull), the vertices' mean rounded to float

    Vec3f vertex(std::uint32_t v) const { return {x[v], y[v], z[v]}; }
};

/// Hull of at least one finite point; duplicates, interior and coplanar points may occur. All decisions are
/// exact: no point is in front of any face, coplanar facets are one face, and no three vertices of a face are
/// in line. Every hull stands check_hull() before it is returned. Our own rather than Qhull, which merges
/// facets by a tolerance and does not take flat sets; Qhull referees it in the tests.
Result<ConvexHull> convex_hull(std::span<const Vec3f> points);

}  // namespace claybox::collision
