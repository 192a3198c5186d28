// A modified Cyrus-Beck algorithm.
//
// Source: Zachmann 1994, section 3.4.1; Cyrus and Beck's line clipping after Foley, van Dam, Feiner, Hughes.
//
// Idea: a convex polyhedron is an intersection of half spaces. Clip each edge of P by all planes of Q, and
// vice versa, keeping only the interval of its parameter; what is left of an edge is a collision. Pre-checks,
// each on top of the one before: an edge outside Q's box is outside; only Q's faces in P's box have to clip;
// an edge outside the boxes of all those faces crosses none of them.
//
// Corrections: FIX-20, which end of the interval falls; FIX-21, an edge parallel to a plane and outside it is
// outside (both in `clip`). FIX-22: a piece that the collected faces leave may be outside the forgotten ones,
// so all planes confirm it; and where no face is collected, or no face's box meets an edge, P may be wholly
// inside: one vertex of P is tested against all planes. One is enough, for when no edge of P crosses Q's
// surface, its vertices are all inside or all outside.
//
// What is ours: the proofs. A piece gives vertex pairs that surround the origin; where none is left, the face
// plane with the widest gap is the separating axis, and edges that pass each other leave it to the ladder.
//
// Preconditions: both shapes convex, one at least a polygon or a solid (a flat polygon is clipped by its
// plane from both sides and by its sides; points and segments have no planes); any finite matrices; at most
// kMostClips. Exact: the kernel runs in double, the ladder proves. Complexity: O(edges faces). Caches: the
// last answer, and the edge that was inside last, which `last_first` asks first (the thesis' future work,
// 10.2).

#include "collision/pairwise/registry.hpp"
#include "collision/pairwise/solid_ladder.hpp"
#include "collision/parts/clip_body.hpp"

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

/// Edges times planes in one query; beyond, the row does not apply. Bodies of 500 vertices each take about 1
/// ms.
constexpr std::uint64_t kMostClips = std::uint64_t{1} << 22;
/// Beyond these, only what ends the search is told to a trace.
constexpr std::uint32_t kMostTraced = 256;

/// The planes of one body that have to clip, first those that its collecting pre-phase took.
struct Planes {
    std::span<std::uint32_t> order;
    std::uint32_t collected = 0;
};

struct Memory {
    LadderMemory ladder;
    std::uint32_t edge = kNoIndex;  ///< that was partly inside the other body
    bool of_b = false;
};

class Search {
  public:
    Search(const PairQuery& q, Memory& memory, PairResult& result, Trace* trace, QueryRoom& room)
        : query_(q),
          last_(memory),
          memory_(memory.ladder),
          precheck_(q.parameters.integer(kPrecheck)),
          result_(result),
          trace_(trace),
          room_(room),
          difference_(make_difference<double>(*q.a.shape->hull(), q.a.world_from_body, *q.b.shape->hull(),
                                              q.b.world_from_body)),
          a_(make_clip_body(difference_, false, room)),
          b_(make_clip_body(difference_, true, room)) {}

    SolidClaim run();

  private:
    bool clip_last_edge();
    bool clip_edges(const ClipBody& p, const ClipBody& q);
    Planes collect(const ClipBody& p, const ClipBody& q);
    bool is_passed_over(const ClipBody& p, const ClipEdge& edge, const ClipBody& q, const Planes& planes);
    bool clip_edge(const ClipBody& p, const ClipEdge& edge, const ClipBody& q, const Planes& planes);
    bool vertex_inside(const ClipBody& p, std::uint32_t vertex, const ClipBody& q);
    void found(bool surrounded);
    void claim_separated();
    void tell(const ClipBody& p, const ClipEdge& edge, const ClipBody& q, const ClipInterval& left,
              const ClipPlane* cut) const;
    Vec3d world(const Vec3d& p) const { return p + cast<double>(query_.a.world_from_body.translation()); }

    const PairQuery& query_;
    Memory& last_;
    const LadderMemory& memory_;
    int precheck_;
    PairResult& result_;
    Trace* trace_;
    QueryRoom& room_;
    Difference<double> difference_;
    ClipBody a_, b_;
    SolidClaim claim_;
};

/// Where the four do not surround the origin for certain, three of them are where the ladder's search starts.
void Search::found(bool surrounded) {
    claim_.verdict = Verdict::colliding;
    claim_.pair_count = surrounded ? 4 : 3;
    claim_.axis_w = b_.centre - a_.centre;
}

/// The face-collecting pre-phase: q's faces whose box meets p's box.
Planes Search::collect(const ClipBody& p, const ClipBody& q) {
    Planes out{room_.take<std::uint32_t>(q.planes.size()), 0};
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

/// The pre-checks of one edge: true when it is outside q, or crosses none of its faces.
bool Search::is_passed_over(const ClipBody& p, const ClipEdge& edge, const ClipBody& q,
                            const Planes& planes) {
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
    if (trace_ != nullptr) tell(p, edge, q, left, cut);
    if (cut != nullptr) return false;
    found(surround_by_edge(p, edge, left, q, claim_.pairs));
    return true;
}

bool Search::vertex_inside(const ClipBody& p, std::uint32_t vertex, const ClipBody& q) {
    for (const ClipPlane& plane : q.planes) {
        ++result_.counters[kPlanes];
        if (plane.height(p.points[vertex]) > 0) return false;
    }
    found(surround_by_vertex(p, vertex, q, claim_.pairs));
    return true;
}

/// Whether the edge of the last time is partly inside again.
bool Search::clip_last_edge() {
    const ClipBody &p = last_.of_b ? b_ : a_, &q = last_.of_b ? a_ : b_;
    if (last_.edge >= p.edges.size() || q.planes.empty()) return false;
    const Planes planes = collect(p, q);
    const ClipEdge& edge = p.edges[last_.edge];
    return planes.collected > 0 && !is_passed_over(p, edge, q, planes) && clip_edge(p, edge, q, planes);
}

/// Whether an edge of p is partly inside q.
bool Search::clip_edges(const ClipBody& p, const ClipBody& q) {
    if (q.planes.empty()) return false;
    const Planes planes = collect(p, q);
    if (precheck_ >= kCollectFaces && vertex_inside(p, p.edges[0].u, q)) return true;
    if (planes.collected == 0) return false;
    for (const ClipEdge& edge : p.edges) {
        if (is_passed_over(p, edge, q, planes) || !clip_edge(p, edge, q, planes)) continue;
        last_.edge = static_cast<std::uint32_t>(&edge - p.edges.data());
        last_.of_b = p.of_b;
        return true;
    }
    return false;
}

/// Where no face plane proves it, the last separation is where the ladder starts.
void Search::claim_separated() {
    const FaceGap gap = widest_face_gap(a_, b_);
    claim_ = SolidClaim::separated(gap.axis, gap.support_a, gap.support_b);
    if (gap.gap > 0 || memory_.last != Verdict::separated || !memory_.usable(*a_.hull, *b_.hull)) return;
    claim_ = SolidClaim::separated(memory_.axis_w, memory_.support_a, memory_.support_b);
    for (int i = 0; i < memory_.pair_count; ++i) claim_.add_hint(memory_.pairs[i]);
}

SolidClaim Search::run() {
    const bool again = query_.parameters.integer(kLastFirst) != 0 && clip_last_edge();
    if (!again && !clip_edges(a_, b_) && !clip_edges(b_, a_)) claim_separated();
    result_.iterations = result_.counters[kEdges];
    return claim_;
}

void Search::tell(const ClipBody& p, const ClipEdge& edge, const ClipBody& q, const ClipInterval& left,
                  const ClipPlane* cut) const {
    if (cut != nullptr && result_.counters[kEdges] > kMostTraced) return;
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
    trace_->plane(cut->n, dot(cut->n, near_w), near_w, "plane that leaves nothing");
}

bool fits(const Shape& a, const Shape& b) {
    if (a.hull() == nullptr || b.hull() == nullptr) return false;
    const ConvexHull &ha = *a.hull(), &hb = *b.hull();
    if (std::max(ha.dimension, hb.dimension) < 2) return false;
    return std::uint64_t{clip_edge_count(ha)} * clip_plane_count(hb) +
               std::uint64_t{clip_edge_count(hb)} * clip_plane_count(ha) <=
           kMostClips;
}

SolidClaim rung_1(const PairQuery& q, Memory& memory, PairResult& result, Trace* trace) {
    const ConvexHull &a = *q.a.shape->hull(), &b = *q.b.shape->hull();
    const std::size_t planes = clip_plane_count(a) + clip_plane_count(b);
    QueryRoom room(*q.scratch, clip_body_bytes(a) + clip_body_bytes(b) + 2 * planes * sizeof(std::uint32_t));
    return Search(q, memory, result, trace, room).run();
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
     "Each adds one to those before it: edge against the object's box; only faces in the other's box; edge "
     "against the boxes of those faces.",
     false, kPrecheckChoices},
    {"last_first", "Last edge first", ParameterKind::toggle, 0, 0, 1, "", "Zachmann 1994, 10.2",
     "Whether the edge that was inside the other body in the pair's last query is clipped first."},
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
            "Clips the edges of each body by the half spaces of the other behind box pre-checks: for bodies "
            "of "
            "up to about 590 vertices.";
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
