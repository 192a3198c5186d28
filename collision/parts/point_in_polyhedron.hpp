#pragma once
// Zachmann's point-in-polyhedron test (thesis, 3.5.1): the one-shot method in space. A ray from the point
// along +x is tested against all polygons, nearly always by comparisons of coordinates alone. A ray that
// meets an edge or a vertex, runs in a polygon's plane, or comes so near to one that rounding could tell it
// wrong, is singular: the caller dismisses the point and takes another.

#include "collision/parts/polygon_box_tree.hpp"

namespace claybox::collision {

enum class PointSide : unsigned char { outside, inside, singular };

struct PointTestCounts {
    std::uint64_t boxes = 0;     ///< of runs of polygons, of nodes of a tree and of polygons, asked
    std::uint64_t polygons = 0;  ///< that the coordinate pre-checks did not dismiss
    std::uint64_t edges = 0;     ///< of these, asked
    std::uint64_t products = 0;  ///< edges that coordinates alone did not decide
    std::uint64_t planes = 0;    ///< triangles whose plane had to be asked where the point is
};

/// Where a point of the mesh's own frame, each coordinate off by at most `error`, lies against a closed mesh:
/// inside and outside are certain. O(polygons), O(polygons / kBoxRun) where they are spread; with a tree of
/// this geometry O(polygons that the ray may meet + log polygons), and the same answer.
PointSide point_in_polyhedron(const Geometry& geometry, const Vec3d& q, double error, PointTestCounts& counts,
                              const PolygonBoxTree* tree = nullptr);

}  // namespace claybox::collision
