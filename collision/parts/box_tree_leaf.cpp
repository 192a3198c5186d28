#include "collision/parts/box_tree_leaf.hpp"

#include <algorithm>

namespace claybox::collision {

namespace {

Vec3f reach_of(const Aabb& box) {
    Vec3f out;
    for (std::size_t k = 0; k < 3; ++k) out[k] = std::max(std::abs(box.min[k]), std::abs(box.max[k]));
    return out;
}

/// Above the roundings of a quotient between 0 and 1.
constexpr double kQuotient = 0x1p-40;

WorkFrame frame_of(const BoxTreeLeafSide& side, const BoxTreeLeafSide& origin) {
    return {*side.world_from_local, origin.world_from_local->translation(), reach_of(side.geometry->box)};
}

/// Whether boxes of points that are off by up to `error` may share one.
bool near(const Vec3d& min_a, const Vec3d& max_a, const Vec3d& min_b, const Vec3d& max_b, double error) {
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
    // Cheaper to know before polygons are transformed.
    if (std::none_of(edges.box.begin(), edges.box.end(),
                     [&](const Aabb& b) { return overlap(b, edge_region); }))
        return true;
    for (std::size_t k = 0; k < polygons.index.size(); ++k) {
        if (!overlap(polygons.box[k], polygon_region)) continue;
        const std::uint32_t p = polygons.index[k];
        ++counts_.polygons;
        for (std::uint32_t i = t.triangle_begin[p]; i < t.triangle_begin[p + 1]; ++i) {
            if (face_count_ == kChunk && !edges_against_chunk(s, edges, edge_region)) return false;
            add(other, frame_[1 - s], i);
        }
    }
    return face_count_ == 0 || edges_against_chunk(s, edges, edge_region);
}

void BoxTreeLeafTest::add(const BoxTreeLeafSide& side, const WorkFrame& frame, std::uint32_t triangle) {
    const auto& v = side.geometry->topology->triangles[triangle].vertices;
    const auto at = [&](std::size_t i) {
        return transform_point(frame.work_from_local, side.geometry->positions[v[i]]);
    };
    const Vec3d a = at(0), b = at(1), c = at(2);
    const Face face{a, b, c, min(a, min(b, c)), max(a, max(b, c)), triangle};
    chunk_min_ = face_count_ == 0 ? face.min : min(chunk_min_, face.min);
    chunk_max_ = face_count_ == 0 ? face.max : max(chunk_max_, face.max);
    if (side.outward != 0) half_spaces_[face_count_].outward = double(side.outward) * cross(b - a, c - a);
    faces_[face_count_++] = face;
}

bool BoxTreeLeafTest::edges_against_chunk(std::size_t s, const BoxTreeItems& edges, const Aabb& region) {
    const BoxTreeLeafSide& side = side_[s];
    for (std::size_t k = 0; k < edges.index.size(); ++k) {
        if (!overlap(edges.box[k], region)) continue;
        const BoxTreeEdge& edge = side.edges[edges.index[k]];
        if (edge.diagonal && !side.diagonals) continue;
        edge_index_ = edges.index[k];
        if (!edge_against_chunk(s, edge)) return false;
    }
    face_count_ = 0;
    return true;
}

bool BoxTreeLeafTest::edge_against_chunk(std::size_t s, const BoxTreeEdge& edge) {
    const auto& positions = side_[s].geometry->positions;
    const Vec3d from = transform_point(frame_[s].work_from_local, positions[edge.vertices[0]]),
                to = transform_point(frame_[s].work_from_local, positions[edge.vertices[1]]);
    const Vec3d low = min(from, to), high = max(from, to);
    const Topology& t = *side_[1 - s].geometry->topology;
    if (!near(low, high, chunk_min_, chunk_max_, 4 * error_)) return true;
    const bool convex = side_[1 - s].outward != 0;
    Stretch left;
    if (convex && !clip(from, to, left)) return true;
    std::uint32_t last = kNoIndex;  // a polygon is hit once, in the first of its triangles
    for (std::size_t i = 0; i < face_count_; ++i) {
        const Face& face = faces_[i];
        if (!near(low, high, face.min, face.max, 4 * error_)) continue;
        const std::uint32_t polygon = t.triangles[face.triangle].polygon;
        if (polygon == last || (convex && !bounds(half_spaces_[i], left))) continue;
        if (!meets(s, edge, face, from, to)) continue;
        last = polygon;
        hit_.edge = edge.edge;
        hit_.vertices[0] = edge.vertices[0];
        hit_.vertices[1] = edge.vertices[1];
        hit_.polygon = polygon;
        hit_.triangle = face.triangle;
        if (!on_hit_(hit_)) return false;
    }
    return true;
}

// Heights are six-fold volumes det(b - a, c - a, p - a), off by at most `bound`; where they are above it the
// point is outside the body for certain. Between the ends the true height is a mean of theirs, and so is what
// was computed: where that mean is above `bound` the edge is outside too. Differences of the numbers as they
// are have no error of their own, so that a quotient is off by three roundings of itself.
bool BoxTreeLeafTest::clip(const Vec3d& from, const Vec3d& to, Stretch& left) {
    const Vec3d size = max(chunk_max_, max(from, to)) - min(chunk_min_, min(from, to));
    left.bound = edge_triangle_bounds(std::max({size.x, size.y, size.z}), error_).volume;
    for (std::size_t i = 0; i < face_count_; ++i) {
        HalfSpace& h = half_spaces_[i];
        h.from = dot(h.outward, from - faces_[i].a);
        h.to = dot(h.outward, to - faces_[i].a);
        if (h.from > left.bound) {
            if (h.to > left.bound) return false;
            left.begin = std::max(left.begin, (h.from - left.bound) / (h.from - h.to) - kQuotient);
        } else if (h.to > left.bound) {
            left.end = std::min(left.end, (left.bound - h.from) / (h.to - h.from) + kQuotient);
        }
    }
    return left.begin <= left.end;
}

// A point of the triangle has no height over it. The mean here passes a few roundings, of numbers of at most
// 6 L^3, where `bound` is above 31 of them.
bool BoxTreeLeafTest::bounds(const HalfSpace& face, const Stretch& left) {
    const double rise = face.to - face.from;
    return std::max(face.from + left.begin * rise, face.from + left.end * rise) >= -4 * left.bound;
}

bool BoxTreeLeafTest::meets(std::size_t s, const BoxTreeEdge& edge, const Face& face, const Vec3d& from,
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
            const EdgeTriangleMeeting m =
                meet_exact({mine.world_from_local, p[edge.vertices[0]], p[edge.vertices[1]]},
                           {other.world_from_local, q[v[0]], q[v[1]], q[v[2]]});
            if (!m.hit) return false;
            where = m.t;
        }
    }
    hit_.point_w = from + (to - from) * where + cast<double>(side_[0].world_from_local->translation());
    return true;
}

}  // namespace claybox::collision
