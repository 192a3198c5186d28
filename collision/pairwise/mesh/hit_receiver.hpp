#pragma once
// Shared by the algorithms for surfaces: which triangle sides count as edges, and how hits are stored. The
// first hit becomes the certificate; all hits go to the caller's sink, in an order that does not depend on
// the algorithm.

#include "collision/pairwise/mesh/mesh_hits.hpp"
#include "collision/pairwise/registry.hpp"

#include <algorithm>
#include <tuple>

namespace claybox::collision {

/// Whether the fixed triangulation of some polygon may differ from a planar convex polygon.
inline bool is_bent(const PairBody& body) {
    const Classification& c = body.shape->classification();
    return body.deformed() || !c.planar_polygons || !c.convex_polygons;
}

/// Whether inner diagonals of polygons count as edges: see the proof in edge_polygon.cpp.
inline bool needs_diagonals(const PairQuery& query) {
    return is_bent(query.a) && is_bent(query.b);
}

/// Saturates at the largest 32-bit number.
inline std::uint32_t clamped(std::uint64_t count) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, 0xffffffffu));
}

/// The order of all hits: first edges of A, then by edge and polygon. Diagonals have no index; their
/// intersection point and their polygon distinguish them.
inline bool comes_before(const Hit& x, const Hit& y) {
    const auto key = [](const Hit& h) {
        return std::tuple(h.edge_of_b, h.edge, h.polygon, h.triangle, h.point_w.x, h.point_w.y, h.point_w.z,
                          h.inner_of);
    };
    return key(x) < key(y);
}

/// Receives the hits of one query. The first becomes the certificate; all go to the sink if requested.
struct HitReceiver {
    const PairQuery& query;
    PairResult& result;
    Trace* trace = nullptr;
    std::uint32_t hits = 0;

    /// False if no more hits are wanted.
    bool take(const MeshHit& hit) {
        if (hits++ == 0) certify(hit);
        if (trace != nullptr) trace_hit(hit);
        if ((query.wants & kWantAllHits) == 0) return false;
        if (query.hits->push({hit.edge, hit.polygon, hit.triangle, hit.edge_of_b, cast<float>(hit.point_w),
                              polygon_inside(hit)}))
            return true;
        result.status = QueryStatus::hits_full;
        return false;
    }
    /// Sets the verdict, sorts the sink and removes duplicates: zero-length sides, and polygons that use a
    /// diagonal twice, report some hits twice. Call it once, at the end.
    void finish() const {
        result.verdict = hits != 0 ? Verdict::colliding : Verdict::separated;
        if ((query.wants & kWantAllHits) == 0) return;
        const std::span<Hit> found = query.hits->written();
        std::sort(found.begin(), found.end(), comes_before);
        query.hits->truncate(
            static_cast<std::size_t>(std::unique(found.begin(), found.end()) - found.begin()));
    }

  private:
    /// For a hit without an edge: the first polygon with a triangle that has both vertices.
    std::uint32_t polygon_inside(const MeshHit& hit) const {
        if (hit.edge != kNoIndex) return kNoIndex;
        const Topology& t = *(hit.edge_of_b ? query.b : query.a).geometry->topology;
        const auto has = [](const Triangle& x, std::uint32_t v) {
            return x.vertices[0] == v || x.vertices[1] == v || x.vertices[2] == v;
        };
        for (const std::uint32_t p : t.polygons_around(hit.vertices[0]))
            for (const Triangle& x : t.triangles_of(p))
                if (has(x, hit.vertices[0]) && has(x, hit.vertices[1])) return p;
        return kNoIndex;
    }
    void certify(const MeshHit& hit) const {
        Certificate& c = result.certificate;
        c.kind = CertificateKind::edge_triangle;
        c.edge_of_b = hit.edge_of_b;
        c.point_w = hit.point_w;
        c.edge = hit.edge;
        c.pairs[0][0] = hit.vertices[0];
        c.pairs[0][1] = hit.vertices[1];
        c.polygon = hit.polygon;
        c.triangle = hit.triangle;
    }
    void trace_hit(const MeshHit& hit) const {
        const PairBody& body = hit.edge_of_b ? query.b : query.a;
        const auto end = [&](int i) {
            return transform_point(to_double(body.world_from_body),
                                   body.geometry->positions[hit.vertices[i]]);
        };
        trace->begin_iteration(static_cast<int>(hits));
        trace->segment(end(0), end(1), "edge");
        trace->point(hit.point_w, "intersects polygon");
    }
};

}  // namespace claybox::collision
