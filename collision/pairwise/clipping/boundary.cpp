// Intersection of boundaries, the textbook method.
//
// Source: Chong's notes on convexity-based methods, boundary-based collision detection, steps 1 to 4.
//
// Idea: transform both bodies to one frame. Clip every edge of A by the faces of B, and every edge of B by
// the faces of A. A piece inside the other body ends the search. Bodies with aligned faces, e.g. identical
// cubes, may overlap without such a piece, so the centroids of B's faces are tested against A. Testing
// vertices against the other body is a cheap first test but no substitute for the edges (FIX-2): crossing
// bars have no vertex inside.
//
// Ours: the proofs. A piece of an edge yields vertex pairs that surround the origin: its ends with the
// triangle of the face that it pierces, or an end with four vertices around it. If nothing is found, the face
// plane with the widest gap is the separating axis. If edges pass each other, the ladder decides.
//
// Preconditions: both shapes convex solids (a flat body has no inside); any finite matrices; at most
// kMaxClips.
// Exactness: the kernel runs in double. Inside means strictly inside, so a mere touch is separated on rung 1
// (with Exactness::fast that is the answer); the ladder corrects this.
// Complexity: O(edges faces); an edge outside needs only a few planes. Cache: the last answer.

#include "collision/pairwise/clipping/clip_body.hpp"
#include "collision/pairwise/registry.hpp"
#include "collision/pairwise/solid/solid_ladder.hpp"

#include <algorithm>

namespace claybox::collision {

const PairAlgorithm& describe_boundary();

namespace {

enum ParameterIndex : std::size_t { kVertexTests, kCentroids };
enum CounterIndex : std::size_t {
    kVertices,
    kEdges,
    kPlanes,
    kCentroidTests,
    kFoundBy,
    kDouble,
    kExact,
    kFromCache
};
enum FoundBy : std::uint32_t { kNothing, kVertexInside, kEdgeOfA, kEdgeOfB, kCentroid };
enum CentroidChoice { kNone, kOfB, kOfBoth };

/// A centroid counts as inside up to this distance outside, relative to the extent of both bodies: aligned
/// faces coincide only up to rounding.
constexpr double kAligned = 0x1p-40;
/// After this many edges, only the edge that ends the search is traced.
constexpr std::uint32_t kMaxTraced = 256;

class Search {
  public:
    Search(const PairQuery& q, const LadderMemory& memory, const ClipBody& a, const ClipBody& b,
           PairResult& result, Trace* trace)
        : query_(q), memory_(memory), a_(a), b_(b), result_(result), trace_(trace) {}

    SolidClaim run();

  private:
    bool test_vertices(const ClipBody& p, const ClipBody& q);
    bool test_edges(const ClipBody& p, const ClipBody& q);
    bool test_centroids(const ClipBody& p, const ClipBody& q);
    void claim_collision(FoundBy by, bool surrounded);
    void trace_edge(const ClipBody& p, const ClipEdge& edge, const ClipBody& q, const ClipInterval& left,
                    const ClipPlane* cut) const;
    Vec3d world(const Vec3d& p) const { return p + cast<double>(query_.a.world_from_body.translation()); }

    const PairQuery& query_;
    const LadderMemory& memory_;
    const ClipBody &a_, &b_;
    PairResult& result_;
    Trace* trace_;
    SolidClaim claim_;
};

/// If the four pairs do not certainly surround the origin, three of them are the start of the ladder's
/// search.
void Search::claim_collision(FoundBy by, bool surrounded) {
    claim_.verdict = Verdict::colliding;
    claim_.pair_count = surrounded ? 4 : 3;
    claim_.axis_w = b_.centre - a_.centre;
    result_.counters[kFoundBy] = by;
}

/// Pre-test: a vertex of p strictly inside q.
bool Search::test_vertices(const ClipBody& p, const ClipBody& q) {
    for (std::uint32_t v = 0; v < p.points.size(); ++v) {
        ++result_.counters[kVertices];
        if (!contains<true>(q, p.points[v])) continue;
        claim_collision(kVertexInside, surround_by_vertex(p, v, q, claim_.pairs));
        if (trace_ != nullptr) {
            trace_->begin_iteration(1);
            trace_->point(world(p.points[v]), p.of_b ? "vertex of B in A" : "vertex of A in B");
        }
        return true;
    }
    return false;
}

/// Steps 1 and 2: an edge of p partly or wholly inside q.
bool Search::test_edges(const ClipBody& p, const ClipBody& q) {
    for (const ClipEdge& edge : p.edges) {
        ++result_.counters[kEdges];
        const Vec3d u = p.points[edge.u], v = p.points[edge.v];
        ClipInterval left;
        const ClipPlane* cut = nullptr;
        for (std::uint32_t i = 0; i < q.planes.size() && cut == nullptr; ++i) {
            ++result_.counters[kPlanes];
            if (!clip<true>(q.planes[i], i, u, v, left)) cut = &q.planes[i];
        }
        if (trace_ != nullptr) trace_edge(p, edge, q, left, cut);
        if (cut != nullptr) continue;
        claim_collision(p.of_b ? kEdgeOfB : kEdgeOfA, surround_by_edge(p, edge, left, q, claim_.pairs));
        return true;
    }
    return false;
}

/// Step 3: the centroid of a face of p inside q or on its boundary.
bool Search::test_centroids(const ClipBody& p, const ClipBody& q) {
    const Vec3d span = max(p.box.max, q.box.max) - min(p.box.min, q.box.min);
    const double tolerance = kAligned * std::max({span.x, span.y, span.z});
    for (std::uint32_t f = 0; f < p.planes.size(); ++f) {
        ++result_.counters[kCentroidTests];
        const auto loop = p.hull->faces.polygon(f);
        Vec3d sum;
        for (const std::uint32_t v : loop) sum += p.points[v];
        const Vec3d centroid = sum / static_cast<double>(loop.size());
        if (!contains<false>(q, centroid, tolerance)) continue;
        claim_collision(kCentroid, false);
        claim_.pair_count = 0;  // no vertices as evidence
        if (trace_ != nullptr) {
            trace_->begin_iteration(static_cast<int>(result_.counters[kEdges]) + 1);
            trace_->point(world(centroid), p.of_b ? "centroid of B in A" : "centroid of A in B");
        }
        return true;
    }
    return false;
}

SolidClaim Search::run() {
    const int centroid_choice = query_.parameters.integer(kCentroids);
    const bool inside =
        (query_.parameters.on(kVertexTests) && (test_vertices(b_, a_) || test_vertices(a_, b_))) ||
        test_edges(a_, b_) || test_edges(b_, a_) || (centroid_choice != kNone && test_centroids(b_, a_)) ||
        (centroid_choice == kOfBoth && test_centroids(a_, b_));
    if (!inside) claim_ = claim_face_gap(a_, b_, memory_);
    result_.iterations = result_.counters[kEdges];
    return claim_;
}

void Search::trace_edge(const ClipBody& p, const ClipEdge& edge, const ClipBody& q, const ClipInterval& left,
                        const ClipPlane* cut) const {
    if (cut != nullptr && result_.counters[kEdges] > kMaxTraced) return;
    const Vec3d u = p.points[edge.u], v = p.points[edge.v];
    trace_->begin_iteration(static_cast<int>(result_.counters[kEdges]));
    trace_->segment(world(u), world(v), p.of_b ? "edge of B" : "edge of A");
    if (cut == nullptr) {
        trace_->segment(world(u + left.low * (v - u)), world(u + left.high * (v - u)), "piece inside");
        return;
    }
    const Vec3d near_w = world(q.points[q.hull->faces.polygon(cut->face)[0]]);
    trace_->plane(cut->n, dot(cut->n, near_w), near_w, "plane with the edge outside");
}

bool fits(const Shape& a, const Shape& b) {
    if (a.hull() == nullptr || b.hull() == nullptr) return false;
    const ConvexHull &ha = *a.hull(), &hb = *b.hull();
    if (ha.dimension < 3 || hb.dimension < 3) return false;
    return clips_within_limit(ha, hb);
}

SolidClaim rung_1(const PairQuery& q, const LadderMemory& memory, PairResult& result, Trace* trace) {
    const auto d = make_difference<double>(*q.a.shape->hull(), q.a.world_from_body, *q.b.shape->hull(),
                                           q.b.world_from_body);
    QueryBuffer buffer(*q.scratch, clip_body_bytes(*d.a) + clip_body_bytes(*d.b));
    const ClipBody a = make_clip_body(d, false, buffer);
    const ClipBody b = make_clip_body(d, true, buffer);
    return Search(q, memory, a, b, result, trace).run();
}

void query_boundary(const PairQuery& q, PairCache& cache, PairResult& result, Trace* trace) {
    auto& memory = cache.as<LadderMemory>(&describe_boundary(), q.a.geometry->content, q.b.geometry->content);
    SolidLadder ladder(q, memory, result, trace);
    if (!ladder.recall()) ladder.finish(rung_1(q, memory, result, trace));
    result.iterations += ladder.counts().walk_iterations;
    write_counters(ladder.counts(), {kDouble, kExact, kFromCache}, result);
}

constexpr const char* kCentroidChoices[] = {"none", "of_b", "of_both"};
constexpr Parameter kParameters[] = {
    {"vertex_tests", "Vertices first", ParameterKind::toggle, 1, 0, 1, "",
     "Chong; FIX-2: before, not instead",
     "Test the vertices of each body against the other before the edges."},
    {"centroids", "Face centroids", ParameterKind::choice, 1, 0, 2, "", "Chong, step 3; ours: of both",
     "Bodies whose face centroids are tested at the end. of_both is needed for a bar between aligned faces "
     "that extends beyond both sides.",
     false, kCentroidChoices},
};
constexpr const char* kCounters[] = {
    "vertices",           "edges", "planes", "centroids", "found by", "double iterations", "exact iterations",
    "remembered decision"};

}  // namespace

const PairAlgorithm& describe_boundary() {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm a{};
        a.id = "boundary";
        a.title = "Edges against faces";
        a.source = "Chong, notes on convexity-based methods, boundary-based collision detection";
        a.summary =
            "Clips the edges of each body by the faces of the other: a reference for bodies of up to about "
            "590 vertices.";
        a.needs = Needs::convex;
        a.gives = kWantAxis;
        a.meaning = Meaning::solid;
        a.parameters = kParameters;
        a.counters = kCounters;
        a.fits = fits;
        a.query = query_boundary;
        return a;
    }();
    return algorithm;
}

}  // namespace claybox::collision
