#pragma once
// Zachmann's point-in-polyhedron test (thesis, 3.5.1): the one-shot method in space. A ray from the point
// along +x is tested against all polygons, nearly always by comparing coordinates only. A ray is singular if
// it hits an edge or a vertex, runs in a polygon's plane, or comes closer to one than rounding allows; the
// caller then discards the point and tries another.

#include "collision/pairwise/random_points/polygon_box_tree.hpp"

namespace claybox::collision {

enum class PointSide : unsigned char { outside, inside, singular };

struct PointTestCounts {
    std::uint64_t boxes = 0;     ///< tested: of runs of polygons, of tree nodes and of polygons
    std::uint64_t polygons = 0;  ///< that passed the coordinate pre-checks
    std::uint64_t edges = 0;     ///< of these, tested
    std::uint64_t products = 0;  ///< edges that coordinates alone did not decide
    std::uint64_t planes = 0;    ///< triangles next to the point whose plane was tested
};

/// The side of a closed mesh on which a point lies. The point is in the mesh's own frame, with an error of at
/// most `error` per coordinate; inside and outside are certain. O(polygons); O(polygons / kBoxRun) if they
/// are spread out; with a tree of this geometry O(polygons near the ray + log polygons), with the same
/// answer.
PointSide point_in_polyhedron(const Geometry& geometry, const Vec3d& q, double error, PointTestCounts& counts,
                              const PolygonBoxTree* tree = nullptr);

}  // namespace claybox::collision
