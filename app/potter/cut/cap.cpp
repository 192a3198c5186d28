#include "app/potter/cut/cap.hpp"

#include "collision/core/ids.hpp"
#include "collision/geometry/polygons/triangulate.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace claybox::app {

using collision::Vec3d;
using collision::Vec3f;

namespace {

struct Point {
    double x = 0, y = 0;
};

/// The plane of the cap in two coordinates.
class CapPlane {
  public:
    CapPlane(const ClayMesh& mesh, const Vec3d& up) : mesh_(mesh) {
        const Vec3d aside = std::abs(up.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
        u_ = normalized(cross(aside, up));
        v_ = cross(up, u_);
    }
    Point at(std::uint32_t vertex) const {
        const Vec3d p = collision::cast<double>(mesh_.positions[vertex]);
        return {dot(p, u_), dot(p, v_)};
    }
    /// Twice the area; positive if counter-clockwise.
    double area(const VertexLoop& loop) const {
        double sum = 0;
        const Point origin = at(loop[0]);
        for (std::size_t i = 0; i < loop.size(); ++i) {
            const Point p = at(loop[i]), q = at(loop[(i + 1) % loop.size()]);
            sum += (p.x - origin.x) * (q.y - origin.y) - (q.x - origin.x) * (p.y - origin.y);
        }
        return sum;
    }
    bool contains(const VertexLoop& loop, const Point& p) const {
        bool inside = false;
        for (std::size_t i = 0; i < loop.size(); ++i) {
            const Point a = at(loop[i]), b = at(loop[(i + 1) % loop.size()]);
            if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x))
                inside = !inside;
        }
        return inside;
    }

  private:
    const ClayMesh& mesh_;
    Vec3d u_, v_;
};

bool crosses(const Point& a, const Point& b, const Point& c, const Point& d) {
    const auto side = [](const Point& p, const Point& q, const Point& r) {
        return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
    };
    return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

/// Connects a hole to the outline by a bridge: both then form one loop that visits two vertices twice. The
/// bridge is the shortest one from the hole's rightmost vertex that crosses neither.
void bridge(const CapPlane& plane, VertexLoop& outline, const VertexLoop& hole) {
    std::size_t from = 0;
    for (std::size_t i = 1; i < hole.size(); ++i)
        if (plane.at(hole[i]).x > plane.at(hole[from]).x) from = i;
    const Point p = plane.at(hole[from]);
    std::vector<std::pair<double, std::size_t>> candidates;
    for (std::size_t i = 0; i < outline.size(); ++i) {
        const Point q = plane.at(outline[i]);
        candidates.emplace_back((q.x - p.x) * (q.x - p.x) + (q.y - p.y) * (q.y - p.y), i);
    }
    std::sort(candidates.begin(), candidates.end());
    const auto is_free = [&](std::size_t i) {
        const Point q = plane.at(outline[i]);
        for (const VertexLoop* loop : {static_cast<const VertexLoop*>(&outline), &hole})
            for (std::size_t k = 0; k < loop->size(); ++k)
                if (crosses(p, q, plane.at((*loop)[k]), plane.at((*loop)[(k + 1) % loop->size()])))
                    return false;
        return true;
    };
    std::size_t to = candidates.front().second;
    for (const auto& [square, i] : candidates) {
        if (!is_free(i)) continue;
        to = i;
        break;
    }
    VertexLoop joined(outline.begin(), outline.begin() + static_cast<std::ptrdiff_t>(to) + 1);
    for (std::size_t k = 0; k <= hole.size(); ++k) joined.push_back(hole[(from + k) % hole.size()]);
    joined.insert(joined.end(), outline.begin() + static_cast<std::ptrdiff_t>(to), outline.end());
    outline = std::move(joined);
}

/// Fills outlines with triangles.
class Filler {
  public:
    explicit Filler(ClayMesh& mesh) : mesh_(mesh) {}

    void fill(const VertexLoop& outline) {
        corners_.clear();
        triangulator_.triangulate(mesh_.positions, outline, corners_);
        if (!is_manifold(outline)) fill_apart(outline);
        for (std::size_t i = 0; i + 2 < corners_.size(); i += 3)
            mesh_.triangles.push_back({corners_[i], corners_[i + 1], corners_[i + 2]});
    }

  private:
    /// Whether every edge has at most two triangles, with the clay beside the outline. An outline that
    /// crosses itself and visits vertices twice can be cut into triangles that share more.
    bool is_manifold(const VertexLoop& outline) {
        edges_.clear();
        for (std::size_t i = 0; i < outline.size(); ++i)
            edges_.push_back(edge(outline[(i + 1) % outline.size()], outline[i]));
        std::sort(edges_.begin(), edges_.end());
        // Both directions of a bridge have no clay beside them.
        std::vector<Edge> beside;
        for (const Edge& e : edges_)
            if (!std::binary_search(edges_.begin(), edges_.end(), edge(e[1], e[0]))) beside.push_back(e);
        edges_ = std::move(beside);
        for (std::size_t i = 0; i + 2 < corners_.size(); i += 3)
            for (std::size_t k = 0; k < 3; ++k)
                edges_.push_back(edge(corners_[i + k], corners_[i + (k + 1) % 3]));
        std::sort(edges_.begin(), edges_.end());
        const auto joins_itself = [](const Edge& e) { return e[0] == e[1]; };
        return std::none_of(edges_.begin(), edges_.end(), joins_itself) &&
               std::adjacent_find(edges_.begin(), edges_.end()) == edges_.end();
    }

    /// Fills it with a vertex of its own for each visit of a vertex that is visited again, at the same place.
    /// Triangles without area join the copies to the clay.
    void fill_apart(const VertexLoop& outline) {
        std::unordered_map<std::uint32_t, int> visits;
        for (const std::uint32_t v : outline) ++visits[v];
        VertexLoop own = outline;
        for (std::uint32_t& v : own) {
            if (visits[v] < 2) continue;
            mesh_.positions.push_back(Vec3f(mesh_.positions[v]));
            mesh_.mask.push_back(float(mesh_.mask[v]));
            v = static_cast<std::uint32_t>(mesh_.positions.size() - 1);
        }
        corners_.clear();
        triangulator_.triangulate(mesh_.positions, own, corners_);
        for (std::size_t i = 0; i < own.size(); ++i) {
            const std::size_t j = (i + 1) % own.size();
            if (own[j] != outline[j]) corners_.insert(corners_.end(), {outline[i], outline[j], own[j]});
            if (own[i] != outline[i]) corners_.insert(corners_.end(), {outline[i], own[j], own[i]});
        }
    }

    using Edge = std::array<std::uint32_t, 2>;  ///< in the direction of its triangle
    static Edge edge(std::uint32_t a, std::uint32_t b) { return {a, b}; }

    ClayMesh& mesh_;
    collision::Triangulator triangulator_;
    std::vector<std::uint32_t> corners_;
    std::vector<Edge> edges_;
};

}  // namespace

std::vector<VertexLoop> join_loops(std::span<const std::uint32_t> from, std::span<const std::uint32_t> to) {
    std::unordered_map<std::uint32_t, std::size_t> edge_from;
    for (std::size_t i = 0; i < from.size(); ++i) edge_from.emplace(from[i], i);
    std::vector<bool> used(from.size());
    std::vector<VertexLoop> out;
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (used[i]) continue;
        VertexLoop loop;
        std::size_t e = i;
        bool closed = false;
        while (!used[e]) {
            used[e] = true;
            loop.push_back(from[e]);
            const auto next = edge_from.find(to[e]);
            if (next == edge_from.end()) break;
            e = next->second;
            closed = e == i;
        }
        if (closed && loop.size() >= 3) out.push_back(std::move(loop));
    }
    return out;
}

void add_cap(ClayMesh& mesh, std::vector<VertexLoop> loops, const Vec3d& up) {
    const CapPlane plane(mesh, up);
    std::vector<VertexLoop> outlines, holes;
    for (VertexLoop& loop : loops) (plane.area(loop) > 0 ? outlines : holes).push_back(std::move(loop));
    const std::vector<VertexLoop> plain = outlines;  // without the bridges that follow
    std::sort(holes.begin(), holes.end(), [&](const VertexLoop& a, const VertexLoop& b) {
        const auto right = [&](const VertexLoop& loop) {
            double x = -std::numeric_limits<double>::infinity();
            for (const std::uint32_t v : loop) x = std::max(x, plane.at(v).x);
            return x;
        };
        return right(a) > right(b);
    });
    for (const VertexLoop& hole : holes) {
        std::size_t best = plain.size();
        for (std::size_t i = 0; i < plain.size(); ++i) {
            if (!plane.contains(plain[i], plane.at(hole[0]))) continue;
            if (best == plain.size() || plane.area(plain[i]) < plane.area(plain[best])) best = i;
        }
        if (best == plain.size())
            outlines.push_back(hole);  // the clay intersects itself here; closed is better than open
        else
            bridge(plane, outlines[best], hole);
    }
    Filler filler(mesh);
    for (const VertexLoop& outline : outlines) filler.fill(outline);
}

}  // namespace claybox::app
