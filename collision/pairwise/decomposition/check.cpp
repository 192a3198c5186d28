// A closed, manifold mesh whose triangles intersect only in common vertices and edges consists of shells that
// are connected through edges. Without the finitely many vertices where it touches itself or other shells, a
// shell is a connected surface in a simply connected space. It has two sides, one of them bounded; the sign
// of its volume identifies it once the polygons are oriented consistently. The solid is on the bounded side
// of a shell inside an even number of other shells, and on the unbounded side of a shell inside an odd
// number.

#include "collision/pairwise/decomposition/check.hpp"

#include "collision/core/random.hpp"
#include "collision/exact/edge_triangle.hpp"
#include "collision/geometry/predicates.hpp"
#include "collision/pairwise/decomposition/points.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace claybox::collision {

namespace {

constexpr Matrix34f kIdentity{};
/// A ray that hits an edge is replaced by a ray from another triangle.
constexpr std::uint32_t kMaxRays = 64;

class SolidCheck {
  public:
    explicit SolidCheck(const Geometry& geometry) : g_(geometry), t_(*geometry.topology) {
        for (std::uint32_t i = 0; i < t_.triangles.size(); ++i) {
            const auto& v = t_.triangles[i].vertices;
            if (!collinear(g_.positions[v[0]], g_.positions[v[1]], g_.positions[v[2]])) solid_.push_back(i);
        }
    }
    BoundedSolid run() {
        out_.reversed.assign(t_.polygon_count(), false);
        if (cuts_itself())
            out_.refusal = DecompositionRefusal::cuts_itself;
        else if (!find_shells() || !orient_shells())
            out_.refusal = DecompositionRefusal::no_inside;
        return std::move(out_);
    }

  private:
    const Vec3f& corner(std::uint32_t triangle, int i) const {
        return g_.positions[t_.triangles[triangle].vertices[i]];
    }
    Aabb box(std::uint32_t triangle) const {
        Aabb out;
        for (int i = 0; i < 3; ++i) out.add(corner(triangle, i));
        return out;
    }
    bool cuts_itself() const;
    bool intersect_improperly(std::uint32_t a, std::uint32_t b) const;
    bool edge_intersects(std::uint32_t a, int edge, std::uint32_t b) const;
    bool folded(std::uint32_t a, std::uint32_t b, int shared_a, int shared_b) const;

    bool find_shells();
    void follow_shell(std::uint32_t first);
    bool orient_shells();
    int outward(std::uint32_t shell) const;
    std::optional<bool> is_nested(std::uint32_t shell, const Triangle& from, const Vec3d& target) const;
    std::optional<bool> is_nested(std::uint32_t shell) const;

    const Geometry& g_;
    const Topology& t_;
    std::vector<std::uint32_t> solid_;     ///< triangles with area
    std::vector<std::uint32_t> shell_of_;  ///< per polygon
    std::uint32_t shells_ = 0;
    std::optional<RationalFrame> frame_;
    std::vector<RationalPoint> points_;
    std::vector<std::uint32_t> half_edges_[2];  ///< of every edge
    BoundedSolid out_;
};

/// Whether the edge after corner `edge` of triangle a intersects triangle b.
bool SolidCheck::edge_intersects(std::uint32_t a, int edge, std::uint32_t b) const {
    return intersect({&kIdentity, corner(a, edge), corner(a, (edge + 1) % 3)},
                     {&kIdentity, corner(b, 0), corner(b, 1), corner(b, 2)})
        .hit;
}

/// Whether two coplanar triangles with a common edge are on the same side of it. The third corners are given.
bool SolidCheck::folded(std::uint32_t a, std::uint32_t b, int third_a, int third_b) const {
    const Vec3f &p = corner(a, (third_a + 1) % 3), &q = corner(a, (third_a + 2) % 3);
    const Vec3f &x = corner(a, third_a), &y = corner(b, third_b);
    if (orient3d(p, q, x, y) != 0) return false;
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (const int s = orient_along(axis, p, q, x); s != 0) return s == orient_along(axis, p, q, y);
    return true;
}

/// Whether two triangles share more than their common vertices and the span of these. From a common vertex,
/// anything else that they share ends at the opposite edge of one of them.
bool SolidCheck::intersect_improperly(std::uint32_t a, std::uint32_t b) const {
    const auto &u = t_.triangles[a].vertices, &v = t_.triangles[b].vertices;
    int common = 0, of_a = 0, of_b = 0;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            if (u[i] == v[k]) {
                ++common;
                of_a += i;
                of_b += k;
            }
    if (common == 3) return true;
    if (common == 2) return folded(a, b, 3 - of_a, 3 - of_b);
    if (common == 1) return edge_intersects(a, (of_a + 1) % 3, b) || edge_intersects(b, (of_b + 1) % 3, a);
    for (int i = 0; i < 3; ++i)
        if (edge_intersects(a, i, b) || edge_intersects(b, i, a)) return true;
    return false;
}

bool SolidCheck::cuts_itself() const {
    std::vector<Aabb> boxes;
    boxes.reserve(solid_.size());
    for (const std::uint32_t i : solid_) boxes.push_back(box(i));
    const Vec3f extent = g_.box.max - g_.box.min;
    const std::size_t axis = extent.x >= extent.y && extent.x >= extent.z ? 0 : extent.y >= extent.z ? 1 : 2;
    std::vector<std::uint32_t> order(solid_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) {
        return std::pair(boxes[x].min[axis], x) < std::pair(boxes[y].min[axis], y);
    });
    for (std::size_t i = 0; i < order.size(); ++i)
        for (std::size_t k = i + 1; k < order.size(); ++k) {
            const Aabb &one = boxes[order[i]], &other = boxes[order[k]];
            if (other.min[axis] > one.max[axis]) break;
            if (overlap(one, other) && intersect_improperly(solid_[order[i]], solid_[order[k]])) return true;
        }
    return false;
}

/// Numbers the polygons connected with `first` and orients them consistently.
void SolidCheck::follow_shell(std::uint32_t first) {
    std::vector<std::uint32_t> open{first};
    shell_of_[first] = shells_;
    while (!open.empty()) {
        const std::uint32_t p = open.back();
        open.pop_back();
        for (std::uint32_t h = t_.polygon_begin[p]; h < t_.polygon_begin[p + 1]; ++h) {
            const std::uint32_t e = t_.edge_of[h];
            if (e == kNoIndex) continue;
            const std::uint32_t other = half_edges_[0][e] == h ? half_edges_[1][e] : half_edges_[0][e];
            const std::uint32_t q = t_.polygon_of[other];
            if (shell_of_[q] != kNoIndex) continue;
            shell_of_[q] = shells_;
            const bool same_way = t_.origin[h] == t_.origin[other];
            out_.reversed[q] = out_.reversed[p] != same_way;
            open.push_back(q);
        }
    }
    ++shells_;
}

/// False if an edge does not have two sides, or the polygons cannot be oriented consistently.
bool SolidCheck::find_shells() {
    for (auto& list : half_edges_) list.assign(t_.edges.size(), kNoIndex);
    for (std::uint32_t h = 0; h < t_.half_edge_count(); ++h) {
        const std::uint32_t e = t_.edge_of[h];
        if (e == kNoIndex) continue;
        const int at = half_edges_[0][e] == kNoIndex ? 0 : 1;
        if (half_edges_[at][e] != kNoIndex) return false;
        half_edges_[at][e] = h;
    }
    const auto& second = half_edges_[1];
    if (std::find(second.begin(), second.end(), kNoIndex) != second.end()) return false;
    shell_of_.assign(t_.polygon_count(), kNoIndex);
    for (std::uint32_t p = 0; p < t_.polygon_count(); ++p)
        if (shell_of_[p] == kNoIndex) follow_shell(p);
    for (std::size_t e = 0; e < t_.edges.size(); ++e) {
        const std::uint32_t g = half_edges_[0][e], h = half_edges_[1][e];
        const bool same_way = t_.origin[g] == t_.origin[h];
        if (same_way != (out_.reversed[t_.polygon_of[g]] != out_.reversed[t_.polygon_of[h]])) return false;
    }
    return true;
}

/// 1 if the bounded side lies behind the shell's polygons in their current orientation, -1 if in front of
/// them.
int SolidCheck::outward(std::uint32_t shell) const {
    Integer volume = 0;
    for (const Triangle& t : t_.triangles) {
        if (shell_of_[t.polygon] != shell) continue;
        const auto& v = t.vertices;
        const Integer six = dot(points_[v[0]].xyz, cross(points_[v[1]].xyz, points_[v[2]].xyz));
        volume += out_.reversed[t.polygon] ? -six : six;
    }
    return volume.sign();
}

/// The parity of the other shells' triangles between the middle of a triangle of this shell and a point
/// outside; none if that is not certain.
std::optional<bool> SolidCheck::is_nested(std::uint32_t shell, const Triangle& start,
                                          const Vec3d& target) const {
    const auto& v = start.vertices;
    const RationalPoint from = frame_->middle(points_[v[0]], points_[v[1]], points_[v[2]]);
    const RationalPoint to = frame_->point_in_units(target);
    bool inside = false;
    for (const std::uint32_t i : solid_) {
        const Triangle& t = t_.triangles[i];
        if (shell_of_[t.polygon] == shell) continue;
        const RationalPoint &a = points_[t.vertices[0]], &b = points_[t.vertices[1]],
                            &c = points_[t.vertices[2]];
        const int begin = orientation(a, b, c, from), end = orientation(a, b, c, to);
        if (begin == end && begin != 0) continue;
        const int sides[] = {orientation(from, to, a, b), orientation(from, to, b, c),
                             orientation(from, to, c, a)};
        const auto [low, high] = std::minmax({sides[0], sides[1], sides[2]});
        if (low < 0 && high > 0) continue;
        if (begin == 0 || end == 0 || low == 0 || high == 0) return std::nullopt;
        inside = !inside;
    }
    return inside;
}

std::optional<bool> SolidCheck::is_nested(std::uint32_t shell) const {
    if (shells_ == 1) return false;
    Random random(1);
    std::uint32_t rays = 0;
    for (const std::uint32_t i : solid_) {
        if (shell_of_[t_.triangles[i].polygon] != shell) continue;
        if (rays++ == kMaxRays) break;
        // All coordinates are below 1 in units of size.
        if (const auto answer = is_nested(shell, t_.triangles[i], 4.0 * random.unit_vector())) return answer;
    }
    return std::nullopt;
}

bool SolidCheck::orient_shells() {
    frame_.emplace(g_.positions);
    points_.reserve(g_.positions.size());
    for (const Vec3f& p : g_.positions) points_.push_back(frame_->point(p));
    std::vector<bool> reverses(shells_);
    for (std::uint32_t shell = 0; shell < shells_; ++shell) {
        const std::optional<bool> nested = is_nested(shell);
        const int sign = outward(shell);
        if (!nested || sign == 0) return false;
        reverses[shell] = *nested == (sign > 0);
    }
    for (std::uint32_t p = 0; p < t_.polygon_count(); ++p)
        if (reverses[shell_of_[p]]) out_.reversed[p] = !out_.reversed[p];
    return true;
}

}  // namespace

BoundedSolid bounded_solid(const Geometry& geometry) {
    return SolidCheck(geometry).run();
}

}  // namespace claybox::collision
