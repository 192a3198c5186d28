// Idea: at time t, GJK gives the closest points and the direction n between them. Along a direction, the gap
// at any later time is known by a search for supports, and its bending is bounded, so Newton's method finds a
// time up to which the gap is proven positive (gap_along.hpp). Two directions are tried: the one in which the
// closest features will touch, and n. If the features are the right ones, the first leads to contact in one
// step.
// Source: Mirtich, Impulse-based dynamic simulation, 1996 (conservative advancement); Tang et al., C2A, 2009
//   (motion bounds along the direction of the closest points). The direction of the coming contact and the
//   proof by chords are ours.
// Errors: supports are found in double; a point missed by rounding is lower by at most the rounding of its
//   height. The step keeps half of the tolerance, which is far above this.

#include "collision/continuous/best/advance.hpp"
#include "collision/continuous/best/gap_along.hpp"
#include "collision/continuous/linear/feature.hpp"
#include "collision/pairwise/gjk/simplex.hpp"

#include <algorithm>

namespace claybox::collision {

namespace {

constexpr std::uint32_t kWalkLimit = 64;
/// A walk to contact has converged when the next point would shorten the distance by less than this fraction.
constexpr double kConverged = 0x1p-46;
/// Below this fraction of the simplex's extent, the distance is only rounding.
constexpr double kZero = 0x1p-48;
/// Farther apart than this many tolerances, a gap of this part of the distance is good enough for a step.
constexpr double kFar = 16, kEnough = 0.95;
/// The part of the tolerance by which a distance near it may be too large.
constexpr double kExact = 0x1p-6;

class ConvexAdvance {
  public:
    ConvexAdvance(const ContinuousQuery& query, AdvanceMemory& memory, ContinuousResult& result)
        : query_(query),
          memory_(memory),
          result_(result),
          origin_(cast<double>(query.pair.a.world_from_body.translation())),
          a_(query.pair.a, query.motion_a, origin_),
          b_(query.pair.b, query.motion_b, origin_),
          tolerance_(usable_tolerance(query.tolerance, a_.motion.size() + b_.motion.size())) {}

    void run(Trace* trace) {
        if (memory_.a < a_.hull.hull().vertex_count && memory_.b < b_.hull.hull().vertex_count) {
            a_.support = memory_.a;
            b_.support = memory_.b;
        }
        n_ = memory_.direction;
        double t = 0;
        for (;;) {
            ++result_.iterations;
            if (t == 0 || !a_.motion.rests()) a_.move_to(t);
            if (t == 0 || !b_.motion.rests()) b_.move_to(t);
            const bool apart = measure();
            if (trace != nullptr) {
                trace->begin_iteration(static_cast<int>(result_.iterations));
                trace->value("time", t);
                trace->value("distance (m)", apart ? distance_ : 0);
                trace_simplex(*trace);
            }
            if (!apart || distance_ <= tolerance_) {
                hit(t, apart);
                break;
            }
            double step = safe(1 - t);
            if (!(step > 0)) {  // rounding stopped the walk early: once more, from nothing
                simplex_ = {};
                step = measure() && distance_ > tolerance_ ? safe(1 - t) : 0;
            }
            if (!(step > 0) || query_.pair.stop.stop_requested() || result_.iterations > kMaxAdvanceSteps) {
                if (query_.pair.stop.stop_requested()) result_.status = QueryStatus::stopped;
                result_.time_low = t;  // undecided after this
                break;
            }
            if (!(t + step < 1)) {
                result_.verdict = Verdict::separated;
                result_.time_low = result_.time_high = 1;
                break;
            }
            t += step;
        }
        memory_ = {n_, a_.support, b_.support};
        result_.counters[kSteps] = result_.iterations;
    }

  private:
    Vec3d difference(std::uint32_t a, std::uint32_t b) const { return a_.point(a) - b_.point(b); }

    /// The closest points at the current time, from the simplex of the last step. False if the bodies
    /// intersect. The walk ends early when the bodies are far apart and the direction is good enough for a
    /// step.
    bool measure() {
        resume();
        for (std::uint32_t round = 0; round < kWalkLimit; ++round) {
            if (simplex_.count == 4) return false;
            if (simplex_.count != 0) {
                n_ = -nearest_;
                distance_ = length(nearest_);
                double extent = 0;
                for (int i = 0; i < simplex_.count; ++i)
                    extent = std::max(extent, length_squared(simplex_.point[i].w));
                if (!(distance_ * distance_ > kZero * kZero * extent)) return false;
            }
            a_.furthest(n_);
            b_.furthest(-n_);
            const SimplexPoint<double> w{difference(a_.support, b_.support), a_.support, b_.support};
            const double norm = distance_ * distance_;
            if (simplex_.count != 0 && (simplex_.contains(w) || norm - dot(nearest_, w.w) <= slack()))
                return true;
            Simplex<double> next = simplex_;
            next.add(w);
            const Vec3d nearest = reduce_to_nearest(next, true);
            if (next.count != 4 && simplex_.count != 0 && !(length_squared(nearest) < norm)) return true;
            simplex_ = next;
            nearest_ = nearest;
        }
        return true;
    }
    /// What a walk may leave: the distance times the part of it that the next point could gain.
    double slack() const {
        if (distance_ > kFar * tolerance_) return (1 - kEnough) * distance_ * distance_;
        if (distance_ > tolerance_) return kExact * tolerance_ * distance_;
        return kConverged * distance_ * distance_;  // at the start, this may still be an intersection
    }
    /// Places the simplex at the current time.
    void resume() {
        for (int i = 0; i < simplex_.count; ++i)
            simplex_.point[i].w = difference(simplex_.point[i].a, simplex_.point[i].b);
        if (simplex_.count != 0) nearest_ = reduce_to_nearest(simplex_);
        if (simplex_.count == 0 && n_ == Vec3d{}) n_ = b_.at.base + b_.centre() - a_.at.base - a_.centre();
    }

    /// The simplex of the distance, in the difference at the current time.
    void trace_simplex(Trace& trace) const {
        Vec3d corner[4];
        for (int i = 0; i < simplex_.count; ++i) corner[i] = simplex_.point[i].w;
        trace.space(TraceSpace::difference);
        trace_simplex_of(trace, {corner, static_cast<std::size_t>(simplex_.count)}, "simplex");
        if (simplex_.count > 0 && simplex_.count < 4) trace.segment({}, nearest_, "distance");
        trace.space(TraceSpace::world);
    }

    /// The length of a step that is proven free of contact; 0 if rounding allows none.
    double safe(double limit) {
        const Vec3d n = n_ * (1 / length(n_));
        const std::uint32_t support_a = a_.support, support_b = b_.support;
        double time = HUGE_VAL;
        const double touching = step_to_touch(n, limit, time);
        if (touching > 0.5 * time) return touching;
        a_.support = support_a;
        b_.support = support_b;
        GapAlong gap(a_, b_, n, 0.5 * tolerance_);
        if (!(gap.now() > 0)) return 0;
        const double step = std::max(touching, longest_step(gap, limit, 0.25 * tolerance_, 0));
        if (step > 0) return step;
        const double speed = length(b_.motion.travel() - a_.motion.travel()) +
                             std::abs(a_.motion.angle()) * a_.motion.reach() +
                             std::abs(b_.motion.angle()) * b_.motion.reach();
        return std::min(limit, gap.now() / speed * (1 - 1e-9));
    }
    /// A step along the direction in which the closest features will touch, at `time`. If they are the first
    /// to touch, that is nearly the whole time. 0 if the bodies are much closer along that direction.
    double step_to_touch(const Vec3d& n, double limit, double& time) {
        ClosestFeatures features;
        if (!find_features(features)) return 0;
        const double aim = 0.25 * tolerance_, clearance = 0.5 * tolerance_;
        const Touch touch = find_touch(features, a_, b_, limit, 0.1 * aim);
        time = touch.time;
        if (!(time <= limit)) return 0;
        const Vec3d towards = dot(touch.normal, n) < 0 ? -touch.normal : touch.normal;
        a_.furthest(towards);
        b_.furthest(-towards);
        GapAlong gap(a_, b_, towards, clearance);
        if (!(gap.now() > 0.5 * (distance_ - tolerance_))) return 0;
        return longest_step(gap, limit, aim, time - (clearance + aim) / touch.speed);
    }
    /// The features of the simplex. False if they are not two edges, nor a vertex and a face.
    bool find_features(ClosestFeatures& out) const {
        const SimplexPoint<double>* const p = simplex_.point;
        if (simplex_.count < 2) return false;
        out.a = a_.hull.point(p[0].a);
        out.b = b_.hull.point(p[0].b);
        std::size_t edges = 0;
        const auto add = [&](const AdvanceSide& side, const Vec3d& from, std::uint32_t vertex) {
            if (edges < 2) out.edge[edges] = side.hull.point(vertex) - from, out.motion[edges] = &side.motion;
            ++edges;
        };
        for (int i = 1; i < simplex_.count; ++i) {
            if (p[i].a != p[0].a && (i == 1 || p[i].a != p[1].a)) add(a_, out.a, p[i].a);
            if (p[i].b != p[0].b && (i == 1 || p[i].b != p[1].b)) add(b_, out.b, p[i].b);
        }
        return edges == 2;
    }

    void hit(double t, bool apart) {
        if (!apart) {  // at the start: later steps never reach contact
            result_.verdict = Verdict::colliding;
            result_.at_start = t == 0;
            result_.time_low = result_.time_high = t;
            return;
        }
        Vec3d on_a, on_b;
        std::uint32_t of_a[4], of_b[4];
        std::size_t used = 0;
        constexpr double kNoWeight = 1e-6;
        for (int i = 0; i < simplex_.count && i < 3; ++i) {
            const double w = simplex_.weight[i];
            on_a += w * a_.point(simplex_.point[i].a);
            on_b += w * b_.point(simplex_.point[i].b);
            if (!(w > kNoWeight)) continue;
            of_a[used] = simplex_.point[i].a;
            of_b[used++] = simplex_.point[i].b;
        }
        const Vec3d normal = normalized(-nearest_);
        write_advance_hit(query_, t, on_a + origin_, on_b + origin_, normal,
                          feature_at(a_, query_.pair.a, {of_a, used}, normal, t),
                          feature_at(b_, query_.pair.b, {of_b, used}, -normal, t), result_);
    }
    /// The normal turned back to t = 0, where feature_of compares it with the faces.
    static Feature feature_at(const AdvanceSide& side, const PairBody& body,
                              std::span<const std::uint32_t> vertices, const Vec3d& outward_w, double t) {
        Vec3d rate;
        return feature_of(body, vertices, side.motion.turned(outward_w, side.motion.turn(-t), rate));
    }

    const ContinuousQuery& query_;
    AdvanceMemory& memory_;
    ContinuousResult& result_;
    const Vec3d origin_;
    AdvanceSide a_, b_;
    const double tolerance_;
    Simplex<double> simplex_;  ///< of differences a - b
    Vec3d nearest_;            ///< its point nearest to the origin
    Vec3d n_;                  ///< from A towards B, of any length
    double distance_ = 0;
};

}  // namespace

void write_advance_hit(const ContinuousQuery& query, double time, const Vec3d& a_w, const Vec3d& b_w,
                       const Vec3d& normal_w, const Feature& a, const Feature& b, ContinuousResult& result) {
    result.verdict = Verdict::colliding;
    result.time_low = result.time_high = time;
    result.point_w = 0.5 * (a_w + b_w);
    result.normal_w = normal_w;
    result.feature_a = a;
    result.feature_b = b;
    if (query.hits == nullptr) return;
    if (!query.hits->push({time, result.point_w, normal_w, a, b, 1})) result.status = QueryStatus::hits_full;
}

void advance_convex(const ContinuousQuery& query, AdvanceMemory& memory, ContinuousResult& result,
                    Trace* trace) {
    result.rung = 2;
    ConvexAdvance(query, memory, result).run(trace);
}

}  // namespace claybox::collision
