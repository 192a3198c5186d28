#pragma once
// Which vertices of a body are columns of the interior point method's program.
// Source: A Linear Programming Solution for Exact Collision Detection, sections 4.2 and 4.3, end.

#include "collision/geometry/hull.hpp"
#include "collision/geometry/transform.hpp"

#include <span>

namespace claybox::collision {

/// A vertex that is a column of the program.
struct IpColumn {
    std::uint32_t vertex = 0;
    bool added = false;  ///< in this frame, so it is not dropped again: no cycling (FIX-12)
    double weight = 0;
    double slack = 0;
};

/// One body's columns, and how far its vertices lie along the plane's normal. Borrows everything.
struct IpSide {
    const ConvexHull* hull = nullptr;
    const Matrix34d* about_a_from_hull = nullptr;
    double sign = 1;  ///< +1 for A, whose supports lie along the normal, -1 for B
    std::span<IpColumn> room;
    std::size_t count = 0;
    std::span<double> along;         ///< reach() of every vertex; empty when only neighbours are looked at
    std::span<std::uint32_t> order;  ///< room to sort, as long
    std::uint32_t support = 0;
    Vec3d normal;              ///< sign * the plane's normal, in the hull's frame
    std::uint32_t looked = 0;  ///< at vertices, in all searches

    std::span<IpColumn> columns() const { return room.first(count); }
    Vec3d point(std::uint32_t v) const { return transform_point(*about_a_from_hull, hull->vertex(v)); }
    double reach(std::uint32_t v) const { return dot(normal, cast<double>(hull->vertex(v))); }
    bool has(std::uint32_t v) const { return has(v, count); }
    /// False when it is a column already, or there is no room.
    bool take(std::uint32_t v, bool added);

    /// Finds the support along sign * plane_normal: among all vertices, whose reaches are noted, or by
    /// climbing from the last support, which on a convex body ends at the furthest as well.
    void look(const Vec3d& plane_normal);
    /// Section 4.2: the vertices with the smallest slacks, which of one body are those furthest along the
    /// normal, until there are `wanted` columns.
    void choose_nearest(std::size_t wanted);
    /// The closest features: the support and what lies around it, ring by ring.
    void choose_around_support(std::size_t wanted);
    /// Section 4.3, end: vertices whose reach is over the bound become columns, the worst first, `most` at
    /// the most. Each takes the place of the column with the largest slack that was not itself added in this
    /// frame; where there is none, the program grows. Returns how many.
    std::uint32_t add_violating(double bound, std::uint32_t most);

  private:
    bool has(std::uint32_t v, std::size_t among_first) const;
    void climb();
    std::uint32_t worst_missing() const;
};

}  // namespace claybox::collision
