// Separating planes by the perceptron rule: one-sided.
//
// Source: Zachmann, Exact and Fast Collision Detection, 3.4.2; the rule is Rosenblatt's perceptron.
//
// Idea: two convex solids are separated if some plane has all vertices of A in front of it and all of B
// behind it. Start with a guess: the pair's last plane, or the plane halfway between the bodies. Visit all
// vertices; each vertex on the wrong side pulls the plane a little towards itself. If no vertex is wrong, the
// plane separates. After too many pulls, stop.
//
// Preconditions: both shapes convex, of any dimension; any finite matrices.
// One-sided: "separated" is certain, because the plane's normal is proved in double first. Colliding bodies
// never get a plane, but a gap may also be too hard to find, so the other answer is "undecided" (with
// Exactness::fast: colliding, the paper's own guess). There is no exact rung.
// Complexity: O(vertices) per sweep; one sweep if the last plane still separates; O(1) with
// `closest_vertices`. Cache: the last plane, relative to the middle between the bodies, and the vertices
// closest to it.
//
// Corrections: FIX-23 (a vertex exactly in the plane pulls too; sign of the adaptive step) and FIX-24 (bodies
// are clipped by the common part of their boxes; selecting vertices by it misses crossing bars). Ours:
// coordinates are relative to the middle between the bodies and scaled to about 1, so eta has the same effect
// everywhere.

#include "collision/exact/solid.hpp"
#include "collision/pairwise/registry.hpp"
#include "collision/pairwise/separating_plane/perceptron.hpp"
#include "collision/pairwise/support/box_clip.hpp"

#include <cmath>

namespace claybox::collision {

const PairAlgorithm& describe_separating_plane();

namespace {

enum ParameterIndex : std::size_t {
    kEta,
    kUpdateLimit,
    kRelaxation,
    kStep,
    kStart,
    kKeepPlane,
    kClosestVertices,
    kBoxPhase,
    kBound,
    kGoodness
};
enum CounterIndex : std::size_t { kSweeps, kUpdates, kTested, kKept, kClipped, kBounded, kUnproven };

enum class Start : unsigned char { trivial, barycentres, box_centres, zero };

/// The memory of a pair: the plane where the search ended, with unit normal and distance in metres from the
/// middle between the bodies.
struct Memory {
    Vec3d normal_w;
    double offset = 0;
    std::uint32_t closest_a = 0, closest_b = 0;
    bool known = false;
};

/// Both bodies relative to the middle between them, scaled by a power of two to a size near 1.
struct Frame {
    Vec3d origin_w;
    double scale = 1;  ///< frame units per metre
    Matrix34d frame_from_a, frame_from_b;
    Vec3d centre_a, centre_b;  ///< of the boxes, in this frame
};

double largest(const Vec3d& v) {
    return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

/// Upper bound of the body's box extent from its centre along the world axes.
double half_size(const PairBody& body) {
    const Aabb& box = body.geometry->box;
    const Vec3d half = 0.5 * (cast<double>(box.max) - cast<double>(box.min));
    const auto& m = body.world_from_body.m;
    Vec3d out;
    for (std::size_t r = 0; r < 3; ++r)
        out[r] = std::abs(double(m[4 * r])) * half.x + std::abs(double(m[4 * r + 1])) * half.y +
                 std::abs(double(m[4 * r + 2])) * half.z;
    return largest(out);
}

Vec3d box_centre_w(const PairBody& body) {
    const Aabb& box = body.geometry->box;
    return transform_point(to_double(body.world_from_body),
                           0.5 * (cast<double>(box.min) + cast<double>(box.max)));
}

Matrix34d into_frame(const Matrix34f& world_from_body, const Vec3d& origin_w, double scale) {
    Matrix34d out = to_double(world_from_body);
    for (std::size_t r = 0; r < 3; ++r) {
        out.m[4 * r + 3] -= origin_w[r];
        for (std::size_t c = 0; c < 4; ++c) out.m[4 * r + c] *= scale;
    }
    return out;
}

Frame make_frame(const PairQuery& q) {
    const Vec3d a_w = box_centre_w(q.a), b_w = box_centre_w(q.b);
    Frame out;
    out.origin_w = 0.5 * (a_w + b_w);
    const double size = std::max({largest(0.5 * (b_w - a_w)), half_size(q.a), half_size(q.b)});
    if (size > 0) out.scale = std::ldexp(1.0, -std::ilogb(size));
    out.frame_from_a = into_frame(q.a.world_from_body, out.origin_w, out.scale);
    out.frame_from_b = into_frame(q.b.world_from_body, out.origin_w, out.scale);
    out.centre_a = out.scale * (a_w - out.origin_w);
    out.centre_b = out.scale * (b_w - out.origin_w);
    return out;
}

Matrix34f to_float(const Matrix34d& m) {
    Matrix34f out;
    for (std::size_t i = 0; i < 12; ++i) out.m[i] = static_cast<float>(m.m[i]);
    return out;
}

PlaneSide<float> side_of(const ConvexHull& hull, const Matrix34d& frame_from_hull, float sign) {
    return {hull.x.data(), hull.y.data(), hull.z.data(), hull.vertex_count, to_float(frame_from_hull), sign};
}

PlaneSide<float> side_of(const ClippedHull& part, float sign) {
    return {part.x.data(), part.y.data(), part.z.data(), part.count, {}, sign};
}

HomogeneousPlane<float> plane_between(const Vec3d& a, const Vec3d& b) {
    const double size = length(a - b);
    if (!(size > 0)) return {{1, 0, 0}, 0};
    const Vec3d normal = (a - b) / size;
    return {cast<float>(normal), static_cast<float>(dot(normal, 0.5 * (a + b)))};
}

PlaneRules<float> rules_of(const ParameterValues& values) {
    PlaneRules<float> out;
    out.eta = static_cast<float>(values[kEta]);
    out.max_updates = static_cast<std::uint32_t>(values.integer(kUpdateLimit));
    out.relaxation = static_cast<float>(values[kRelaxation]);
    out.step = PlaneStep(values.integer(kStep));
    if (!values.on(kBound)) return out;
    out.relaxation = 1;  // required by the bound's proof
    out.step = PlaneStep::constant;
    out.unit_points = true;
    out.min_goodness = static_cast<float>(values[kGoodness]);
    return out;
}

/// One query.
class Query {
  public:
    Query(const PairQuery& q, Memory& memory, PairResult& result, Trace* trace);
    void run();

  private:
    bool closest_still_apart();
    HomogeneousPlane<float> start() const;
    bool search_in_boxes(PlaneSearch<float>& search);
    void sweep(const PlaneSide<float>& a, const PlaneSide<float>& b, PlaneSearch<float>& search);
    void end(PlaneSearch<float>& search);
    bool claim(const HomogeneousPlane<float>& plane, std::uint32_t a, std::uint32_t b);
    void remember(const HomogeneousPlane<float>& plane, std::uint32_t a, std::uint32_t b);
    void trace_sweep(const PlaneSide<float>& a, const PlaneSide<float>& b,
                     const PlaneSearch<float>& search) const;

    const PairQuery& query_;
    const ParameterValues& values_;
    Memory& memory_;
    PairResult& result_;
    Trace* trace_;
    const ConvexHull &hull_a_, &hull_b_;
    Frame frame_;
    PlaneSide<float> a_, b_;
    PlaneRules<float> rules_;
};

Query::Query(const PairQuery& q, Memory& memory, PairResult& result, Trace* trace)
    : query_(q),
      values_(q.parameters),
      memory_(memory),
      result_(result),
      trace_(trace),
      hull_a_(*q.a.shape->hull()),
      hull_b_(*q.b.shape->hull()),
      frame_(make_frame(q)),
      a_(side_of(hull_a_, frame_.frame_from_a, 1)),
      b_(side_of(hull_b_, frame_.frame_from_b, -1)),
      rules_(rules_of(q.parameters)) {}

HomogeneousPlane<float> Query::start() const {
    if (values_.on(kBound)) return {};  // the bound's proof starts from w = 0
    if (values_.on(kKeepPlane) && memory_.known)
        return {cast<float>(memory_.normal_w), static_cast<float>(memory_.offset * frame_.scale)};
    switch (Start(values_.integer(kStart))) {
        case Start::trivial:
            return {{1, 0, 0}, 0};
        case Start::barycentres:
            return plane_between(transform_point(frame_.frame_from_a, hull_a_.interior),
                                 transform_point(frame_.frame_from_b, hull_b_.interior));
        case Start::box_centres:
            return plane_between(frame_.centre_a, frame_.centre_b);
        case Start::zero:
            break;
    }
    return {};
}

void Query::trace_sweep(const PlaneSide<float>& a, const PlaneSide<float>& b,
                        const PlaneSearch<float>& search) const {
    if (trace_ == nullptr) return;
    trace_->begin_iteration(static_cast<int>(result_.iterations + search.sweeps));
    trace_->value("pulls so far", search.updates);
    const Vec3d normal = cast<double>(search.plane.normal);
    const double size = length_squared(normal);
    if (!(size > 0)) return;
    const auto in_world = [this](const Vec3d& p) { return frame_.origin_w + p / frame_.scale; };
    const Vec3d on_plane_w = in_world((search.plane.offset / size) * normal);
    if (is_finite(on_plane_w))
        trace_->plane(normal, dot(normal, on_plane_w), on_plane_w, "plane before this sweep");
    const Vec3d last_a_w = in_world(cast<double>(a.point(search.last_a)));
    const Vec3d last_b_w = in_world(cast<double>(b.point(search.last_b)));
    if (!is_finite(last_a_w) || !is_finite(last_b_w)) return;
    trace_->point(last_a_w, "last wrong vertex of A");
    trace_->point(last_b_w, "last wrong vertex of B");
}

void Query::sweep(const PlaneSide<float>& a, const PlaneSide<float>& b, PlaneSearch<float>& search) {
    search_plane(a, b, rules_, search, [&](const PlaneSearch<float>& now) { trace_sweep(a, b, now); });
}

/// Tests the last plane with only the vertices closest to it, found by walking from those of the last query.
bool Query::closest_still_apart() {
    if (!memory_.known || memory_.closest_a >= hull_a_.vertex_count ||
        memory_.closest_b >= hull_b_.vertex_count)
        return false;
    const HomogeneousPlane<float> plane = start();
    std::uint32_t a = memory_.closest_a, b = memory_.closest_b;
    std::uint64_t tested = 0;
    const bool apart = walk_to_plane(hull_a_, a_, plane_value(a_, plane), a, tested) > 0 &&
                       walk_to_plane(hull_b_, b_, plane_value(b_, plane), b, tested) > 0;
    result_.counters[kTested] += static_cast<std::uint32_t>(tested);
    if (!apart || !claim(plane, a, b)) return false;
    result_.counters[kKept] = 1;
    if (trace_ != nullptr) {
        PlaneSearch<float> kept;
        kept.plane = plane;
        kept.last_a = a;
        kept.last_b = b;
        trace_sweep(a_, b_, kept);
    }
    return true;
}

/// Searches a plane between the bodies clipped by the common part of their boxes. These parts are apart if
/// and only if the bodies are (FIX-24). Their plane may not separate the bodies, so it is only the start of
/// the search over all vertices. False if no plane was found: then none exists for the bodies either.
bool Query::search_in_boxes(PlaneSearch<float>& search) {
    const Box3d a = box_of(hull_a_, frame_.frame_from_a), b = box_of(hull_b_, frame_.frame_from_b);
    const Box3d both{max(a.min, b.min), min(a.max, b.max)};
    if (both.empty()) {
        for (std::size_t k = 0; k < 3; ++k) {
            const double sign = a.min[k] > b.max[k] ? 1 : -1;
            const double high = sign > 0 ? a.min[k] : b.min[k], low = sign > 0 ? b.max[k] : a.max[k];
            if (!(high > low)) continue;
            search.plane.normal = {};
            search.plane.normal[k] = static_cast<float>(sign);
            search.plane.offset = static_cast<float>(sign * 0.5 * (high + low));
        }
        return true;
    }
    const std::size_t bytes = clip_bytes(hull_a_) + clip_bytes(hull_b_), mark = query_.scratch->used();
    query_.scratch->take_growing<std::byte>(bytes);
    query_.scratch->reset_to(mark);
    const ClippedHull part_a = clip_to_box(hull_a_, frame_.frame_from_a, both, *query_.scratch);
    const ClippedHull part_b = clip_to_box(hull_b_, frame_.frame_from_b, both, *query_.scratch);
    result_.counters[kClipped] = part_a.count + part_b.count;
    if (part_a.count == 0 || part_b.count == 0) return true;
    PlaneSearch<float> inner = search;
    sweep(side_of(part_a, 1), side_of(part_b, -1), inner);
    search.plane = inner.plane;
    search.updates = inner.updates;
    search.sweeps = inner.sweeps;
    search.tested = inner.tested;
    search.stopped_by_bound = inner.stopped_by_bound;
    return inner.separated;
}

/// Turns a separating plane into an answer. With Exactness::exact the normal must be proved to separate.
bool Query::claim(const HomogeneousPlane<float>& plane, std::uint32_t a, std::uint32_t b) {
    const Vec3d axis_w = -cast<double>(plane.normal);
    if (query_.exactness == Exactness::exact) {
        const SolidSide side_a{&hull_a_, &query_.a.world_from_body, &query_.a.geometry->box};
        const SolidSide side_b{&hull_b_, &query_.b.world_from_body, &query_.b.geometry->box};
        if (!proves_separation(side_a, side_b, axis_w, a, b)) {
            result_.counters[kUnproven] = 1;
            return false;
        }
        result_.rung = 2;
    }
    result_.verdict = Verdict::separated;
    Certificate& c = result_.certificate;
    c.kind = CertificateKind::separating_axis;
    c.axis_w = axis_w;
    c.support_a = a;
    c.support_b = b;
    remember(plane, a, b);
    return true;
}

void Query::remember(const HomogeneousPlane<float>& plane, std::uint32_t a, std::uint32_t b) {
    const Vec3d normal = cast<double>(plane.normal);
    const double size = length(normal);
    memory_.known = size > 0 && std::isfinite(size) && std::isfinite(plane.offset);
    if (!memory_.known) return;
    memory_.normal_w = normal / size;
    memory_.offset = plane.offset / size / frame_.scale;
    memory_.closest_a = a;
    memory_.closest_b = b;
}

/// Writes the result of a search. Without a plane the certificate proves nothing; it contains the last
/// plane's normal and the two vertices furthest behind it.
void Query::end(PlaneSearch<float>& search) {
    PairResult& r = result_;
    r.iterations = search.sweeps;
    r.counters[kSweeps] = search.sweeps;
    r.counters[kUpdates] = search.updates;
    r.counters[kTested] += static_cast<std::uint32_t>(search.tested);
    r.counters[kBounded] = search.stopped_by_bound ? 1 : 0;
    if (search.separated && claim(search.plane, search.last_a, search.last_b)) return;
    if (query_.exactness == Exactness::fast) r.verdict = Verdict::colliding;
    if (!is_finite(search.plane.normal)) return;
    std::uint64_t tested = 0;
    std::uint32_t a = search.last_a, b = search.last_b;
    walk_to_plane(hull_a_, a_, plane_value(a_, search.plane), a, tested);
    walk_to_plane(hull_b_, b_, plane_value(b_, search.plane), b, tested);
    r.counters[kTested] += static_cast<std::uint32_t>(tested);
    r.certificate.axis_w = -cast<double>(search.plane.normal);
    r.certificate.support_a = a;
    r.certificate.support_b = b;
    remember(search.plane, a, b);
}

void Query::run() {
    if (values_.on(kClosestVertices) && values_.on(kKeepPlane) && !values_.on(kBound) &&
        closest_still_apart())
        return;
    PlaneSearch<float> found;
    found.plane = start();
    if (!values_.on(kBoxPhase) || search_in_boxes(found)) sweep(a_, b_, found);
    end(found);
}

void query_plane(const PairQuery& q, PairCache& cache, PairResult& result, Trace* trace) {
    Memory& memory =
        cache.as<Memory>(&describe_separating_plane(), q.a.geometry->content, q.b.geometry->content);
    Query(q, memory, result, trace).run();
}

constexpr const char* kStepChoices[] = {"constant", "adaptive", "weighted"};
constexpr const char* kStartChoices[] = {"trivial", "barycentres", "box_centres", "zero"};
constexpr Parameter kParameters[] = {
    {"eta", "Pull", ParameterKind::real, 0.007, 0.0001, 10, "", "Zachmann 3.4.2, best for 1000 iterations",
     "Strength of a pull by a vertex on the wrong side: the plane turns by about this many radians.", true},
    {"update_limit", "Pull limit", ParameterKind::integer, 1000, 1, 100000, "", "Zachmann 3.4.2",
     "After this many pulls without a plane the pair stays undecided.", true},
    {"relaxation", "Relaxation", ParameterKind::real, 1, 0.5, 1, "",
     "Zachmann 3.4.2: 0.97 for 10 and 20 iterations, none for more",
     "Factor on the strength after each pull; 1 means no relaxation."},
    {"step", "Weight of a pull", ParameterKind::choice, 0, 0, 2, "", "Zachmann 3.4.2",
     "Constant, by the sine of the error, or by the distance behind the plane. The last finds the vertices "
     "deepest inside.",
     false, kStepChoices},
    {"start", "First plane", ParameterKind::choice, 2, 0, 3, "", "Zachmann 3.4.2",
     "Perpendicular to the x axis; halfway between the barycentres or the centres of the boxes; or none.",
     false, kStartChoices},
    {"keep_plane", "Keep the plane", ParameterKind::toggle, 1, 0, 1, "", "Zachmann 3.4.2, incremental",
     "Start from the plane where the pair's last query ended."},
    {"closest_vertices", "Closest vertices first", ParameterKind::toggle, 0, 0, 1, "",
     "Zachmann 3.4.2, future directions",
     "Walk from the vertices that were closest to the kept plane to the closest ones, and test no others."},
    {"box_phase", "Clip by the common box", ParameterKind::toggle, 0, 0, 1, "",
     "Zachmann 3.4.2, bounding box pre-check, corrected",
     "First search for a plane between the parts of the bodies inside both boxes."},
    {"bound", "Stop by the bound", ParameterKind::toggle, 0, 0, 1, "", "Zachmann 3.4.2, (3.1) to (3.3)",
     "Stop when no plane can be good enough. Starts from no plane, with constant pulls by unit vectors."},
    {"goodness", "Least goodness", ParameterKind::real, 0.0316, 0.001, 1, "",
     "ours: by (3.3) at most 1000 pulls",
     "The bound rejects planes whose distance from the closest vertex, in four dimensions, is below this.",
     true},
};
constexpr const char* kCounters[] = {"sweeps",           "pulls",
                                     "vertices visited", "answers by the closest vertices",
                                     "clipped corners",  "stopped by the bound",
                                     "unproven planes"};

}  // namespace

const PairAlgorithm& describe_separating_plane() {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm a{};
        a.id = "separating_plane";
        a.title = "Separating plane";
        a.source = "Zachmann, Exact and Fast Collision Detection, 3.4.2";
        a.summary =
            "Vertices on the wrong side pull a plane until it separates the bodies. Separations are "
            "certain, collisions are not.";
        a.needs = Needs::convex;
        a.gives = kWantAxis;
        a.meaning = Meaning::solid;
        a.exact = false;
        a.bias = Bias::colliding;
        a.parameters = kParameters;
        a.counters = kCounters;
        a.query = query_plane;
        return a;
    }();
    return algorithm;
}

}  // namespace claybox::collision
