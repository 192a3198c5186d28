// Source: Zachmann, Exact and Fast Collision Detection (thesis, 1994), section 3.7.2, "using a convex
//   algorithm for non-convex objects".
// Idea: each closed mesh is cut into c convex parts once (convex_decomposition.hpp). Two meshes collide if
//   and only if two parts do, so any convex algorithm decides all c^2 pairs, after a test of their boxes.
//   Faster if t_c < t_a / N, where t_c and t_a are the times of the convex and the general algorithm and N is
//   the number of edges that turn inward; `bench convex_parts` prints both sides.
// Preconditions: closed and manifold, no self-intersection, at most kMaxTriangles triangles, a bounded number
//   of parts, no deformed body (the parts are those of the shape). Otherwise the answer is "not applicable".
// Exact: corners of cuts are not floats, so a part is known by a hull around it and hulls inside the solid.
//   Outer hulls apart: the parts are apart. Inner hulls (or exact parts) overlap: the bodies collide. Cases
//   in between, within about 1e-6 of the mesh's size, are decided by the surfaces and by containment, on rung
//   3. These also provide the certificate of a collision without a common point in double.
// Complexity: c_a c_b box tests, t_c per overlapping pair. Cache: the pair of parts of the last collision,
//   and the convex algorithm's caches of kSlots pairs. Two convex bodies are a single pair of parts:
//   themselves.

#include "collision/core/random.hpp"
#include "collision/exact/contained.hpp"
#include "collision/pairwise/decomposition/convex_decomposition.hpp"
#include "collision/pairwise/registry.hpp"

#include <array>
#include <optional>

namespace claybox::collision {

namespace {

/// Larger meshes take too long to prepare and would have thousands of parts.
constexpr std::size_t kMaxTriangles = 2048;
/// Number of part pairs whose caches are kept, for one pair of bodies.
constexpr std::size_t kSlots = 16;
/// Number of B's part boxes transformed at once.
constexpr std::size_t kBlock = 64;
/// The middle of four pairs often lies on a side of one part. It moves towards the inside of either part by
/// these fractions of the way.
constexpr double kPulls[] = {0x1p-20, 0x1p-10, 0x1p-32};

/// Every exact algorithm for convex bodies. The first is used if the chosen one does not accept a pair.
constexpr const char* kAlgorithmIds[] = {
    "best",     "gjk",        "separating_vector", "v_clip", "dobkin_kirkpatrick",
    "boundary", "cyrus_beck", "interior_point",    "seidel", "fourier_motzkin",
    "lp_exact", "sat_brute"};
constexpr std::size_t kAlgorithms = std::size(kAlgorithmIds);

enum ParameterIndex : std::size_t { kAlgorithm, kBoxCheck, kLastFirst };
constexpr Parameter kParameters[] = {
    {"algorithm", "Parts by", ParameterKind::choice, 0, 0, kAlgorithms - 1, "",
     "ours: the fastest; the thesis allows any", "The algorithm that decides two convex parts.", false,
     kAlgorithmIds},
    {"box_check", "Box check", ParameterKind::toggle, 1, 0, 1, "", "ours: most parts are far apart",
     "Skips pairs of parts whose world boxes do not overlap."},
    {"last_first", "Last pair first", ParameterKind::toggle, 1, 0, 1, "", "ours: coherence",
     "Tests the two parts of the last collision of the same bodies first."},
};
enum Counter : std::size_t { kPartsA, kPartsB, kBoxTests, kOuterPairs, kInnerPairs, kOpenPairs, kSurfaces };
constexpr const char* kCounters[] = {"parts of A",           "parts of B",  "box tests",
                                     "pairs of parts",       "inner pairs", "pairs left open",
                                     "tests of the surfaces"};

/// The algorithms by index; looked up once.
const PairAlgorithm& algorithm(std::size_t i) {
    static const auto table = [] {
        std::array<const PairAlgorithm*, kAlgorithms> out{};
        for (std::size_t k = 0; k < kAlgorithms; ++k) out[k] = find_pair_algorithm(kAlgorithmIds[k]);
        return out;
    }();
    CLAYBOX_ASSERT(table[i] != nullptr);
    return *table[i];
}

/// Decides the cases that hulls leave open, with kWantSolid.
const PairAlgorithm& surfaces() {
    static const PairAlgorithm* const general = find_pair_algorithm("mesh_bvh");
    CLAYBOX_ASSERT(general != nullptr);
    return *general;
}

/// A hull and the data that every algorithm prepared for it.
struct PreparedHull {
    const Shape* shape = nullptr;
    std::array<std::shared_ptr<const Prepared>, kAlgorithms> prepared;

    explicit PreparedHull(const Shape& hull) : shape(&hull) {
        for (std::size_t i = 0; i < kAlgorithms; ++i)
            if (algorithm(i).prepare != nullptr) prepared[i] = algorithm(i).prepare(hull, hull.geometry());
    }
    std::size_t memory_bytes() const {
        std::size_t out = sizeof *this;
        for (const auto& p : prepared) out += p != nullptr ? p->memory_bytes() : 0;
        return out;
    }
};

struct PreparedPart {
    PreparedHull outer;
    std::vector<PreparedHull> inner;  ///< empty if the part is exact
    bool exact = false;
};

struct PreparedParts : Prepared {
    std::vector<PreparedPart> parts;  ///< empty if the shape was refused
    std::vector<ShapePtr> shapes;     ///< owns the shapes of the parts, without the prepared shape itself
    bool convex = false;              ///< the only part is the shape itself
    std::shared_ptr<const Prepared> surface;
    std::size_t memory_bytes() const override {
        std::size_t out = sizeof *this + (surface != nullptr ? surface->memory_bytes() : 0);
        for (const ShapePtr& shape : shapes) out += shape->memory_bytes();
        for (const PreparedPart& p : parts) {
            out += p.outer.memory_bytes();
            for (const PreparedHull& h : p.inner) out += h.memory_bytes();
        }
        return out;
    }
};

void add_part(PreparedParts& out, const Shape& outer, const ConvexPart& part) {
    out.parts.push_back({PreparedHull(outer), {}, part.exact});
    if (part.exact) return;
    for (const ShapePtr& inner : part.inner) out.parts.back().inner.emplace_back(*inner);
    out.shapes.insert(out.shapes.end(), part.inner.begin(), part.inner.end());
}

/// A convex shape is its own part. It is exact unless its polygons are bent: then its surface is slightly
/// smaller than its hull.
void add_convex(PreparedParts& out, const Shape& shape) {
    out.convex = true;
    const Classification& c = shape.classification();
    ConvexPart whole;
    whole.exact = c.planar_polygons || shape.hull()->dimension < 3;
    if (!whole.exact && shape.topology().triangles.size() <= kMaxTriangles) {
        const ConvexDecomposition d = decompose(shape.geometry(), c);
        if (d.parts.size() == 1) whole.inner = d.parts[0].inner;
    }
    add_part(out, shape, whole);
}

std::shared_ptr<const Prepared> prepare_parts(const Shape& shape, const Geometry& geometry) {
    auto out = std::make_shared<PreparedParts>();
    if (&geometry != &shape.geometry()) return out;  // deformed
    if (surfaces().prepare != nullptr) out->surface = surfaces().prepare(shape, geometry);
    if (shape.hull() != nullptr) {
        add_convex(*out, shape);
        return out;
    }
    const ConvexDecomposition d = decompose(geometry, shape.classification());
    for (const ConvexPart& part : d.parts) {
        out->shapes.push_back(part.outer);
        add_part(*out, *part.outer, part);
    }
    return out;
}

bool fits_one(const Shape& shape) {
    return shape.hull() != nullptr ||
           (may_be_decomposed(shape.classification()) && shape.topology().triangles.size() <= kMaxTriangles);
}

bool fits(const Shape& a, const Shape& b) {
    return fits_one(a) && fits_one(b);
}

constexpr char kOwner = 0;

struct Memory {
    std::uint32_t a = kNoIndex, b = kNoIndex;  ///< the parts of the last collision
};

/// In the pair's pool: the caches of part pairs.
struct Slots {
    const void* owner = nullptr;
    PairCache cache[kSlots];
};

std::size_t cache_bytes(const Shape&, const Shape&) {
    return sizeof(Slots) + alignof(Slots);
}

Slots* slots_in(std::span<std::byte> pool) {
    void* at = pool.data();
    std::size_t bytes = pool.size();
    if (pool.empty() || std::align(alignof(Slots), sizeof(Slots), at, bytes) == nullptr) return nullptr;
    Slots* slots = std::launder(static_cast<Slots*>(at));
    if (slots->owner == &kOwner) return slots;
    slots = new (at) Slots;
    slots->owner = &kOwner;
    return slots;
}

class PartsQuery {
  public:
    PartsQuery(const PairQuery& query, PairCache& cache, PairResult& result, Trace* trace)
        : q_(query),
          a_(*static_cast<const PreparedParts*>(query.a.prepared)),
          b_(*static_cast<const PreparedParts*>(query.b.prepared)),
          result_(result),
          trace_(trace),
          memory_(cache.as<Memory>(&kOwner, query.a.geometry->content, query.b.geometry->content)),
          slots_(slots_in(cache.pool())),
          chosen_(static_cast<std::size_t>(query.parameters.integer(kAlgorithm))),
          sub_(query) {
        sub_.wants = kWantVerdict;
        sub_.hits = nullptr;
        sub_.margin = 0;
        sub_.part = 0;
        sub_.part_count = 1;
    }

    void run() {
        if (a_.convex && b_.convex) return run_convex();
        result_.rung = 1;
        const bool overlaps = last_pair_overlaps() || any_pair_overlaps();
        result_.iterations = count_[kOuterPairs];
        if (stopped_) {
            result_.status = QueryStatus::stopped;
            result_.verdict = Verdict::undecided;
        } else if (overlaps) {
            result_.verdict = Verdict::colliding;
            if (q_.exactness == Exactness::exact && !prove_common_point()) query_surfaces();
        } else if (count_[kOpenPairs] > 0) {
            query_surfaces();
        } else {
            result_.verdict = Verdict::separated;
        }
        write_counters();
    }

  private:
    /// One query of the convex algorithm.
    PairResult query_parts(const PreparedHull& a, const PreparedHull& b, PairCache& cache) {
        sub_.a.shape = a.shape;
        sub_.b.shape = b.shape;
        sub_.a.geometry = &a.shape->geometry();
        sub_.b.geometry = &b.shape->geometry();
        const std::size_t which = applicable(algorithm(chosen_), sub_.a, sub_.b) ? chosen_ : 0;
        if (which != parameters_of_) sub_.parameters = default_values(algorithm(which).parameters);
        parameters_of_ = which;
        sub_.a.prepared = a.prepared[which].get();
        sub_.b.prepared = b.prepared[which].get();
        return run_query(algorithm(which), sub_, cache);
    }

    PairResult query_with_cache(const PreparedHull& a, const PreparedHull& b, std::uint64_t number) {
        PairCache fresh;
        PairCache& cache = slots_ != nullptr ? slots_->cache[mix64(number) % kSlots] : fresh;
        const PairResult out = query_parts(a, b, cache);
        result_.rung = std::max(result_.rung, out.rung);
        stopped_ = stopped_ || out.status != QueryStatus::done;
        return out;
    }

    void run_convex() {
        PairCache fresh;
        count_[kOuterPairs] = 1;
        if (trace_ != nullptr) trace_parts(a_.parts[0], b_.parts[0]);
        result_ =
            query_parts(a_.parts[0].outer, b_.parts[0].outer, slots_ != nullptr ? slots_->cache[0] : fresh);
        write_counters();
    }

    /// Whether two parts certainly overlap; counts the pairs that stay open.
    bool parts_overlap(std::uint32_t i, std::uint32_t k) {
        const PreparedPart &a = a_.parts[i], &b = b_.parts[k];
        const std::uint64_t number = std::uint64_t{i} << 32 | k;
        ++count_[kOuterPairs];
        if (trace_ != nullptr) trace_parts(a, b);
        const PairResult outer = query_with_cache(a.outer, b.outer, number);
        if (outer.verdict != Verdict::colliding) return false;
        if ((a.exact && b.exact) || q_.exactness == Exactness::fast)
            return store_hit(a.outer, b.outer, outer, i, k);
        const std::span<const PreparedHull> of_a = a.exact ? std::span(&a.outer, 1) : std::span(a.inner),
                                            of_b = b.exact ? std::span(&b.outer, 1) : std::span(b.inner);
        for (std::size_t x = 0; x < of_a.size(); ++x)
            for (std::size_t y = 0; y < of_b.size(); ++y) {
                ++count_[kInnerPairs];
                const PairResult inner =
                    query_with_cache(of_a[x], of_b[y], mix64(number) + (x << 16 | y) + 1);
                if (inner.verdict == Verdict::colliding) return store_hit(of_a[x], of_b[y], inner, i, k);
            }
        ++count_[kOpenPairs];
        return false;
    }

    bool store_hit(const PreparedHull& a, const PreparedHull& b, const PairResult& result, std::uint32_t i,
                   std::uint32_t k) {
        hit_a_ = a.shape;
        hit_b_ = b.shape;
        certificate_ = result.certificate;
        memory_ = {i, k};
        return true;
    }

    bool last_pair_overlaps() {
        if (!q_.parameters.on(kLastFirst) || memory_.a >= a_.parts.size() || memory_.b >= b_.parts.size())
            return false;
        const Aabb a = box(q_.a, a_.parts[memory_.a]), b = box(q_.b, b_.parts[memory_.b]);
        ++count_[kBoxTests];
        return overlap(a, b) && parts_overlap(memory_.a, memory_.b);
    }

    static Aabb box(const PairBody& body, const PreparedPart& part) {
        return transform_aabb(body.world_from_body, part.outer.shape->geometry().box);
    }

    /// Tests all pairs, a block of B's parts at a time, so that their boxes are transformed once.
    bool any_pair_overlaps() {
        const bool check = q_.parameters.on(kBoxCheck);
        const Aabb all_a = transform_aabb(q_.a.world_from_body, q_.a.geometry->box);
        std::array<Aabb, kBlock> boxes;
        std::array<std::uint32_t, kBlock> numbers;
        for (std::uint32_t next = 0; next < b_.parts.size();) {
            std::size_t filled = 0;
            for (; next < b_.parts.size() && filled < kBlock; ++next) {
                boxes[filled] = box(q_.b, b_.parts[next]);
                ++count_[kBoxTests];
                // Outer hulls may extend beyond the body by a float step. Without the box check such parts
                // are not skipped.
                if (check && !overlap(boxes[filled], all_a)) continue;
                numbers[filled++] = next;
            }
            for (std::uint32_t i = 0; i < a_.parts.size() && filled > 0; ++i) {
                const Aabb box_a = box(q_.a, a_.parts[i]);
                for (std::size_t k = 0; k < filled; ++k) {
                    ++count_[kBoxTests];
                    if (check && !overlap(box_a, boxes[k])) continue;
                    if (parts_overlap(i, numbers[k])) return true;
                    if (stopped_ || q_.stop.stop_requested()) {
                        stopped_ = true;
                        return false;
                    }
                }
            }
        }
        return false;
    }

    /// The middle of the four pairs that surround the origin, or the point from the algorithm's certificate.
    std::optional<Vec3d> common_point() const {
        if (certificate_.kind == CertificateKind::common_point) return certificate_.point_w;
        if (certificate_.kind != CertificateKind::surrounded_origin || certificate_.pair_count != 4)
            return std::nullopt;
        const Matrix34d ma = to_double(q_.a.world_from_body), mb = to_double(q_.b.world_from_body);
        Vec3d in_a[4], d[4];
        for (int i = 0; i < 4; ++i) {
            in_a[i] = transform_point(ma, hit_a_->hull()->vertex(certificate_.pairs[i][0]));
            d[i] = in_a[i] - transform_point(mb, hit_b_->hull()->vertex(certificate_.pairs[i][1]));
        }
        const double w[4] = {dot(d[1], cross(d[2], d[3])), -dot(d[0], cross(d[2], d[3])),
                             dot(d[0], cross(d[1], d[3])), -dot(d[0], cross(d[1], d[2]))};
        const Vec3d sum = w[0] * in_a[0] + w[1] * in_a[1] + w[2] * in_a[2] + w[3] * in_a[3];
        const Vec3d point = sum / (w[0] + w[1] + w[2] + w[3]);
        return is_finite(point) ? std::optional(point) : std::nullopt;
    }

    /// Makes a common point of the parts the certificate, if both bodies contain it exactly.
    bool prove_common_point() {
        const std::optional<Vec3d> point = common_point();
        if (!point) return false;
        const Vec3d in_a = transform_point(to_double(q_.a.world_from_body), hit_a_->hull()->interior),
                    in_b = transform_point(to_double(q_.b.world_from_body), hit_b_->hull()->interior);
        const SolidLocator a(*q_.a.geometry, q_.a.world_from_body), b(*q_.b.geometry, q_.b.world_from_body);
        for (const double pull : kPulls)
            for (const Vec3d& towards : {in_a, in_b, 0.5 * (in_a + in_b)}) {
                const Vec3d p = *point + pull * (towards - *point);
                if (!a.locate({nullptr, p}).inside || !b.locate({nullptr, p}).inside) continue;
                result_.certificate.kind = CertificateKind::common_point;
                result_.certificate.point_w = p;
                result_.rung = std::max<std::uint8_t>(result_.rung, 2);
                if (trace_ != nullptr) trace_->point(p, "in both");
                return true;
            }
        return false;
    }

    /// Decides open cases, and collisions without a common point: tests the surfaces, then containment.
    void query_surfaces() {
        ++count_[kSurfaces];
        PairQuery whole = q_;
        whole.wants = kWantSolid;
        whole.hits = nullptr;
        whole.margin = 0;
        whole.part = 0;
        whole.part_count = 1;
        whole.parameters = default_values(surfaces().parameters);
        whole.a.prepared = a_.surface.get();
        whole.b.prepared = b_.surface.get();
        PairCache fresh;
        const std::uint8_t rung = count_[kOpenPairs] > 0 ? std::uint8_t{3} : result_.rung;
        result_ = run_query(surfaces(), whole, fresh);
        result_.rung = std::max(result_.rung, rung);
        result_.iterations = count_[kOuterPairs];
    }

    void write_counters() {
        count_[kPartsA] = static_cast<std::uint32_t>(a_.parts.size());
        count_[kPartsB] = static_cast<std::uint32_t>(b_.parts.size());
        result_.counters = count_;
    }

    void trace_parts(const PreparedPart& a, const PreparedPart& b) {
        trace_->begin_iteration(static_cast<int>(count_[kOuterPairs]));
        trace_hull(q_.a, *a.outer.shape->hull(), "part of A");
        trace_hull(q_.b, *b.outer.shape->hull(), "part of B");
        trace_->value("box tests", count_[kBoxTests]);
    }

    void trace_hull(const PairBody& body, const ConvexHull& hull, const char* label) {
        const Matrix34d m = to_double(body.world_from_body);
        for (std::uint32_t v = 0; v < hull.vertex_count; ++v)
            for (std::uint32_t i = hull.neighbour_begin[v]; i < hull.neighbour_begin[v + 1]; ++i)
                if (hull.neighbours[i] > v)
                    trace_->segment(transform_point(m, hull.vertex(v)),
                                    transform_point(m, hull.vertex(hull.neighbours[i])), label);
    }

    const PairQuery& q_;
    const PreparedParts &a_, &b_;
    PairResult& result_;
    Trace* trace_;
    Memory& memory_;
    Slots* slots_;
    std::size_t chosen_, parameters_of_ = kAlgorithms;
    PairQuery sub_;
    bool stopped_ = false;
    const Shape *hit_a_ = nullptr, *hit_b_ = nullptr;
    Certificate certificate_;
    std::array<std::uint32_t, kMaxCounters> count_{};
};

/// Whether a body is unchanged since its parts were built, and has parts.
bool has_parts(const PairBody& body) {
    return body.prepared != nullptr && !body.deformed() &&
           !static_cast<const PreparedParts*>(body.prepared)->parts.empty();
}

void query_convex_parts(const PairQuery& query, PairCache& cache, PairResult& result, Trace* trace) {
    if (has_parts(query.a) && has_parts(query.b)) return PartsQuery(query, cache, result, trace).run();
    result.status = QueryStatus::not_applicable;
}

}  // namespace

const PairAlgorithm& describe_convex_parts() {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm a{};
        a.id = "convex_parts";
        a.title = "Convex parts";
        a.source = "Zachmann, Exact and Fast Collision Detection, 1994, section 3.7.2; the cuts are ours";
        a.summary =
            "Cuts closed meshes into convex parts once and decides their pairs with a convex algorithm.";
        a.needs = Needs::closed;
        a.gives = kWantVerdict;
        a.meaning = Meaning::solid;
        a.parameters = kParameters;
        a.counters = kCounters;
        a.prepare = prepare_parts;
        a.needs_prepared = true;
        a.fits = fits;
        a.cache_bytes = cache_bytes;
        a.query = query_convex_parts;
        return a;
    }();
    return algorithm;
}

}  // namespace claybox::collision
