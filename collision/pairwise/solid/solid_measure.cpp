#include "collision/pairwise/solid/solid_measure.hpp"

#include "collision/pairwise/gjk/gjk_walk.hpp"
#include "collision/pairwise/gjk/penetration.hpp"

#include <algorithm>

namespace claybox::collision {

namespace {

/// The walk for a distance ignores the iteration parameter, because no higher rung could correct a distance
/// that is not minimal.
constexpr std::uint32_t kMeasureLimit = 1000;

template <class T>
WalkFrames<T> make_frames(const PairQuery& q) {
    return {
        make_difference<T>(*q.a.shape->hull(), q.a.world_from_body, *q.b.shape->hull(), q.b.world_from_body)};
}

/// The state of one measurement.
struct Job {
    const PairQuery& query;
    const LadderMemory& memory;
    PairResult& result;
    WalkSettings full_walk;
    MeasureCounts counts;
};

/// The distance of the support vertices along the certificate's axis, in metres: a lower bound of the
/// distance.
double gap_along_axis(const WalkFrames<double>& f, const Certificate& c) {
    const Vec3d between = f.point_b(c.support_b) - f.point_a(c.support_a);
    return dot(with_largest_one(c.axis_w), between) / length(with_largest_one(c.axis_w));
}

/// The type of the final walk for a distance. For bodies that nearly touch, cancellation in double costs the
/// digits of a small gap, and with them the direction to the next vertex.
using Long = long double;

/// Below this fraction of the simplex's extent, rounding in double could hide a vertex that shortens the
/// distance by more than 1e-10 of itself. The direction is off by 2^-53 times the ratio of extent and
/// distance; the apparent gain of a vertex is off by that ratio once more.
constexpr double kSmallGap = 0x1p-10;

bool is_small(const Walk<double>& walk) {
    double extent = 0;
    for (int i = 0; i < walk.simplex.count; ++i)
        extent = std::max(extent, length_squared(walk.simplex.point[i].w));
    return walk.simplex.count == 4 || !(length_squared(walk.nearest) > kSmallGap * kSmallGap * extent);
}

void write_nearest(const WalkFrames<Long>& f, const Walk<Long>& walk, const Vec3d& origin, PairResult& r) {
    Vec3<Long> closest_a, closest_b;
    for (int i = 0; i < walk.simplex.count; ++i) {
        closest_a += walk.simplex.weight[i] * f.point_a(walk.simplex.point[i].a);
        closest_b += walk.simplex.weight[i] * f.point_b(walk.simplex.point[i].b);
    }
    r.distance = static_cast<double>(length(walk.nearest));
    r.closest_a_w = cast<double>(closest_a + cast<Long>(origin));
    r.closest_b_w = cast<double>(closest_b + cast<Long>(origin));
}

/// Distance and closest points of a separated pair. A walk in double starts from the certificate and the
/// memory. If the gap is small compared with the simplex, the walk is finished in the longest type.
void measure(Job& job, const WalkFrames<double>& f) {
    const Certificate& c = job.result.certificate;
    PairResult& r = job.result;
    const LadderMemory& memory = job.memory;
    WalkSettings settings = job.full_walk;
    Walk<double> walk;
    walk.a = c.support_a;
    walk.b = c.support_b;
    walk.direction = c.axis_w;
    if (!resume_walk(f, {memory.pairs, memory.pair_count}, walk)) walk_to_origin(f, walk, settings);
    Walk<Long> fine;
    const WalkFrames<Long> fine_f = make_frames<Long>(job.query);
    if (!continue_walk(fine_f, walk, fine) && is_small(walk)) {
        settings.earlier += walk.iterations;
        walk_to_origin(fine_f, fine, settings);
    }
    job.counts.walk_iterations += walk.iterations + fine.iterations;
    job.counts.walk_supports += walk.supports + fine.supports;
    if (fine.simplex.count > 0 && fine.simplex.count < 4)
        return write_nearest(fine_f, fine, settings.origin_w, r);
    r.distance = std::max(0.0, gap_along_axis(f, c));
    r.closest_a_w = f.point_a(c.support_a) + settings.origin_w;
    r.closest_b_w = f.point_b(c.support_b) + settings.origin_w;
}

/// Pairs closer than the margin become colliding. Such a verdict has no certificate.
void apply_margin(Job& job, const WalkFrames<double>& f) {
    const double margin = job.query.margin;
    PairResult& r = job.result;
    if (gap_along_axis(f, r.certificate) > margin) return;
    measure(job, f);
    if (r.distance > margin) return;
    r.verdict = Verdict::colliding;
    r.certificate = {};
}

void measure_depth(Job& job, std::uint32_t expansion_limit) {
    const PairQuery& q = job.query;
    const SolidSide a{q.a.shape->hull(), &q.a.world_from_body, &q.a.geometry->box};
    const SolidSide b{q.b.shape->hull(), &q.b.world_from_body, &q.b.geometry->box};
    PairResult& r = job.result;
    const Penetration p =
        find_penetration(a, b, expansion_limit, *q.scratch, job.full_walk.trace, r.iterations);
    r.depth = p.depth;
    r.depth_direction_w = p.direction_w;
    job.counts.expansions = p.iterations;
}

}  // namespace

MeasureCounts measure_solids(const PairQuery& q, const LadderMemory& memory, std::uint32_t expansion_limit,
                             PairResult& result, Trace* trace) {
    const bool apart = result.verdict == Verdict::separated;
    const bool distance = apart && (q.wants & kWantDistance) != 0;
    const bool margin = apart && q.margin > 0;
    const bool depth = result.verdict == Verdict::colliding && (q.wants & kWantDepth) != 0;
    if (!distance && !margin && !depth) return {};
    const WalkSettings full_walk{kMeasureLimit, false, cast<double>(q.a.world_from_body.translation()), trace,
                                 result.iterations};
    Job job{q, memory, result, full_walk, {}};
    if (depth) {
        measure_depth(job, expansion_limit);
        return job.counts;
    }
    const WalkFrames<double> f = make_frames<double>(q);
    if (margin) apply_margin(job, f);
    if (distance && result.verdict == Verdict::separated) measure(job, f);
    return job.counts;
}

}  // namespace claybox::collision
