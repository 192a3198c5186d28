#pragma once
// The distance of a point from a convex polyhedron, by pulling a plane towards the point.
// Source: Zachmann 1994, section 3.4.1, future directions: a plane through three vertices is pulled towards
// the point by replacing one of them with a nearer vertex. That vertex is found by divide and conquer over
// the vertices sorted along x, y and z.

#include "collision/geometry/hull/hull.hpp"

#include <vector>

namespace claybox::collision {

/// The vertices of a hull sorted along x, y and z. Each order is halved recursively; each part has a bounding
/// box. Immutable and thread-safe.
class SortedVertices {
  public:
    explicit SortedVertices(const ConvexHull& hull);

    struct Found {
        std::uint32_t vertex = 0;
        std::uint32_t visited = 0;  ///< vertices and boxes
    };
    /// The vertex furthest along `d`, searched in the order of d's largest component. The half with the
    /// larger bound comes first; parts whose box cannot contain a better vertex are skipped.
    Found furthest(const Vec3d& d) const;
    Vec3d position(std::uint32_t vertex) const { return positions_[vertex]; }

  private:
    struct Box {
        Vec3f min, max;
    };
    struct Search;

    std::uint32_t parts() const { return leaves_ - 1 + leaves_; }
    void search(Search& s, std::uint32_t part, std::uint32_t begin, std::uint32_t end) const;
    Box make_boxes(std::size_t axis, std::uint32_t part, std::uint32_t begin, std::uint32_t end);

    std::uint32_t leaves_ = 1;  ///< a power of two; part p has the halves 2p + 1 and 2p + 2
    std::vector<Vec3d> positions_;
    std::vector<std::uint32_t> order_[3];
    std::vector<Box> boxes_[3];
};

struct PulledPlane {
    Vec3d point;             ///< of the hull, nearest to the given point
    bool contained = false;  ///< the given point is inside the hull, up to rounding
    std::uint32_t steps = 0, visited = 0;
};

/// The point of the hull nearest to `s` (in the hull's frame), in double. Cannot cycle: every step strictly
/// decreases the distance.
PulledPlane pull_plane(const SortedVertices& vertices, const Vec3d& s);

}  // namespace claybox::collision
