#include "collision/parts/point_in_polyhedron.hpp"

#include "collision/exact/contained.hpp"
#include "collision/exact/number.hpp"

namespace claybox::collision {

namespace {

enum class Seen : unsigned char { passed, crossed, singular };

/// The point with what coordinates relative to it may be off by.
struct Point {
    Vec3d q;
    double error = 0;  ///< of q
    double d = 0;      ///< of a coordinate of the mesh minus that of q
};

struct Flat {
    double y, z;  ///< across the ray, relative to the point
};

/// An edge in the plane across the ray against the half-line along +y, after the pre-checks of 3.2.2: a z of
/// zero counts as below, the same for both edges at a vertex, so that the parity is that of the point as
/// double has it. It is that of the exact point unless an edge lies within d of it: then the turn is within
/// its bound (two products of two differences, each off by d), because the edge's box holds the point.
Seen cross_edge(const Flat& u, const Flat& v, double d, PointTestCounts& counts) {
    ++counts.edges;
    if (u.y < -d && v.y < -d) return Seen::passed;
    if ((u.z > d && v.z > d) || (u.z < -d && v.z < -d)) return Seen::passed;
    const bool straddles = (u.z > 0) != (v.z > 0);
    if (u.y > d && v.y > d) return straddles ? Seen::crossed : Seen::passed;
    ++counts.products;
    const double turn = u.y * v.z - u.z * v.y;
    const double m = std::max(std::max(std::abs(u.y), std::abs(u.z)), std::max(std::abs(v.y), std::abs(v.z)));
    const double bound = (4 * m * d + 2 * d * d + 4 * kRound * m * m) * (1 + 0x1p-40) + kUnderflow;
    if (!(std::abs(turn) > bound)) return Seen::singular;
    return straddles && (turn > 0) == (v.z > u.z) ? Seen::crossed : Seen::passed;
}

/// A polygon that lies ahead as a whole: its boundary across the ray tells, bent or not, convex or not, with
/// holes or without.
Seen cross_loop(const Geometry& g, std::span<const std::uint32_t> loop, const Point& p,
                PointTestCounts& counts) {
    const auto at = [&](std::uint32_t v) {
        return Flat{static_cast<double>(g.positions[v].y) - p.q.y,
                    static_cast<double>(g.positions[v].z) - p.q.z};
    };
    bool odd = false;
    Flat last = at(loop.back());
    for (const std::uint32_t v : loop) {
        const Flat now = at(v);
        const Seen seen = cross_edge(last, now, p.d, counts);
        if (seen == Seen::singular) return seen;
        odd ^= seen == Seen::crossed;
        last = now;
    }
    return odd ? Seen::crossed : Seen::passed;
}

/// A polygon beside the point: each triangle's plane is asked on which side the point is.
Seen cross_triangles(const Geometry& g, std::span<const Triangle> triangles, const Point& p,
                     PointTestCounts& counts) {
    bool odd = false;
    const AxisRay ray{p.q, p.error, 0, false};
    for (const Triangle& t : triangles) {
        ++counts.planes;
        const Crossing c = cross_near(ray, g.positions[t.vertices[0]], g.positions[t.vertices[1]],
                                      g.positions[t.vertices[2]]);
        if (c == Crossing::unknown) return Seen::singular;
        odd ^= c == Crossing::one;
    }
    return odd ? Seen::crossed : Seen::passed;
}

enum class Place : unsigned char { beside_ray, ahead, around };

Place place_of(const Aabb& box, const Point& p) {
    const auto misses = [&](std::size_t k) {
        return static_cast<double>(box.max[k]) - p.q[k] < -p.d ||
               static_cast<double>(box.min[k]) - p.q[k] > p.d;
    };
    if (static_cast<double>(box.max.x) - p.q.x < -p.d || misses(1) || misses(2)) return Place::beside_ray;
    return static_cast<double>(box.min.x) - p.q.x > p.d ? Place::ahead : Place::around;
}

/// Whether the ray crosses a polygon once more than an even number of times.
Seen cross_polygon(const Geometry& g, std::uint32_t polygon, const Point& p, PointTestCounts& counts) {
    ++counts.boxes;
    const Place place = place_of(g.polygon_boxes[polygon], p);
    if (place == Place::beside_ray) return Seen::passed;
    ++counts.polygons;
    const Topology& t = *g.topology;
    return place == Place::ahead ? cross_loop(g, t.loop(polygon), p, counts)
                                 : cross_triangles(g, t.triangles_of(polygon), p, counts);
}

/// All polygons in runs: those in the order of the mesh.
Seen cross_runs(const Geometry& g, const Point& p, PointTestCounts& counts) {
    bool odd = false;
    const std::uint32_t polygons = g.topology->polygon_count();
    for (std::uint32_t run = 0; run < g.run_boxes.size(); ++run) {
        ++counts.boxes;
        if (place_of(g.run_boxes[run], p) == Place::beside_ray) continue;
        const std::uint32_t end = std::min((run + 1) * kBoxRun, polygons);
        for (std::uint32_t i = run * kBoxRun; i < end; ++i) {
            const Seen seen = cross_polygon(g, i, p, counts);
            if (seen == Seen::singular) return seen;
            odd ^= seen == Seen::crossed;
        }
    }
    return odd ? Seen::crossed : Seen::passed;
}

Seen cross_tree(const Geometry& g, const PolygonBoxTree& tree, const Point& p, PointTestCounts& counts) {
    bool odd = false;
    const auto& nodes = tree.nodes();
    for (std::uint32_t at = 0; at < nodes.size();) {
        const PolygonBoxTree::Node& node = nodes[at];
        ++counts.boxes;
        if (place_of(node.box, p) == Place::beside_ray) {
            at = node.behind;
            continue;
        }
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
            const Seen seen = cross_polygon(g, tree.order()[i], p, counts);
            if (seen == Seen::singular) return seen;
            odd ^= seen == Seen::crossed;
        }
        ++at;
    }
    return odd ? Seen::crossed : Seen::passed;
}

}  // namespace

PointSide point_in_polyhedron(const Geometry& geometry, const Vec3d& q, double error, PointTestCounts& counts,
                              const PolygonBoxTree* tree) {
    Point p{q, error, 0};
    double largest = 0;
    for (std::size_t k = 0; k < 3; ++k)
        largest = std::max({largest, std::abs(q[k]), static_cast<double>(std::abs(geometry.box.min[k])),
                            static_cast<double>(std::abs(geometry.box.max[k]))});
    p.d = (error + 2 * kRound * largest) * (1 + 0x1p-40);
    if (!std::isfinite(p.d)) return PointSide::singular;
    if (place_of(geometry.box, p) != Place::around) return PointSide::outside;
    const Seen seen = tree ? cross_tree(geometry, *tree, p, counts) : cross_runs(geometry, p, counts);
    return seen == Seen::singular  ? PointSide::singular
           : seen == Seen::crossed ? PointSide::inside
                                   : PointSide::outside;
}

}  // namespace claybox::collision
