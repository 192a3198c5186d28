#include "collision/geometry/hull/quickhull.hpp"

#include "collision/core/ids.hpp"
#include "collision/geometry/predicates.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace claybox::collision {

namespace {

// Why exact decisions need no tolerance: a facet is removed only if the new point is strictly above it. Seen
// from that point, the removed facets tile a convex region, so their rim is one simple cycle. No rim edge is
// collinear with the point, because its facet would not be strictly visible. So all new facets have area. A
// point above a removed facet that is outside the new hull is above a new facet, so only new facets are
// tested.
class Builder {
  public:
    explicit Builder(std::span<const Vec3f> points) : points_(points) {
        next_point_.assign(points.size(), kNoIndex);
        facet_at_.assign(points.size(), kNoIndex);
        Vec3d low = cast<double>(points[0]), high = low;
        for (const Vec3f& p : points) {
            low = min(low, cast<double>(p));
            high = max(high, cast<double>(p));
        }
        extent_ = high - low;
        facets_.reserve(std::min<std::size_t>(2 * points.size(), 4 * kFew));
        for (auto* list : {&free_, &pending_, &new_facets_, &visible_}) list->reserve(kFew);
        rim_.reserve(kFew);
    }

    std::vector<HullFacet> run(std::array<std::uint32_t, 4> start) {
        begin(start);
        while (!pending_.empty()) {
            const std::uint32_t f = pending_.back();
            pending_.pop_back();
            if (facets_[f].alive && facets_[f].outside != kNoIndex) add_farthest(f);
        }
        return compacted();
    }

  private:
    /// Lists begin with this capacity, which suffices for small hulls.
    static constexpr std::size_t kFew = 16;

    struct Facet {
        std::array<std::uint32_t, 3> vertices;
        std::array<std::uint32_t, 3> neighbours{kNoIndex, kNoIndex, kNoIndex};
        Vec3d normal;
        double bound = 0;                  // error bound of height()
        std::uint32_t outside = kNoIndex;  // head of the list of points strictly above
        std::uint32_t visited_round = 0;   // round of the last visibility test
        bool visible = false;
        bool alive = true;
    };
    struct RimEdge {
        std::uint32_t from, to, beyond;
    };

    std::uint32_t make_facet(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        Facet f{{a, b, c}, {}, {}};
        f.neighbours = {kNoIndex, kNoIndex, kNoIndex};
        const Vec3d p = cast<double>(points_[a]);
        const Vec3d u = cast<double>(points_[b]) - p, v = cast<double>(points_[c]) - p;
        f.normal = cross(u, v);
        // The error of the determinant is below (7 + 56e)e of its permanent (see predicates.cpp). This takes
        // the permanent at the largest possible point.
        f.bound = 8 * 0x1p-53 *
                  ((std::fabs(u.y * v.z) + std::fabs(u.z * v.y)) * extent_.x +
                   (std::fabs(u.z * v.x) + std::fabs(u.x * v.z)) * extent_.y +
                   (std::fabs(u.x * v.y) + std::fabs(u.y * v.x)) * extent_.z);
        if (free_.empty()) {
            facets_.push_back(f);
            return static_cast<std::uint32_t>(facets_.size() - 1);
        }
        const std::uint32_t slot = free_.back();
        free_.pop_back();
        facets_[slot] = f;
        return slot;
    }

    // Positive if and only if p is strictly above the facet. Only the sign of other values has a meaning.
    double height(const Facet& f, std::uint32_t p) const {
        const double s = dot(f.normal, cast<double>(points_[p]) - cast<double>(points_[f.vertices[0]]));
        if (std::fabs(s) > f.bound) return s;
        const auto& v = f.vertices;
        const int sign = orient3d(points_[v[0]], points_[v[1]], points_[v[2]], points_[p]);
        return sign > 0 ? std::fmax(s, 0x1p-1000) : static_cast<double>(sign);
    }

    void begin(std::array<std::uint32_t, 4> s) {
        if (orient3d(points_[s[0]], points_[s[1]], points_[s[2]], points_[s[3]]) > 0) std::swap(s[1], s[2]);
        // s[3] is now below (s0, s1, s2).
        make_facet(s[0], s[1], s[2]);
        make_facet(s[1], s[0], s[3]);
        make_facet(s[2], s[1], s[3]);
        make_facet(s[0], s[2], s[3]);
        facets_[0].neighbours = {1, 2, 3};
        facets_[1].neighbours = {0, 3, 2};
        facets_[2].neighbours = {0, 1, 3};
        facets_[3].neighbours = {0, 2, 1};
        new_facets_ = {0, 1, 2, 3};
        for (std::uint32_t p = 0; p < points_.size(); ++p) {
            // The corners are on the planes, which only exact arithmetic could tell.
            if (std::find(s.begin(), s.end(), p) == s.end()) assign(p);
        }
        queue_new_facets();
    }

    void assign(std::uint32_t p) {
        for (const std::uint32_t f : new_facets_) {
            if (height(facets_[f], p) > 0) {
                next_point_[p] = facets_[f].outside;
                facets_[f].outside = p;
                return;
            }
        }
    }

    void queue_new_facets() {
        for (const std::uint32_t f : new_facets_) {
            if (facets_[f].outside != kNoIndex) pending_.push_back(f);
        }
    }

    std::uint32_t farthest(const Facet& f) const {
        std::uint32_t best = f.outside;
        double largest = -1;
        for (std::uint32_t p = f.outside; p != kNoIndex; p = next_point_[p]) {
            const double h = height(f, p);
            if (h > largest || (h == largest && p < best)) {
                largest = h;
                best = p;
            }
        }
        return best;
    }

    bool is_visible(std::uint32_t f, std::uint32_t apex) {
        Facet& facet = facets_[f];
        if (facet.visited_round != round_) {
            facet.visited_round = round_;
            facet.visible = height(facet, apex) > 0;
            if (facet.visible) visible_.push_back(f);
        }
        return facet.visible;
    }

    void add_farthest(std::uint32_t f) {
        const std::uint32_t apex = farthest(facets_[f]);
        ++round_;
        visible_.clear();
        rim_.clear();
        is_visible(f, apex);
        for (std::size_t i = 0; i < visible_.size(); ++i) {
            const Facet facet = facets_[visible_[i]];
            for (std::size_t k = 0; k < 3; ++k) {
                if (!is_visible(facet.neighbours[k], apex))
                    rim_.push_back({facet.vertices[k], facet.vertices[(k + 1) % 3], facet.neighbours[k]});
            }
        }
        close_rim(apex);
        for (const std::uint32_t v : visible_) {
            facets_[v].alive = false;
            for (std::uint32_t p = facets_[v].outside; p != kNoIndex;) {
                const std::uint32_t following = next_point_[p];
                if (p != apex) assign(p);
                p = following;
            }
        }
        free_.insert(free_.end(), visible_.begin(), visible_.end());
        queue_new_facets();
    }

    void close_rim(std::uint32_t apex) {
        new_facets_.clear();
        for (const RimEdge& e : rim_) {
            const std::uint32_t f = make_facet(e.from, e.to, apex);
            facets_[f].neighbours[0] = e.beyond;
            Facet& beyond = facets_[e.beyond];
            for (std::size_t k = 0; k < 3; ++k) {
                if (beyond.vertices[k] == e.to && beyond.vertices[(k + 1) % 3] == e.from)
                    beyond.neighbours[k] = f;
            }
            facet_at_[e.from] = f;
            new_facets_.push_back(f);
        }
        for (const std::uint32_t f : new_facets_) {
            const std::uint32_t following = facet_at_[facets_[f].vertices[1]];
            facets_[f].neighbours[1] = following;
            facets_[following].neighbours[2] = f;
        }
    }

    std::vector<HullFacet> compacted() const {
        std::vector<std::uint32_t> index(facets_.size(), kNoIndex);
        std::uint32_t count = 0;
        for (std::size_t f = 0; f < facets_.size(); ++f) {
            if (facets_[f].alive) index[f] = count++;
        }
        std::vector<HullFacet> out;
        out.reserve(count);
        for (const Facet& f : facets_) {
            if (!f.alive) continue;
            out.push_back(
                {f.vertices, {index[f.neighbours[0]], index[f.neighbours[1]], index[f.neighbours[2]]}});
        }
        return out;
    }

    std::span<const Vec3f> points_;
    Vec3d extent_;
    std::vector<Facet> facets_;
    std::vector<std::uint32_t> next_point_, facet_at_, free_, pending_, new_facets_, visible_;
    std::vector<RimEdge> rim_;
    std::uint32_t round_ = 0;
};

}  // namespace

std::vector<HullFacet> quickhull(std::span<const Vec3f> points, const std::array<std::uint32_t, 4>& start) {
    return Builder(points).run(start);
}

}  // namespace claybox::collision
