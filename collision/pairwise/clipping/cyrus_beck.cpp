// A modified Cyrus-Beck algorithm.
//
// Source: Zachmann 1994, section 3.4.1; Cyrus and Beck's line clipping after Foley, van Dam, Feiner, Hughes.
//
// Idea: a convex polyhedron is an intersection of half-spaces. Clip each edge of P by all planes of Q, and
// vice versa, keeping only the interval of its parameter. A remaining piece is a collision. Pre-checks, each
// in addition to the previous ones: an edge outside Q's box is outside; only Q's faces in P's box need to
// clip; an edge outside the boxes of all those faces crosses none of them.
//
// Corrections: FIX-20, which end of the interval moves; FIX-21, an edge parallel to a plane and outside it is
// outside (both in `clip`). FIX-22: a piece that the collected faces leave may be outside the other faces, so
// all planes confirm it. If no face is collected, or no face's box overlaps an edge, P may be wholly inside,
// so one vertex of P is tested against all planes. One suffices: if no edge of P crosses Q's surface, its
// vertices are all inside or all outside.
//
// Ours: the proofs. A piece yields vertex pairs that surround the origin. If none is left, the face plane
// with the widest gap is the separating axis. If edges pass each other, the ladder decides.
//
// Preconditions: both shapes convex, at least one of them a polygon or a solid (a flat polygon is clipped by
// its plane from both sides and by its sides; points and segments have no planes); any finite matrices; at
// most kMaxClips.
// Exactness: the kernel runs in double; the ladder proves.
// Complexity: O(edges faces). Cache: the last answer, and the last edge inside the other body, which
// `last_first` tests first (the thesis' future work, 10.2).

#include "collision/pairwise/clipping/clip_body.hpp"
#include "collision/pairwise/registry.hpp"
#include "collision/pairwise/solid/solid_ladder.hpp"

#include <algorithm>

namespace claybox::collision {

const PairAlgorithm& describe_cyrus_beck();

namespace {

enum ParameterIndex : std::size_t { kPrecheck, kLastFirst };
enum CounterIndex : std::size_t {
    kEdges,
    kPlanes,
    kBoxTests,
    kCollected,
    kRefuted,
    kDouble,
    kExact,
    kFromCache
};
enum Precheck { kNoCheck, kObjectBox, kCollectFaces, kFaceBoxes };

/// After this many edges, only the edge that ends the search is traced.
constexpr std::uint32_t kMaxTraced = 256;

/// The order in which a body's planes clip: first those that the collecting phase selected.
struct Planes {
    std::span<std::uint32_t> order;
    std::uint32_t collected = 0;
};

struct Memory {
    LadderMemory ladder;
    std::uint32_t edge = kNoIndex;  ///< the edge that was partly inside the other body
    bool of_b = false;
};

class Search {
  public:
    Search(const PairQuery& q, Memory& memory, PairResult& result, Trace* trace, QueryBuffer& buffer)
        : query_(q),
          last_(memory),
          memory_(memory.ladder),
          precheck_(q.parameters.integer(kPrecheck)),
          result_(result),
          trace_(trace),
          buffer_(buffer),
          difference_(make_difference<double>(*q.a.shape->hull(), q.a.world_from_body, *q.b.shape->hull(),
                                              q.b.world_from_body)),
          a_(make_clip_body(difference_, false, buffer)),
          b_(make_clip_body(difference_, true, buffer)) {}

    SolidClaim run();

  private:
    bool clip_last_edge();
    bool clip_edges(const ClipBody& p, const ClipBody& q);
    Planes collect(const ClipBody& p, const ClipBody& q);
    bool can_skip(const ClipBody& p, const ClipEdge& edge, const ClipBody& q, const Planes& planes);
    bool clip_edge(const ClipBody& p, const ClipEdge& edge, const ClipBody& q, const Planes& planes);
    bool vertex_inside(const ClipBody& p, std::uint32_t vertex, const ClipBody& q);
    void claim_collision(bool surrounded);
    void trace_edge(const ClipBody& p, const ClipEdge& edge, const ClipBody& q, const ClipInterval& left,
                    const ClipPlane* cut) const;
    Vec3d world(const Vec3d& p) const { return p + cast<double>(query_.a.world_from_body.translation()); }

    const PairQuery& query_;
    Memory& last_;
    const LadderMemory& memory_;
    int precheck_;
    PairResult& result_;
    Trace* trace_;
    QueryBuffer& buffer_;
    Difference<double> difference_;
    ClipBody a_, b_;
    SolidClaim claim_;
};

/// If the four pairs do not certainly surround the origin, three of them are the start of the ladder's
/// search.
void Search::claim_collision(bool surrounded) {
    claim_.verdict = Verdict::colliding;
    claim_.pair_count = surrounded ? 4 : 3;
    claim_.axis_w = b_.centre - a_.centre;
}

/// The face-collecting phase: q's faces whose box overlaps p's box.
Planes Search::collect(const ClipBody& p, const ClipBody& q) {
    Planes out{buffer_.take<std::uint32_t>(q.planes.size()), 0};
    std::uint32_t end = static_cast<std::uint32_t>(q.planes.size());
    const std::uint32_t count = end;
    for (std::uint32_t i = 0; i < count; ++i) {
        const bool taken = precheck_ < kCollectFaces || overlap(q.boxes[i], p.box);
        out.order[taken ? out.collected++ : --end] = i;
    }
    if (precheck_ >= kCollectFaces) result_.counters[kBoxTests] += count;
    result_.counters[kCollected] += out.collected;
    return out;
}

/// The pre-checks of one edge: true if it is outside q or crosses none of its faces.
bool Search::can_skip(const ClipBody& p, const ClipEdge& edge, const ClipBody& q, const Planes& planes) {
    if (precheck_ < kObjectBox) return false;
    const ClipBox box = box_of(p.points[edge.u], p.points[edge.v]);
    ++result_.counters[kBoxTests];
    if (!overlap(box, q.box)) return true;
    if (precheck_ < kFaceBoxes) return false;
    for (std::uint32_t i = 0; i < planes.collected; ++i) {
        ++result_.counters[kBoxTests];
        if (overlap(box, q.boxes[planes.order[i]])) return false;
    }
    return true;
}

bool Search::clip_edge(const ClipBody& p, const ClipEdge& edge, const ClipBody& q, const Planes& planes) {
    ++result_.counters[kEdges];
    const Vec3d u = p.points[edge.u], v = p.points[edge.v];
    ClipInterval left;
    const ClipPlane* cut = nullptr;
    std::uint32_t i = 0;
    for (; i < planes.order.size() && cut == nullptr; ++i) {
        const std::uint32_t plane = planes.order[i];
        if (!clip<false>(q.planes[plane], plane, u, v, left)) cut = &q.planes[plane];
    }
    result_.counters[kPlanes] += i;
    if (cut != nullptr && i > planes.collected) ++result_.counters[kRefuted];
    if (trace_ != nullptr) trace_edge(p, edge, q, left, cut);
    if (cut != nullptr) return false;
    claim_collision(surround_by_edge(p, edge, left, q, claim_.pairs));
    return true;
}

bool Search::vertex_inside(const ClipBody& p, std::uint32_t vertex, const ClipBody& q) {
    for (const ClipPlane& plane : q.planes) {
        ++result_.counters[kPlanes];
        if (plane.height(p.points[vertex]) > 0) return false;
    }
    claim_collision(surround_by_vertex(p, vertex, q, claim_.pairs));
    return true;
}

/// Whether the edge of the last query is partly inside again.
bool Search::clip_last_edge() {
    const ClipBody &p = last_.of_b ? b_ : a_, &q = last_.of_b ? a_ : b_;
    if (last_.edge >= p.edges.size() || q.planes.empty()) return false;
    const Planes planes = collect(p, q);
    const ClipEdge& edge = p.edges[last_.edge];
    return planes.collected > 0 && !can_skip(p, edge, q, planes) && clip_edge(p, edge, q, planes);
}

/// Whether an edge of p is partly inside q.
bool Search::clip_edges(const ClipBody& p, const ClipBody& q) {
    if (q.planes.empty()) return false;
    const Planes planes = collect(p, q);
    if (precheck_ >= kCollectFaces && vertex_inside(p, p.edges[0].u, q)) return true;
    if (planes.collected == 0) return false;
    for (const ClipEdge& edge : p.edges) {
        if (can_skip(p, edge, q, planes) || !clip_edge(p, edge, q, planes)) continue;
        last_.edge = static_cast<std::uint32_t>(&edge - p.edges.data());
        last_.of_b = p.of_b;
        return true;
    }
    return false;
}

SolidClaim Search::run() {
    const bool again = query_.parameters.integer(kLastFirst) != 0 && clip_last_edge();
    if (!again && !clip_edges(a_, b_) && !clip_edges(b_, a_)) claim_ = claim_face_gap(a_, b_, memory_);
    result_.iterations = result_.counters[kEdges];
    return claim_;
}

void Search::trace_edge(const ClipBody& p, const ClipEdge& edge, const ClipBody& q, const ClipInterval& left,
                        const ClipPlane* cut) const {
    if (cut != nullptr && result_.counters[kEdges] > kMaxTraced) return;
    const Vec3d u = p.points[edge.u], v = p.points[edge.v];
    trace_->begin_iteration(static_cast<int>(result_.counters[kEdges]));
    trace_->segment(world(u), world(v), p.of_b ? "edge of B" : "edge of A");
    trace_->value("alpha", left.low);
    trace_->value("beta", left.high);
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
    if (std::max(ha.dimension, hb.dimension) < 2) return false;
    return clips_within_limit(ha, hb);
}

SolidClaim rung_1(const PairQuery& q, Memory& memory, PairResult& result, Trace* trace) {
    const ConvexHull &a = *q.a.shape->hull(), &b = *q.b.shape->hull();
    const std::size_t planes = clip_plane_count(a) + clip_plane_count(b);
    QueryBuffer buffer(*q.scratch,
                       clip_body_bytes(a) + clip_body_bytes(b) + 2 * planes * sizeof(std::uint32_t));
    return Search(q, memory, result, trace, buffer).run();
}

void query_cyrus_beck(const PairQuery& q, PairCache& cache, PairResult& result, Trace* trace) {
    auto& memory = cache.as<Memory>(&describe_cyrus_beck(), q.a.geometry->content, q.b.geometry->content);
    SolidLadder ladder(q, memory.ladder, result, trace);
    if (!ladder.recall()) ladder.finish(rung_1(q, memory, result, trace));
    result.iterations += ladder.counts().walk_iterations;
    write_counters(ladder.counts(), {kDouble, kExact, kFromCache}, result);
}

constexpr const char* kPrecheckChoices[] = {"none", "object_box", "collect_faces", "face_boxes"};
constexpr Parameter kParameters[] = {
    {"precheck", "Pre-checks", ParameterKind::choice, kFaceBoxes, 0, 3, "", "Zachmann 1994, 3.4.1, table",
     "Each choice adds one check: edge against the object's box; only faces in the other's box; edge "
     "against the boxes of those faces.",
     false, kPrecheckChoices},
    {"last_first", "Last edge first", ParameterKind::toggle, 0, 0, 1, "", "Zachmann 1994, 10.2",
     "Clip first the edge that was inside the other body in the pair's last query."},
};
constexpr const char* kCounters[] = {"edges",
                                     "planes",
                                     "boxes",
                                     "faces collected",
                                     "pieces refuted",
                                     "double iterations",
                                     "exact iterations",
                                     "remembered decision"};

}  // namespace

const PairAlgorithm& describe_cyrus_beck() {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm a{};
        a.id = "cyrus_beck";
        a.title = "Cyrus-Beck clipping";
        a.source = "Zachmann 1994, section 3.4.1";
        a.summary =
            "Clips the edges of each body by the half-spaces of the other after box pre-checks. For bodies "
            "of up to about 590 vertices.";
        a.needs = Needs::convex;
        a.gives = kWantAxis;
        a.meaning = Meaning::solid;
        a.parameters = kParameters;
        a.counters = kCounters;
        a.fits = fits;
        a.query = query_cyrus_beck;
        return a;
    }();
    return algorithm;
}

}  // namespace claybox::collision
