// Source: Zachmann, Exact and Fast Collision Detection (thesis, 1994), section 3.5, "closed objects".
// Idea: two closed bodies collide if and only if they share a point. First, vertices of each body are tested
//   against the other, in random order, because neighbours tend to be on the same side (stochastic
//   pre-conditioning). Then random points of the intersection of both bodies' boxes are tested against both.
//   The first common point ends the query. A point with a singular ray is discarded and replaced.
// Preconditions: closed; every edge in two polygons. The inside follows the even-odd rule.
// Exact: collisions are certain. The point is inside both bodies by a proven error bound, and certify()
//   counts crossings again in integers. Finding no point proves nothing: the error is (1 - v)^n for n points,
//   where v is the shared volume over the volume of the shared box. The answer is then "undecided" (with
//   Exactness::fast: separated). Boxes that do not overlap prove a separation.
// Complexity: O(points * polygons), O(points * polygons / kBoxRun) if they are spread out. Cache: the last
//   common point in A's frame, which is tested first (ours).

#include "collision/core/random.hpp"
#include "collision/exact/contained.hpp"
#include "collision/exact/number.hpp"
#include "collision/pairwise/random_points/point_in_polyhedron.hpp"
#include "collision/pairwise/registry.hpp"

#include <algorithm>
#include <bit>

namespace claybox::collision {

const PairAlgorithm& describe_random_points();

namespace {

enum ParameterIndex : std::size_t { kPoints, kVertices, kVertexLimit, kKeepPoint, kBoxTree };
enum CounterIndex : std::size_t {
    kPointsTested,
    kVerticesTested,
    kDismissed,
    kPolygons,
    kEdges,
    kPlanes,
    kByVertex,
    kByPoint
};
enum class VertexOrder : unsigned char { none, random, listed };

/// Number of replacements for a point with a singular ray. Bodies without volume make all rays singular.
constexpr std::uint32_t kMaxTries = 8;

struct Memory {
    Vec3d point_a;  ///< a common point, in A's frame
    bool known = false;
};

struct Box {
    Vec3d min, max;
    bool empty() const { return max.x < min.x || max.y < min.y || max.z < min.z; }
};

/// Contains the body: the transformed local box, grown by more than the rounding of its sums (exact products
/// of floats, three additions).
Box world_box(const PairBody& body) {
    Box out;
    for (std::size_t r = 0; r < 3; ++r) {
        double low = body.world_from_body.m[4 * r + 3], high = low, size = std::abs(low);
        for (std::size_t k = 0; k < 3; ++k) {
            const double entry = body.world_from_body.m[4 * r + k];
            const double x = entry * static_cast<double>(body.geometry->box.min[k]);
            const double y = entry * static_cast<double>(body.geometry->box.max[k]);
            low += std::min(x, y);
            high += std::max(x, y);
            size += std::max(std::abs(x), std::abs(y));
        }
        out.min[r] = low - 8 * kRound * size;
        out.max[r] = high + 8 * kRound * size;
    }
    return out;
}

/// A permutation of 0 .. count - 1 without a table: rounds of bijections of the numbers below a power of two,
/// repeated until the result is below `count`.
class Permutation {
  public:
    Permutation(std::uint64_t count, std::uint64_t seed)
        : count_(count),
          bits_(count > 1 ? static_cast<int>(std::bit_width(count - 1)) : 0),
          mask_((std::uint64_t{1} << bits_) - 1),
          seed_(seed) {}
    std::uint64_t operator()(std::uint64_t i) const {
        do {
            for (std::uint64_t round = 0; round < 4; ++round) {
                const std::uint64_t key = mix64(seed_ + round);
                i = (i * (key | 1) + (key >> 32)) & mask_;
                i ^= i >> (bits_ / 2 + 1);
            }
        } while (i >= count_);
        return i;
    }

  private:
    std::uint64_t count_;
    int bits_;
    std::uint64_t mask_, seed_;
};

struct PreparedTree final : Prepared {
    explicit PreparedTree(const Geometry& geometry) : tree(geometry) {}
    PolygonBoxTree tree;
    std::size_t memory_bytes() const override { return sizeof *this + tree.memory_bytes(); }
};

std::shared_ptr<const Prepared> prepare_tree(const Shape&, const Geometry& geometry) {
    return std::make_shared<PreparedTree>(geometry);
}

std::shared_ptr<const Prepared> update_tree(std::shared_ptr<const Prepared>, const Geometry& geometry,
                                            std::span<const std::uint32_t>) {
    return std::make_shared<PreparedTree>(geometry);
}

/// One of the two bodies, for containment tests.
struct Container {
    Container(const PairBody& body, bool with_tree)
        : geometry(body.geometry), locator(*body.geometry, body.world_from_body) {
        const auto* const prepared = static_cast<const PreparedTree*>(body.prepared);
        if (with_tree && prepared != nullptr) tree = &prepared->tree;
    }

    PointSide side_of(const ExactPoint& place, PointTestCounts& counts) const {
        if (!locator.is_invertible()) return PointSide::singular;
        const SolidLocator::LocalPoint near = locator.to_local(place);
        const double error = std::max({near.error.x, near.error.y, near.error.z});
        return point_in_polyhedron(*geometry, near.q, error, counts, tree);
    }

    const Geometry* geometry;
    SolidLocator locator;
    const PolygonBoxTree* tree = nullptr;
};

class Query {
  public:
    Query(const PairQuery& q, Memory& memory, PairResult& result, Trace* trace)
        : query_(q),
          memory_(memory),
          result_(result),
          trace_(trace),
          a_(q.a, q.parameters.on(kBoxTree)),
          b_(q.b, q.parameters.on(kBoxTree)) {}

    void run();

  private:
    bool try_last_point();
    bool try_vertices();
    bool try_vertex(bool of_b, std::uint64_t number);
    bool try_random_points();
    PointSide try_point(const Vec3d& p_w);
    bool stopped();
    void accept_point(const Vec3d& p_w);
    void remember(const Vec3d& p_w);
    void trace_shared_box() const;
    void trace_point(const Vec3d& p_w, PointSide side);

    const PairQuery& query_;
    Memory& memory_;
    PairResult& result_;
    Trace* trace_;
    Container a_, b_;
    Box region_;
    PointTestCounts counts_;
};

bool Query::stopped() {
    if (!query_.stop.stop_requested()) return false;
    result_.status = QueryStatus::stopped;
    return true;
}

void Query::trace_shared_box() const {
    if (trace_ == nullptr) return;
    const auto corner = [&](unsigned i) {
        return Vec3d{i & 1u ? region_.max.x : region_.min.x, i & 2u ? region_.max.y : region_.min.y,
                     i & 4u ? region_.max.z : region_.min.z};
    };
    for (unsigned i = 0; i < 8; ++i)
        for (unsigned bit = 1; bit < 8; bit *= 2)
            if ((i & bit) == 0) trace_->segment(corner(i), corner(i | bit), "shared box");
}

void Query::trace_point(const Vec3d& p_w, PointSide side) {
    if (trace_ == nullptr) return;
    trace_->begin_iteration(static_cast<int>(result_.iterations));
    trace_->point(p_w, side == PointSide::inside    ? "in both"
                       : side == PointSide::outside ? "not in both"
                                                    : "discarded: singular ray");
}

void Query::remember(const Vec3d& p_w) {
    if (!a_.locator.is_invertible()) return;
    memory_.point_a = a_.locator.to_local({nullptr, p_w}).q;
    memory_.known = true;
}

void Query::accept_point(const Vec3d& p_w) {
    result_.verdict = Verdict::colliding;
    result_.certificate.kind = CertificateKind::common_point;
    result_.certificate.point_w = p_w;
    remember(p_w);
}

/// Tests both bodies; the second only if the first contains the point.
PointSide Query::try_point(const Vec3d& p_w) {
    ++result_.iterations;
    PointSide side = a_.side_of({nullptr, p_w}, counts_);
    if (side == PointSide::inside) side = b_.side_of({nullptr, p_w}, counts_);
    if (side == PointSide::singular) ++result_.counters[kDismissed];
    trace_point(p_w, side);
    return side;
}

bool Query::try_last_point() {
    if (!query_.parameters.on(kKeepPoint) || !memory_.known || query_.part != 0) return false;
    const Vec3d p_w = transform_point(to_double(query_.a.world_from_body), memory_.point_a);
    if (!is_finite(p_w) || try_point(p_w) != PointSide::inside) return false;
    accept_point(p_w);
    return true;
}

bool Query::try_vertex(bool of_b, std::uint64_t number) {
    const PairBody& body = of_b ? query_.b : query_.a;
    const auto vertex = static_cast<std::uint32_t>(number);
    if (body.geometry->topology->vertex_first[vertex] == kNoIndex) return false;  // not on the surface
    const Vec3f& v = body.geometry->positions[vertex];
    const Container& other = of_b ? a_ : b_;
    ++result_.iterations;
    ++result_.counters[kVerticesTested];
    const PointSide side = other.side_of({&body.world_from_body, cast<double>(v)}, counts_);
    if (side == PointSide::singular) ++result_.counters[kDismissed];
    const Vec3d p_w = transform_point(to_double(body.world_from_body), v);
    trace_point(p_w, side);
    if (side != PointSide::inside) return false;
    result_.verdict = Verdict::colliding;
    result_.counters[kByVertex] = 1;
    Certificate& c = result_.certificate;
    c.kind = CertificateKind::contained;
    c.edge_of_b = of_b;
    (of_b ? c.support_b : c.support_a) = vertex;
    const Matrix34f& m = (of_b ? query_.a : query_.b).world_from_body;
    c.axis_w = cast<double>(Vec3f{m(0, 0), m(1, 0), m(2, 0)});  // the ray of the test
    c.point_w = p_w;
    remember(p_w);
    return true;
}

/// Tests vertices of A and B alternately, up to the limit.
bool Query::try_vertices() {
    const auto order = VertexOrder(query_.parameters.integer(kVertices));
    if (order == VertexOrder::none) return false;
    const std::uint64_t count[2] = {query_.a.geometry->positions.size(), query_.b.geometry->positions.size()};
    const Permutation shuffled[2] = {{count[0], mix64(query_.seed ^ 1)}, {count[1], mix64(query_.seed ^ 2)}};
    const auto limit = static_cast<std::uint64_t>(query_.parameters.integer(kVertexLimit));
    const std::uint64_t end = std::min(limit, std::max(count[0], count[1]));
    for (std::uint64_t i = query_.part; i < end; i += query_.part_count) {
        if (stopped()) return true;
        for (const std::size_t body : {0, 1}) {
            if (i >= count[body]) continue;
            if (try_vertex(body == 1, order == VertexOrder::random ? shuffled[body](i) : i)) return true;
        }
    }
    return false;
}

bool Query::try_random_points() {
    const auto points = static_cast<std::uint64_t>(query_.parameters.integer(kPoints));
    const Vec3d size = region_.max - region_.min;
    for (std::uint64_t i = query_.part; i < points; i += query_.part_count) {
        if (stopped()) return true;
        Random random(mix64(query_.seed ^ mix64(i)));  // seeded per point: the same in every part
        ++result_.counters[kPointsTested];
        for (std::uint32_t tries = 0; tries < kMaxTries; ++tries) {
            Vec3d p_w = region_.min;
            for (std::size_t k = 0; k < 3; ++k) p_w[k] += size[k] * random.uniform();
            const PointSide side = try_point(p_w);
            if (side == PointSide::singular) continue;
            if (side == PointSide::outside) break;
            result_.counters[kByPoint] = 1;
            accept_point(p_w);
            return true;
        }
    }
    return false;
}

void Query::run() {
    const Box a = world_box(query_.a), b = world_box(query_.b);
    region_ = {max(a.min, b.min), min(a.max, b.max)};
    const bool fast = query_.exactness == Exactness::fast;
    result_.rung = fast ? 1 : 2;
    if (region_.empty()) {
        result_.verdict = Verdict::separated;
        return;
    }
    trace_shared_box();
    const bool ended = try_last_point() || try_vertices() || try_random_points();
    if (!ended) memory_.known = false;
    if (!ended && fast) result_.verdict = Verdict::separated;
    const auto clamped = [](std::uint64_t n) {
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(n, 0xffffffffu));
    };
    result_.counters[kPolygons] = clamped(counts_.polygons);
    result_.counters[kEdges] = clamped(counts_.edges);
    result_.counters[kPlanes] = clamped(counts_.planes);
}

void query_points(const PairQuery& q, PairCache& cache, PairResult& result, Trace* trace) {
    Memory& memory =
        cache.as<Memory>(&describe_random_points(), q.a.geometry->content, q.b.geometry->content);
    Query(q, memory, result, trace).run();
}

constexpr const char* kOrderChoices[] = {"none", "random", "listed"};
constexpr Parameter kParameters[] = {
    {"points", "Random points", ParameterKind::integer, 100, 0, 100000, "",
     "Zachmann, thesis, results of 3.5: 100 and 1000",
     "Number of points tested in the intersection of both boxes; more points miss fewer collisions.", true},
    {"vertices", "Vertices first", ParameterKind::choice, 1, 0, 2, "",
     "Zachmann, thesis, 3.5: in random order, since neighbours tend to lie on the same side",
     "Whether vertices of each body are first tested against the other, and in which order.", false,
     kOrderChoices},
    {"vertex_limit", "Vertex limit", ParameterKind::integer, 1000, 1, 1000000, "",
     "ours: the thesis tests all vertices of its small bodies; more cost more than they find",
     "Maximum number of vertices tested per body.", true},
    {"keep_point", "Last point first", ParameterKind::toggle, 1, 0, 1, "",
     "ours: overlapping bodies usually stay so",
     "Tests the last common point first; it moves with the first body."},
    {"box_tree", "Box-tree", ParameterKind::toggle, 1, 0, 1, "", "Zachmann, thesis, 10.2",
     "Whether a ray skips polygons with a tree of boxes, or in runs in the order of the mesh."},
};
constexpr const char* kCounters[] = {
    "points tested", "vertices tested", "singular rays discarded", "polygon tests",
    "edge tests",    "plane tests",     "found by a vertex",       "found by a random point"};

}  // namespace

const PairAlgorithm& describe_random_points() {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm a{};
        a.id = "random_points";
        a.title = "Random points";
        a.source = "Zachmann, Exact and Fast Collision Detection, 1994, section 3.5";
        a.summary =
            "Searches for a common point at random: collisions are certain; only disjoint boxes prove a "
            "separation.";
        a.needs = Needs::closed;
        a.meaning = Meaning::solid;
        a.exact = false;
        a.bias = Bias::separated;
        a.splittable = true;
        a.parameters = kParameters;
        a.counters = kCounters;
        a.prepare = prepare_tree;
        a.update = update_tree;
        a.query = query_points;
        return a;
    }();
    return algorithm;
}

}  // namespace claybox::collision
