#include "collision/pairwise/mesh/surface_measure.hpp"

#include "collision/pairwise/mesh/mesh_distance.hpp"

namespace claybox::collision {

namespace {

DistanceSide side_of(const PairBody& body) {
    return {bvh_of(body), body.geometry, &body.world_from_body};
}

/// False when the query was stopped.
bool measure(const DistanceSearch& search, SurfaceMemory& memory, PairResult& result, MeshDistance& out) {
    out = find_mesh_distance(search);
    if (out.triangle_a != kNoIndex) memory = {out.triangle_a, out.triangle_b};
    if (!out.stopped) return true;
    result.status = QueryStatus::stopped;
    result.verdict = Verdict::undecided;
    return false;
}

}  // namespace

void measure_surfaces(const PairQuery& query, SurfaceMemory& memory, PairResult& result, Trace* trace) {
    DistanceSearch search;
    search.a = side_of(query.a);
    search.b = side_of(query.b);
    search.start_a = memory.triangle_a;
    search.start_b = memory.triangle_b;
    search.stop = query.stop;
    search.trace = trace;
    MeshDistance found;
    if (query.margin > 0) {
        search.within = query.margin;
        search.any = true;
        if (!measure(search, memory, result, found)) return;
        if (found.found) {
            result.verdict = Verdict::colliding;
            result.certificate = {};
            return;
        }
    }
    if ((query.wants & kWantDistance) == 0) return;
    search.within = std::numeric_limits<double>::infinity();
    search.any = false;
    if (!measure(search, memory, result, found)) return;
    result.distance = found.distance;
    result.closest_a_w = found.a_w;
    result.closest_b_w = found.b_w;
}

}  // namespace claybox::collision
