#include "collision/pairwise/box_tree/leaf.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

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

/// A box, to be compared with many boxes.
class Region {
  public:
    explicit Region(const Aabb& box)
        : high_{box.max.x, box.max.y, box.max.z, HUGE_VALF},
          low_{-HUGE_VALF, box.min.x, box.min.y, box.min.z} {}
    /// The six numbers of a box are read as two vectors that overlap in the middle.
    bool overlaps(const Aabb& box) const {
        static_assert(sizeof box == 6 * sizeof(float));
        Float4 first, last;
        std::memcpy(&first, &box, sizeof first);
        std::memcpy(&last, reinterpret_cast<const char*>(&box) + 2 * sizeof(float), sizeof last);
        return mask_bits4((first > high_) | (last < low_)) == 0;
    }

  private:
    Float4 high_, low_;
};

/// The largest |coordinate| of a point within `reach`.
double size_in(const Matrix34d& m, const Vec3f& reach) {
    double out = 0;
    for (std::size_t k = 0; k < 3; ++k)
        out = std::max(out, std::abs(m(k, 0)) * double{reach.x} + std::abs(m(k, 1)) * double{reach.y} +
                                std::abs(m(k, 2)) * double{reach.z} + std::abs(m(k, 3)));
    return out;
}

}  // namespace

// A coordinate in float is off by at most 6 u of the largest |coordinate| L: elements of the matrix, products
// and sums are rounded once each, u = 2^-24. So the difference of two is off by 12 u L; growing a box adds 2
// u L. Beyond 2^100 float could overflow, and the slack lets every pair of boxes overlap. So does a NaN.
BoxTreeLeafTest::BoxTreeLeafTest(const BoxTreeLeafSide& a, const BoxTreeLeafSide& b, bool fast,
                                 FunctionRef<bool(const MeshHit&)> on_hit, BoxTreeLeafCounts& counts)
    : side_{a, b},
      frame_{frame_of(a, a), frame_of(b, a)},
      error_(std::max(frame_[0].error, frame_[1].error)),
      fast_(fast),
      on_hit_(on_hit),
      counts_(counts) {
    double size = 0;
    for (std::size_t s = 0; s < 2; ++s) {
        const Matrix34d& m = frame_[s].work_from_local;
        size = std::max(size, size_in(m, reach_of(side_[s].geometry->box)));
        for (std::size_t k = 0; k < 4; ++k)
            columns_[s][k] = Float4{static_cast<float>(m(0, k)), static_cast<float>(m(1, k)),
                                    static_cast<float>(m(2, k)), 0};
    }
    slack_ = size < 0x1p100 ? static_cast<float>(4 * error_ + 0x1p-20 * size + 0x1p-120) : HUGE_VALF;
}

/// A vertex in the work frame. If two coordinates differ by more than slack_, so do the true ones.
Float4 BoxTreeLeafTest::roughly_at(std::size_t s, std::uint32_t vertex) const {
    const Vec3f& p = side_[s].geometry->positions[vertex];
    const Float4(&c)[4] = columns_[s];
    return c[0] * splat4(p.x) + c[1] * splat4(p.y) + c[2] * splat4(p.z) + c[3];
}

/// The same in double, off by at most error_.
Vec3d BoxTreeLeafTest::at(std::size_t s, std::uint32_t vertex) const {
    return transform_point(frame_[s].work_from_local, side_[s].geometry->positions[vertex]);
}

bool BoxTreeLeafTest::run(std::size_t s, const BoxTreeItems& edges, const Aabb& edge_region,
                          const BoxTreeItems& polygons, const Aabb& polygon_region) {
    const Topology& t = *side_[1 - s].geometry->topology;
    hit_.edge_of_b = s == 1;
    face_count_ = 0;
    // Cheap rejection before polygons are transformed.
    const Region near_edges(edge_region), near_polygons(polygon_region);
    if (std::none_of(edges.box.begin(), edges.box.end(),
                     [&](const Aabb& b) { return near_edges.overlaps(b); }))
        return true;
    for (std::size_t k = 0; k < polygons.index.size(); ++k) {
        if (!near_polygons.overlaps(polygons.box[k])) continue;
        const std::uint32_t p = polygons.index[k];
        ++counts_.polygons;
        for (std::uint32_t i = t.triangle_begin[p]; i < t.triangle_begin[p + 1]; ++i) {
            if (face_count_ == kMaxFaces && !test_edges(s, edges, edge_region)) return false;
            add(1 - s, i);
        }
    }
    return face_count_ == 0 || test_edges(s, edges, edge_region);
}

void BoxTreeLeafTest::add(std::size_t s, std::uint32_t triangle) {
    const auto& v = side_[s].geometry->topology->triangles[triangle].vertices;
    const Float4 a = roughly_at(s, v[0]), b = roughly_at(s, v[1]), c = roughly_at(s, v[2]);
    const Float4 low = min4(a, min4(b, c)) - splat4(slack_), high = max4(a, max4(b, c)) + splat4(slack_);
    all_low_ = face_count_ == 0 ? low : min4(all_low_, low);
    all_high_ = face_count_ == 0 ? high : max4(all_high_, high);
    for (std::size_t k = 0; k < 3; ++k) {
        low_[k][face_count_] = low[k];
        high_[k][face_count_] = high[k];
    }
    triangles_[face_count_++] = triangle;
}

bool BoxTreeLeafTest::test_edges(std::size_t s, const BoxTreeItems& edges, const Aabb& box) {
    const BoxTreeLeafSide& side = side_[s];
    const Region region(box);
    known_ = 0;
    for (std::size_t k = 0; k < edges.index.size(); ++k) {
        if (!region.overlaps(edges.box[k])) continue;
        const BoxTreeEdge& edge = side.edges[edges.index[k]];
        if (edge.diagonal && !side.diagonals) continue;
        const Float4 from = roughly_at(s, edge.vertices[0]), to = roughly_at(s, edge.vertices[1]);
        const std::uint32_t near = faces_near(min4(from, to), max4(from, to));
        if (near == 0) continue;
        edge_index_ = edges.index[k];
        if (!test_edge(s, edge, near)) return false;
    }
    face_count_ = 0;
    return true;
}

/// Bit i: the box of triangle i may overlap a box. Written so that NaN overlaps.
std::uint32_t BoxTreeLeafTest::faces_near(Float4 low, Float4 high) const {
    if ((mask_bits4((low > all_high_) | (high < all_low_)) & 7) != 0) return 0;
    const Float4 low_x = splat4(low[0]), low_y = splat4(low[1]), low_z = splat4(low[2]),
                 high_x = splat4(high[0]), high_y = splat4(high[1]), high_z = splat4(high[2]);
    std::uint32_t apart = 0;
    for (std::size_t i = 0; i < face_count_; i += 4)
        apart |= mask_bits4((low_x > load4(high_[0] + i)) | (high_x < load4(low_[0] + i)) |
                            (low_y > load4(high_[1] + i)) | (high_y < load4(low_[1] + i)) |
                            (low_z > load4(high_[2] + i)) | (high_z < load4(low_[2] + i)))
                 << i;
    return ~apart & 0xffffffffu >> (kMaxFaces - face_count_);
}

const BoxTreeLeafTest::Corners& BoxTreeLeafTest::corners_of(std::size_t s, std::size_t face) {
    Corners& out = corners_[face];
    const std::uint32_t bit = 1u << face;
    if ((known_ & bit) != 0) return out;
    known_ |= bit;
    const auto& v = side_[s].geometry->topology->triangles[triangles_[face]].vertices;
    return out = {at(s, v[0]), at(s, v[1]), at(s, v[2])};
}

/// Of all collected triangles of side s.
void BoxTreeLeafTest::make_half_spaces(std::size_t s) {
    for (std::size_t i = 0; i < face_count_; ++i) {
        const auto& [a, b, c] = corners_of(s, i);
        const Vec3d low = min(a, min(b, c)), high = max(a, max(b, c));
        faces_min_ = i == 0 ? low : min(faces_min_, low);
        faces_max_ = i == 0 ? high : max(faces_max_, high);
        half_spaces_[i].outward = double(side_[s].outward) * cross(b - a, c - a);
    }
}

/// Tests an edge against the triangles in the bits of `near`.
bool BoxTreeLeafTest::test_edge(std::size_t s, const BoxTreeEdge& edge, std::uint32_t near) {
    const Ends ends{at(s, edge.vertices[0]), at(s, edge.vertices[1])};
    const Topology& t = *side_[1 - s].geometry->topology;
    const bool convex = side_[1 - s].outward != 0;
    if (convex && known_ == 0) make_half_spaces(1 - s);
    Stretch rest;
    if (convex && !clip(ends, rest)) return true;
    std::uint32_t last_polygon = kNoIndex;  // a polygon is hit once, in the first of its triangles
    for (; near != 0; near &= near - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(near));
        const std::uint32_t polygon = t.triangles[triangles_[i]].polygon;
        if (polygon == last_polygon || (convex && !may_touch(half_spaces_[i], rest))) continue;
        if (!intersects(s, edge, ends, i)) continue;
        last_polygon = polygon;
        hit_.edge = edge.edge;
        hit_.vertices[0] = edge.vertices[0];
        hit_.vertices[1] = edge.vertices[1];
        hit_.polygon = polygon;
        hit_.triangle = triangles_[i];
        if (!on_hit_(hit_)) return false;
    }
    return true;
}

// Heights are six-fold volumes det(b - a, c - a, p - a), off by at most `bound`. A height above `bound`
// proves that the point is outside the body. Between the ends, both the true and the computed height are
// weighted means of the heights of the ends; if the computed mean is above `bound`, the edge is outside there
// too. Differences of the numbers as stored have no error of their own, so a quotient is off by three of its
// roundings.
bool BoxTreeLeafTest::clip(const Ends& edge, Stretch& rest) {
    const auto& [from, to] = edge;
    const Vec3d size = max(faces_max_, max(from, to)) - min(faces_min_, min(from, to));
    rest.bound = edge_triangle_bounds(std::max({size.x, size.y, size.z}), error_).volume;
    for (std::size_t i = 0; i < face_count_; ++i) {
        HalfSpace& h = half_spaces_[i];
        h.from = dot(h.outward, from - corners_[i].a);
        h.to = dot(h.outward, to - corners_[i].a);
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

bool BoxTreeLeafTest::intersects(std::size_t s, const BoxTreeEdge& edge, const Ends& ends, std::size_t face) {
    ++counts_.tests;
    const auto& [from, to] = ends;
    const auto& [a, b, c] = corners_of(1 - s, face);
    const EdgeTriangleFilter filter = filter_edge_triangle(from, to, a, b, c, error_);
    if (filter.sign == EdgeTriangleSign::miss) return false;
    double where = filter.t;
    if (filter.sign == EdgeTriangleSign::unknown) {
        where = 0.5;
        if (!fast_) {
            ++counts_.exact;
            const BoxTreeLeafSide &mine = side_[s], &other = side_[1 - s];
            const auto &p = mine.geometry->positions, &q = other.geometry->positions;
            const auto& v = other.geometry->topology->triangles[triangles_[face]].vertices;
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
