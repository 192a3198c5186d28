#include "collision/parts/dk_hierarchy.hpp"

#include "collision/core/assert.hpp"
#include "collision/geometry/predicates.hpp"
#include "collision/parts/point_walk.hpp"

#include <algorithm>
#include <limits>

namespace claybox::collision {

/// Takes vertices away level by level, then numbers them and lays the lists out.
class DkBuilder {
  public:
    DkBuilder(const ConvexHull& hull, std::uint32_t degree_limit, DkHierarchy& out)
        : hull_(hull), degree_limit_(degree_limit), out_(out), kept_(hull.vertex_count, 0) {}

    void run() {
        keep_simplex();
        ConvexHull level = hull_;
        left_.resize(hull_.vertex_count);
        for (std::uint32_t v = 0; v < left_.size(); ++v) left_[v] = v;
        sizes_.push_back(hull_.vertex_count);
        while (left_.size() > corners_ && remove_some(level)) {
        }
        number();
        lay_out();
        out_.nodes_.shrink_to_fit();
        out_.near_.shrink_to_fit();
        out_.rings_.shrink_to_fit();
    }

  private:
    struct Removed {
        std::uint32_t vertex;
        std::uint32_t ring_begin, ring_end;  ///< in rings_
    };

    /// Marks a simplex of the hull's dimension, wide as far as double can tell and of full dimension exactly:
    /// two vertices far apart, the one furthest from their line (no three vertices of a hull are in line),
    /// and the one furthest from their plane among those that are not in it.
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

    /// A maximal set of vertices of limited degree without neighbours among them, fewest neighbours first:
    /// that finds more of them than the order of the vertices does. At least half of all vertices of a
    /// polyhedron have eight neighbours or fewer, so beside the kept corners there is always one; with a
    /// smaller limit the vertex of fewest neighbours goes alone.
    std::vector<char> independent_set(const ConvexHull& level) const {
        const std::uint32_t n = level.vertex_count;
        const auto degree = [&](std::uint32_t v) {
            return level.neighbour_begin[v + 1] - level.neighbour_begin[v];
        };
        std::vector<std::uint32_t> order;
        for (std::uint32_t v = 0; v < n; ++v)
            if (kept_[left_[v]] == 0) order.push_back(v);
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

    /// One level on: `level` becomes the hull of what is left of it.
    bool remove_some(ConvexHull& level) {
        const std::vector<char> taken = independent_set(level);
        std::vector<std::uint32_t> rest;
        std::vector<Vec3f> points;
        for (std::uint32_t v = 0; v < level.vertex_count; ++v) {
            if (taken[v] != 0) continue;
            rest.push_back(left_[v]);
            points.push_back(level.vertex(v));
        }
        Result<ConvexHull> next = convex_hull(points);
        // Vertices of a hull are vertices of the hull of any part of them.
        CLAYBOX_ASSERT(next.ok() && next.value().vertex_count == rest.size());
        if (!next.ok() || next.value().vertex_count != rest.size()) return false;
        for (std::uint32_t v = 0; v < level.vertex_count; ++v) {
            if (taken[v] == 0) continue;
            const auto begin = static_cast<std::uint32_t>(rings_.size());
            for (std::uint32_t i = level.neighbour_begin[v]; i < level.neighbour_begin[v + 1]; ++i)
                rings_.push_back(left_[level.neighbours[i]]);
            removed_.push_back({left_[v], begin, static_cast<std::uint32_t>(rings_.size())});
        }
        left_ = std::move(rest);
        level = std::move(next).value();
        sizes_.push_back(level.vertex_count);
        return true;
    }

    /// Ranks: what is left, then the removed ones, the last level's first, and the rings in ranks.
    void number() {
        const std::uint32_t n = hull_.vertex_count;
        rank_.assign(n, 0);
        std::vector<Removed> by_rank;
        for (const std::uint32_t v : left_) by_rank.push_back({v, 0, 0});
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

    /// The rings turned round: which vertices each level adds next to one that it takes over.
    void lay_out() {
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
    std::vector<char> kept_;     ///< per vertex of the hull
    std::vector<std::uint32_t> left_, rank_, sizes_, rings_;
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
            out_.looked += found.looked;
            if (found.rank < h_.level_size(level + 1) || !walk_.nears(at(found.rank))) continue;
            ++out_.levels;
            walk_.add(at(found.rank), found.rank);
            approach([&] { return best_around(found.rank); });
        }
        // Proof on the whole hull; goes on where rounding misled the descent.
        out_.mended = approach([&] {
            const DkHierarchy::Found found = h_.descend(walk_.direction());
            out_.looked += found.looked;
            return found.rank;
        });
        out_.contained = walk_.inside();
        out_.point = walk_.point();
        return out_;
    }

  private:
    Vec3d at(std::uint32_t rank) const { return cast<double>(h_.position(rank)); }

    /// Adds what `support` finds until nothing is nearer; returns how many. Distances fall strictly, so this
    /// ends.
    template <class Support>
    std::uint32_t approach(Support&& support) {
        for (std::uint32_t added = 0;; ++added) {
            if (walk_.inside()) return added;
            const std::uint32_t rank = support();
            if (!walk_.nears(at(rank)) || !walk_.add(at(rank), rank)) return added;
        }
    }

    void offer(std::uint32_t rank, std::uint32_t& best, double& most) {
        ++out_.looked;
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
