// Brute-force separating axis test.
//
// Source: the separating axis theorem; Gottschalk, Lin, Manocha 1996 for boxes. The simplest possible
// reference.
//
// Idea: the difference A - B is a polytope. Each of its facets is a face of A, a face of B, or the sum of an
// edge of each. So if no face normal and no cross product of two edges separates the bodies, no axis does,
// and the axis of least overlap is the direction of minimum translation. All vertices are projected on every
// axis.
//
// If both bodies are flat, the difference may be flat too, and its facets are its edges or ends. The axes
// then also include the edges themselves, their normals within the plane, and the line between two vertices.
//
// Preconditions: both shapes convex, of any dimension; any finite matrices; at most kMaxProjections, about 60
// vertices each.
// Exactness: projections are in double. A separating axis is proved against an error bound. If that fails, or
// no axis separates, exact arithmetic decides.
// Complexity: O((faces + edges_a edges_b) vertices). Caches nothing.

#include "collision/exact/solid.hpp"
#include "collision/pairwise/query_buffer.hpp"
#include "collision/pairwise/registry.hpp"
#include "collision/pairwise/support/difference.hpp"

#include <algorithm>
#include <limits>

namespace claybox::collision {

namespace {

enum ParameterIndex : std::size_t { kEarlyExit };
enum CounterIndex : std::size_t { kFaceAxes, kEdgeAxes, kFlatAxes, kParallel, kExactIterations };

/// Limit of projected vertices in one query; beyond it the algorithm does not apply. About 2 ms.
constexpr std::uint64_t kMaxProjections = std::uint64_t{1} << 22;
/// Limit for the sine of the angle between two edges: below it their cross product is only rounding.
constexpr double kParallelSine = 0x1p-46;
/// A body counts as flat if its matrix has a determinant below this fraction of the product of its columns'
/// lengths.
constexpr double kFlatVolume = 0x1p-40;
/// After this many axes, only axes better than all previous ones are traced.
constexpr std::uint32_t kMaxTraced = 256;
/// Vertices are stored in groups of this many, so that projections vectorise.
constexpr std::size_t kGroup = 8;

/// The definition of an axis, so that it can be computed again in another type.
struct Axis {
    enum Kind : unsigned char { face_a, face_b, edge_edge, between, edge_a, edge_b, in_plane_a, in_plane_b };

    Kind kind = between;
    std::uint32_t first[2] =
        {};  ///< edge (two vertices) of A, or of the body named by the kind; for a face, [0] is its index
    std::uint32_t second[2] = {};  ///< edge of B; for in_plane, [0] is the PlaneOf value
};

/// How the plane of an edge's in-plane normal is defined.
enum PlaneOf : std::uint32_t { kFaceOfA, kFaceOfB, kBothEdges, kLineBetween, kPlanes };

struct Edge {
    Vec3d along;  ///< scaled
    std::uint32_t vertex[2];
};

struct Body {
    const ConvexHull* hull = nullptr;
    bool flat = false;
    std::span<double> x, y, z;  ///< relative to A's translation
    std::span<Edge> edges;
    std::uint32_t widest_face = 0, longest_edge = 0;
};

std::size_t edge_count(const ConvexHull& hull) {
    return hull.neighbours.size() / 2;
}

std::size_t padded(std::size_t count) {
    return (count + kGroup - 1) / kGroup * kGroup;
}

template <class T>
T largest(const Vec3<T>& v) {
    return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

/// The vector scaled to largest component 1, so that products of three neither overflow nor underflow.
template <class T>
Vec3<T> scaled(const Vec3<T>& v) {
    const T size = largest(v);
    return size > 0 ? v / size : v;
}

/// The area-weighted normal of a face. All corners contribute, so no particular three need to be well placed.
template <class T>
Vec3<T> face_normal(const Difference<T>& d, bool of_b, std::uint32_t face) {
    const auto loop = (of_b ? d.b : d.a)->faces.polygon(face);
    const auto at = [&](std::size_t i) { return of_b ? d.point_b(loop[i]) : d.point_a(loop[i]); };
    const Vec3<T> base = at(0);
    Vec3<T> out;
    for (std::size_t i = 1; i + 1 < loop.size(); ++i) out += cross(at(i) - base, at(i + 1) - base);
    return out;
}

template <class T>
Vec3<T> edge_vector(const Difference<T>& d, bool of_b, const std::uint32_t (&v)[2]) {
    return of_b ? d.point_b(v[1]) - d.point_b(v[0]) : d.point_a(v[1]) - d.point_a(v[0]);
}

/// Computes an axis, of any length; zero if its definition yields no direction.
struct AxisMaker {
    const Body& a;
    const Body& b;

    template <class T>
    Vec3<T> make(const Difference<T>& d, const Axis& axis) const {
        switch (axis.kind) {
            case Axis::face_a:
                return face_normal(d, false, axis.first[0]);
            case Axis::face_b:
                return face_normal(d, true, axis.first[0]);
            case Axis::edge_edge:
                return cross(edge_vector(d, false, axis.first), edge_vector(d, true, axis.second));
            case Axis::between:
                return d.point_b(0) - d.point_a(0);
            case Axis::edge_a:
            case Axis::edge_b:
                return edge_vector(d, axis.kind == Axis::edge_b, axis.first);
            case Axis::in_plane_a:
            case Axis::in_plane_b:
                break;
        }
        const bool of_b = axis.kind == Axis::in_plane_b;
        const Vec3<T> edge = scaled(edge_vector(d, of_b, axis.first));
        return cross(scaled(plane(d, edge, of_b, axis.second[0])), edge);
    }
    template <class T>
    Vec3<T> plane(const Difference<T>& d, const Vec3<T>& edge, bool of_b, std::uint32_t by) const {
        if (by == kFaceOfA) return a.hull->dimension < 2 ? Vec3<T>{} : face_normal(d, false, a.widest_face);
        if (by == kFaceOfB) return b.hull->dimension < 2 ? Vec3<T>{} : face_normal(d, true, b.widest_face);
        if (by == kLineBetween) return cross(edge, scaled(d.point_b(0) - d.point_a(0)));
        const Body& other = of_b ? a : b;
        if (other.edges.empty()) return {};
        return cross(edge, scaled(edge_vector(d, !of_b, other.edges[other.longest_edge].vertex)));
    }
};

bool is_flat(const ConvexHull& hull, const Matrix34f& world_from_body) {
    if (hull.dimension < 3) return true;
    const Matrix34d m = to_double(world_from_body);
    const Vec3d x{m(0, 0), m(1, 0), m(2, 0)}, y{m(0, 1), m(1, 1), m(2, 1)}, z{m(0, 2), m(1, 2), m(2, 2)};
    return std::abs(dot(scaled(x), cross(scaled(y), scaled(z)))) <= kFlatVolume ||
           !(length_squared(x) > 0 && length_squared(y) > 0 && length_squared(z) > 0);
}

std::size_t bytes_for(const ConvexHull& hull) {
    return 3 * padded(hull.vertex_count) * sizeof(double) + edge_count(hull) * sizeof(Edge) + 64;
}

void list_edges(const Difference<double>& d, bool of_b, Body& body) {
    const ConvexHull& hull = *body.hull;
    std::uint32_t count = 0;
    double longest = -1;
    for (std::uint32_t v = 0; v < hull.vertex_count; ++v) {
        for (std::uint32_t i = hull.neighbour_begin[v]; i < hull.neighbour_begin[v + 1]; ++i) {
            const std::uint32_t w = hull.neighbours[i];
            if (w < v) continue;
            const Vec3d along = edge_vector(d, of_b, {v, w});
            if (largest(along) > longest) body.longest_edge = count;
            longest = std::max(longest, largest(along));
            body.edges[count++] = {scaled(along), {v, w}};
        }
    }
}

Body make_body(const Difference<double>& d, bool of_b, const Matrix34f& world_from_body,
               QueryBuffer& buffer) {
    Body out;
    out.hull = of_b ? d.b : d.a;
    const ConvexHull& hull = *out.hull;
    out.flat = is_flat(hull, world_from_body);
    out.edges = buffer.take<Edge>(edge_count(hull));
    for (std::span<double>* part : {&out.x, &out.y, &out.z})
        *part = buffer.take<double>(padded(hull.vertex_count));
    for (std::uint32_t i = 0; i < out.x.size(); ++i) {
        const std::uint32_t v = i < hull.vertex_count ? i : 0;
        const Vec3d p = of_b ? d.point_b(v) : d.point_a(v);
        out.x[i] = p.x;
        out.y[i] = p.y;
        out.z[i] = p.z;
    }
    list_edges(d, of_b, out);
    double widest = -1;
    for (std::uint32_t f = 0; out.flat && f < hull.faces.polygon_count(); ++f) {
        const double area = largest(face_normal(d, of_b, f));
        if (area > widest) out.widest_face = f;
        widest = std::max(widest, area);
    }
    return out;
}

struct Interval {
    double low, high;
};

Interval project(const Body& body, const Vec3d& n) {
    double low[kGroup], high[kGroup];
    std::fill(low, low + kGroup, std::numeric_limits<double>::infinity());
    std::fill(high, high + kGroup, -std::numeric_limits<double>::infinity());
    const double *x = body.x.data(), *y = body.y.data(), *z = body.z.data();
    for (std::size_t i = 0; i < body.x.size(); i += kGroup)
        for (std::size_t k = 0; k < kGroup; ++k) {
            const double value = n.x * x[i + k] + n.y * y[i + k] + n.z * z[i + k];
            low[k] = value < low[k] ? value : low[k];
            high[k] = value > high[k] ? value : high[k];
        }
    return {*std::min_element(low, low + kGroup), *std::max_element(high, high + kGroup)};
}

class Search {
  public:
    Search(const PairQuery& q, const Difference<double>& d, PairResult& result, Trace* trace,
           QueryBuffer& buffer);
    void run();

  private:
    bool faces(bool of_b);
    bool edges();
    bool flat_axes();
    bool edges_in_plane(bool of_b);
    bool test(const Vec3d& direction, const Axis& axis);
    bool prove_best_axis();
    void trace_axis(const Vec3d& n, double gap, bool better, Axis::Kind kind) const;
    void decide_exactly();
    void measure_depth();

    const PairQuery& query_;
    const Difference<double>& difference_;
    PairResult& result_;
    Trace* trace_;
    SolidSide side_a_, side_b_;
    Body a_, b_;
    std::uint32_t tested_ = 0;
    double best_gap_ = -std::numeric_limits<double>::infinity();
    Vec3d best_{1, 0, 0};  ///< of length 1, from A to B
    Axis best_axis_;
    std::uint32_t support_a_ = 0, support_b_ = 0;
};

Search::Search(const PairQuery& q, const Difference<double>& d, PairResult& result, Trace* trace,
               QueryBuffer& buffer)
    : query_(q),
      difference_(d),
      result_(result),
      trace_(trace),
      side_a_{q.a.shape->hull(), &q.a.world_from_body, &q.a.geometry->box},
      side_b_{q.b.shape->hull(), &q.b.world_from_body, &q.b.geometry->box},
      a_(make_body(d, false, q.a.world_from_body, buffer)),
      b_(make_body(d, true, q.b.world_from_body, buffer)) {}

/// Tests one axis. True if it answers the query and the search may end.
bool Search::test(const Vec3d& direction, const Axis& axis) {
    const Vec3d rough = scaled(direction);
    const double size = length(rough);
    if (!(size > 0)) return false;
    const Vec3d n = rough / size;
    ++tested_;
    const Interval a = project(a_, n), b = project(b_, n);
    const double above = b.low - a.high, below = a.low - b.high;
    const double gap = std::max(above, below);
    const bool better = gap > best_gap_;
    const Vec3d from_a = above >= below ? n : -n;
    if (trace_ != nullptr && (better || tested_ <= kMaxTraced)) trace_axis(from_a, gap, better, axis.kind);
    if (!better) return false;
    best_gap_ = gap;
    best_ = from_a;
    best_axis_ = axis;
    if (!(gap > 0) || !query_.parameters.on(kEarlyExit)) return false;
    return query_.exactness == Exactness::fast || prove_best_axis();
}

void Search::trace_axis(const Vec3d& n, double gap, bool better, Axis::Kind kind) const {
    static constexpr const char* kClasses[] = {
        "axis: face of A", "axis: face of B", "axis: edge of A x edge of B", "axis: between two vertices",
        "axis: edge of A", "axis: edge of B", "axis: in the plane of A",     "axis: in the plane of B"};
    const Vec3d origin_w = cast<double>(query_.a.world_from_body.translation());
    const Vec3d centre_a = transform_point(difference_.about_a_from_a, a_.hull->interior);
    const Vec3d centre_b = transform_point(difference_.about_a_from_b, b_.hull->interior);
    const Vec3d centre = 0.5 * (centre_a + centre_b);
    const double half = 0.5 * length(centre_b - centre_a);
    trace_->begin_iteration(static_cast<int>(tested_));
    trace_->segment(centre - half * n + origin_w, centre + half * n + origin_w,
                    better ? "best axis" : "axis");
    trace_->value(kClasses[kind], static_cast<double>(tested_));
    trace_->value("gap along the axis (m)", gap);
    trace_->value("best gap so far (m)", std::max(gap, best_gap_));
    trace_->space(TraceSpace::difference);
    trace_->plane(n, -gap, -gap * n, better ? "best supporting plane" : "supporting plane");
    trace_->segment({}, -gap * n, better ? "best axis" : "axis");
    trace_->space(TraceSpace::world);
    if (!better) return;
    const Vec3d top_a = project(a_, n).high * n;
    trace_->plane(n, dot(n, top_a + origin_w), centre + (dot(n, top_a - centre)) * n + origin_w,
                  "supporting plane");
}

bool Search::prove_best_axis() {
    return proves_separation(side_a_, side_b_, best_, support_a_, support_b_);
}

bool Search::faces(bool of_b) {
    const std::uint32_t count = static_cast<std::uint32_t>((of_b ? b_ : a_).hull->faces.polygon_count());
    for (std::uint32_t f = 0; f < count; ++f) {
        ++result_.counters[kFaceAxes];
        if (test(face_normal(difference_, of_b, f), {of_b ? Axis::face_b : Axis::face_a, {f, 0}, {}}))
            return true;
    }
    return false;
}

bool Search::edges() {
    for (const Edge& ea : a_.edges) {
        const double limit_a = length_squared(ea.along) * kParallelSine * kParallelSine;
        for (const Edge& eb : b_.edges) {
            const Vec3d n = cross(ea.along, eb.along);
            if (!(length_squared(n) > limit_a * length_squared(eb.along))) {
                ++result_.counters[kParallel];
                continue;
            }
            ++result_.counters[kEdgeAxes];
            const Axis axis{Axis::edge_edge, {ea.vertex[0], ea.vertex[1]}, {eb.vertex[0], eb.vertex[1]}};
            if (test(n, axis)) return true;
        }
    }
    return false;
}

bool Search::edges_in_plane(bool of_b) {
    const AxisMaker maker{a_, b_};
    for (const Edge& e : (of_b ? b_ : a_).edges) {
        Axis axis{of_b ? Axis::edge_b : Axis::edge_a, {e.vertex[0], e.vertex[1]}, {}};
        if (test(e.along, axis)) return true;
        axis.kind = of_b ? Axis::in_plane_b : Axis::in_plane_a;
        for (std::uint32_t by = 0; by < kPlanes; ++by) {
            ++result_.counters[kFlatAxes];
            axis.second[0] = by;
            if (test(maker.make(difference_, axis), axis)) return true;
        }
    }
    return false;
}

bool Search::flat_axes() {
    ++result_.counters[kFlatAxes];
    const Axis line{};
    if (test(AxisMaker{a_, b_}.make(difference_, line), line)) return true;
    return edges_in_plane(false) || edges_in_plane(true);
}

void Search::decide_exactly() {
    const VertexPair hint{support_a_, support_b_};
    const SolidDecision decision = decide_solid_exact(side_a_, side_b_, {&hint, 1});
    result_.rung = 3;
    result_.verdict = decision.colliding ? Verdict::colliding : Verdict::separated;
    result_.certificate = decision.certificate;
    result_.counters[kExactIterations] = decision.iterations;
}

/// Computes the best axis and the overlap along it again in the longest floating-point type.
void Search::measure_depth() {
    using Long = long double;
    const auto d =
        make_difference<Long>(*a_.hull, query_.a.world_from_body, *b_.hull, query_.b.world_from_body);
    const Vec3<Long> made = scaled(AxisMaker{a_, b_}.make(d, best_axis_));
    Vec3<Long> n = length(made) > 0 ? made / length(made) : cast<Long>(best_);
    if (dot(n, cast<Long>(best_)) < 0) n = -n;
    result_.depth = std::max(0.0, static_cast<double>(reach_along(d, n)));
    result_.depth_direction_w = cast<double>(n);
}

void Search::run() {
    const bool ended = faces(false) || faces(true) || edges() || (a_.flat && b_.flat && flat_axes());
    result_.iterations = tested_;
    const bool fast = query_.exactness == Exactness::fast;
    if (ended || fast || (best_gap_ > 0 && prove_best_axis())) {
        const bool apart = best_gap_ > 0;
        result_.rung = fast ? 1 : 2;
        result_.verdict = apart ? Verdict::separated : Verdict::colliding;
        if (apart) result_.certificate.kind = CertificateKind::separating_axis;
        if (apart) result_.certificate.axis_w = best_;
        result_.certificate.support_a = support_a_;
        result_.certificate.support_b = support_b_;
    } else {
        decide_exactly();
    }
    if ((query_.wants & kWantDepth) != 0 && result_.verdict == Verdict::colliding) measure_depth();
}

bool fits(const Shape& a, const Shape& b) {
    if (a.hull() == nullptr || b.hull() == nullptr) return false;
    const ConvexHull &ha = *a.hull(), &hb = *b.hull();
    const std::uint64_t axes =
        std::uint64_t{edge_count(ha)} * edge_count(hb) + ha.faces.polygon_count() + hb.faces.polygon_count();
    return axes * (std::uint64_t{ha.vertex_count} + hb.vertex_count) <= kMaxProjections;
}

void query_sat(const PairQuery& q, PairCache&, PairResult& result, Trace* trace) {
    const auto d = make_difference<double>(*q.a.shape->hull(), q.a.world_from_body, *q.b.shape->hull(),
                                           q.b.world_from_body);
    QueryBuffer buffer(*q.scratch, bytes_for(*d.a) + bytes_for(*d.b));
    Search(q, d, result, trace, buffer).run();
}

constexpr Parameter kParameters[] = {
    {"early_exit", "Stop at the first axis", ParameterKind::toggle, 1, 0, 1, "", "ours: as all others do",
     "Stop at the first separating axis that is proved. If off, try all axes and keep the widest gap."}};
constexpr const char* kCounters[] = {"face axes", "edge-edge axes", "axes of flat bodies", "parallel edges",
                                     "exact iterations"};

}  // namespace

const PairAlgorithm& describe_sat_brute() {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm a{};
        a.id = "sat_brute";
        a.title = "All separating axes";
        a.source = "Separating axis theorem; Gottschalk, Lin, Manocha 1996";
        a.summary =
            "Projects both bodies on every face normal and every cross product of edges. A slow reference "
            "for bodies of up to about 60 vertices.";
        a.needs = Needs::convex;
        a.gives = kWantAxis | kWantDepth;
        a.meaning = Meaning::solid;
        a.parameters = kParameters;
        a.counters = kCounters;
        a.fits = fits;
        a.query = query_sat;
        return a;
    }();
    return algorithm;
}

}  // namespace claybox::collision
