#include "collision/pairwise/dobkin_kirkpatrick/dk_hierarchy.hpp"

#include "collision/core/assert.hpp"
#include "collision/geometry/predicates.hpp"
#include "collision/pairwise/gjk/point_walk.hpp"

#include <algorithm>
#include <limits>

namespace claybox::collision {

/// Removes vertices level by level, then assigns ranks and stores the lists.
class DkBuilder {
  public:
    DkBuilder(const ConvexHull& hull, std::uint32_t degree_limit, DkHierarchy& out)
        : hull_(hull), degree_limit_(degree_limit), out_(out), kept_(hull.vertex_count, 0) {}

    void run() {
        keep_simplex();
        ConvexHull level = hull_;
        remaining_.resize(hull_.vertex_count);
        for (std::uint32_t v = 0; v < remaining_.size(); ++v) remaining_[v] = v;
        sizes_.push_back(hull_.vertex_count);
        while (remaining_.size() > corners_ && remove_some(level)) {
        }
        assign_ranks();
        store_new_neighbours();
        out_.nodes_.shrink_to_fit();
        out_.near_.shrink_to_fit();
        out_.rings_.shrink_to_fit();
    }

  private:
    struct Removed {
        std::uint32_t vertex;
        std::uint32_t ring_begin, ring_end;  ///< in rings_
    };

    /// Marks a simplex of the hull's dimension, as wide as double can tell and exactly of full dimension: two
    /// distant vertices, the vertex furthest from their line (no three hull vertices are collinear), and the
    /// vertex furthest from the plane of these three among those not in it.
    void keep_simplex() {
        const auto at = [&](std::uint32_t v) { return cast<double>(hull_.vertex(v)); };
        std::uint32_t corner[4] = {};
        const auto pick = [&](auto&& measure) {
            std::uint32_t best = kNoIndex;
            double most = -1;
            for (std::uint32_t v = 0; v < hull_.vertex_count; ++v) {
                const double m = kept_[v] != 0 ? -1 : measure(v);
                if (m > most) best = v;
                most = std::max(m, most);
            }
            CLAYBOX_ASSERT(best != kNoIndex);
            corner[corners_++] = best;
            kept_[best] = 1;
        };
        const Vec3d centre = cast<double>(hull_.interior);
        pick([&](std::uint32_t v) { return length_squared(at(v) - centre); });
        if (hull_.dimension > 0) pick([&](std::uint32_t v) { return length_squared(at(v) - at(corner[0])); });
        const Vec3d u = at(corner[1]) - at(corner[0]);
        if (hull_.dimension > 1)
            pick([&](std::uint32_t v) { return length_squared(cross(u, at(v) - at(corner[0]))); });
        if (hull_.dimension < 3) return;
        const Vec3d n = cross(u, at(corner[2]) - at(corner[0]));
        pick([&](std::uint32_t v) {
            const bool flat = orient3d(hull_.vertex(corner[0]), hull_.vertex(corner[1]),
                                       hull_.vertex(corner[2]), hull_.vertex(v)) == 0;
            return flat ? -1 : std::abs(dot(n, at(v) - at(corner[0])));
        });
    }

    /// A maximal set of vertices of limited degree, no two of them neighbours. Vertices with few neighbours
    /// come first, which yields a larger set than the original order. At least half of a polyhedron's
    /// vertices have at most eight neighbours, so one exists besides the kept corners. With a smaller limit
    /// the vertex with the fewest neighbours is removed alone.
    std::vector<char> independent_set(const ConvexHull& level) const {
        const std::uint32_t n = level.vertex_count;
        const auto degree = [&](std::uint32_t v) {
            return level.neighbour_begin[v + 1] - level.neighbour_begin[v];
        };
        std::vector<std::uint32_t> order;
        for (std::uint32_t v = 0; v < n; ++v)
            if (kept_[remaining_[v]] == 0) order.push_back(v);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return degree(a) < degree(b); });
        std::vector<char> taken(n, 0), marked(n, 0);
        for (const std::uint32_t v : order) {
            if (marked[v] != 0 || (degree(v) > degree_limit_ && v != order[0])) continue;
            taken[v] = 1;
            for (std::uint32_t i = level.neighbour_begin[v]; i < level.neighbour_begin[v + 1]; ++i)
                marked[level.neighbours[i]] = 1;
        }
        return taken;
    }

    /// Computes the next level: `level` becomes the hull of its remaining vertices.
    bool remove_some(ConvexHull& level) {
        const std::vector<char> taken = independent_set(level);
        std::vector<std::uint32_t> rest;
        std::vector<Vec3f> points;
        for (std::uint32_t v = 0; v < level.vertex_count; ++v) {
            if (taken[v] != 0) continue;
            rest.push_back(remaining_[v]);
            points.push_back(level.vertex(v));
        }
        Result<ConvexHull> next = convex_hull(points);
        // The hull of any subset of a hull's vertices has all of them as vertices.
        CLAYBOX_ASSERT(next.ok() && next.value().vertex_count == rest.size());
        if (!next.ok() || next.value().vertex_count != rest.size()) return false;
        for (std::uint32_t v = 0; v < level.vertex_count; ++v) {
            if (taken[v] == 0) continue;
            const auto begin = static_cast<std::uint32_t>(rings_.size());
            for (std::uint32_t i = level.neighbour_begin[v]; i < level.neighbour_begin[v + 1]; ++i)
                rings_.push_back(remaining_[level.neighbours[i]]);
            removed_.push_back({remaining_[v], begin, static_cast<std::uint32_t>(rings_.size())});
        }
        remaining_ = std::move(rest);
        level = std::move(next).value();
        sizes_.push_back(level.vertex_count);
        return true;
    }

    /// Assigns ranks: first the remaining vertices, then the removed ones, those of the last level first.
    /// Converts the rings to ranks.
    void assign_ranks() {
        const std::uint32_t n = hull_.vertex_count;
        rank_.assign(n, 0);
        std::vector<Removed> by_rank;
        for (const std::uint32_t v : remaining_) by_rank.push_back({v, 0, 0});
        for (std::size_t end = removed_.size(), l = sizes_.size() - 1; l-- > 0;) {
            const std::size_t begin = end - (sizes_[l] - sizes_[l + 1]);
            by_rank.insert(by_rank.end(), removed_.begin() + static_cast<std::ptrdiff_t>(begin),
                           removed_.begin() + static_cast<std::ptrdiff_t>(end));
            end = begin;
        }
        out_.ring_begin_.push_back(0);
        for (std::uint32_t r = 0; r < n; ++r) {
            const Vec3f p = hull_.vertex(by_rank[r].vertex);
            out_.nodes_.push_back({p.x, p.y, p.z, by_rank[r].vertex});
            rank_[by_rank[r].vertex] = r;
        }
        for (const Removed& removed : by_rank) {
            for (std::uint32_t i = removed.ring_begin; i < removed.ring_end; ++i)
                out_.rings_.push_back(rank_[rings_[i]]);
            out_.ring_begin_.push_back(static_cast<std::uint32_t>(out_.rings_.size()));
        }
        out_.sizes_ = sizes_;
    }

    /// Inverts the rings: for each vertex and level, the neighbours that the level adds.
    void store_new_neighbours() {
        const std::size_t levels = sizes_.size();
        out_.level_begin_.assign(levels, 0);
        for (std::size_t l = 0; l + 1 < levels; ++l) {
            out_.level_begin_[l] = static_cast<std::uint32_t>(out_.near_begin_.size());
            std::vector<std::uint32_t> count(sizes_[l + 1] + 1, 0);
            const auto each = [&](auto&& visit) {
                for (std::uint32_t r = sizes_[l + 1]; r < sizes_[l]; ++r)
                    for (const std::uint32_t v : out_.ring(r)) visit(v, r);
            };
            each([&](std::uint32_t v, std::uint32_t) { ++count[v + 1]; });
            count[0] = static_cast<std::uint32_t>(out_.near_.size());
            for (std::uint32_t v = 0; v < sizes_[l + 1]; ++v) count[v + 1] += count[v];
            out_.near_begin_.insert(out_.near_begin_.end(), count.begin(), count.end());
            out_.near_.resize(count.back());
            each([&](std::uint32_t v, std::uint32_t r) {
                out_.near_[count[v]] = out_.nodes_[r];
                out_.near_[count[v]++].index = r;
            });
        }
    }

    const ConvexHull& hull_;
    std::uint32_t degree_limit_;
    DkHierarchy& out_;
    std::uint32_t corners_ = 0;  ///< of the simplex
    std::vector<char> kept_;     ///< per hull vertex: belongs to the simplex
    std::vector<std::uint32_t> remaining_, rank_, sizes_, rings_;
    std::vector<Removed> removed_;
};

DkHierarchy::DkHierarchy(const ConvexHull& hull, std::uint32_t degree_limit) {
    DkBuilder(hull, degree_limit, *this).run();
}

std::uint32_t DkHierarchy::top_level(std::uint32_t rank) const {
    std::uint32_t level = level_count() - 1;
    while (rank >= sizes_[level]) --level;
    return level;
}

std::size_t DkHierarchy::memory_bytes() const {
    return sizeof *this + (nodes_.capacity() + near_.capacity()) * sizeof(Node) +
           (sizes_.capacity() + ring_begin_.capacity() + rings_.capacity() + level_begin_.capacity() +
            near_begin_.capacity()) *
               sizeof(std::uint32_t);
}

namespace {

/// The walk of one descent.
class ClosestDescent {
  public:
    ClosestDescent(const DkHierarchy& h, const Vec3d& s) : h_(h), walk_(s) { walk_.add(at(0), 0); }

    DkClosest run() {
        std::uint32_t level = h_.level_count() - 1;
        approach([&] { return best_of_last(); });
        while (level-- > 0 && !walk_.inside()) {
            const DkHierarchy::Found found = h_.refine(walk_.corner(), walk_.direction(), level);
            out_.visited += found.visited;
            if (found.rank < h_.level_size(level + 1) || !walk_.improves(at(found.rank))) continue;
            ++out_.levels;
            walk_.add(at(found.rank), found.rank);
            approach([&] { return best_around(found.rank); });
        }
        // Checks the result on the whole hull and continues if rounding misled the descent.
        out_.repairs = approach([&] {
            const DkHierarchy::Found found = h_.descend(walk_.direction());
            out_.visited += found.visited;
            return found.rank;
        });
        out_.contained = walk_.inside();
        out_.point = walk_.point();
        return out_;
    }

  private:
    Vec3d at(std::uint32_t rank) const { return cast<double>(h_.position(rank)); }

    /// Adds the vertices found by `support` until none is nearer; returns their number. Terminates because
    /// distances strictly decrease.
    template <class Support>
    std::uint32_t approach(Support&& support) {
        for (std::uint32_t added = 0;; ++added) {
            if (walk_.inside()) return added;
            const std::uint32_t rank = support();
            if (!walk_.improves(at(rank)) || !walk_.add(at(rank), rank)) return added;
        }
    }

    void offer(std::uint32_t rank, std::uint32_t& best, double& most) {
        ++out_.visited;
        const double v = dot(walk_.direction(), at(rank));
        if (v > most) {
            most = v;
            best = rank;
        }
    }
    std::uint32_t best_of_last() {
        std::uint32_t best = 0;
        double most = -std::numeric_limits<double>::infinity();
        for (std::uint32_t r = 0; r < h_.level_size(h_.level_count() - 1); ++r) offer(r, best, most);
        return best;
    }
    std::uint32_t best_around(std::uint32_t apex) {
        std::uint32_t best = apex;
        double most = -std::numeric_limits<double>::infinity();
        offer(apex, best, most);
        for (const std::uint32_t r : h_.ring(apex)) offer(r, best, most);
        return best;
    }

    const DkHierarchy& h_;
    PointWalk walk_;
    DkClosest out_;
};

}  // namespace

DkClosest dk_closest_point(const DkHierarchy& hierarchy, const Vec3d& s) {
    return ClosestDescent(hierarchy, s).run();
}

}  // namespace claybox::collision
