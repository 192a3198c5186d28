// certify() checks a result without trusting how it was found. The proof depends on the kind of certificate:
// see exact/certificate.hpp. A surface separation has no proof of fixed size and is computed again.

#include "collision/exact/contained.hpp"
#include "collision/exact/edge_triangle.hpp"
#include "collision/exact/solid.hpp"
#include "collision/pairwise/mesh/mesh_hits.hpp"
#include "collision/pairwise/registry.hpp"

namespace claybox::collision {

namespace {

bool certify_hull(const PairQuery& q, const Certificate& c) {
    for (const PairBody* body : {&q.a, &q.b})
        if (body->shape->hull() == nullptr || body->deformed()) return false;
    return certify_solid({q.a.shape->hull(), &q.a.world_from_body, &q.a.geometry->box},
                         {q.b.shape->hull(), &q.b.world_from_body, &q.b.geometry->box}, c);
}

/// Whether u and v are the ends of an edge or of a triangle's side. Then the segment is part of the surface.
bool on_surface(const Topology& t, std::uint32_t edge, std::uint32_t u, std::uint32_t v) {
    if (edge != kNoIndex)
        return edge < t.edges.size() && t.edges[edge].vertices[0] == u && t.edges[edge].vertices[1] == v;
    for (const Triangle& triangle : t.triangles) {
        const auto has = [&](std::uint32_t w) {
            return triangle.vertices[0] == w || triangle.vertices[1] == w || triangle.vertices[2] == w;
        };
        if (has(u) && has(v)) return true;
    }
    return false;
}

bool certify_edge_triangle(const PairQuery& q, const Certificate& c) {
    const PairBody &with_edge = c.edge_of_b ? q.b : q.a, &with_triangle = c.edge_of_b ? q.a : q.b;
    const Topology &te = *with_edge.geometry->topology, &tt = *with_triangle.geometry->topology;
    const std::uint32_t u = c.pairs[0][0], v = c.pairs[0][1];
    if (c.triangle >= tt.triangles.size() || u >= te.vertex_count || v >= te.vertex_count) return false;
    if (tt.triangles[c.triangle].polygon != c.polygon || !on_surface(te, c.edge, u, v)) return false;
    const auto &pe = with_edge.geometry->positions, &pt = with_triangle.geometry->positions;
    const auto& corners = tt.triangles[c.triangle].vertices;
    return intersect_exact({&with_edge.world_from_body, pe[u], pe[v]},
                           {&with_triangle.world_from_body, pt[corners[0]], pt[corners[1]], pt[corners[2]]})
        .hit;
}

bool certify_contained(const PairQuery& q, const Certificate& c) {
    const PairBody &inner = c.edge_of_b ? q.b : q.a, &outer = c.edge_of_b ? q.a : q.b;
    const std::uint32_t vertex = c.edge_of_b ? c.support_b : c.support_a;
    const Topology& t = *inner.geometry->topology;
    if (vertex >= t.vertex_count || t.vertex_first[vertex] == kNoIndex) return false;
    if (!is_finite(c.axis_w) || c.axis_w == Vec3d{}) return false;
    if (!has_inside(outer.shape->classification())) return false;
    const ExactPoint place{&inner.world_from_body, cast<double>(inner.geometry->positions[vertex])};
    return contains(*outer.geometry, outer.world_from_body, place, c.axis_w);
}

/// Tests one vertex of each component of `inner` against all triangles of `outer`.
bool is_inside(const PairBody& inner, const PairBody& outer) {
    if (!has_inside(outer.shape->classification())) return false;
    for (const std::uint32_t vertex : inner.shape->classification().component_vertices) {
        const ExactPoint place{&inner.world_from_body, cast<double>(inner.geometry->positions[vertex])};
        if (contains(*outer.geometry, outer.world_from_body, place, {1, 0, 0})) return true;
    }
    return false;
}

/// A point in double that lies in both closed solids.
bool certify_common_point(const PairQuery& q, const Certificate& c) {
    if (!is_finite(c.point_w)) return false;
    for (const PairBody* body : {&q.a, &q.b}) {
        if (!has_inside(body->shape->classification())) return false;
        if (!contains(*body->geometry, body->world_from_body, {nullptr, c.point_w}, {1, 0, 0})) return false;
    }
    return true;
}

bool surfaces_are_apart(const PairQuery& q) {
    MeshSearch search;
    search.a = {q.a.geometry, &q.a.world_from_body};
    search.b = {q.b.geometry, &q.b.world_from_body};
    search.part = q.part;
    search.part_count = q.part_count;
    MeshCounts counts;
    return find_mesh_hits(
               search, *q.scratch, [](const MeshHit&) { return false; }, counts) == MeshEnd::complete;
}

}  // namespace

bool certify(const PairQuery& query, const PairResult& result) {
    const Certificate& c = result.certificate;
    if (result.verdict == Verdict::separated) {
        if (c.kind == CertificateKind::separating_axis) return certify_hull(query, c);
        if (result.meaning == Meaning::surface) return surfaces_are_apart(query);
        return c.kind == CertificateKind::none && surfaces_are_apart(query) &&
               (query.part != 0 || (!is_inside(query.a, query.b) && !is_inside(query.b, query.a)));
    }
    if (result.verdict != Verdict::colliding) return false;
    if (c.kind == CertificateKind::edge_triangle) return certify_edge_triangle(query, c);
    if (result.meaning != Meaning::solid) return false;
    if (c.kind == CertificateKind::contained) return certify_contained(query, c);
    if (c.kind == CertificateKind::common_point && certify_common_point(query, c)) return true;
    return c.kind != CertificateKind::separating_axis && certify_hull(query, c);
}

}  // namespace claybox::collision
