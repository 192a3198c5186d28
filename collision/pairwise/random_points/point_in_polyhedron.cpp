#include "collision/pairwise/random_points/point_in_polyhedron.hpp"

#include "collision/exact/contained.hpp"
#include "collision/exact/number.hpp"

namespace claybox::collision {

namespace {

enum class RayHit : unsigned char { passed, crossed, singular };

/// The point and its error bounds.
struct Point {
    Vec3d q;
    double error = 0;  ///< error of q
    double d = 0;      ///< error of a mesh coordinate minus a coordinate of q
};

struct Flat {
    double y, z;  ///< across the ray, relative to the point
};

/// Tests an edge in the plane across the ray against the half-line along +y, after the pre-checks of 3.2.2. A
/// z of zero counts as below, for both edges at a vertex, so the parity is that of the point as double has
/// it. It is also that of the exact point, unless an edge is within d of it. Then the turn is within its
/// bound (two products of two differences, each off by d), because the edge's box contains the point.
RayHit cross_edge(const Flat& u, const Flat& v, double d, PointTestCounts& counts) {
    ++counts.edges;
    if (u.y < -d && v.y < -d) return RayHit::passed;
    if ((u.z > d && v.z > d) || (u.z < -d && v.z < -d)) return RayHit::passed;
    const bool straddles = (u.z > 0) != (v.z > 0);
    if (u.y > d && v.y > d) return straddles ? RayHit::crossed : RayHit::passed;
    ++counts.products;
    const double turn = u.y * v.z - u.z * v.y;
    const double m = std::max(std::max(std::abs(u.y), std::abs(u.z)), std::max(std::abs(v.y), std::abs(v.z)));
    const double bound = (4 * m * d + 2 * d * d + 4 * kRound * m * m) * (1 + 0x1p-40) + kUnderflow;
    if (!(std::abs(turn) > bound)) return RayHit::singular;
    return straddles && (turn > 0) == (v.z > u.z) ? RayHit::crossed : RayHit::passed;
}

/// A polygon entirely ahead of the point: its boundary across the ray decides, for bent, non-convex and
/// perforated polygons too.
RayHit cross_loop(const Geometry& g, std::span<const std::uint32_t> loop, const Point& p,
                  PointTestCounts& counts) {
    const auto at = [&](std::uint32_t v) {
        return Flat{static_cast<double>(g.positions[v].y) - p.q.y,
                    static_cast<double>(g.positions[v].z) - p.q.z};
    };
    bool odd = false;
    Flat last = at(loop.back());
    for (const std::uint32_t v : loop) {
        const Flat now = at(v);
        const RayHit ray_hit = cross_edge(last, now, p.d, counts);
        if (ray_hit == RayHit::singular) return ray_hit;
        odd ^= ray_hit == RayHit::crossed;
        last = now;
    }
    return odd ? RayHit::crossed : RayHit::passed;
}

/// A polygon next to the point: tests each triangle's plane for the side of the point.
RayHit cross_triangles(const Geometry& g, std::span<const Triangle> triangles, const Point& p,
                       PointTestCounts& counts) {
    bool odd = false;
    const AxisRay ray{p.q, p.error, 0, false};
    for (const Triangle& t : triangles) {
        ++counts.planes;
        const Crossing c = filter_crossing(ray, g.positions[t.vertices[0]], g.positions[t.vertices[1]],
                                           g.positions[t.vertices[2]]);
        if (c == Crossing::unknown) return RayHit::singular;
        odd ^= c == Crossing::one;
    }
    return odd ? RayHit::crossed : RayHit::passed;
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

/// Whether the ray crosses a polygon an odd number of times.
RayHit cross_polygon(const Geometry& g, std::uint32_t polygon, const Point& p, PointTestCounts& counts) {
    ++counts.boxes;
    const Place place = place_of(g.polygon_boxes[polygon], p);
    if (place == Place::beside_ray) return RayHit::passed;
    ++counts.polygons;
    const Topology& t = *g.topology;
    return place == Place::ahead ? cross_loop(g, t.loop(polygon), p, counts)
                                 : cross_triangles(g, t.triangles_of(polygon), p, counts);
}

/// Tests all polygons in runs, in the order of the mesh.
RayHit cross_runs(const Geometry& g, const Point& p, PointTestCounts& counts) {
    bool odd = false;
    const std::uint32_t polygons = g.topology->polygon_count();
    for (std::uint32_t run = 0; run < g.run_boxes.size(); ++run) {
        ++counts.boxes;
        if (place_of(g.run_boxes[run], p) == Place::beside_ray) continue;
        const std::uint32_t end = std::min((run + 1) * kBoxRun, polygons);
        for (std::uint32_t i = run * kBoxRun; i < end; ++i) {
            const RayHit ray_hit = cross_polygon(g, i, p, counts);
            if (ray_hit == RayHit::singular) return ray_hit;
            odd ^= ray_hit == RayHit::crossed;
        }
    }
    return odd ? RayHit::crossed : RayHit::passed;
}

RayHit cross_tree(const Geometry& g, const PolygonBoxTree& tree, const Point& p, PointTestCounts& counts) {
    bool odd = false;
    const auto& nodes = tree.nodes();
    for (std::uint32_t at = 0; at < nodes.size();) {
        const PolygonBoxTree::Node& node = nodes[at];
        ++counts.boxes;
        if (place_of(node.box, p) == Place::beside_ray) {
            at = node.next;
            continue;
        }
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
            const RayHit ray_hit = cross_polygon(g, tree.order()[i], p, counts);
            if (ray_hit == RayHit::singular) return ray_hit;
            odd ^= ray_hit == RayHit::crossed;
        }
        ++at;
    }
    return odd ? RayHit::crossed : RayHit::passed;
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
    const RayHit ray_hit = tree ? cross_tree(geometry, *tree, p, counts) : cross_runs(geometry, p, counts);
    return ray_hit == RayHit::singular  ? PointSide::singular
           : ray_hit == RayHit::crossed ? PointSide::inside
                                        : PointSide::outside;
}

}  // namespace claybox::collision
