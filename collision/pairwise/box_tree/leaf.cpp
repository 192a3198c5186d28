#include "collision/pairwise/box_tree/leaf.hpp"

#include <algorithm>

namespace claybox::collision {

namespace {

Vec3f reach_of(const Aabb& box) {
    Vec3f out;
    for (std::size_t k = 0; k < 3; ++k) out[k] = std::max(std::abs(box.min[k]), std::abs(box.max[k]));
    return out;
}

/// Exceeds the roundings of a quotient between 0 and 1.
constexpr double kQuotientError = 0x1p-40;

WorkFrame frame_of(const BoxTreeLeafSide& side, const BoxTreeLeafSide& origin) {
    return {*side.world_from_local, origin.world_from_local->translation(), reach_of(side.geometry->box)};
}

/// Whether the boxes of points that are off by up to `error` may overlap.
bool boxes_may_overlap(const Vec3d& min_a, const Vec3d& max_a, const Vec3d& min_b, const Vec3d& max_b,
                       double error) {
    return min_a.x - error <= max_b.x && min_b.x - error <= max_a.x && min_a.y - error <= max_b.y &&
           min_b.y - error <= max_a.y && min_a.z - error <= max_b.z && min_b.z - error <= max_a.z;
}

}  // namespace

BoxTreeLeafTest::BoxTreeLeafTest(const BoxTreeLeafSide& a, const BoxTreeLeafSide& b, bool fast,
                                 FunctionRef<bool(const MeshHit&)> on_hit, BoxTreeLeafCounts& counts)
    : side_{a, b},
      frame_{frame_of(a, a), frame_of(b, a)},
      error_(std::max(frame_[0].error, frame_[1].error)),
      fast_(fast),
      on_hit_(on_hit),
      counts_(counts) {}

bool BoxTreeLeafTest::run(std::size_t s, const BoxTreeItems& edges, const Aabb& edge_region,
                          const BoxTreeItems& polygons, const Aabb& polygon_region) {
    const BoxTreeLeafSide& other = side_[1 - s];
    const Topology& t = *other.geometry->topology;
    hit_.edge_of_b = s == 1;
    face_count_ = 0;
    // Cheap rejection before polygons are transformed.
    if (std::none_of(edges.box.begin(), edges.box.end(),
                     [&](const Aabb& b) { return overlap(b, edge_region); }))
        return true;
    for (std::size_t k = 0; k < polygons.index.size(); ++k) {
        if (!overlap(polygons.box[k], polygon_region)) continue;
        const std::uint32_t p = polygons.index[k];
        ++counts_.polygons;
        for (std::uint32_t i = t.triangle_begin[p]; i < t.triangle_begin[p + 1]; ++i) {
            if (face_count_ == kMaxFaces && !test_edges(s, edges, edge_region)) return false;
            add(other, frame_[1 - s], i);
        }
    }
    return face_count_ == 0 || test_edges(s, edges, edge_region);
}

void BoxTreeLeafTest::add(const BoxTreeLeafSide& side, const WorkFrame& frame, std::uint32_t triangle) {
    const auto& v = side.geometry->topology->triangles[triangle].vertices;
    const auto at = [&](std::size_t i) {
        return transform_point(frame.work_from_local, side.geometry->positions[v[i]]);
    };
    const Vec3d a = at(0), b = at(1), c = at(2);
    const Face face{a, b, c, min(a, min(b, c)), max(a, max(b, c)), triangle};
    faces_min_ = face_count_ == 0 ? face.min : min(faces_min_, face.min);
    faces_max_ = face_count_ == 0 ? face.max : max(faces_max_, face.max);
    if (side.outward != 0) half_spaces_[face_count_].outward = double(side.outward) * cross(b - a, c - a);
    faces_[face_count_++] = face;
}

bool BoxTreeLeafTest::test_edges(std::size_t s, const BoxTreeItems& edges, const Aabb& region) {
    const BoxTreeLeafSide& side = side_[s];
    for (std::size_t k = 0; k < edges.index.size(); ++k) {
        if (!overlap(edges.box[k], region)) continue;
        const BoxTreeEdge& edge = side.edges[edges.index[k]];
        if (edge.diagonal && !side.diagonals) continue;
        edge_index_ = edges.index[k];
        if (!test_edge(s, edge)) return false;
    }
    face_count_ = 0;
    return true;
}

bool BoxTreeLeafTest::test_edge(std::size_t s, const BoxTreeEdge& edge) {
    const auto& positions = side_[s].geometry->positions;
    const Vec3d from = transform_point(frame_[s].work_from_local, positions[edge.vertices[0]]),
                to = transform_point(frame_[s].work_from_local, positions[edge.vertices[1]]);
    const Vec3d low = min(from, to), high = max(from, to);
    const Topology& t = *side_[1 - s].geometry->topology;
    if (!boxes_may_overlap(low, high, faces_min_, faces_max_, 4 * error_)) return true;
    const bool convex = side_[1 - s].outward != 0;
    Stretch rest;
    if (convex && !clip(from, to, rest)) return true;
    std::uint32_t last_polygon = kNoIndex;  // a polygon is hit once, in the first of its triangles
    for (std::size_t i = 0; i < face_count_; ++i) {
        const Face& face = faces_[i];
        if (!boxes_may_overlap(low, high, face.min, face.max, 4 * error_)) continue;
        const std::uint32_t polygon = t.triangles[face.triangle].polygon;
        if (polygon == last_polygon || (convex && !may_touch(half_spaces_[i], rest))) continue;
        if (!intersects(s, edge, face, from, to)) continue;
        last_polygon = polygon;
        hit_.edge = edge.edge;
        hit_.vertices[0] = edge.vertices[0];
        hit_.vertices[1] = edge.vertices[1];
        hit_.polygon = polygon;
        hit_.triangle = face.triangle;
        if (!on_hit_(hit_)) return false;
    }
    return true;
}

// Heights are six-fold volumes det(b - a, c - a, p - a), off by at most `bound`. A height above `bound`
// proves that the point is outside the body. Between the ends, both the true and the computed height are
// weighted means of the heights of the ends; if the computed mean is above `bound`, the edge is outside there
// too. Differences of the numbers as stored have no error of their own, so a quotient is off by three of its
// roundings.
bool BoxTreeLeafTest::clip(const Vec3d& from, const Vec3d& to, Stretch& rest) {
    const Vec3d size = max(faces_max_, max(from, to)) - min(faces_min_, min(from, to));
    rest.bound = edge_triangle_bounds(std::max({size.x, size.y, size.z}), error_).volume;
    for (std::size_t i = 0; i < face_count_; ++i) {
        HalfSpace& h = half_spaces_[i];
        h.from = dot(h.outward, from - faces_[i].a);
        h.to = dot(h.outward, to - faces_[i].a);
        if (h.from > rest.bound) {
            if (h.to > rest.bound) return false;
            rest.begin = std::max(rest.begin, (h.from - rest.bound) / (h.from - h.to) - kQuotientError);
        } else if (h.to > rest.bound) {
            rest.end = std::min(rest.end, (rest.bound - h.from) / (h.to - h.from) + kQuotientError);
        }
    }
    return rest.begin <= rest.end;
}

// A point of the triangle has height zero. The mean here has a few roundings of numbers of at most 6 L^3;
// `bound` exceeds 31 of them.
bool BoxTreeLeafTest::may_touch(const HalfSpace& face, const Stretch& rest) {
    const double rise = face.to - face.from;
    return std::max(face.from + rest.begin * rise, face.from + rest.end * rise) >= -4 * rest.bound;
}

bool BoxTreeLeafTest::intersects(std::size_t s, const BoxTreeEdge& edge, const Face& face, const Vec3d& from,
                                 const Vec3d& to) {
    ++counts_.tests;
    const EdgeTriangleFilter filter = filter_edge_triangle(from, to, face.a, face.b, face.c, error_);
    if (filter.sign == EdgeTriangleSign::miss) return false;
    double where = filter.t;
    if (filter.sign == EdgeTriangleSign::unknown) {
        where = 0.5;
        if (!fast_) {
            ++counts_.exact;
            const BoxTreeLeafSide &mine = side_[s], &other = side_[1 - s];
            const auto &p = mine.geometry->positions, &q = other.geometry->positions;
            const auto& v = other.geometry->topology->triangles[face.triangle].vertices;
            const EdgeTriangleIntersection m =
                intersect_exact({mine.world_from_local, p[edge.vertices[0]], p[edge.vertices[1]]},
                                {other.world_from_local, q[v[0]], q[v[1]], q[v[2]]});
            if (!m.hit) return false;
            where = m.t;
        }
    }
    hit_.point_w = from + (to - from) * where + cast<double>(side_[0].world_from_local->translation());
    return true;
}

}  // namespace claybox::collision
