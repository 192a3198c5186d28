// Idea: at time t, GJK gives the closest points and the direction n between them. Along n, the gap after s is
// at least gap(t) + (velocity along n) s - bend s^2 / 2. The velocity is a linear function on each body, so
// one support search in the direction n + s (n x omega) gives the gap after s of the worst point, not of a
// bound for the whole body: near contact the steps converge quadratically, as those of Newton's method.
// Source: Mirtich, Impulse-based dynamic simulation, 1996 (conservative advancement); Tang et al., C2A, 2009
//   (motion bounds along the direction of the closest points). The bound by a support search is ours.
// Errors: supports are found by climbing in double; a point missed by rounding is lower by at most the
//   rounding of its height. The step keeps half of the tolerance, which is far above this.

#include "collision/continuous/best/advance.hpp"
#include "collision/continuous/best/moving_body.hpp"
#include "collision/continuous/linear/feature.hpp"
#include "collision/pairwise/gjk/gjk_walk.hpp"

#include <algorithm>

namespace claybox::collision {

namespace {

constexpr std::uint32_t kWalkLimit = 64;

class ConvexAdvance {
  public:
    ConvexAdvance(const ContinuousQuery& query, AdvanceMemory& memory, ContinuousResult& result)
        : query_(query),
          memory_(memory),
          result_(result),
          origin_(cast<double>(query.pair.a.world_from_body.translation())),
          a_(query.pair.a, query.motion_a, origin_),
          b_(query.pair.b, query.motion_b, origin_),
          hull_a_(*query.pair.a.shape->hull()),
          hull_b_(*query.pair.b.shape->hull()),
          tolerance_(usable_tolerance(query.tolerance, a_.size() + b_.size())),
          bend_(a_.bend(a_.reach()) + b_.bend(b_.reach())) {}

    void run(Trace* trace) {
        if (memory_.a < hull_a_.vertex_count && memory_.b < hull_b_.vertex_count) {
            walk_.a = memory_.a;
            walk_.b = memory_.b;
        }
        walk_.direction = memory_.direction;
        double t = 0;
        for (;;) {
            ++result_.iterations;
            if (t == 0 || !a_.rests()) place(a_.at(t), at_a_, placed_a_);
            if (t == 0 || !b_.rests()) place(b_.at(t), at_b_, placed_b_);
            const bool apart = measure();
            if (trace != nullptr) {
                trace->begin_iteration(static_cast<int>(result_.iterations));
                trace->value("time", t);
                trace->value("distance (m)", apart ? length(walk_.nearest) : 0);
            }
            if (!apart || length(walk_.nearest) <= tolerance_) {
                hit(t, apart);
                break;
            }
            double step = safe(1 - t);
            if (!(step > 0)) {  // rounding stopped the walk early: once more, from nothing
                walk_.simplex = {};
                step = measure() ? safe(1 - t) : 0;
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
        memory_ = {walk_.direction, walk_.a, walk_.b};
        result_.counters[kSteps] = result_.iterations;
    }

  private:
    static void place(const BodyAt& at, BodyAt& out, Matrix34d& placed) {
        out = at;
        placed = at.rho_from_local;
        for (std::size_t k = 0; k < 3; ++k) placed.m[4 * k + 3] += at.base[k];
    }
    /// The closest points at the current time. False if the bodies intersect.
    bool measure() {
        const WalkFrames<double> frames{{&hull_a_, &hull_b_, placed_a_, placed_b_}};
        VertexPair pairs[4];
        const std::size_t count = pairs_of(walk_.simplex, pairs);
        walk_.simplex = {};
        walk_.iterations = 0;
        if (resume_walk(frames, {pairs, count}, walk_)) return false;
        if (walk_.simplex.count == 0 && walk_.direction == Vec3d{})
            walk_.direction = frames.point_b(walk_.b) - frames.point_a(walk_.a);
        const WalkSettings settings{kWalkLimit, false, origin_, nullptr};
        walk_.end = walk_to_origin(frames, walk_, settings);
        if (walk_.end == WalkEnd::surrounded || walk_.end == WalkEnd::touching) return false;
        return true;
    }
    /// The lowest point of B above the highest of A along n after s, if nothing bends.
    double gap_after(const Vec3d& n, const Vec3d& turn_a, const Vec3d& turn_b, double s) {
        const Vec3d up_a = n + s * turn_a, up_b = n + s * turn_b;
        start_a_ = support_vertex(hull_a_, transpose_vector(at_a_.rho_from_local, up_a), start_a_);
        start_b_ = support_vertex(hull_b_, transpose_vector(at_b_.rho_from_local, -up_b), start_b_);
        const double high = dot(up_a, rho_a(start_a_)), low = dot(up_b, rho_b(start_b_));
        return low - high + dot(n, at_b_.base - at_a_.base) + s * dot(n, b_.travel() - a_.travel()) -
               0.5 * tolerance_;
    }
    Vec3d rho_a(std::uint32_t v) const { return transform_point(at_a_.rho_from_local, hull_a_.vertex(v)); }
    Vec3d rho_b(std::uint32_t v) const { return transform_point(at_b_.rho_from_local, hull_b_.vertex(v)); }

    /// The length of a step that is proven free of contact; 0 if rounding allows none.
    double safe(double limit) {
        const double distance = length(walk_.nearest);
        const Vec3d n = walk_.nearest * (-1 / distance);
        const Vec3d turn_a = a_.turn_along(n), turn_b = b_.turn_along(n);
        start_a_ = walk_.a;
        start_b_ = walk_.b;
        const double gap = gap_after(n, turn_a, turn_b, 0);
        if (!(gap > 0)) return 0;
        const double slope =
            dot(n, b_.travel() - a_.travel()) + dot(turn_b, rho_b(start_b_)) - dot(turn_a, rho_a(start_a_));
        return safe_step(gap, slope, bend_, limit, [&](double s) { return gap_after(n, turn_a, turn_b, s); });
    }

    void hit(double t, bool apart) {
        const Simplex<double>& simplex = walk_.simplex;
        Vec3d on_a, on_b;
        std::uint32_t of_a[4], of_b[4];
        std::size_t used = 0;
        constexpr double kNoWeight = 1e-6;
        for (int i = 0; i < simplex.count && i < 3; ++i) {
            const double w = apart ? simplex.weight[i] : 0.25;
            on_a += w * (at_a_.base + rho_a(simplex.point[i].a));
            on_b += w * (at_b_.base + rho_b(simplex.point[i].b));
            if (!(w > kNoWeight)) continue;
            of_a[used] = simplex.point[i].a;
            of_b[used++] = simplex.point[i].b;
        }
        if (!apart) {  // at the start: later steps never reach contact
            result_.verdict = Verdict::colliding;
            result_.at_start = t == 0;
            result_.time_low = result_.time_high = t;
            return;
        }
        const Vec3d normal = normalized(-walk_.nearest);
        write_advance_hit(query_, t, on_a + origin_, on_b + origin_, normal,
                          feature_at(query_.pair.a, query_.motion_a, {of_a, used}, normal, t),
                          feature_at(query_.pair.b, query_.motion_b, {of_b, used}, -normal, t), result_);
    }
    /// The normal turned back to t = 0, where feature_of compares it with the faces.
    static Feature feature_at(const PairBody& body, const Motion& motion,
                              std::span<const std::uint32_t> vertices, const Vec3d& outward_w, double t) {
        if (motion.kind != Motion::Kind::screw) return feature_of(body, vertices, outward_w);
        const Vec3d back = rotate(axis_angle(normalized(motion.axis_w), -motion.angle * t), outward_w);
        return feature_of(body, vertices, back);
    }

    const ContinuousQuery& query_;
    AdvanceMemory& memory_;
    ContinuousResult& result_;
    const Vec3d origin_;
    const MovingBody a_, b_;
    const ConvexHull &hull_a_, &hull_b_;
    const double tolerance_, bend_;
    BodyAt at_a_, at_b_;
    Matrix34d placed_a_, placed_b_;
    Walk<double> walk_;
    std::uint32_t start_a_ = 0, start_b_ = 0;
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
