#include "collision/pairwise/mesh_bvh/leaf_test.hpp"

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
/// Up to four triangles of a leaf, one per lane; unused lanes repeat the first.
struct LeafCorners {
    Corners corner[3];
    std::uint32_t count = 0;
};

/// Corners relative to the centre of the leaf's volume.
LeafCorners load_leaf(const PlacedBvh& placed, std::uint32_t ref) {
    const BvhNode& node = placed.tree->nodes()[ref / 4];
    const std::uint32_t leaf = node.child[ref % 4], first = bvh_leaf_first(leaf),
                        count = bvh_leaf_count(leaf);
    const BvhTriangle* const triangles = placed.tree->triangles().data() + first;
    const Vec3f* const positions = placed.geometry->positions.data();
    const Float4 scale = splat4(placed.tree->scale());
    const Float4 centre{node.cx[ref % 4], node.cy[ref % 4], node.cz[ref % 4], 0};
    LeafCorners out;
    out.count = count;
    for (std::uint32_t k = 0; k < 3; ++k) {
        Float4 p[4];
        for (std::uint32_t i = 0; i < 4; ++i) {
            const Vec3f& at = positions[triangles[i < count ? i : 0].vertices[k]];
            p[i] = Float4{at.x, at.y, at.z, 0} * scale - centre;
        }
        const Points4 q = transpose4(p[0], p[1], p[2], p[3]);
        out.corner[k] = {q.x, q.y, q.z};
    }
    return out;
}

/// Transforms Y's corners to the frame of X, relative to the centre of X's leaf.
void transform_to_x(const BvhRelation& x_from_y, const Vec3f& centre_x, const Vec3f& centre_y,
                    LeafCorners& y) {
    const auto& m = x_from_y.x_from_y;
    const Vec3f between = cast<float>(transform_point(m, cast<double>(centre_y)) - cast<double>(centre_x));
    Float4 row[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) row[i][j] = splat4(static_cast<float>(m(i, j)));
    for (Corners& c : y.corner) {
        const Corners p = c;
        c.x = row[0][0] * p.x + row[0][1] * p.y + row[0][2] * p.z + splat4(between.x);
        c.y = row[1][0] * p.x + row[1][1] * p.y + row[1][2] * p.z + splat4(between.y);
        c.z = row[2][0] * p.x + row[2][1] * p.y + row[2][2] * p.z + splat4(between.z);
    }
}

Float4 largest(const LeafCorners& leaf) {
    return largest4(max4(max4(largest(leaf.corner[0]), largest(leaf.corner[1])), largest(leaf.corner[2])));
}

/// Error bound of the determinants of triangles_may_intersect(), for components up to `l` off by up to `d`:
/// the sum of edge_triangle_bounds() with the unit roundoff of float, and underflow.
float determinant_bound(double l, double d) {
    const double volume = (18 * l * (l + d) + 6 * d * d) * d + 31 * 0x1p-24 * l * l * l;
    return static_cast<float>(volume * (1 + 0x1p-20)) + 0x1p-120f;
}

Int4 apart_by_plane(Float4 a, Float4 b, Float4 c, Float4 bound) {
    return (min4(min4(a, b), c) > bound) | (max4(max4(a, b), c) < -bound);
}

/// Tests along the cross product of one side of each triangle. Two corners of each triangle have the same
/// projection, which saves one dot product each.
Int4 apart_along(const Corners& w, const Corners& p0, const Corners& p2, const Corners& q0, const Corners& q2,
                 Float4 bound) {
    const Float4 from = dot(w, p0 - q0), p = dot(w, p2 - p0), q = dot(w, q2 - q0);
    const Float4 zero = splat4(0);
    const Float4 low_p = from + min4(p, zero), high_p = from + max4(p, zero);
    const Float4 low_q = min4(q, zero), high_q = max4(q, zero);
    return (low_p > high_q + bound) | (high_p + bound < low_q);
}

/// Tests four triangles against one, along the planes of both and the cross products of their sides.
class TriangleTest {
  public:
    TriangleTest(const LeafCorners& x, Float4 shift, Float4 bound)
        : p_{x.corner[0], x.corner[1], x.corner[2]},
          shift_(shift),
          bound_(bound),
          bound_of_sums_(splat4(3.5f) * bound) {
        low_ = {min4(min4(p_[0].x, p_[1].x), p_[2].x), min4(min4(p_[0].y, p_[1].y), p_[2].y),
                min4(min4(p_[0].z, p_[1].z), p_[2].z)};
        high_ = {max4(max4(p_[0].x, p_[1].x), p_[2].x), max4(max4(p_[0].y, p_[1].y), p_[2].y),
                 max4(max4(p_[0].z, p_[1].z), p_[2].z)};
    }
    /// The lanes that may intersect the triangle whose corners fill all lanes.
    unsigned run(const Corners (&q)[3]) {
        Int4 apart = apart_along_axis(low_.x, high_.x, q[0].x, q[1].x, q[2].x) |
                     apart_along_axis(low_.y, high_.y, q[0].y, q[1].y, q[2].y) |
                     apart_along_axis(low_.z, high_.z, q[0].z, q[1].z, q[2].z);
        if (mask_bits4(apart) == 15) return 0;
        const Corners side_p[3] = {p_[1] - p_[0], p_[2] - p_[1], p_[0] - p_[2]};
        const Corners side_q[3] = {q[1] - q[0], q[2] - q[1], q[0] - q[2]};
        const Corners normal_p = cross(side_p[0], side_p[1]), normal_q = cross(side_q[0], side_q[1]);
        apart |= apart_by_plane(dot(normal_q, p_[0] - q[0]), dot(normal_q, p_[1] - q[0]),
                                dot(normal_q, p_[2] - q[0]), bound_);
        apart |= apart_by_plane(dot(normal_p, q[0] - p_[0]), dot(normal_p, q[1] - p_[0]),
                                dot(normal_p, q[2] - p_[0]), bound_);
        for (std::size_t j = 0; j < 9 && mask_bits4(apart) != 15; ++j) {
            const std::size_t a = j / 3, b = j % 3;
            apart |= apart_along(cross(side_p[a], side_q[b]), p_[a], p_[(a + 2) % 3], q[b], q[(b + 2) % 3],
                                 bound_of_sums_);
        }
        return ~mask_bits4(apart) & 15;
    }

  private:
    Int4 apart_along_axis(Float4 low, Float4 high, Float4 a, Float4 b, Float4 c) const {
        return (low > max4(max4(a, b), c) + shift_) | (high + shift_ < min4(min4(a, b), c));
    }

    Corners p_[3], low_, high_;
    Float4 shift_, bound_, bound_of_sums_;
};

template <int Lane>
Corners lane_of(const Corners& c) {
    return {shuffle4<Lane, Lane, Lane, Lane>(c.x), shuffle4<Lane, Lane, Lane, Lane>(c.y),
            shuffle4<Lane, Lane, Lane, Lane>(c.z)};
}

template <int Lane>
unsigned test_lane(TriangleTest& test, const LeafCorners& y) {
    if (Lane >= y.count) return 0;
    const Corners q[3] = {lane_of<Lane>(y.corner[0]), lane_of<Lane>(y.corner[1]), lane_of<Lane>(y.corner[2])};
    return test.run(q) << 4 * Lane;
}

}  // namespace

// With u = 2^-24: corners are relative to the centre of their own leaf; those of Y are off by u l for
// components up to l. The transform to the frame of X relative to X's leaf is M c + b with rounded elements
// of M, three products and three sums. With m = l times the largest row sum of magnitudes, that is 5 u m and
// 2 u |b|, including b's own rounding, plus `off` of the relation. |b| is at most m + a, where a is the
// largest component afterwards, so Y's corners are off by d = 7 u m + 2 u a + off; X's by less. Let L be the
// largest component of both: differences of two corners are at most 2 L and off by 2 d + 2 u L.
// determinant_bound() bounds a determinant of three of these. The tests by planes compare one determinant;
// the tests by cross products compare three, and two sums of them whose roundings are below half a bound.
unsigned triangles_may_intersect(const PlacedBvh& x, const BvhRelation& x_from_y, std::uint32_t ref_x,
                                 const PlacedBvh& y, std::uint32_t ref_y) {
    const Vec3f centre_x = x.tree->volume(ref_x).centre, centre_y = y.tree->volume(ref_y).centre;
    const LeafCorners p = load_leaf(x, ref_x);
    LeafCorners q = load_leaf(y, ref_y);
    const auto before = static_cast<double>(largest(q)[0] * x_from_y.row_sum);
    transform_to_x(x_from_y, centre_x, centre_y, q);
    const auto after = static_cast<double>(largest(q)[0]);
    const double l = std::max(after, static_cast<double>(largest(p)[0]));
    const unsigned lanes = 0x1111u * ((1u << p.count) - 1);
    // Cubes would come near the overflow of float.
    if (!(l < 0x1p30 && before < 0x1p30)) return ((1u << 4 * q.count) - 1) & lanes;
    const double d = (7 * 0x1p-24 * before + 2 * 0x1p-24 * l + x_from_y.off) * (1 + 0x1p-20);
    TriangleTest test(p, splat4(static_cast<float>(3 * d)),
                      splat4(determinant_bound(2 * l, 2 * d + 2 * 0x1p-24 * l)));
    const unsigned all =
        test_lane<0>(test, q) | test_lane<1>(test, q) | test_lane<2>(test, q) | test_lane<3>(test, q);
    return all & lanes;
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

bool BvhLeafTest::still_hits(const BvhMemory& memory) {
    const Mesh &mesh = memory.edge_of_b ? b_ : a_, &other = memory.edge_of_b ? a_ : b_;
    hit_.edge_of_b = memory.edge_of_b;
    hit_.vertices[0] = memory.vertices[0];
    hit_.vertices[1] = memory.vertices[1];
    from_ = mesh.at(hit_.vertices[0]);
    to_ = mesh.at(hit_.vertices[1]);
    double where = 0;
    return intersects(mesh, other, memory.triangle, where) &&
           !report(memory.edge, other, memory.triangle, where);
}

void BvhLeafTest::remember(BvhMemory& memory) const {
    memory.vertices[0] = hit_.vertices[0];
    memory.vertices[1] = hit_.vertices[1];
    memory.edge = hit_.edge;
    memory.triangle = hit_.triangle;
    memory.edge_of_b = hit_.edge_of_b;
    memory.last = BvhMemory::Last::hit;
}

bool BvhLeafTest::report(std::uint32_t edge, const Mesh& other, std::uint32_t triangle, double where) {
    hit_.edge = edge;
    hit_.polygon = other.topology->triangles[triangle].polygon;
    hit_.triangle = triangle;
    hit_.point_w = from_ + (to_ - from_) * where + cast<double>(a_.world_from_local->translation());
    return on_hit_(hit_);
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

/// The edge of a polygon that joins u and v.
std::uint32_t edge_between(const Topology& t, std::uint32_t polygon, std::uint32_t u, std::uint32_t v) {
    for (std::uint32_t h = t.polygon_begin[polygon]; h < t.polygon_begin[polygon + 1]; ++h) {
        const std::uint32_t x = t.origin[h], y = t.origin[t.next(h)];
        if ((x == u && y == v) || (x == v && y == u)) return t.edge_of[h];
    }
    return kNoIndex;
}

}  // namespace

/// Tests side k of t, or diagonal k - 3. Reports an intersected polygon once: in the first of its triangles
/// that is intersected.
bool BvhLeafTest::side(const Mesh& mesh, const Triangle& t, std::uint32_t k, const Mesh& other,
                       std::uint32_t triangle) {
    const std::uint32_t u = t.vertices[k % 3], v = t.vertices[(k + 1) % 3];
    const bool edge = k < 3;
    hit_.vertices[0] = edge ? std::min(u, v) : u;
    hit_.vertices[1] = edge ? std::max(u, v) : v;
    from_ = mesh.at(hit_.vertices[0]);
    to_ = mesh.at(hit_.vertices[1]);
    double where = 0, earlier = 0;
    if (!intersects(mesh, other, triangle, where)) return true;
    const std::uint32_t polygon = other.topology->triangles[triangle].polygon;
    for (std::uint32_t i = other.topology->triangle_begin[polygon]; i < triangle; ++i)
        if (intersects(mesh, other, i, earlier)) return true;
    return report(edge ? edge_between(*mesh.topology, t.polygon, u, v) : kNoIndex, other, triangle, where);
}

bool BvhLeafTest::intersects(const Mesh& mesh, const Mesh& other, std::uint32_t triangle, double& where) {
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
    const EdgeTriangleIntersection m =
        intersect_exact({mesh.world_from_local, p[hit_.vertices[0]], p[hit_.vertices[1]]},
                        {other.world_from_local, q[v[0]], q[v[1]], q[v[2]]});
    where = m.t;
    return m.hit;
}

}  // namespace claybox::collision
