// Source: Chong, notes on convexity-based methods, "GJK for moving objects": with the relative translation t,
//   the vertices V_i and V_i + t of the moving body against the other one decide whether they collide. For
//   the time: van den Bergen, Ray casting against general convex objects with application to continuous
//   collision detection, 2004.
// Idea: the ray of the relative motion starts at the origin. A point x on it advances: if the support plane
// of
//   the difference C along v, the vector from C to x, has x on its outer side, x moves to where the ray meets
//   that plane; if the ray does not meet it, the bodies miss each other. Then the nearest point of the
//   simplex to x gives the next v. At the end x lies on C and the last plane touches C there.
// Preconditions: convex bodies, fixed or in linear motion.
// Exactness: the ladder proves the verdict and the time, or decides in integers (linear_ladder.hpp).
// Complexity: O(vertices) per support search, about ten of them. Cache: the axis of the last miss.

#include "collision/continuous/linear/linear_ladder.hpp"
#include "collision/continuous/linear/swept_walk.hpp"
#include "collision/continuous/registry.hpp"
#include "collision/pairwise/gjk/simplex.hpp"

#include <algorithm>

namespace claybox::collision {

const ContinuousAlgorithm& describe_moving_gjk();

namespace {

enum ParameterIndex : std::size_t { kSweptHullFirst, kWarmStart, kIterationLimit };
enum CounterIndex : std::size_t { kAdvances, kWalkIterations, kExactIterations, kFromCache };

constexpr Parameter kParameters[] = {
    {"swept_hull_first", "Swept hull first", ParameterKind::toggle, 1, 0, 1, "",
     "Chong, GJK for moving objects",
     "Decides by GJK on both frames' vertices before the ray is cast; off: the ray alone decides."},
    {"warm_start", "Warm start", ParameterKind::toggle, 1, 0, 1, "", "ours: frames are coherent",
     "Starts with the axis that separated the pair in its last query."},
    {"iteration_limit", "Iteration limit", ParameterKind::integer, 64, 1, 1000, "",
     "ours: never reached in tests",
     "Support searches of the ray cast before integer arithmetic takes over."}};
constexpr const char* kCounters[] = {"advances", "double iterations", "exact iterations", "from cache"};

struct Memory {
    bool has_axis = false;
    Vec3d axis_w;
    VertexPair support;
};

/// The ray cast of one query. The simplex holds points of C relative to x.
class RayCast {
  public:
    RayCast(const LinearPair& pair, const ContinuousQuery& query, ContinuousResult& result, Trace* trace)
        : pair_(pair),
          limit_(static_cast<std::uint32_t>(query.pair.parameters.integer(kIterationLimit))),
          result_(result),
          trace_(trace) {}

    CastClaim run(LinearLadder& ladder) {
        Vec3d v = -pair_.middle();
        for (std::uint32_t i = 0; i < limit_ && length_squared(v) > 0; ++i) {
            ++result_.iterations;
            const CastPoint p = support(v);
            const double outside = dot(v, x() - p.c), along = dot(v, pair_.ray());
            trace(v, p);
            const double reach = length(v) * pair_.size();
            if (outside > kRounding * reach) {
                if (along >= 0) return CastClaim::miss(v, p.pair);
                time_ -= outside / along;
                ++result_.counters[kAdvances];
                if (time_ > 1 + kRounding) return CastClaim::miss(v, p.pair);
                axis_ = v;
            }
            if (contains(p)) break;
            add(p);
            v = nearest();
            if (points_ == 4 || length_squared(v) <= kRounding * kRounding * pair_.size() * pair_.size())
                break;
        }
        return claim(ladder);
    }

  private:
    /// Below this fraction of the sizes, distances are rounding.
    static constexpr double kRounding = 0x1p-46;

    Vec3d x() const { return time_ * pair_.ray(); }
    CastPoint support(const Vec3d& v) {  // the furthest point of C along v
        CastPoint p = pair_.lowest(with_size_one(-v), last_);
        p = pair_.lowest_in_double(-v, p.pair);
        last_ = p.pair;
        return p;
    }
    bool contains(const CastPoint& p) const {
        for (int i = 0; i < points_; ++i)
            if (point_[i].pair.a == p.pair.a && point_[i].pair.b == p.pair.b) return true;
        return false;
    }
    void add(const CastPoint& p) { point_[points_++] = p; }
    /// Reduces the simplex to the part that contains its point nearest to x. Returns the vector from there to
    /// x.
    Vec3d nearest() {
        Simplex<double> simplex;
        for (int i = 0; i < points_; ++i)
            simplex.add({point_[i].c - x(), point_[i].pair.a, point_[i].pair.b});
        const Vec3d near = reduce_to_nearest(simplex);
        points_ = simplex.count;
        for (int i = 0; i < points_; ++i)
            point_[i] = pair_.make_point({simplex.point[i].a, simplex.point[i].b});
        return -near;
    }
    void trace(const Vec3d& v, const CastPoint& p) const {
        if (trace_ == nullptr) return;
        trace_->begin_iteration(static_cast<int>(result_.iterations));
        trace_->value("time", time_);
        trace_->value("gap along the axis (m)", dot(v, x() - p.c) / length(v));
        trace_->space(TraceSpace::difference);
        trace_->segment({}, pair_.ray(), "relative motion");
        Vec3d corner[4];
        for (int i = 0; i < points_; ++i) corner[i] = point_[i].c;
        trace_simplex_of(*trace_, {corner, static_cast<std::size_t>(points_)}, "simplex");
        trace_->plane(v, dot(v, p.c), p.c, "supporting plane");
        trace_->point(x(), "x, on the motion");
        trace_->point(p.c, "support");
        trace_->space(TraceSpace::world);
    }

    /// The face through which the ray enters C is one of the simplex, or one with the last support point.
    CastClaim claim(LinearLadder& ladder) {
        CastClaim out;
        if (time_ <= 0) return out;
        out.kind = CastClaim::Kind::hit;
        out.axis_w = axis_;
        out.support = last_;
        out.time = time_;
        out.count = 3;
        for (int skip = points_ == 4 ? 0 : 3; skip < 4 && points_ >= 3; ++skip) {
            CastClaim candidate = out;
            for (int i = 0, to = 0; i < points_ && to < 3; ++i)
                if (i != skip) candidate.pairs[to++] = point_[i].pair;
            if (ladder.try_claim(candidate)) return candidate;
        }
        out.count = std::min(points_, 3);
        for (int i = 0; i < out.count; ++i) out.pairs[i] = point_[i].pair;
        return out;
    }

    const LinearPair& pair_;
    const std::uint32_t limit_;
    ContinuousResult& result_;
    Trace* trace_;
    CastPoint point_[5];
    int points_ = 0;
    double time_ = 0;
    Vec3d axis_;  ///< of the plane that the ray entered last, from A towards B
    VertexPair last_;
};

/// The claim of GJK on the swept hull, if that answers the query.
bool claim_by_swept_hull(const LinearPair& pair, ContinuousResult& result, CastClaim& claim, Trace* trace) {
    const SweptWalk walk = walk_swept(pair, true, {}, trace);
    result.iterations += walk.iterations;
    if (walk.verdict != Verdict::separated) return false;
    claim = CastClaim::miss(walk.axis_w, walk.support);
    return true;
}

void query_moving_gjk(const ContinuousQuery& query, PairCache& cache, ContinuousResult& result,
                      Trace* trace) {
    Memory& memory = cache.as<Memory>(&describe_moving_gjk(), query.pair.a.geometry->content,
                                      query.pair.b.geometry->content);
    const LinearPair pair(query);
    LinearLadder ladder(query, pair, result, trace);
    CastClaim claim;
    bool answered = false;
    if (query.pair.parameters.on(kWarmStart) && memory.has_axis) {
        claim = CastClaim::miss(memory.axis_w, memory.support);
        answered = ladder.try_claim(claim);
        result.counters[kFromCache] = answered ? 1 : 0;
    }
    if (!answered) {
        const bool missed =
            query.pair.parameters.on(kSweptHullFirst) && claim_by_swept_hull(pair, result, claim, trace);
        if (!missed) claim = RayCast(pair, query, result, trace).run(ladder);
        // The cast proves its hits itself.
        if (result.verdict == Verdict::undecided) ladder.finish(claim);
    }
    memory = {claim.kind == CastClaim::Kind::miss, claim.axis_w, claim.support};
    result.counters[kWalkIterations] = ladder.counts().walk_iterations;
    result.counters[kExactIterations] = ladder.counts().exact_iterations;
}

}  // namespace

const ContinuousAlgorithm& describe_moving_gjk() {
    static const ContinuousAlgorithm algorithm = [] {
        ContinuousAlgorithm a{};
        a.id = "moving_gjk";
        a.title = "Moving GJK";
        a.source = "Chong, GJK for moving objects; van den Bergen 2004";
        a.summary =
            "GJK on the vertices of both frames decides, a GJK ray cast on the difference finds the time.";
        a.promise_otherwise = Promise::exact;  // there are no other pairs in the domain
        a.parameters = kParameters;
        a.counters = kCounters;
        a.query = query_moving_gjk;
        return a;
    }();
    return algorithm;
}

}  // namespace claybox::collision
