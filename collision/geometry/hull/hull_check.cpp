#include "collision/geometry/hull/hull_check.hpp"

#include "collision/geometry/polygons/triangulate.hpp"
#include "collision/geometry/predicates.hpp"

#include <algorithm>

namespace claybox::collision {

namespace {

Error failure(const std::string& what) {
    return Error{"the convex hull fails its exact check: " + what, {}, 0};
}

// Whether the hull vertices are input points, in the order of their first occurrence.
bool vertices_are_input(const ConvexHull& hull, std::span<const Vec3f> input) {
    std::uint32_t next = 0;
    for (const Vec3f& p : input) {
        if (next < hull.vertex_count && p == hull.vertex(next)) ++next;
    }
    return next == hull.vertex_count && hull.vertex_count > 0;
}

bool arrays_agree(const ConvexHull& hull) {
    const std::size_t n = hull.vertex_count;
    if (hull.faces.positions.size() != n || hull.x.size() < n || hull.y.size() != hull.x.size() ||
        hull.z.size() != hull.x.size() || hull.neighbour_begin.size() != n + 1)
        return false;
    for (std::uint32_t v = 0; v < hull.x.size(); ++v) {
        if (!(hull.vertex(v) == hull.faces.positions[v < n ? v : 0])) return false;
    }
    return std::all_of(hull.faces.indices.begin(), hull.faces.indices.end(),
                       [&](std::uint32_t v) { return v < n; });
}

// Whether the neighbour table lists each directed edge and nothing else.
bool neighbours_agree(const ConvexHull& hull, const Topology& t) {
    const auto lists = [&](std::uint32_t from, std::uint32_t to) {
        const auto begin = hull.neighbours.begin() + hull.neighbour_begin[from];
        const auto end = hull.neighbours.begin() + hull.neighbour_begin[from + 1];
        return std::binary_search(begin, end, to);
    };
    if (hull.neighbour_begin.back() != hull.neighbours.size()) return false;
    if (hull.dimension == 1) return hull.neighbours.size() == 2 && lists(0, 1) && lists(1, 0);
    if (hull.neighbours.size() != t.half_edge_count()) return false;
    for (std::uint32_t h = 0; h < t.half_edge_count(); ++h) {
        if (!lists(t.origin[h], t.origin[t.next(h)])) return false;
    }
    return true;
}

// Checks a hull of dimension 3.
class SolidCheck {
  public:
    SolidCheck(const ConvexHull& hull, const Topology& t, std::span<const Vec3f> input)
        : hull_(hull), t_(t), p_(hull.faces.positions), input_(input) {
        for (const Vec3f& v : p_) centre_ += cast<double>(v);
        centre_ *= 1.0 / static_cast<double>(p_.size());
    }

    const char* fault() {
        if (!is_one_sphere()) return "its faces are not one closed surface";
        for (std::uint32_t f = 0; f < t_.polygon_count(); ++f) {
            if (!face_is_good(f)) return "a face is not planar and strictly convex";
        }
        for (std::uint32_t h = 0; h < t_.half_edge_count(); ++h) {
            const std::uint32_t beyond = t_.origin[t_.prev(t_.twin[h])];
            if (h < t_.twin[h] && side(t_.polygon_of[h], cast<double>(p_[beyond])) >= 0)
                return "two faces do not meet in a ridge";
        }
        // If one point is behind all faces, all edges are convex, and one direction is covered once, the
        // faces bound a convex body (see convexity.cpp). Then the face in the direction of a point decides
        // its side. If the hull is so thin that no double is inside it, each point is compared with all
        // faces.
        return centre_is_inside() && covers_once() ? fault_of_points() : fault_of_thin();
    }

  private:
    // Closed, two polygons per edge in opposite directions, connected, Euler characteristic 2.
    bool is_one_sphere() const {
        if (std::find(t_.twin.begin(), t_.twin.end(), kNoIndex) != t_.twin.end()) return false;
        std::vector<bool> seen(t_.polygon_count(), false);
        std::vector<std::uint32_t> found;
        found.reserve(t_.polygon_count());
        found.push_back(0);
        seen[0] = true;
        for (std::size_t i = 0; i < found.size(); ++i) {
            for (std::uint32_t h = t_.polygon_begin[found[i]]; h < t_.polygon_begin[found[i] + 1]; ++h) {
                const std::uint32_t g = t_.polygon_of[t_.twin[h]];
                if (!seen[g]) found.push_back(g);
                seen[g] = true;
            }
        }
        return found.size() == t_.polygon_count() &&
               std::uint64_t{t_.vertex_count} + t_.polygon_count() == t_.edges.size() + 2;
    }

    bool face_is_good(std::uint32_t f) const {
        const auto loop = t_.loop(f);
        for (std::size_t k = 0; k < loop.size(); ++k) {
            const Vec3f &a = p_[loop[k]], &b = p_[loop[(k + 1) % loop.size()]],
                        &c = p_[loop[(k + 2) % loop.size()]];
            if (collinear(a, b, c) || (k > 2 && side(f, cast<double>(a)) != 0)) return false;
        }
        return loop.size() == 3 || outline_kind(p_, loop).convex;
    }

    // 1 if q is in front of the plane of face f.
    int side(std::uint32_t f, const Vec3d& q) const {
        const auto loop = t_.loop(f);
        return orient3d(cast<double>(p_[loop[0]]), cast<double>(p_[loop[1]]), cast<double>(p_[loop[2]]), q);
    }

    bool centre_is_inside() const {
        for (std::uint32_t f = 0; f < t_.polygon_count(); ++f) {
            if (side(f, centre_) >= 0) return false;
        }
        return true;
    }

    // 1 if q, seen from the centre, is on the face's side of half-edge h.
    int cone_side(std::uint32_t h, const Vec3d& q) const {
        return orient3d(centre_, cast<double>(p_[t_.origin[h]]), cast<double>(p_[t_.origin[t_.next(h)]]), q);
    }

    // Where the direction of q from the centre passes face f: 1 inside, 0 on the boundary, -1 outside.
    int direction_side(std::uint32_t f, const Vec3d& q) const {
        int least = 1;
        for (std::uint32_t h = t_.polygon_begin[f]; h < t_.polygon_begin[f + 1]; ++h)
            least = std::min(least, cone_side(h, q));
        return least;
    }

    // Whether the direction of some face's midpoint intersects no other face.
    bool covers_once() const {
        for (std::uint32_t f = 0; f < t_.polygon_count(); ++f) {
            Vec3d middle;
            for (const std::uint32_t v : t_.loop(f)) middle += cast<double>(p_[v]);
            middle *= 1.0 / static_cast<double>(t_.loop(f).size());
            if (direction_side(f, middle) <= 0) continue;
            int hits = 0;
            for (std::uint32_t g = 0; g < t_.polygon_count(); ++g)
                hits += direction_side(g, middle) >= 0 ? 1 : 0;
            return hits == 1;
        }
        return false;
    }

    // Walks to the face in the direction of q. Each step crosses an edge that has q on its other side. The
    // next face's plane intersects the line from the centre to q nearer to the centre, so no face is visited
    // twice.
    std::uint32_t face_towards(std::uint32_t f, const Vec3d& q) const {
        for (std::uint32_t h = t_.polygon_begin[f]; h < t_.polygon_begin[f + 1];) {
            if (cone_side(h, q) >= 0) {
                ++h;
                continue;
            }
            f = t_.polygon_of[t_.twin[h]];
            h = t_.polygon_begin[f];
        }
        return f;
    }

    const char* fault_of_points() const {
        std::uint32_t f = 0, next = 0;
        for (const Vec3f& p : input_) {
            if (next < p_.size() && p == p_[next]) {
                ++next;  // a vertex of the hull
                continue;
            }
            f = face_towards(f, cast<double>(p));
            if (side(f, cast<double>(p)) > 0) return kOutside;
        }
        return nullptr;
    }

    const char* fault_of_thin() const {
        for (std::uint32_t f = 0; f < t_.polygon_count(); ++f) {
            for (const Vec3f& p : input_) {
                if (side(f, cast<double>(p)) > 0) return kOutside;
            }
        }
        return nullptr;
    }

    static constexpr const char* kOutside = "a point lies outside";
    const ConvexHull& hull_;
    const Topology& t_;
    const std::vector<Vec3f>& p_;
    std::span<const Vec3f> input_;
    Vec3d centre_;
};

// Checks a flat hull: two faces with the same strictly convex outline in opposite directions, which contains
// all points.
const char* flat_fault(const ConvexHull& hull, const Topology& t, std::span<const Vec3f> input) {
    const auto& p = hull.faces.positions;
    if (t.polygon_count() != 2 || t.loop(0).size() != t.vertex_count) return "it does not have two faces";
    const auto loop = t.loop(0), back = t.loop(1);
    if (!std::equal(loop.begin(), loop.end(), back.rbegin(), back.rend())) return "its faces differ";
    const std::size_t n = loop.size();
    const OutlineKind kind = outline_kind(p, loop);
    if (!kind.convex) return "its outline is not convex";
    const auto turn = [&](std::size_t i, std::size_t j, const Vec3f& q) {
        return kind.orientation * orient_along(kind.axis, p[loop[i]], p[loop[j % n]], q);
    };
    for (std::size_t k = 0; k < n; ++k) {
        if (turn(k, k + 1, p[loop[(k + 2) % n]]) <= 0) return "its outline is not strictly convex";
    }
    for (const Vec3f& q : input) {
        if (orient3d(p[loop[0]], p[loop[1]], p[loop[2]], q) != 0) return "a point lies outside its plane";
        // Find the wedge of the fan around corner 0 that contains q, by bisection.
        std::size_t low = 1, high = n - 1;
        if (turn(0, low, q) < 0 || turn(0, high, q) > 0) return "a point lies outside";
        while (high - low > 1) {
            const std::size_t middle = (low + high) / 2;
            (turn(0, middle, q) >= 0 ? low : high) = middle;
        }
        if (turn(low, low + 1, q) < 0) return "a point lies outside";
    }
    return nullptr;
}

const char* line_fault(const ConvexHull& hull, std::span<const Vec3f> input) {
    const Vec3f &a = hull.vertex(0), &b = hull.vertex(hull.vertex_count - 1);
    if (hull.vertex_count != (hull.dimension == 0 ? 1u : 2u)) return "it has too many or too few vertices";
    for (const Vec3f& q : input) {
        const bool within = min(a, b) == min(min(a, b), q) && max(a, b) == max(max(a, b), q);
        if (!within || !collinear(a, b, q)) return "a point lies outside";
    }
    return nullptr;
}

}  // namespace

Status check_hull(const ConvexHull& hull, std::span<const Vec3f> input) {
    Topology topology;
    return check_hull(hull, input, topology);
}

Status check_hull(const ConvexHull& hull, std::span<const Vec3f> input, Topology& t) {
    if (!vertices_are_input(hull, input)) return failure("a vertex is not an input point");
    if (!arrays_agree(hull)) return failure("its arrays differ");
    t = {};
    t.vertex_count = hull.vertex_count;
    t.polygon_begin = hull.faces.begin;
    t.origin = hull.faces.indices;
    connect(t);
    if (hull.dimension < 2) {
        if (const char* fault = line_fault(hull, input)) return failure(fault);
        if (hull.dimension == 1 && !neighbours_agree(hull, t)) return failure("its neighbours are wrong");
        return Done{};
    }
    if (t.polygon_count() == 0) return failure("it has no faces");
    const char* fault = hull.dimension == 2 ? flat_fault(hull, t, input) : SolidCheck(hull, t, input).fault();
    if (fault != nullptr) return failure(fault);
    if (!neighbours_agree(hull, t)) return failure("its neighbours are wrong");
    return Done{};
}

}  // namespace claybox::collision
