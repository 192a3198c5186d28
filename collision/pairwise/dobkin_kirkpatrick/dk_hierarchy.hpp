#pragma once
// The Dobkin-Kirkpatrick hierarchy of a convex hull: a sequence of shrinking polytopes inside it. Each is the
// hull of the next finer one without an independent set of vertices (no two of them are neighbours).
// Source: Dobkin, Kirkpatrick, A linear algorithm for determining the separation of convex polyhedra, 1985;
// Chong's notes, hierarchical polyhedron representations; Chung and Wang, section 5 and lemma 5. The three
// number the levels differently (FIX-3): here level 0 is the whole hull and the last level a simplex.

#include "collision/geometry/hull/hull.hpp"
#include "collision/pairwise/support/support.hpp"

#include <span>
#include <vector>

namespace claybox::collision {

/// A level keeps vertices with more neighbours than this (the notes' figure).
inline constexpr std::uint32_t kDkDegreeLimit = 8;

/// Immutable and thread-safe. Vertices are numbered by *rank*: first the vertices of the coarsest level, then
/// those that each finer level adds. Level l consists of the ranks below level_size(l).
class DkHierarchy {
  public:
    /// Builds every level's hull in exact arithmetic. Sizes shrink by a constant factor per level, so the
    /// cost is about four times that of the hull. The final simplex (dimension + 1 corners in general
    /// position) is chosen first and never removed, so no level is flat.
    explicit DkHierarchy(const ConvexHull& hull, std::uint32_t degree_limit = kDkDegreeLimit);

    std::uint32_t level_count() const { return static_cast<std::uint32_t>(sizes_.size()); }
    std::uint32_t level_size(std::uint32_t level) const { return sizes_[level]; }
    std::uint32_t vertex(std::uint32_t rank) const { return nodes_[rank].index; }  ///< of the hull
    Vec3f position(std::uint32_t rank) const { return {nodes_[rank].x, nodes_[rank].y, nodes_[rank].z}; }
    /// The coarsest level that contains this rank. The vertex was removed from that level, unless it is the
    /// last one.
    std::uint32_t top_level(std::uint32_t rank) const;
    /// The neighbours (ranks) of a vertex on the level it was removed from. Empty for the vertices of the
    /// last level.
    std::span<const std::uint32_t> ring(std::uint32_t rank) const {
        return {rings_.data() + ring_begin_[rank], ring_begin_[rank + 1] - ring_begin_[rank]};
    }

    /// The result of a search: a rank, and the number of vertices visited.
    struct Found {
        std::uint32_t rank = 0, visited = 0;
    };
    /// The support of `level` along `d` (in the hull's frame, any length), searched from the top: O(levels)
    /// if degrees are bounded. As computed in T.
    template <class T>
    Found descend(const Vec3<T>& d, std::uint32_t level = 0) const;
    /// The support of `level` along `d`, given the support of the next coarser level: the same vertex or one
    /// of the neighbours that this level adds to it (lemma 5).
    template <class T>
    Found refine(std::uint32_t rank, const Vec3<T>& d, std::uint32_t level) const;

    std::size_t memory_bytes() const;

  private:
    friend class DkBuilder;

    struct Node {
        float x, y, z;
        std::uint32_t index;  ///< in nodes_ the hull's vertex, in near_ the rank
    };

    template <class T>
    static T value(const Node& n, const Vec3<T>& d) {
        return d.x * T(n.x) + d.y * T(n.y) + d.z * T(n.z);
    }
    /// Inline, so that the best value stays in a register from level to level.
    template <class T>
    [[gnu::always_inline]] inline Found step(Found from, T& best, const Vec3<T>& d,
                                             std::uint32_t level) const;

    std::vector<std::uint32_t> sizes_;  ///< per level
    std::vector<Node> nodes_;           ///< per rank
    std::vector<std::uint32_t> ring_begin_, rings_;
    /// For each vertex of level l + 1: its neighbours that only level l has, stored with their positions for
    /// sequential access. near_[near_begin_[level_begin_[l] + rank] ..] up to the start of the next rank.
    std::vector<std::uint32_t> level_begin_, near_begin_;
    std::vector<Node> near_;
};

template <class T>
DkHierarchy::Found DkHierarchy::step(Found from, T& best, const Vec3<T>& d, std::uint32_t level) const {
    const std::uint32_t* const begin = near_begin_.data() + level_begin_[level] + from.rank;
    const Node* const end = near_.data() + begin[1];
    Found out{from.rank, from.visited + begin[1] - begin[0]};
    for (const Node* n = near_.data() + begin[0]; n != end; ++n) {
        const T v = value(*n, d);
        if (v > best) {
            best = v;
            out.rank = n->index;
        }
    }
    return out;
}

template <class T>
DkHierarchy::Found DkHierarchy::descend(const Vec3<T>& d, std::uint32_t level) const {
    std::uint32_t l = level_count() - 1;
    Found found{0, sizes_[l]};
    T best = value(nodes_[0], d);
    for (std::uint32_t r = 1; r < sizes_[l]; ++r) {
        const T v = value(nodes_[r], d);
        if (v > best) {
            best = v;
            found.rank = r;
        }
    }
    while (l > level) found = step(found, best, d, --l);
    return found;
}

template <class T>
DkHierarchy::Found DkHierarchy::refine(std::uint32_t rank, const Vec3<T>& d, std::uint32_t level) const {
    T best = value(nodes_[rank], d);
    return step({rank, 0}, best, d, level);
}

/// The hull's vertex furthest along `d`. Descends the hierarchy, then climbs on the hull itself: this
/// corrects rounding errors of the descent, and the vertex is best among its neighbours as computed in T.
inline std::uint32_t dk_support(const DkHierarchy& hierarchy, const ConvexHull& hull, const Vec3f& d) {
    return support_vertex(hull, d, hierarchy.vertex(hierarchy.descend(d).rank), SupportMethod::climb);
}
inline std::uint32_t dk_support(const DkHierarchy& hierarchy, const ConvexHull& hull, const Vec3d& d) {
    return support_vertex(hull, d, hierarchy.vertex(hierarchy.descend(d).rank));
}

/// The point of the hull nearest to a given point.
struct DkClosest {
    Vec3d point;
    bool contained = false;     ///< the given point is inside the hull, up to rounding
    std::uint32_t levels = 0;   ///< levels with a vertex beyond the supporting plane
    std::uint32_t visited = 0;  ///< vertices
    /// vertices found only by the final check on the whole hull, because of rounding
    std::uint32_t repairs = 0;
};

/// Finds the nearest point by descent. R is the nearest point of a level, H the plane through R perpendicular
/// to S - R. At most one vertex of the next finer level is beyond H: those beyond H are connected, and no two
/// added vertices are neighbours. Either R stays, or the nearest point is in the hull of that vertex and its
/// ring, O(1) points. S = R means contained. In double, to about 1e-15 of the hull's size and distance.
DkClosest dk_closest_point(const DkHierarchy& hierarchy, const Vec3d& s);

}  // namespace claybox::collision
