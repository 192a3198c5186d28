#include "collision/parts/mesh_bvh_leaf.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

struct Corners {
    Float4 x, y, z;
};

Corners operator-(const Corners& a, const Corners& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Corners cross(const Corners& a, const Corners& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Float4 dot(const Corners& a, const Corners& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
Float4 largest(const Corners& a) {
    return max4(max4(abs4(a.x), abs4(a.y)), abs4(a.z));
}
Corners splat(const Vec3f& p) {
    return {splat4(p.x), splat4(p.y), splat4(p.z)};
}

/// Corners of up to four triangles of a leaf, relative to `middle`; lanes that have none repeat the first.
void load_leaf(const PlacedBvh& x, std::uint32_t leaf, const Vec3f& middle, Corners (&out)[3]) {
    const std::uint32_t first = bvh_leaf_first(leaf), count = bvh_leaf_count(leaf);
    const auto triangles = x.tree->triangles();
    const Float4 scale = splat4(x.tree->scale()), from{middle.x, middle.y, middle.z, 0};
    for (std::uint32_t corner = 0; corner < 3; ++corner) {
        Float4 p[4];
        for (std::uint32_t i = 0; i < 4; ++i) {
            const Vec3f& at = x.geometry->positions[triangles[first + (i < count ? i : 0)].vertices[corner]];
            p[i] = Float4{at.x, at.y, at.z, 0} * scale - from;
        }
        const Points4 q = transpose4(p[0], p[1], p[2], p[3]);
        out[corner] = {q.x, q.y, q.z};
    }
}

/// What the determinants of triangles_may_meet() may be off by, for components up to `l` off by up to `d`:
/// the sum of edge_triangle_bounds() with the unit of float, and what underflows.
float determinant_bound(double l, double d) {
    const double volume = (18 * l * (l + d) + 6 * d * d) * d + 31 * 0x1p-24 * l * l * l;
    return static_cast<float>(volume * (1 + 0x1p-20)) + 0x1p-120f;
}

bool is_apart(Float4 a, Float4 b, Float4 c, Float4 bound, Int4& apart) {
    apart |= (min4(min4(a, b), c) > bound) | (max4(max4(a, b), c) < -bound);
    return bits4(apart) == 15;
}

/// Along the cross product of a side of each: two corners of each project alike, so one dot product less.
Int4 apart_along(const Corners& w, const Corners& p0, const Corners& p2, const Corners& q0, const Corners& q2,
                 Float4 bound) {
    const Float4 from = dot(w, p0 - q0), p = dot(w, p2 - p0), q = dot(w, q2 - q0);
    const Float4 zero = splat4(0);
    const Float4 low_p = from + min4(p, zero), high_p = from + max4(p, zero);
    const Float4 low_q = min4(q, zero), high_q = max4(q, zero);
    return (low_p > high_q + bound) | (high_p + bound < low_q);
}

}  // namespace

// Corners are taken relative to the middle of X's leaf: those of X in float, off by u L where L is the
// largest component, those of Y transformed in double and rounded, off by u L and by the relation's `off`.
// Differences of two of them are at most 2 L and off by 4 u L + 2 off with their own rounding. Every number
// compared is a determinant of three such differences, or a sum of three determinants, or the difference of
// two sums: off by eight times a determinant's bound at most.
unsigned triangles_may_meet(const PlacedBvh& x, const BvhRelation& x_from_y, std::uint32_t leaf_x,
                            const Vec3f& middle_x, const PlacedBvh& y, std::uint32_t leaf_y) {
    Corners p[3];
    load_leaf(x, leaf_x, middle_x, p);
    const std::uint32_t first = bvh_leaf_first(leaf_y), count = bvh_leaf_count(leaf_y);
    const Vec3d middle = cast<double>(middle_x);
    const double scale = static_cast<double>(y.tree->scale());
    Vec3f q[4][3];
    float far = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const BvhTriangle& t = y.tree->triangles()[first + i];
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3d in_x = transform_point(x_from_y.x_from_y,
                                               scale * cast<double>(y.geometry->positions[t.vertices[k]]));
            q[i][k] = cast<float>(in_x - middle);
            far = std::max({far, std::abs(q[i][k].x), std::abs(q[i][k].y), std::abs(q[i][k].z)});
        }
    }
    const Float4 size = largest4(max4(max4(largest(p[0]), largest(p[1])), largest(p[2])));
    const double l = static_cast<double>(std::max(far, size[0]));
    if (!(l < 0x1p30)) return 0xffff;  // cubes would come near the end of float
    const Float4 bound = splat4(8 * determinant_bound(2 * l, 0x1p-22 * l + 2 * x_from_y.off));
    const Corners side_p[3] = {p[1] - p[0], p[2] - p[1], p[0] - p[2]};
    const Corners normal_p = cross(side_p[0], side_p[1]);
    const unsigned lanes = (1u << bvh_leaf_count(leaf_x)) - 1;
    unsigned out = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Corners q0 = splat(q[i][0]), q1 = splat(q[i][1]), q2 = splat(q[i][2]);
        const Corners side_q[3] = {q1 - q0, q2 - q1, q0 - q2};
        const Corners normal_q = cross(side_q[0], side_q[1]);
        Int4 apart{};
        if (is_apart(dot(normal_q, p[0] - q0), dot(normal_q, p[1] - q0), dot(normal_q, p[2] - q0), bound,
                     apart) ||
            is_apart(dot(normal_p, q0 - p[0]), dot(normal_p, q1 - p[0]), dot(normal_p, q2 - p[0]), bound,
                     apart))
            continue;
        const Corners* const corner_q[3] = {&q0, &q1, &q2};
        for (std::size_t j = 0; j < 9 && bits4(apart) != 15; ++j) {
            const std::size_t a = j / 3, b = j % 3;
            apart |= apart_along(cross(side_p[a], side_q[b]), p[a], p[(a + 2) % 3], *corner_q[b],
                                 *corner_q[(b + 2) % 3], bound);
        }
        out |= (~bits4(apart) & lanes) << 4 * i;
    }
    return out;
}

BvhLeafTest::Mesh BvhLeafTest::mesh_of(const PlacedBvh& placed, const Vec3f& origin_w) {
    Vec3f reach;
    for (std::size_t k = 0; k < 3; ++k)
        reach[k] = std::max(std::abs(placed.geometry->box.min[k]), std::abs(placed.geometry->box.max[k]));
    return {placed.geometry, placed.geometry->topology.get(), placed.tree, placed.world_from_body,
            WorkFrame(*placed.world_from_body, origin_w, reach)};
}

BvhLeafTest::BvhLeafTest(const BvhSearch& search, FunctionRef<bool(const MeshHit&)> on_hit, BvhCounts& counts)
    : search_(search),
      on_hit_(on_hit),
      counts_(counts),
      a_(mesh_of(search.a, search.a.world_from_body->translation())),
      b_(mesh_of(search.b, search.a.world_from_body->translation())) {}

bool BvhLeafTest::run(std::uint32_t triangle_a, std::uint32_t triangle_b) {
    ++counts_.pairs;
    hit_.edge_of_b = false;
    if (!sides(a_, triangle_a, b_, triangle_b)) return false;
    hit_.edge_of_b = true;
    return sides(b_, triangle_b, a_, triangle_a);
}

bool BvhLeafTest::sides(const Mesh& mesh, std::uint32_t triangle, const Mesh& other,
                        std::uint32_t other_triangle) {
    const unsigned bits = mesh.tree->sides(triangle);
    const Triangle& t = mesh.topology->triangles[triangle];
    for (std::uint32_t k = 0; k < 3; ++k) {
        const bool edge = (bits >> k & 1) != 0, diagonal = (bits >> (3 + k) & 1) != 0;
        hit_.edge = kNoIndex;
        if (edge || (diagonal && search_.diagonals))
            if (!side(mesh, t, edge ? k : 3 + k, other, other_triangle)) return false;
    }
    return true;
}

namespace {

/// The edge that joins u and v in a polygon.
std::uint32_t edge_between(const Topology& t, std::uint32_t polygon, std::uint32_t u, std::uint32_t v) {
    for (std::uint32_t h = t.polygon_begin[polygon]; h < t.polygon_begin[polygon + 1]; ++h) {
        const std::uint32_t x = t.origin[h], y = t.origin[t.next(h)];
        if ((x == u && y == v) || (x == v && y == u)) return t.edge_of[h];
    }
    return kNoIndex;
}

}  // namespace

/// Side k of t, or diagonal k - 3. It meets a polygon once: in the first of its triangles that it meets.
bool BvhLeafTest::side(const Mesh& mesh, const Triangle& t, std::uint32_t k, const Mesh& other,
                       std::uint32_t triangle) {
    const std::uint32_t u = t.vertices[k % 3], v = t.vertices[(k + 1) % 3];
    const bool edge = k < 3;
    hit_.vertices[0] = edge ? std::min(u, v) : u;
    hit_.vertices[1] = edge ? std::max(u, v) : v;
    from_ = mesh.at(hit_.vertices[0]);
    to_ = mesh.at(hit_.vertices[1]);
    double where = 0, earlier = 0;
    if (!meets(mesh, other, triangle, where)) return true;
    hit_.polygon = other.topology->triangles[triangle].polygon;
    for (std::uint32_t i = other.topology->triangle_begin[hit_.polygon]; i < triangle; ++i)
        if (meets(mesh, other, i, earlier)) return true;
    hit_.edge = edge ? edge_between(*mesh.topology, t.polygon, u, v) : kNoIndex;
    hit_.triangle = triangle;
    hit_.point_w = from_ + (to_ - from_) * where + cast<double>(a_.world_from_local->translation());
    return on_hit_(hit_);
}

bool BvhLeafTest::meets(const Mesh& mesh, const Mesh& other, std::uint32_t triangle, double& where) {
    ++counts_.tests;
    const auto& v = other.topology->triangles[triangle].vertices;
    const EdgeTriangleFilter f =
        filter_edge_triangle(from_, to_, other.at(v[0]), other.at(v[1]), other.at(v[2]),
                             std::max(mesh.frame.error, other.frame.error));
    where = f.t;
    if (f.sign != EdgeTriangleSign::unknown) return f.sign == EdgeTriangleSign::hit;
    where = 0.5;
    if (search_.fast) return true;
    ++counts_.exact;
    const auto &p = mesh.geometry->positions, &q = other.geometry->positions;
    const EdgeTriangleMeeting m =
        meet_exact({mesh.world_from_local, p[hit_.vertices[0]], p[hit_.vertices[1]]},
                   {other.world_from_local, q[v[0]], q[v[1]], q[v[2]]});
    where = m.t;
    return m.hit;
}

}  // namespace claybox::collision
