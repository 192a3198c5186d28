#include "collision/pairwise/clipping/clip_body.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace claybox::collision {

namespace {

/// Limit of edges times planes in one query. Two bodies of 500 vertices take about 1 ms.
constexpr std::uint64_t kMaxClips = std::uint64_t{1} << 22;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Vec3d scaled(const Vec3d& v) {
    const double size = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    return size > 0 ? v / size : Vec3d{};
}

/// A unit vector, or zero.
Vec3d unit(const Vec3d& v) {
    const Vec3d s = scaled(v);
    return normalized(s, Vec3d{});
}

/// The area-weighted normal. All corners contribute, so no particular three need to be well placed.
Vec3d face_normal(const ClipBody& body, std::span<const std::uint32_t> loop) {
    const Vec3d base = body.points[loop[0]];
    Vec3d out;
    for (std::size_t i = 1; i + 1 < loop.size(); ++i)
        out += cross(body.points[loop[i]] - base, body.points[loop[i + 1]] - base);
    return unit(out);
}

/// The plane with its normal outward for every matrix: mirrored bodies have reversed loops.
ClipPlane plane_through(const ClipBody& body, const Vec3d& n, const Vec3d& p, std::uint32_t face) {
    const bool inward = dot(n, body.centre - p) > 0;
    return {inward ? -n : n, inward ? -dot(n, p) : dot(n, p), face};
}

ClipBox loop_box(const ClipBody& body, std::span<const std::uint32_t> loop) {
    ClipBox out = box_of(body.points[loop[0]], body.points[loop[0]]);
    for (const std::uint32_t v : loop) {
        out.min = min(out.min, body.points[v]);
        out.max = max(out.max, body.points[v]);
    }
    return out;
}

void make_faces(ClipBody& body) {
    for (std::uint32_t f = 0; f < body.planes.size(); ++f) {
        const auto loop = body.hull->faces.polygon(f);
        body.planes[f] = plane_through(body, face_normal(body, loop), body.points[loop[0]], f);
        body.boxes[f] = loop_box(body, loop);
    }
}

/// Adds the plane and its bit-exact reverse, so that an edge enters and leaves it at the same parameter.
void make_flat_planes(ClipBody& body) {
    const auto loop = body.hull->faces.polygon(0);
    const Vec3d n = face_normal(body, loop);
    const double offset = dot(n, body.points[loop[0]]);
    body.planes[0] = {n, offset, 0};
    body.planes[1] = {-n, -offset, 0};
    body.boxes[0] = body.boxes[1] = loop_box(body, loop);
    for (std::uint32_t i = 0; i < loop.size(); ++i) {
        const Vec3d p = body.points[loop[i]], q = body.points[loop[(i + 1) % loop.size()]];
        body.planes[i + 2] = plane_through(body, unit(cross(scaled(q - p), n)), p, 0);
        body.boxes[i + 2] = box_of(p, q);
    }
}

void list_edges(ClipBody& body) {
    const ConvexHull& hull = *body.hull;
    std::uint32_t count = 0;
    for (std::uint32_t v = 0; v < hull.vertex_count; ++v)
        for (std::uint32_t i = hull.neighbour_begin[v]; i < hull.neighbour_begin[v + 1]; ++i)
            if (hull.neighbours[i] > v) body.edges[count++] = {v, hull.neighbours[i]};
    if (count == 0) body.edges[0] = {0, 0};
}

VertexPair pair_of(const ClipBody& p, std::uint32_t of_p, std::uint32_t of_q) {
    return p.of_b ? VertexPair{of_q, of_p} : VertexPair{of_p, of_q};
}

double volume(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    return dot(a, cross(b, c));
}

/// How well four points surround the origin: the smallest of its four barycentric coordinates.
double min_barycentric(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
    const double w[4] = {volume(b, c, d), -volume(a, c, d), volume(a, b, d), -volume(a, b, c)};
    const double sum = w[0] + w[1] + w[2] + w[3];
    const double least = sum > 0 ? std::min({w[0], w[1], w[2], w[3]}) : -std::max({w[0], w[1], w[2], w[3]});
    return least / std::abs(sum);
}

/// A triangle of a face's fan, as three vertices. fan_triangle() returns the one that contains `x` best.
struct FanTriangle {
    std::uint32_t vertex[3] = {};
};

FanTriangle fan_triangle(const ClipBody& body, std::uint32_t face, const Vec3d& n, const Vec3d& x) {
    const auto loop = body.hull->faces.polygon(face);
    FanTriangle best{{loop[0], loop[1], loop[2]}};
    double most = -kInfinity;
    for (std::size_t i = 1; i + 1 < loop.size(); ++i) {
        const Vec3d a = body.points[loop[0]] - x, b = body.points[loop[i]] - x,
                    c = body.points[loop[i + 1]] - x;
        const double w[3] = {dot(n, cross(b, c)), dot(n, cross(c, a)), dot(n, cross(a, b))};
        const double sum = w[0] + w[1] + w[2];  // negative if a mirrored loop is reversed
        const double least = (sum > 0 ? std::min({w[0], w[1], w[2]}) : -std::max({w[0], w[1], w[2]}));
        if (!(least / std::abs(sum) > most)) continue;
        most = least / std::abs(sum);
        best = {{loop[0], loop[i], loop[i + 1]}};
    }
    return best;
}

/// If all barycentric coordinates of the origin exceed this, double can prove that the four points surround
/// it.
constexpr double kMinBarycentric = 0x1p-40;
/// Number of vertices tried as the apex of a simplex around a point. An apex fails if it is in line with an
/// edge or a face diagonal, which is rare except by design.
constexpr std::uint32_t kMaxApexes = 16;

/// Builds a simplex from a vertex and the triangle where the ray from it through `x` leaves the body. Returns
/// how well the simplex surrounds `x`.
double simplex_from(const ClipBody& body, std::uint32_t apex, const Vec3d& x, std::uint32_t (&out)[4]) {
    const Vec3d at = body.points[apex], ray = x - at;
    double first = kInfinity;
    const ClipPlane* exit = nullptr;
    for (const ClipPlane& plane : body.planes) {
        const double slope = dot(plane.n, ray), t = -plane.height(at) / slope;
        if (!(slope > 0) || !(t < first)) continue;
        first = t;
        exit = &plane;
    }
    std::fill_n(out, 4, apex);
    if (exit == nullptr) return -kInfinity;
    const FanTriangle triangle = fan_triangle(body, exit->face, exit->n, at + first * ray);
    std::copy_n(triangle.vertex, 3, out + 1);
    return min_barycentric(at - x, body.points[out[1]] - x, body.points[out[2]] - x, body.points[out[3]] - x);
}

/// Starts with the vertex furthest from `x`, then tries others. True if double confirms that the simplex
/// surrounds `x`.
bool simplex_around(const ClipBody& body, const Vec3d& x, std::uint32_t (&out)[4]) {
    std::uint32_t apex = 0;
    for (std::uint32_t v = 0; v < body.points.size(); ++v)
        if (length_squared(body.points[v] - x) > length_squared(body.points[apex] - x)) apex = v;
    double most = simplex_from(body, apex, x, out);
    const std::uint32_t tries = std::min<std::uint32_t>(kMaxApexes, body.hull->vertex_count);
    for (std::uint32_t v = 0; v < tries && !(most > kMinBarycentric); ++v) {
        std::uint32_t other[4];
        const double value = simplex_from(body, v, x, other);
        if (!(value > most)) continue;
        most = value;
        std::copy_n(other, 4, out);
    }
    return most > kMinBarycentric;
}

/// Chooses the four of the six differences between an edge's ends and a triangle's corners that surround the
/// origin best. True if double confirms that they do.
bool choose_four(const ClipBody& p, const ClipEdge& edge, const ClipBody& q, const FanTriangle& triangle,
                 VertexPair (&out)[4]) {
    Vec3d w[6];
    VertexPair pair[6];
    for (std::uint32_t i = 0; i < 6; ++i) {
        const std::uint32_t of_p = i < 3 ? edge.u : edge.v, of_q = triangle.vertex[i % 3];
        w[i] = p.points[of_p] - q.points[of_q];
        pair[i] = pair_of(p, of_p, of_q);
    }
    double most = -kInfinity;
    for (std::uint32_t i = 0; i < 5; ++i)
        for (std::uint32_t j = i + 1; j < 6; ++j) {  // i and j are left out
            std::uint32_t four[4], count = 0;
            for (std::uint32_t k = 0; k < 6; ++k)
                if (k != i && k != j) four[count++] = k;
            const double value = min_barycentric(w[four[0]], w[four[1]], w[four[2]], w[four[3]]);
            if (!(value > most) && most > -kInfinity) continue;
            if (value > most) most = value;
            for (std::uint32_t k = 0; k < 4; ++k) out[k] = pair[four[k]];
        }
    return most > kMinBarycentric;
}

}  // namespace

std::uint32_t clip_edge_count(const ConvexHull& hull) {
    return std::max(1u, static_cast<std::uint32_t>(hull.neighbours.size() / 2));
}

std::uint32_t clip_plane_count(const ConvexHull& hull) {
    if (hull.dimension < 2) return 0;
    const auto faces = static_cast<std::uint32_t>(hull.faces.polygon_count());
    return hull.dimension == 3 ? faces : 2 + hull.vertex_count;
}

std::size_t clip_body_bytes(const ConvexHull& hull) {
    return hull.vertex_count * sizeof(Vec3d) + clip_edge_count(hull) * sizeof(ClipEdge) +
           clip_plane_count(hull) * (sizeof(ClipPlane) + sizeof(ClipBox)) + 4 * alignof(std::max_align_t);
}

ClipBody make_clip_body(const Difference<double>& d, bool of_b, QueryBuffer& buffer) {
    ClipBody out;
    out.hull = of_b ? d.b : d.a;
    out.of_b = of_b;
    const ConvexHull& hull = *out.hull;
    out.points = buffer.take<Vec3d>(hull.vertex_count);
    out.planes = buffer.take<ClipPlane>(clip_plane_count(hull));
    out.boxes = buffer.take<ClipBox>(clip_plane_count(hull));
    out.edges = buffer.take<ClipEdge>(clip_edge_count(hull));
    for (std::uint32_t v = 0; v < hull.vertex_count; ++v) {
        const Vec3d p = of_b ? d.point_b(v) : d.point_a(v);
        out.points[v] = p;
        out.box = v == 0 ? box_of(p, p) : ClipBox{min(out.box.min, p), max(out.box.max, p)};
    }
    out.centre = of_b ? transform_point(d.about_a_from_b, hull.interior)
                      : transform_point(d.about_a_from_a, hull.interior);
    list_edges(out);
    if (hull.dimension == 3) make_faces(out);
    if (hull.dimension == 2) make_flat_planes(out);
    return out;
}

bool surround_by_vertex(const ClipBody& p, std::uint32_t vertex, const ClipBody& q, VertexPair (&out)[4]) {
    std::uint32_t around[4] = {};
    const bool surrounded = simplex_around(q, p.points[vertex], around);
    for (int i = 0; i < 4; ++i) out[i] = pair_of(p, vertex, around[i]);
    return surrounded;
}

bool surround_by_edge(const ClipBody& p, const ClipEdge& edge, const ClipInterval& left, const ClipBody& q,
                      VertexPair (&out)[4]) {
    if (left.entered == kNoIndex) return surround_by_vertex(p, edge.u, q, out);
    const ClipPlane& plane = q.planes[left.entered];
    const Vec3d u = p.points[edge.u], v = p.points[edge.v];
    return choose_four(p, edge, q, fan_triangle(q, plane.face, plane.n, u + left.low * (v - u)), out);
}

namespace {

/// Tests the planes of `q` against the vertices of `p`. Skips to the next plane as soon as a vertex of p
/// shows that the gap is not wider than the best. The vertex that showed this last is tested first.
void find_wider_gap(const ClipBody& q, const ClipBody& p, FaceGap& best) {
    std::uint32_t first = 0;
    for (const ClipPlane& plane : q.planes) {
        double least = plane.height(p.points[first]);
        std::uint32_t nearest = first;
        for (std::uint32_t v = 0; v < p.points.size() && least > best.gap; ++v) {
            const double height = plane.height(p.points[v]);
            if (height < least) nearest = v;
            least = std::min(least, height);
        }
        first = nearest;
        if (!(least > best.gap)) continue;
        const std::uint32_t on_face = q.hull->faces.polygon(plane.face)[0];
        best.gap = least;
        best.axis = q.of_b ? -plane.n : plane.n;
        best.support_a = q.of_b ? nearest : on_face;
        best.support_b = q.of_b ? on_face : nearest;
    }
}

}  // namespace

FaceGap widest_face_gap(const ClipBody& a, const ClipBody& b) {
    FaceGap out{-kInfinity, b.centre - a.centre, 0, 0};
    find_wider_gap(a, b, out);
    find_wider_gap(b, a, out);
    return out;
}

SolidClaim claim_face_gap(const ClipBody& a, const ClipBody& b, const LadderMemory& memory) {
    const FaceGap gap = widest_face_gap(a, b);
    SolidClaim out = SolidClaim::separated(gap.axis, gap.support_a, gap.support_b);
    if (gap.gap > 0 || memory.last != Verdict::separated || !memory.usable(*a.hull, *b.hull)) return out;
    out = SolidClaim::separated(memory.axis_w, memory.support_a, memory.support_b);
    for (int i = 0; i < memory.pair_count; ++i) out.add_hint(memory.pairs[i]);
    return out;
}

bool clips_within_limit(const ConvexHull& a, const ConvexHull& b) {
    return std::uint64_t{clip_edge_count(a)} * clip_plane_count(b) +
               std::uint64_t{clip_edge_count(b)} * clip_plane_count(a) <=
           kMaxClips;
}

}  // namespace claybox::collision
