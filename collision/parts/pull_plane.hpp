#pragma once
// The distance of a point from a convex polyhedron by pulling a plane towards it.
// Source: Zachmann 1994, section 3.4.1, future directions: a plane through three vertices is pulled towards
// the point by replacing one of them with a vertex nearer to it, found by divide and conquer over the
// vertices sorted along x, y and z.

#include "collision/geometry/hull.hpp"

#include <vector>

namespace claybox::collision {

/// The vertices of a hull in three orders, along x, y and z, each halved again and again, with the box of
/// every part. Immutable and thread-safe.
class SortedVertices {
  public:
    explicit SortedVertices(const ConvexHull& hull);

    struct Found {
        std::uint32_t vertex = 0;
        std::uint32_t looked = 0;  ///< vertices and boxes
    };
    /// The vertex furthest along `d`, in the order of its largest component: the half that may hold more
    /// comes first, and parts whose box holds nothing further are passed over.
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
    Vec3d point;             ///< of the hull, nearest to the given one
    bool contained = false;  ///< the given point lies in the hull, within rounding
    std::uint32_t steps = 0, looked = 0;
};

/// The point of the hull nearest to `s` (in its frame), in double. Cannot circle: the distance is strictly
/// smaller after every step.
PulledPlane pull_plane(const SortedVertices& vertices, const Vec3d& s);

}  // namespace claybox::collision
