// Gilbert-Johnson-Keerthi.
//
// Source: Gilbert, Johnson, Keerthi, A fast procedure for computing the distance between complex objects in
// three-dimensional space, 1988; Chong's notes on convexity-based methods, GJK, Johnson and hill climbing.
//
// Idea: two convex solids share a point when their difference A - B holds the origin. Walk towards the origin
// with a simplex of at most four points of the difference: take the simplex's point nearest to the origin,
// ask the support map for the point of the difference furthest the other way, reduce, repeat. When even the
// furthest point does not pass the origin, the direction is a separating axis; when four points surround the
// origin, the solids collide.
//
// Preconditions: both shapes convex, of any dimension; any finite matrices, singular ones included.
// Exact: the float walk hands over a certificate that is proven in double; where that fails the walk goes on
// in double, and what is undecided then is decided in exact arithmetic. A walk that reaches its iteration
// limit decides nothing. With a safety margin the comparison of the distance with the margin is as accurate
// as the distance, about 1e-12 of the bodies' size. Complexity: O(support) per iteration, and O(1) iterations
// when the poses changed little since the last query. Caches: the last axis, its supporting vertices and the
// last simplex; the exact rung's decision under the same relative placement.

#include "collision/exact/solid.hpp"
#include "collision/pairwise/registry.hpp"
#include "collision/parts/difference.hpp"
#include "collision/parts/penetration.hpp"
#include "collision/parts/relative_placement.hpp"
#include "collision/parts/simplex.hpp"
#include "collision/parts/support.hpp"

#include <algorithm>
#include <limits>

namespace claybox::collision {

const PairAlgorithm& describe_gjk();

namespace {

enum ParameterIndex : std::size_t { kIterationLimit, kSupport, kWarmStart, kEarlyExit, kExpansionLimit };
enum CounterIndex : std::size_t {
    kFloatIterations,
    kDoubleIterations,
    kExactIterations,
    kSupports,
    kFromCache,
    kExpansions
};

/// A walk stops as converged when the next point would shorten the distance by less than this part of itself:
/// what is left is rounding.
template <class T>
constexpr T kConverged = std::numeric_limits<T>::epsilon() * T(64);
/// Nearer to the origin than this part of the simplex's extent, direction and distance are rounding only.
template <class T>
constexpr T kNothingLeft = std::numeric_limits<T>::epsilon() * T(16);

/// The walk for a distance does not obey the parameter: no rung below it could mend a distance that is not
/// the shortest.
constexpr std::uint32_t kMeasureLimit = 1000;

/// What a pair remembers.
struct Memory {
    enum Last : std::uint8_t { nothing, separated, colliding };

    Vec3f axis_w;
    std::uint32_t support_a = 0, support_b = 0;
    std::uint32_t pairs[4][2] = {};
    std::uint8_t pair_count = 0;
    Last last = nothing;
    bool decided = false;  ///< the exact rung decided under `placement`
    CertificateKind kind = CertificateKind::none;
    RelativePlacement placement;
    Vec3d proof_w;  ///< the axis of that decision's certificate
};

template <class T>
struct Frames : Difference<T> {
    SupportMethod method;

    SimplexPoint<T> difference(std::uint32_t v, std::uint32_t w) const {
        return {this->point_a(v) - this->point_b(w), v, w};
    }
};

template <class T>
Frames<T> make_frames(const PairQuery& q) {
    return {
        make_difference<T>(*q.a.shape->hull(), q.a.world_from_body, *q.b.shape->hull(), q.b.world_from_body),
        SupportMethod(q.parameters.integer(kSupport))};
}

std::uint32_t search(const ConvexHull& hull, const Vec3f& d, std::uint32_t start, SupportMethod method) {
    return support_vertex(hull, d, start, method);
}
std::uint32_t search(const ConvexHull& hull, const Vec3d& d, std::uint32_t start, SupportMethod) {
    return support_vertex(hull, d, start);
}
std::uint32_t search(const ConvexHull& hull, const Vec3<long double>& d, std::uint32_t start, SupportMethod) {
    return support_vertex(hull, cast<double>(d), start);
}

/// The same direction with largest component 1, so that squares neither overflow nor vanish.
template <class T>
Vec3<T> scaled(const Vec3<T>& d) {
    const T largest = std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)});
    return largest > 0 && largest <= std::numeric_limits<T>::max() ? d / largest : Vec3<T>{1, 0, 0};
}

enum class End : unsigned char {
    separated,   ///< no point of the difference passes the origin along `direction`
    surrounded,  ///< the four points of the simplex surround the origin
    touching,    ///< the distance is zero within rounding
    unfinished,  ///< rounding or the limit ended the walk without an answer
};

/// The state of a walk.
template <class T>
struct Walk {
    Simplex<T> simplex;
    Vec3<T> nearest;             ///< of the simplex to the origin
    Vec3<T> direction;           ///< from A towards B
    std::uint32_t a = 0, b = 0;  ///< supports along `direction`
    std::uint32_t iterations = 0, supports = 0;
    End end = End::unfinished;
};

template <class T>
SimplexPoint<T> support(const Frames<T>& f, Walk<T>& walk) {
    ++walk.supports;
    walk.a = search(*f.a, transpose_vector(f.about_a_from_a, walk.direction), walk.a, f.method);
    walk.b = search(*f.b, transpose_vector(f.about_a_from_b, -walk.direction), walk.b, f.method);
    return f.difference(walk.a, walk.b);
}

struct Settings {
    std::uint32_t limit;
    bool early_exit;  ///< stop at the first separating axis; else walk on to the shortest distance
    Vec3d origin_w;   ///< A's translation, for the trace
    Trace* trace;
    std::uint32_t earlier = 0;  ///< iterations of the walks before this one, so that the trace counts on
};

/// Tells the trace a new iteration with the simplex as it stands.
template <class T>
void tell_simplex(const Frames<T>& f, const Walk<T>& walk, const Settings& settings) {
    if (settings.trace == nullptr) return;
    settings.trace->begin_iteration(static_cast<int>(settings.earlier + walk.iterations));
    for (int i = 0; i < walk.simplex.count; ++i) {
        const SimplexPoint<T>& p = walk.simplex.point[i];
        settings.trace->segment(cast<double>(f.point_a(p.a)) + settings.origin_w,
                                cast<double>(f.point_b(p.b)) + settings.origin_w, "simplex");
    }
}

/// Tells the trace where the last support search led.
template <class T>
void tell_support(const Frames<T>& f, const Walk<T>& walk, const Settings& settings, T reach) {
    if (settings.trace == nullptr) return;
    const Vec3d support_a_w = cast<double>(f.point_a(walk.a)) + settings.origin_w;
    const Vec3d axis = cast<double>(walk.direction);
    settings.trace->point(support_a_w, "support of A");
    settings.trace->point(cast<double>(f.point_b(walk.b)) + settings.origin_w, "support of B");
    settings.trace->plane(axis, dot(axis, support_a_w), support_a_w, "supporting plane");
    settings.trace->value("gap along the axis (m)", -double(reach) / length(axis));
}

/// One support search along the walk's direction; `reach` is negative when the direction separates.
template <class T>
SimplexPoint<T> step(const Frames<T>& f, Walk<T>& walk, const Settings& settings, T& reach) {
    ++walk.iterations;
    walk.direction = scaled(walk.direction);
    tell_simplex(f, walk, settings);
    const SimplexPoint<T> w = support(f, walk);
    reach = dot(walk.direction, w.w);
    tell_support(f, walk, settings, reach);
    return w;
}

/// Continues `walk`: from its simplex, whose nearest point gives the direction, or with none from the
/// direction. Long because the steps share all state.
template <class T>
End walk_to_origin(const Frames<T>& f, Walk<T>& walk, const Settings& settings) {
    const bool fresh = walk.simplex.count == 0;
    T last_norm = fresh ? std::numeric_limits<T>::infinity() : length_squared(walk.nearest);
    while (walk.iterations < settings.limit) {
        T reach;
        const SimplexPoint<T> w = step(f, walk, settings, reach);
        const bool apart = reach < 0;
        if (apart && settings.early_exit) return End::separated;
        const End rounding = apart ? End::separated : End::unfinished;
        if (walk.simplex.count > 0) {
            const T gain = last_norm - dot(walk.nearest, w.w);
            if (walk.simplex.holds(w) || !(gain > kConverged<T> * last_norm)) return rounding;
        }
        Simplex<T> next = walk.simplex;
        next.add(w);
        const Vec3<T> nearest = reduce_to_nearest(next);
        if (next.count == 4) {
            walk.simplex = next;
            return End::surrounded;
        }
        const T norm = length_squared(nearest);
        if (!(norm < last_norm)) return rounding;
        T extent = 0;
        for (int i = 0; i < next.count; ++i) extent = std::max(extent, length_squared(next.point[i].w));
        walk.simplex = next;
        walk.nearest = nearest;
        if (!(norm > kNothingLeft<T> * kNothingLeft<T> * extent)) return End::touching;
        last_norm = norm;
        walk.direction = -nearest;
    }
    return End::unfinished;
}

/// Adds the given vertex pairs, as seen in T, to the simplex and turns the direction to its nearest point.
/// True when it surrounds the origin.
template <class T>
bool resume(const Frames<T>& f, const std::uint32_t (*pairs)[2], int count, Walk<T>& walk) {
    for (int i = 0; i < count && walk.simplex.count < 4; ++i) {
        const SimplexPoint<T> p = f.difference(pairs[i][0], pairs[i][1]);
        if (!walk.simplex.holds(p)) walk.simplex.add(p);
    }
    if (walk.simplex.count == 0) return false;
    walk.nearest = reduce_to_nearest(walk.simplex);
    if (walk.simplex.count == 4) {
        walk.end = End::surrounded;
        return true;
    }
    if (length_squared(walk.nearest) > 0)
        walk.direction = -walk.nearest;
    else
        walk.simplex.count = 0;  // nothing to go on from
    return false;
}

/// Starts a finer walk where a coarser one ended. True when its simplex surrounds the origin.
template <class T, class U>
bool take_over(const Frames<T>& f, const Walk<U>& coarse, Walk<T>& walk) {
    walk.a = coarse.a;
    walk.b = coarse.b;
    walk.direction = cast<T>(coarse.direction);
    std::uint32_t pairs[4][2];
    for (int i = 0; i < coarse.simplex.count; ++i) {
        pairs[i][0] = coarse.simplex.point[i].a;
        pairs[i][1] = coarse.simplex.point[i].b;
    }
    return resume(f, pairs, coarse.simplex.count, walk);
}

/// Everything that one query passes around.
struct Job {
    const PairQuery& query;
    PairResult& result;
    Memory& memory;
    Settings settings;
    SolidSide side_a, side_b;
};

/// Whether all remembered vertices exist. The cache belongs to these two geometries, so they do; were two
/// contents ever to share their 64 bits, the walk would still stay inside the hulls.
bool usable(const Memory& m, const ConvexHull& a, const ConvexHull& b) {
    if (m.last == Memory::nothing || m.support_a >= a.vertex_count || m.support_b >= b.vertex_count)
        return false;
    for (int i = 0; i < m.pair_count; ++i)
        if (m.pairs[i][0] >= a.vertex_count || m.pairs[i][1] >= b.vertex_count) return false;
    return true;
}

/// Starts from what the last query found: its axis first, which mostly still separates, then its simplex.
/// True when that answers.
bool resume_from_memory(const Job& job, const Frames<float>& f, Walk<float>& walk) {
    const Memory& memory = job.memory;
    walk.a = memory.support_a;
    walk.b = memory.support_b;
    if (memory.last == Memory::separated) {
        walk.direction = memory.axis_w;
        float reach;
        const SimplexPoint<float> w = step(f, walk, job.settings, reach);
        if (reach < 0 && job.settings.early_exit) {
            walk.end = End::separated;
            return true;
        }
        walk.simplex.add(w);
    }
    if (!resume(f, memory.pairs, memory.pair_count, walk)) return false;
    tell_simplex(f, walk, job.settings);
    return true;
}

Walk<float> walk_in_float(const Job& job, const Frames<float>& f) {
    Walk<float> walk;
    if (job.query.parameters.on(kWarmStart) && usable(job.memory, *f.a, *f.b)) {
        if (resume_from_memory(job, f, walk)) return walk;
    } else {
        walk.direction = transform_point(f.about_a_from_b, f.b->interior) -
                         transform_point(f.about_a_from_a, f.a->interior);
    }
    walk.end = walk_to_origin(f, walk, job.settings);
    return walk;
}

/// Goes on in double where the float walk ended.
Walk<double> walk_in_double(const Frames<double>& f, const Walk<float>& coarse, const Settings& settings) {
    Walk<double> walk;
    if (!take_over(f, coarse, walk)) walk.end = walk_to_origin(f, walk, settings);
    return walk;
}

template <class T>
int pairs_of(const Simplex<T>& simplex, VertexPair (&out)[4]) {
    for (int i = 0; i < simplex.count; ++i) out[i] = {simplex.point[i].a, simplex.point[i].b};
    return simplex.count;
}

/// Writes verdict and certificate of a walk that found an answer.
template <class T>
void accept(const Walk<T>& walk, PairResult& result) {
    Certificate& c = result.certificate;
    if (walk.end == End::separated) {
        result.verdict = Verdict::separated;
        c.kind = CertificateKind::separating_axis;
        c.axis_w = cast<double>(walk.direction);
        c.support_a = walk.a;
        c.support_b = walk.b;
    } else if (walk.end == End::surrounded) {
        result.verdict = Verdict::colliding;
        c.kind = CertificateKind::surrounded_origin;
        c.pair_count = 4;
        for (int i = 0; i < 4; ++i) {
            c.pairs[i][0] = walk.simplex.point[i].a;
            c.pairs[i][1] = walk.simplex.point[i].b;
        }
    }
}

/// Rung 2: accepts the walk's answer when it is proven in double.
template <class T>
bool proves(const Job& job, Walk<T>& walk) {
    bool proven = false;
    if (walk.end == End::separated) {
        proven = proves_separation(job.side_a, job.side_b, cast<double>(walk.direction), walk.a, walk.b);
    } else if (walk.end == End::surrounded) {
        VertexPair pairs[4];
        pairs_of(walk.simplex, pairs);
        proven = proves_collision(job.side_a, job.side_b, pairs);
    }
    if (!proven) return false;
    job.result.rung = 2;
    accept(walk, job.result);
    return true;
}

RelativePlacement placement_of(const PairQuery& q) {
    return relative_placement(q.a.world_from_body, q.b.world_from_body);
}

/// Answers from the memory of the exact rung while nothing has moved against the other.
bool recall(const Job& job) {
    Memory& m = job.memory;
    if (!m.decided) return false;
    if (placement_of(job.query) != m.placement) {
        m.decided = false;
        return false;
    }
    PairResult& r = job.result;
    r.rung = 3;
    r.verdict = m.last == Memory::separated ? Verdict::separated : Verdict::colliding;
    r.counters[kFromCache] = 1;
    Certificate& c = r.certificate;
    c.kind = m.kind;
    c.pair_count = m.pair_count;
    std::copy_n(&m.pairs[0][0], 8, &c.pairs[0][0]);
    if (c.kind == CertificateKind::separating_axis) {
        c.axis_w = m.proof_w;
        c.support_a = m.support_a;
        c.support_b = m.support_b;
    }
    return true;
}

/// Rung 3.
template <class T>
void decide_exactly(const Job& job, const Walk<T>& walk) {
    VertexPair pairs[4];
    const auto count = static_cast<std::size_t>(pairs_of(walk.simplex, pairs));
    const SolidDecision decision = decide_solid_exact(job.side_a, job.side_b, {pairs, count});
    PairResult& r = job.result;
    r.rung = 3;
    r.verdict = decision.colliding ? Verdict::colliding : Verdict::separated;
    r.certificate = decision.certificate;
    r.counters[kExactIterations] = decision.iterations;
    Memory& m = job.memory;
    m.decided = true;
    m.kind = r.certificate.kind;
    m.proof_w = r.certificate.axis_w;
    m.placement = placement_of(job.query);
}

/// Writes what the next query of this pair starts from.
template <class T>
void remember(const Job& job, const Walk<T>& walk) {
    Memory& m = job.memory;
    const PairResult& r = job.result;
    const Certificate& c = r.certificate;
    m.last = r.verdict == Verdict::undecided   ? Memory::nothing
             : r.verdict == Verdict::separated ? Memory::separated
                                               : Memory::colliding;
    m.axis_w = cast<float>(scaled(c.axis_w));
    const bool has_supports = c.kind == CertificateKind::separating_axis;
    m.support_a = has_supports ? c.support_a : walk.a;
    m.support_b = has_supports ? c.support_b : walk.b;
    if (c.pair_count > 0) {  // proof of a collision, or the exact definition of an axis
        m.pair_count = c.pair_count;
        std::copy_n(&c.pairs[0][0], 8, &m.pairs[0][0]);
        return;
    }
    m.pair_count = static_cast<std::uint8_t>(walk.simplex.count);
    for (int i = 0; i < walk.simplex.count; ++i) {
        m.pairs[i][0] = walk.simplex.point[i].a;
        m.pairs[i][1] = walk.simplex.point[i].b;
    }
}

void decide_fast(const Job& job, const Walk<float>& walk) {
    accept(walk, job.result);
    if (walk.end == End::touching) job.result.verdict = Verdict::colliding;
    remember(job, walk);
}

/// The ladder.
void decide(const Job& job) {
    const bool fast = job.query.exactness == Exactness::fast;
    if (!fast && recall(job)) return;
    job.memory.decided = false;
    PairResult& r = job.result;
    Walk<float> walk = walk_in_float(job, make_frames<float>(job.query));
    r.iterations = walk.iterations;
    r.counters[kFloatIterations] = walk.iterations;
    r.counters[kSupports] = walk.supports;
    if (fast) return decide_fast(job, walk);
    if (proves(job, walk)) return remember(job, walk);
    // The float walk ended within its rounding. The double walk goes on to the shortest distance, whose
    // direction is the axis that is easiest to prove.
    Settings to_the_end = job.settings;
    to_the_end.early_exit = false;
    to_the_end.earlier = walk.iterations;
    Walk<double> finer = walk_in_double(make_frames<double>(job.query), walk, to_the_end);
    r.iterations += finer.iterations;
    r.counters[kDoubleIterations] = finer.iterations;
    r.counters[kSupports] += finer.supports;
    if (!proves(job, finer)) decide_exactly(job, finer);
    remember(job, finer);
}

/// How far apart the supporting vertices are along the certificate's axis, in metres: a lower bound of the
/// distance.
double gap_along_axis(const Frames<double>& f, const Certificate& c) {
    const Vec3d between = f.point_b(c.support_b) - f.point_a(c.support_a);
    return dot(scaled(c.axis_w), between) / length(scaled(c.axis_w));
}

/// The walk for a distance, in the longest floating-point type: the coordinates of bodies that nearly touch
/// take away the digits of a small gap, and with them the direction towards the next vertex.
using Long = long double;

/// Below this part of the simplex's extent, rounding in double could hide a vertex that shortens the distance
/// by more than 1e-10 of itself: the direction is off by 2^-53 of the extent over the distance, and so is,
/// once more over the distance, what a vertex seems to gain.
constexpr double kSmallGap = 0x1p-10;

bool is_small(const Walk<double>& walk) {
    double extent = 0;
    for (int i = 0; i < walk.simplex.count; ++i)
        extent = std::max(extent, length_squared(walk.simplex.point[i].w));
    return walk.simplex.count == 4 || !(length_squared(walk.nearest) > kSmallGap * kSmallGap * extent);
}

void take_nearest(const Frames<Long>& f, const Walk<Long>& walk, const Vec3d& origin, PairResult& r) {
    Vec3<Long> closest_a, closest_b;
    for (int i = 0; i < walk.simplex.count; ++i) {
        closest_a += walk.simplex.weight[i] * f.point_a(walk.simplex.point[i].a);
        closest_b += walk.simplex.weight[i] * f.point_b(walk.simplex.point[i].b);
    }
    r.distance = static_cast<double>(length(walk.nearest));
    r.closest_a_w = cast<double>(closest_a + cast<Long>(origin));
    r.closest_b_w = cast<double>(closest_b + cast<Long>(origin));
}

/// Distance and closest points of a separated pair, by a walk in double that starts where the verdict was
/// found. A gap that is small beside the simplex is walked to the end in the longest type.
void measure(const Job& job, const Frames<double>& f) {
    const Certificate& c = job.result.certificate;
    PairResult& r = job.result;
    Walk<double> walk;
    walk.a = c.support_a;
    walk.b = c.support_b;
    walk.direction = c.axis_w;
    Settings to_the_end = job.settings;
    to_the_end.early_exit = false;
    to_the_end.limit = kMeasureLimit;
    to_the_end.earlier = r.iterations;
    if (!resume(f, job.memory.pairs, job.memory.pair_count, walk)) walk_to_origin(f, walk, to_the_end);
    Walk<Long> fine;
    const Frames<Long> fine_f = make_frames<Long>(job.query);
    if (!take_over(fine_f, walk, fine) && is_small(walk)) {
        to_the_end.earlier += walk.iterations;
        walk_to_origin(fine_f, fine, to_the_end);
    }
    r.counters[kDoubleIterations] += walk.iterations + fine.iterations;
    r.counters[kSupports] += walk.supports + fine.supports;
    if (fine.simplex.count > 0 && fine.simplex.count < 4)
        return take_nearest(fine_f, fine, job.settings.origin_w, r);
    r.distance = std::max(0.0, gap_along_axis(f, c));
    r.closest_a_w = f.point_a(c.support_a) + job.settings.origin_w;
    r.closest_b_w = f.point_b(c.support_b) + job.settings.origin_w;
}

/// With a margin, bodies count as colliding up to that distance; there is no certificate for that side.
void apply_margin(const Job& job, const Frames<double>& f) {
    const double margin = job.query.margin;
    PairResult& r = job.result;
    if (gap_along_axis(f, r.certificate) > margin) return;
    measure(job, f);
    if (r.distance > margin) return;
    r.verdict = Verdict::colliding;
    r.certificate = {};
}

/// Depth of a colliding pair.
void measure_depth(const Job& job) {
    PairResult& r = job.result;
    const auto limit = static_cast<std::uint32_t>(job.query.parameters.integer(kExpansionLimit));
    const Penetration p =
        find_penetration(job.side_a, job.side_b, limit, *job.query.scratch, job.settings.trace, r.iterations);
    r.depth = p.depth;
    r.depth_direction_w = p.direction_w;
    r.counters[kExpansions] = p.iterations;
}

void query_gjk(const PairQuery& q, PairCache& cache, PairResult& result, Trace* trace) {
    Memory& memory = cache.as<Memory>(&describe_gjk(), q.a.geometry->content, q.b.geometry->content);
    const Settings settings{static_cast<std::uint32_t>(q.parameters.integer(kIterationLimit)),
                            q.parameters.on(kEarlyExit), cast<double>(q.a.world_from_body.translation()),
                            trace};
    const Job job{q,
                  result,
                  memory,
                  settings,
                  {q.a.shape->hull(), &q.a.world_from_body, &q.a.geometry->box},
                  {q.b.shape->hull(), &q.b.world_from_body, &q.b.geometry->box}};
    decide(job);
    if (result.verdict == Verdict::colliding && (q.wants & kWantDepth) != 0) measure_depth(job);
    if (result.verdict != Verdict::separated) return;
    const bool distance = (q.wants & kWantDistance) != 0;
    if (!distance && !(q.margin > 0)) return;
    const Frames<double> f = make_frames<double>(q);
    if (q.margin > 0) apply_margin(job, f);
    if (distance && result.verdict == Verdict::separated) measure(job, f);
}

constexpr const char* kSupportChoices[] = {"automatic", "scan", "climb"};
constexpr Parameter kParameters[] = {
    {"iteration_limit", "Iteration limit", ParameterKind::integer, 64, 1, 1000, "",
     "our choice: coherent queries need 1 to 3, the hardest of the ground truth 16",
     "A walk that reaches the limit decides nothing; the next rung of the ladder does."},
    {"support", "Support search", ParameterKind::choice, 0, 0, 2, "", "Chong, hill climbing; ours: scan",
     "How the furthest vertex is found: by scanning all, by climbing from the last one, or by size.", false,
     kSupportChoices},
    {"warm_start", "Warm start", ParameterKind::toggle, 1, 0, 1, "", "our choice: coherence",
     "Start from the axis and the simplex of the last query of the same pair."},
    {"early_exit", "Stop at the first axis", ParameterKind::toggle, 1, 0, 1, "", "Chong, GJK step 6",
     "Stop at the first separating axis; when off, walk on to the shortest distance."},
    {"expansion_limit", "Depth expansions", ParameterKind::integer, 2000, 1, 2000, "",
     "ours: the hardest of the ground truth needs 65",
     "Where the search for the depth ends at the latest; the depth is then enough, but perhaps not the "
     "least."},
};
constexpr const char* kCounters[] = {"float iterations", "double iterations",   "exact iterations",
                                     "support searches", "remembered decision", "depth expansions"};

}  // namespace

const PairAlgorithm& describe_gjk() {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm a{};
        a.id = "gjk";
        a.title = "Gilbert-Johnson-Keerthi";
        a.source = "Gilbert, Johnson, Keerthi 1988; Chong, notes on convexity-based methods, GJK";
        a.summary = "Walks a simplex of the difference of both bodies towards the origin.";
        a.needs = Needs::convex;
        a.gives = kWantDistance | kWantDepth | kWantAxis;
        a.meaning = Meaning::solid;
        a.parameters = kParameters;
        a.counters = kCounters;
        a.query = query_gjk;
        return a;
    }();
    return algorithm;
}

}  // namespace claybox::collision
