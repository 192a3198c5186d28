#pragma once
// Selects the vertices of a body that are columns of the interior point method's program.
// Source: A Linear Programming Solution for Exact Collision Detection, sections 4.2 and 4.3, end.

#include "collision/geometry/hull/hull.hpp"
#include "collision/geometry/transform.hpp"

#include <span>

namespace claybox::collision {

/// A vertex that is a column of the program.
struct IpColumn {
    std::uint32_t vertex = 0;
    /// in this frame; such a column is not dropped again, which prevents cycling (FIX-12)
    bool added = false;
    double weight = 0;
    double slack = 0;
};

/// One body's columns, and the heights of its vertices along the plane's normal. Borrows everything.
struct IpSide {
    const ConvexHull* hull = nullptr;
    const Matrix34d* about_a_from_hull = nullptr;
    double sign = 1;  ///< +1 for A, with supports along the normal; -1 for B
    std::span<IpColumn> column_storage;
    std::size_t count = 0;
    std::span<double> along;         ///< reach() of every vertex; empty if only neighbours are visited
    std::span<std::uint32_t> order;  ///< buffer of choose_nearest(), of the same length
    std::uint32_t support = 0;
    Vec3d normal;               ///< sign * the plane's normal, in the hull's frame
    std::uint32_t visited = 0;  ///< vertices visited in all searches

    std::span<IpColumn> columns() const { return column_storage.first(count); }
    Vec3d point(std::uint32_t v) const { return transform_point(*about_a_from_hull, hull->vertex(v)); }
    double reach(std::uint32_t v) const { return dot(normal, cast<double>(hull->vertex(v))); }
    bool has(std::uint32_t v) const { return has(v, count); }
    /// False if the vertex is a column already or the storage is full.
    bool add(std::uint32_t v, bool added);

    /// Finds the support along sign * plane_normal: among all vertices, storing their reaches, or by climbing
    /// from the last support, which on a convex body ends at the furthest as well.
    void evaluate(const Vec3d& plane_normal);
    /// Section 4.2: adds the vertices with the smallest slacks until there are `wanted` columns. Within one
    /// body these are the furthest along the normal.
    void choose_nearest(std::size_t wanted);
    /// The closest features: adds the support and the vertices around it, ring by ring.
    void choose_around_support(std::size_t wanted);
    /// Section 4.3, end: adds at most `max_added` vertices whose reach exceeds the bound as columns, the
    /// worst first. Each replaces the column with the largest slack that was not itself added in this frame;
    /// if there is none, the program grows. Returns the number added.
    std::uint32_t add_violating(double bound, std::uint32_t max_added);

  private:
    bool has(std::uint32_t v, std::size_t among_first) const;
    void climb();
    std::uint32_t worst_missing() const;
};

}  // namespace claybox::collision
