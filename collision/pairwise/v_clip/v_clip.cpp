// V-Clip: the pair of closest features, tracked from query to query.
//
// Source: Mirtich, V-Clip: fast and robust polyhedral collision detection, 1998; Chong's notes on
// convexity-based methods, closest features and the V-Clip algorithm.
//
// Idea: for convex bodies a locally closest pair of points is globally closest. Start with any pair of
// features, one of each body, and step to a closer neighbour until there is none. A vertex's neighbours are
// its edges, a face's its edges, an edge's its two vertices and two faces. The Voronoi planes between
// neighbours show whether and where to step. After little motion, the last pair is still closest or next to
// the closest. An edge through a face, or a vertex below all faces, shows a collision.
//
// Preconditions: both shapes convex, of any dimension; any finite matrices. Rigid placements are walked in
// float over stored planes, others in double over planes computed from vertices.
// Exactness: the features yield an axis, or four vertex pairs around the origin, computed in double from the
// hulls' own vertices. The ladder proves them or decides exactly. The walk always terminates (see
// v_clip.hpp). Distance and closest points come from the ladder's walk, started from the features.
// Complexity: O(degree) per step; few steps for coherent motion; O(faces) if a vertex is inside the other
// body. Cache: the features and the ladder's memory.

#include "collision/pairwise/v_clip/v_clip.hpp"

#include "collision/pairwise/registry.hpp"
#include "collision/pairwise/solid/solid_ladder.hpp"
#include "collision/pairwise/solid/solid_measure.hpp"
#include "collision/pairwise/support/support.hpp"

#include <algorithm>

namespace claybox::collision {

const PairAlgorithm& describe_v_clip();

namespace {

enum ParameterIndex : std::size_t { kIterationLimit, kWarmStart, kStart, kArithmetic };
enum CounterIndex : std::size_t {
    kFirstTest,  // one counter for each of the five tests
    kWalkIterations = kClipTests,
    kExactIterations,
    kFromCache
};

/// Bodies outside this range of sizes, or further apart, are walked in double: in float, products of four
/// lengths would leave the range of numbers.
constexpr float kMinExtent = 0x1p-30f, kMaxExtent = 0x1p30f;
/// Tolerance for the entries of M^T M of a rigid matrix. Rotations rounded to float are off by 1e-7.
constexpr float kRigid = 1e-5f;
/// Limit for the squared sine of the angle between two edges: below it their cross product is rounding.
constexpr double kParallel = 0x1p-80;

constexpr int kKindShift = 30;
constexpr std::uint32_t kIndexMask = (1u << kKindShift) - 1;

struct Memory {
    LadderMemory ladder;
    std::uint32_t feature[2] = {kNoIndex, kNoIndex};  ///< kind in the upper bits, index in the lower
};

struct PreparedFeatures final : Prepared {
    explicit PreparedFeatures(const ConvexHull& hull) : features(make_feature_hull(hull)) {}
    std::size_t memory_bytes() const override { return features.memory_bytes(); }
    FeatureHull features;
};

std::shared_ptr<const Prepared> prepare_v_clip(const Shape& shape, const Geometry&) {
    if (shape.hull() == nullptr) return nullptr;
    return std::make_shared<PreparedFeatures>(*shape.hull());
}

/// The data of one query.
struct Job {
    const PairQuery& query;
    const FeatureHull& a;
    const FeatureHull& b;
    Difference<double> difference;
    MovedBodies<double> exact_bodies;  ///< the hulls' own vertices, for claims

    Job(const PairQuery& q, const FeatureHull& features_a, const FeatureHull& features_b)
        : query(q),
          a(features_a),
          b(features_b),
          difference(make_difference<double>(*q.a.shape->hull(), q.a.world_from_body, *q.b.shape->hull(),
                                             q.b.world_from_body)),
          exact_bodies(difference, a, b) {}
    const FeatureHull& features(int side) const { return side == 0 ? a : b; }
};

bool exists(const ClipFeature& f, const FeatureHull& hull) {
    if (f.kind == ClipFeatureKind::vertex) return f.index < hull.vertices.size();
    return f.index < (f.kind == ClipFeatureKind::edge ? hull.edges.size() : hull.face_count());
}

bool is_rigid(const Matrix34f& m) {
    const Vec3f x{m(0, 0), m(1, 0), m(2, 0)}, y{m(0, 1), m(1, 1), m(2, 1)}, z{m(0, 2), m(1, 2), m(2, 2)};
    const float off = std::max({std::abs(dot(x, x) - 1), std::abs(dot(y, y) - 1), std::abs(dot(z, z) - 1),
                                std::abs(dot(x, y)), std::abs(dot(y, z)), std::abs(dot(z, x))});
    return off < kRigid;
}

bool suits_float(const Job& job) {
    const PairQuery& q = job.query;
    if (!is_rigid(q.a.world_from_body) || !is_rigid(q.b.world_from_body)) return false;
    for (const FeatureHull* hull : {&job.a, &job.b})
        if (!(hull->extent < kMaxExtent) || (hull->extent > 0 && hull->extent < kMinExtent)) return false;
    const Vec3d t = job.difference.about_a_from_b.translation();
    return std::max({std::abs(t.x), std::abs(t.y), std::abs(t.z)}) < double(kMaxExtent);
}

/// Starts with the support vertices towards each other along the line between the bodies' centres.
void start_cold(const Job& job, ClipState& state) {
    if (job.query.parameters.integer(kStart) == 1) return;  // vertex 0 of both
    const Difference<double>& d = job.difference;
    const Vec3d between = normalized(transform_point(d.about_a_from_b, cast<double>(job.b.centre)) -
                                     transform_point(d.about_a_from_a, cast<double>(job.a.centre)));
    const Vec3f towards_b = cast<float>(transpose_vector(d.about_a_from_a, between));
    const Vec3f towards_a = cast<float>(transpose_vector(d.about_a_from_b, -between));
    state.feature[0].index = support_vertex(*d.a, towards_b, 0, SupportMethod::automatic);
    state.feature[1].index = support_vertex(*d.b, towards_a, 0, SupportMethod::automatic);
}

bool start_warm(const Job& job, const Memory& memory, ClipState& state) {
    if (!job.query.parameters.on(kWarmStart)) return false;
    for (const int side : {0, 1}) {
        const std::uint32_t packed = memory.feature[side];
        const ClipFeature feature{ClipFeatureKind(packed >> kKindShift), packed & kIndexMask};
        if (packed == kNoIndex || !exists(feature, job.features(side))) return false;
        state.feature[side] = feature;
    }
    return true;
}

/// Traces the features before each test.
class FeatureTrace {
  public:
    FeatureTrace(const Job& job, Trace& trace)
        : job_(job), trace_(trace), origin_w_(cast<double>(job.query.a.world_from_body.translation())) {}

    void operator()(const ClipState& state) {
        trace_.begin_iteration(static_cast<int>(state.iterations));
        trace_feature(0, state.feature[0], "feature of A");
        trace_feature(1, state.feature[1], "feature of B");
        for (const int side : {0, 1}) {
            trace_region(side, state.feature[side]);
            if (state.iterations > 1 && state.feature[side] != last_[side])
                trace_crossing(side, last_[side], state.feature[side]);
            last_[side] = state.feature[side];
        }
        if (state.record < std::numeric_limits<double>::infinity())
            trace_.value("distance so far (m)", std::sqrt(state.record));
    }

  private:
    Vec3d world_position(int side, std::uint32_t v) const {
        return job_.exact_bodies.vertex(side, v) + origin_w_;
    }
    void trace_feature(int side, const ClipFeature& f, const char* label) const {
        const FeatureHull& hull = job_.features(side);
        if (f.kind == ClipFeatureKind::vertex) return trace_.point(world_position(side, f.index), label);
        if (f.kind == ClipFeatureKind::edge) return trace_edge(side, f.index, label);
        for (std::uint32_t k = hull.faces[f.index].first_side; k < hull.faces[f.index + 1].first_side; ++k)
            trace_edge(side, hull.sides[k].edge, label);
    }
    void trace_edge(int side, std::uint32_t e, const char* label) const {
        const FeatureHull::Edge& edge = job_.features(side).edges[e];
        trace_.segment(world_position(side, edge.tail), world_position(side, edge.head), label);
    }

    static constexpr std::uint32_t kMaxRays = 24;

    /// The edges of the feature's Voronoi region, as rays along the normals of the faces around it, and the
    /// outline where they end.
    void trace_region(int side, const ClipFeature& f) const {
        const FeatureHull& hull = job_.features(side);
        const char* const label = side == 0 ? "Voronoi region of A" : "Voronoi region of B";
        const double reach = 0.6 * static_cast<double>(hull.extent) * scale(side);
        if (f.kind == ClipFeatureKind::vertex) return trace_cone(side, f.index, reach, label);
        Vec3d first, before;
        const auto ray = [&](std::uint32_t v, std::uint32_t face, bool join) {
            const Vec3d from = world_position(side, v), to = from + reach * normal_w(side, face);
            trace_.segment(from, to, label);
            if (join) trace_.segment(before, to, label);
            before = to;
            return to;
        };
        if (f.kind == ClipFeatureKind::face) {
            const std::uint32_t begin = hull.faces[f.index].first_side,
                                end = hull.faces[f.index + 1].first_side;
            for (std::uint32_t k = begin; k < end; ++k) {
                const Vec3d tip = ray(hull.sides[k].vertex, f.index, k > begin);
                if (k == begin) first = tip;
            }
            return trace_.segment(before, first, label);
        }
        const FeatureHull::Edge& edge = hull.edges[f.index];
        if (edge.face[0] == kNoIndex) return;  // a segment: its region is everything between its ends
        first = ray(edge.tail, edge.face[0], false);
        ray(edge.head, edge.face[0], true);
        ray(edge.head, edge.face[1], true);
        ray(edge.tail, edge.face[1], true);
        trace_.segment(before, first, label);
    }
    void trace_cone(int side, std::uint32_t v, double reach, const char* label) const {
        const FeatureHull& hull = job_.features(side);
        const FeatureHull::Vertex& vertex = hull.vertices[v];
        const Vec3d from = world_position(side, v);
        const std::uint32_t count = std::min(vertex.spoke_count, kMaxRays);
        for (std::uint32_t k = vertex.first_spoke; k < vertex.first_spoke + count; ++k) {
            const FeatureHull::Edge& edge = hull.edges[hull.spokes[k].edge];
            if (edge.face[0] == kNoIndex) continue;
            const Vec3d u = from + reach * normal_w(side, edge.face[0]),
                        w = from + reach * normal_w(side, edge.face[1]);
            trace_.segment(from, u, label);  // each ray twice, once per edge of its face
            trace_.segment(u, w, label);
        }
    }
    /// The plane between the regions of two neighbours, over which the walk went.
    void trace_crossing(int side, const ClipFeature& from, const ClipFeature& to) const {
        const FeatureHull& hull = job_.features(side);
        const ClipFeature &low = from.kind < to.kind ? from : to, &high = from.kind < to.kind ? to : from;
        Vec3d at, normal;
        if (low.kind == ClipFeatureKind::vertex && high.kind == ClipFeatureKind::edge) {
            const FeatureHull::Edge& edge = hull.edges[high.index];
            at = world_position(side, low.index);
            normal = world_position(side, edge.head) - world_position(side, edge.tail);
        } else if (low.kind == ClipFeatureKind::edge && high.kind == ClipFeatureKind::face) {
            const FeatureHull::Edge& edge = hull.edges[low.index];
            at = world_position(side, edge.tail);
            normal = cross(world_position(side, edge.head) - at, normal_w(side, high.index));
        } else {
            return;  // a leap out of a local minimum
        }
        if (length_squared(normal) > 0)
            trace_.plane(normal, dot(normal, at), at, "crossed plane of the region");
    }
    /// The outward normal of length 1.
    Vec3d normal_w(int side, std::uint32_t f) const { return job_.exact_bodies.normal(side, f); }
    double scale(int side) const {
        const Matrix34d m = to_double((side == 0 ? job_.query.a : job_.query.b).world_from_body);
        return length(Vec3d{m.m[0], m.m[4], m.m[8]});
    }

    const Job& job_;
    Trace& trace_;
    Vec3d origin_w_;
    ClipFeature last_[2];
};

/// Rung 1.
void walk(const Job& job, ClipState& state, Trace* trace) {
    const auto limit = static_cast<std::uint32_t>(job.query.parameters.integer(kIterationLimit));
    const auto run = [&](const auto& bodies, const ClipWatch* watch) {
        VClip clip(bodies, state);
        clip.run(limit, watch);
    };
    const auto run_watched = [&](const auto& bodies) {
        if (trace == nullptr) return run(bodies, nullptr);
        FeatureTrace feature_trace(job, *trace);
        const ClipWatch watch(feature_trace);
        run(bodies, &watch);
    };
    if (job.query.parameters.integer(kArithmetic) == 0 && suits_float(job))
        run_watched(StoredBodies(job.a, job.query.a.world_from_body, job.b, job.query.b.world_from_body));
    else
        run_watched(job.exact_bodies);
}

// Claims from the last features.

VertexPair pair_of(int side, std::uint32_t own, std::uint32_t others) {
    return side == 0 ? VertexPair{own, others} : VertexPair{others, own};
}

/// A feature's vertices: one, two, or three distant ones. Returns their number.
int corners_of(const FeatureHull& hull, const ClipFeature& f, std::uint32_t (&out)[3]) {
    if (f.kind == ClipFeatureKind::vertex) {
        out[0] = f.index;
        return 1;
    }
    if (f.kind == ClipFeatureKind::edge) {
        out[0] = hull.edges[f.index].tail;
        out[1] = hull.edges[f.index].head;
        return 2;
    }
    std::copy_n(hull.faces[f.index].corner, 3, out);
    return 3;
}

Vec3d without_part_along(const Vec3d& v, const Vec3d& along) {
    return v - (dot(along, v) / dot(along, along)) * along;
}

/// The direction from A's feature to B's, perpendicular to both.
Vec3d axis_between(const Job& job, const ClipState& state) {
    const MovedBodies<double>& bodies = job.exact_bodies;
    const ClipFeature &a = state.feature[0], &b = state.feature[1];
    const auto point = [&](int side, const ClipFeature& f) {
        return f.kind == ClipFeatureKind::vertex ? bodies.vertex(side, f.index) : bodies.tail(side, f.index);
    };
    if (a.kind == ClipFeatureKind::face) return bodies.normal(0, a.index);
    if (b.kind == ClipFeatureKind::face) return -bodies.normal(1, b.index);
    const Vec3d between = point(1, b) - point(0, a);
    if (a.kind == ClipFeatureKind::vertex && b.kind == ClipFeatureKind::vertex) return between;
    if (a.kind == ClipFeatureKind::vertex) return without_part_along(between, bodies.along(1, b.index));
    if (b.kind == ClipFeatureKind::vertex) return without_part_along(between, bodies.along(0, a.index));
    const Vec3d u = bodies.along(0, a.index), v = bodies.along(1, b.index), n = cross(u, v);
    if (!(length_squared(n) > kParallel * length_squared(u) * length_squared(v)))
        return without_part_along(between, u);
    return dot(n, between) < 0 ? -n : n;
}

/// Limits for the tilt of an axis between features, and the tilt relative to the gap's angle.
constexpr double kMaxTilt = 0x1p-20, kTiltOfGap = 0x1p-5, kMinTilt = 0x1p-36;

/// Along an axis perpendicular to an edge or a face, all its vertices are supports, and only a scan of the
/// whole hull can prove such a tie. Tilting the axis by a small part of the angle that the gap allows leaves
/// one support per side.
Vec3d tilt_to_break_ties(const Job& job, const ClipState& state, const Vec3d& axis, const Vec3d& between) {
    const MovedBodies<double>& bodies = job.exact_bodies;
    Vec3d tilt;
    double size = length(between);
    for (const int side : {0, 1}) {
        const ClipFeature& f = state.feature[side];
        if (f.kind == ClipFeatureKind::vertex) continue;
        std::uint32_t corner[3];
        const int count = corners_of(job.features(side), f, corner);
        const Vec3d first = bodies.vertex(side, corner[0]);
        Vec3d inward = first - bodies.vertex(side, corner[1]);
        if (count == 3) inward += first - bodies.vertex(side, corner[2]);
        if (side == 1) inward = -inward;  // so that the first is the one nearest to A
        tilt += dot(tilt, inward) < 0 ? -inward : inward;
        size += length(inward);
    }
    const double along = length(axis), gap = dot(axis, between) / along;
    const double angle = std::min(kMaxTilt, kTiltOfGap * gap / size);
    if (!(angle > kMinTilt)) return axis;
    return axis + (angle * along / length(tilt)) * tilt;
}

/// Three vertices of a face around a point of its plane, with the point's weights.
struct Corners {
    std::uint32_t vertex[3];
    double weight[3];
};

Corners corners_around(const Job& job, int side, std::uint32_t f, const Vec3d& x) {
    const FeatureHull& hull = job.features(side);
    const MovedBodies<double>& bodies = job.exact_bodies;
    const std::uint32_t first = hull.faces[f].first_side, end = hull.faces[f + 1].first_side;
    const Vec3d at = bodies.side_at(side, first), to_x = x - at;
    const auto& corner = hull.faces[f].corner;
    const Vec3d c = bodies.vertex(side, corner[0]);
    const Vec3d n = cross(bodies.vertex(side, corner[1]) - c, bodies.vertex(side, corner[2]) - c);
    std::uint32_t k = first + 2;  // the triangle of the fan that contains x
    while (k + 1 < end && dot(n, cross(bodies.side_at(side, k) - at, to_x)) > 0) ++k;
    const Vec3d u = bodies.side_at(side, k - 1) - at, v = bodies.side_at(side, k) - at;
    const double whole = dot(n, cross(u, v));
    const double along_u = dot(n, cross(to_x, v)) / whole, along_v = dot(n, cross(u, to_x)) / whole;
    return {{hull.sides[first].vertex, hull.sides[k - 1].vertex, hull.sides[k].vertex},
            {1 - along_u - along_v, along_u, along_v}};
}

/// An edge of `side` passes through a face of the other body. The intersection point is a combination of the
/// edge's two vertices and of three of the face, so four pairs of these combine to the origin. The pairs are
/// chosen like the cells of a table with given row and column sums, filled from one corner to the opposite
/// one.
void claim_pierced(const Job& job, const ClipState& state, SolidClaim& claim) {
    const int side = state.feature[0].kind == ClipFeatureKind::edge ? 0 : 1, other = 1 - side;
    const MovedBodies<double>& bodies = job.exact_bodies;
    const FeatureHull::Edge& edge = job.features(side).edges[state.feature[side].index];
    const std::uint32_t f = state.feature[other].index;
    const Vec3d tail = bodies.vertex(side, edge.tail), head = bodies.vertex(side, edge.head);
    const Vec3d n = bodies.normal(other, f), at = bodies.point(other, f);
    const double from = dot(n, tail - at), to = dot(n, head - at);
    const double t = from != to ? std::clamp(from / (from - to), 0.0, 1.0) : 0.5;
    Corners corners = corners_around(job, other, f, tail + t * (head - tail));
    const std::uint32_t ends[2] = {edge.tail, edge.head};
    double rest[2] = {1 - t, t};
    int row = 0, column = 0;
    for (int i = 0; i < 4; ++i) {
        claim.add_hint(pair_of(side, ends[row], corners.vertex[column]));
        if (column == 2 || (row == 0 && rest[row] <= corners.weight[column])) {
            corners.weight[column] -= rest[row];
            row = 1;
        } else {
            rest[row] -= corners.weight[column];
            ++column;
        }
    }
}

/// A vertex of `side` is below all faces of the other body. It is between a vertex of that body and the face
/// where the ray from that vertex through it leaves the body.
void claim_contained(const Job& job, const ClipState& state, SolidClaim& claim) {
    const int side = state.feature[0].kind == ClipFeatureKind::vertex ? 0 : 1, other = 1 - side;
    const std::uint32_t v = state.feature[side].index, f = state.ray_exit;
    claim.add_hint(pair_of(side, v, state.ray_from));
    if (f == kNoIndex) return;
    const MovedBodies<double>& bodies = job.exact_bodies;
    const Vec3d start = bodies.vertex(other, state.ray_from), ray = bodies.vertex(side, v) - start;
    const Vec3d n = bodies.normal(other, f);
    const double reach = dot(n, bodies.point(other, f) - start) / dot(n, ray);
    const Corners corners = corners_around(job, other, f, start + reach * ray);
    for (const std::uint32_t w : corners.vertex) claim.add_hint(pair_of(side, v, w));
}

/// Whether the axis separates as computed in double. For fast queries, where nothing is proved afterwards.
bool separates(const Job& job, const SolidClaim& claim) {
    const Difference<double>& d = job.difference;
    const std::uint32_t a =
        support_vertex(*d.a, transpose_vector(d.about_a_from_a, claim.axis_w), claim.support_a);
    const std::uint32_t b =
        support_vertex(*d.b, transpose_vector(d.about_a_from_b, -claim.axis_w), claim.support_b);
    return dot(claim.axis_w, d.point_b(b) - d.point_a(a)) > 0;
}

/// Claims separation along the axis between the features. Their corners are the start of a walk for the
/// distance.
void claim_separated(const Job& job, const ClipState& state, SolidClaim& claim) {
    std::uint32_t a[3], b[3];
    const int count_a = corners_of(job.a, state.feature[0], a);
    const int count_b = corners_of(job.b, state.feature[1], b);
    for (int i = 0; i < count_a; ++i)
        for (int j = 0; j < count_b && claim.pair_count < 4; ++j) claim.add_hint({a[i], b[j]});
    claim.support_a = a[0];
    claim.support_b = b[0];
    if (state.end == ClipEnd::unfinished || state.end == ClipEnd::touching) return;
    claim.axis_w = axis_between(job, state);
    const bool tied =
        state.feature[0].kind != ClipFeatureKind::vertex || state.feature[1].kind != ClipFeatureKind::vertex;
    const Vec3d between = job.difference.point_b(b[0]) - job.difference.point_a(a[0]);
    if (tied) claim.axis_w = tilt_to_break_ties(job, state, claim.axis_w, between);
    if (!is_finite(claim.axis_w)) {  // a matrix collapsed an edge to a point
        claim.axis_w = {};
        return;
    }
    const bool proven_later = job.query.exactness == Exactness::exact;
    if (proven_later || separates(job, claim)) claim.verdict = Verdict::separated;
}

SolidClaim claim_of(const Job& job, const ClipState& state) {
    SolidClaim claim;
    const auto limit = static_cast<std::uint32_t>(job.query.parameters.integer(kIterationLimit));
    claim.limited = state.end == ClipEnd::unfinished && state.iterations >= limit;
    const bool fast = job.query.exactness == Exactness::fast;
    if (state.end == ClipEnd::pierced) claim_pierced(job, state, claim);
    if (state.end == ClipEnd::contained) claim_contained(job, state, claim);
    if (claim.pair_count == 0) claim_separated(job, state, claim);
    const bool inside = state.end == ClipEnd::pierced || state.end == ClipEnd::contained;
    if (inside || (fast && state.end == ClipEnd::touching)) claim.verdict = Verdict::colliding;
    return claim;
}

/// A body deep inside another usually stays there; checking its last proof again costs less than testing all
/// faces.
bool still_contained(const SolidLadder& ladder, const Memory& memory, const ClipState& state) {
    const LadderMemory& last = memory.ladder;
    return last.last == Verdict::colliding && last.pair_count == 4 &&
           state.feature[0].kind != state.feature[1].kind && state.feature[0].kind != ClipFeatureKind::edge &&
           state.feature[1].kind != ClipFeatureKind::edge &&
           last.usable(*ladder.a().hull, *ladder.b().hull) &&
           proves_collision(ladder.a(), ladder.b(), last.pairs);
}

SolidClaim decide(const Job& job, const SolidLadder& ladder, Memory& memory, PairResult& result,
                  Trace* trace) {
    ClipState state;
    if (!start_warm(job, memory, state)) {
        start_cold(job, state);
    } else if (still_contained(ladder, memory, state)) {
        return SolidClaim::surrounded(memory.ladder.pairs);
    }
    walk(job, state, trace);
    result.iterations = state.iterations;
    for (std::size_t i = 0; i < kClipTests; ++i) result.counters[kFirstTest + i] = state.tests[i];
    for (const int side : {0, 1}) {
        const ClipFeature& f = state.feature[side];
        const bool index_fits = f.index <= kIndexMask;
        memory.feature[side] =
            index_fits ? static_cast<std::uint32_t>(f.kind) << kKindShift | f.index : kNoIndex;
    }
    return claim_of(job, state);
}

void query_v_clip(const PairQuery& q, PairCache& cache, PairResult& result, Trace* trace) {
    auto& memory = cache.as<Memory>(&describe_v_clip(), q.a.geometry->content, q.b.geometry->content);
    SolidLadder ladder(q, memory.ladder, result, trace);
    if (!ladder.recall()) {
        const auto* a = static_cast<const PreparedFeatures*>(q.a.prepared);
        const auto* b = static_cast<const PreparedFeatures*>(q.b.prepared);
        SolidClaim claim;  // without features the ladder's search decides
        if (a != nullptr && b != nullptr)
            claim = decide(Job(q, a->features, b->features), ladder, memory, result, trace);
        ladder.finish(claim);
    }
    const LadderCounts& higher = ladder.counts();
    const MeasureCounts measured = measure_solids(q, memory.ladder, 1, result, trace);
    write_counters(higher, {kWalkIterations, kExactIterations, kFromCache}, result);
    result.counters[kWalkIterations] += measured.walk_iterations;
}

constexpr const char* kStartChoices[] = {"supports", "first"};
constexpr const char* kArithmeticChoices[] = {"stored", "double"};
constexpr Parameter kParameters[] = {
    {"iteration_limit", "Iteration limit", ParameterKind::integer, 10000, 1, 100000, "",
     "ours: coherent queries need 1 to 3; a walk terminates without a limit",
     "A search that reaches the limit decides nothing; double or exact arithmetic then decides."},
    {"warm_start", "Warm start", ParameterKind::toggle, 1, 0, 1, "", "Mirtich, coherence",
     "Start from the closest features of the pair's last query."},
    {"start", "Cold start", ParameterKind::choice, 0, 0, 1, "", "ours: supports; Mirtich: any pair",
     "Start from the support vertices along the line between the centres, or from each body's first vertex.",
     false, kStartChoices},
    {"arithmetic", "Planes", ParameterKind::choice, 0, 0, 1, "", "ours: float, decided again on rung 2",
     "Use Voronoi planes stored in float for rigid placements, or always compute them from vertices in "
     "double.",
     false, kArithmeticChoices},
};
constexpr const char* kCounters[] = {"vertex and vertex", "vertex and edge",    "vertex and face",
                                     "edge and edge",     "edge and face",      "walk iterations",
                                     "exact iterations",  "remembered decision"};

}  // namespace

const PairAlgorithm& describe_v_clip() {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm a{};
        a.id = "v_clip";
        a.title = "V-Clip";
        a.source = "Mirtich 1998; Chong, notes on convexity-based methods, closest features";
        a.summary = "Steps from a pair of features to neighbouring pairs until none is closer.";
        a.needs = Needs::convex;
        a.gives = kWantDistance | kWantAxis;
        a.meaning = Meaning::solid;
        a.parameters = kParameters;
        a.counters = kCounters;
        a.prepare = prepare_v_clip;
        a.query = query_v_clip;
        return a;
    }();
    return algorithm;
}

}  // namespace claybox::collision
