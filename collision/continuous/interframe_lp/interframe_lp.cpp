// Source: A Linear Programming Solution for Exact Collision Detection (IVRI-CD), section 5. Corrected:
// FIX-13.
//
// Idea: two bodies that pass through the same region between two frames collide. So a moving body is the hull
// of its vertices in both frames, and the linear program of two convex bodies decides. First the oriented
// boxes around both frames are tested. With the partial extension, only the vertices of one group are taken
// from the new frame, those at the face of the body's box that is nearest to the direction of motion; the
// others stay in the old frame. The program then has as many columns as without motion.
//
// What the hulls mean. If both bodies move, their hulls may intersect although the bodies pass the common
// region at different times. With `time` on, the time of contact is searched by bisection of the interval, on
// the hull of the relative motion, and the verdict is that of the motion. With it off, the verdict is that of
// the hulls. Rotation: the hull of two frames does not contain the arcs between them, so contact there can be
// missed; only `time` off accepts screw motions. Partial extension: the hull of a subset of the points can
// miss contact, never invent it.
//
// Preconditions: convex bodies.
// Exactness: full extension: the verdict about the hulls is proven in double or decided in integers, for the
//   float32 matrices of both frames; the verdict about the motion and its time come from the ladder of linear
//   motion, with the triangle that the bisection ends at. Partial extension: the same for the hulls of the
//   selected points.
// Complexity: O(columns) per iteration, about ten iterations. No cache.

#include "collision/continuous/interframe_lp/extended_box.hpp"
#include "collision/continuous/interframe_lp/frame_program.hpp"
#include "collision/continuous/interframe_lp/vertex_groups.hpp"
#include "collision/continuous/linear/linear_ladder.hpp"
#include "collision/continuous/registry.hpp"

#include <algorithm>

namespace claybox::collision {

const ContinuousAlgorithm& describe_interframe_lp();

namespace {

enum ParameterIndex : std::size_t { kExtension, kTime, kBisections, kBoxes, kIterationLimit };
enum CounterIndex : std::size_t { kColumns, kBoxesApart, kPrograms, kExactIterations, kSelected };

constexpr const char* kExtensions[] = {"full", "partial"};
constexpr Parameter kParameters[] = {
    {"extension", "Extension", ParameterKind::choice, 0, 0, 1, "", "IVRI-CD, section 5.1",
     "Full: all vertices of both frames. Partial: only those at the front of the motion are taken from the "
     "new "
     "frame; can miss collisions.",
     false, kExtensions},
    {"time", "Time of contact", ParameterKind::toggle, 1, 0, 1, "", "IVRI-CD, section 5.1, step 1",
     "Searches the time of contact by bisection; off: a collision of the hulls of both frames counts, and "
     "rotations are accepted."},
    {"bisections", "Bisections", ParameterKind::integer, 24, 1, 60, "", "ours: enough to find the triangle",
     "Halvings of the interval in the search for the time."},
    {"boxes", "Boxes first", ParameterKind::toggle, 1, 0, 1, "", "IVRI-CD, section 5.1, step 1",
     "Tests the oriented boxes around both frames first."},
    {"iteration_limit", "Iteration limit", ParameterKind::integer, 100, 1, 1000, "",
     "ours: never reached in tests", "Iterations of one program before the next rung takes over."}};
constexpr const char* kCounters[] = {"columns", "boxes apart", "programs", "exact iterations",
                                     "vertices selected"};

/// The selected vertices of a body as two point sets, one per frame, for exact arithmetic. They have no
/// adjacency, so supports are found by scans.
class PartialHulls {
  public:
    PartialHulls(const FramedSide& body, std::span<const FramePoint> points) : body_(body) {
        for (const FramePoint& p : points) {
            ConvexHull& hull = hull_[p.frame];
            const Vec3f v = body.start.hull->vertex(p.vertex);
            hull.x.push_back(v.x);
            hull.y.push_back(v.y);
            hull.z.push_back(v.z);
            ++hull.vertex_count;
        }
        for (ConvexHull& hull : hull_) hull.neighbour_begin.assign(hull.vertex_count + 1, 0);
    }
    FramedSide sides() const {
        const SolidSide start{&hull_[0], body_.start.world_from_hull, body_.start.box};
        const SolidSide end{&hull_[1], body_.end.world_from_hull, body_.end.box};
        if (hull_[0].vertex_count == 0) return {end, end};
        return {start, hull_[1].vertex_count == 0 ? start : end};
    }

  private:
    const FramedSide& body_;
    ConvexHull hull_[2];
};

/// Both frames of a query.
class Interframe {
  public:
    Interframe(const ContinuousQuery& query, ContinuousResult& result, Trace* trace)
        : query_(query),
          result_(result),
          trace_(trace),
          end_a_(end_matrix(query.pair.a, query.motion_a)),
          end_b_(end_matrix(query.pair.b, query.motion_b)),
          a_(sides(query.pair.a, end_a_)),
          b_(sides(query.pair.b, end_b_)),
          origin_(cast<double>(query.pair.a.world_from_body.translation())),
          buffer_(*query.pair.scratch, bytes()) {
        points_a_ = buffer_.take<FramePoint>(2 * std::size_t{a_.start.hull->vertex_count});
        points_b_ = buffer_.take<FramePoint>(2 * std::size_t{b_.start.hull->vertex_count});
    }

    void run() {
        const bool partial = query_.pair.parameters.integer(kExtension) == 1;
        if (query_.pair.parameters.on(kBoxes) && boxes_apart()) {
            result_.counters[kBoxesApart] = 1;
            result_.rung = 2;
            return miss(true);
        }
        const Verdict hulls = partial ? test_partial() : test_full();
        if (hulls == Verdict::separated) return miss(!partial);
        result_.swept_hulls = Verdict::colliding;
        if (query_.pair.parameters.on(kTime)) return search_time();
        result_.verdict = Verdict::colliding;
        result_.time_low = 0;
        result_.time_high = 1;
    }

  private:
    static Matrix34f end_matrix(const PairBody& body, const Motion& motion) {
        Matrix34f out = body.world_from_body;
        if (motion.kind == Motion::Kind::linear) {
            for (std::size_t k = 0; k < 3; ++k) out.m[4 * k + 3] = motion.end_w[k];
        } else if (motion.kind == Motion::Kind::screw) {
            const Matrix34d end = placement_at(body.world_from_body, motion, 1);
            for (std::size_t i = 0; i < 12; ++i)
                out.m[i] = static_cast<float>(std::clamp(end.m[i], -kMaxMagnitude, kMaxMagnitude));
        }
        return out;
    }
    static FramedSide sides(const PairBody& body, const Matrix34f& end) {
        return {{body.shape->hull(), &body.world_from_body, &body.geometry->box},
                {body.shape->hull(), &end, &body.geometry->box}};
    }
    std::size_t bytes() const {
        const std::size_t points =
            2 * (std::size_t{a_.start.hull->vertex_count} + std::size_t{b_.start.hull->vertex_count});
        constexpr std::size_t kAligned = 64;
        return points * sizeof(FramePoint) + 64 * frame_program_bytes(0) + frame_program_bytes(points) +
               kAligned;
    }

    bool boxes_apart() const {
        return !overlap(extended_box(*a_.start.box, *a_.start.world_from_hull, end_a_),
                        extended_box(*b_.start.box, *b_.start.world_from_hull, end_b_));
    }
    void miss(bool proven) {
        result_.verdict = Verdict::separated;
        if (proven) result_.swept_hulls = Verdict::separated;
        result_.time_low = result_.time_high = 1;
    }

    FramePoint point(const SolidSide& side, std::uint32_t vertex, std::uint8_t frame) const {
        Matrix34d m = to_double(*side.world_from_hull);
        for (std::size_t k = 0; k < 3; ++k) m.m[4 * k + 3] -= origin_[k];
        return {transform_point(m, side.hull->vertex(vertex)), vertex, frame};
    }
    /// All vertices of both frames, or of the only frame of a fixed body.
    std::span<const FramePoint> all_points(const FramedSide& body, std::span<FramePoint> out) const {
        const std::uint32_t n = body.start.hull->vertex_count;
        const bool moves = *body.start.world_from_hull != *body.end.world_from_hull;
        for (std::uint32_t v = 0; v < n; ++v) {
            out[v] = point(body.start, v, 0);
            if (moves) out[n + v] = point(body.end, v, 1);
        }
        return out.first(moves ? 2 * std::size_t{n} : n);
    }
    /// (35): the selected vertices from the new frame, the others from the old one.
    std::span<const FramePoint> front_points(const PairBody& body, const FramedSide& frames,
                                             std::span<FramePoint> out) {
        const auto& groups = static_cast<const PreparedGroups&>(*body.prepared);
        const Vec3d moved = cast<double>(frames.end.world_from_hull->translation()) -
                            cast<double>(frames.start.world_from_hull->translation());
        const Vec3d local = transpose_vector(to_double(*frames.start.world_from_hull), moved);
        const std::uint32_t n = frames.start.hull->vertex_count;
        for (std::uint32_t v = 0; v < n; ++v) out[v] = point(frames.start, v, 0);
        if (*frames.start.world_from_hull == *frames.end.world_from_hull) return out.first(n);
        for (const std::uint32_t v : groups.group[nearest_face(groups.box, local)]) {
            out[v] = point(frames.end, v, 1);
            ++result_.counters[kSelected];
        }
        return out.first(n);
    }

    FrameAnswer solve(std::span<const FramePoint> a, std::span<const FramePoint> b) {
        const auto limit = static_cast<std::uint32_t>(query_.pair.parameters.integer(kIterationLimit));
        QueryBuffer own(*query_.pair.scratch, frame_program_bytes(a.size() + b.size()));
        const FrameAnswer out = solve_frames(a, b, limit, own);
        result_.iterations += out.iterations;
        result_.counters[kColumns] = std::max(result_.counters[kColumns], out.columns);
        ++result_.counters[kPrograms];
        if (trace_ != nullptr) {
            trace_->begin_iteration(static_cast<int>(result_.counters[kPrograms]));
            trace_->value("columns", out.columns);
            trace_->value("iterations", out.iterations);
            if (out.verdict == Verdict::separated)
                trace_->plane(out.axis, dot(out.axis, origin_), origin_, "separating plane");
        }
        return out;
    }

    bool proves_apart(const Vec3d& axis) const {
        for (const SolidSide* a : {&a_.start, &a_.end})
            for (const SolidSide* b : {&b_.start, &b_.end}) {
                std::uint32_t of_a = 0, of_b = 0;
                if (!proves_separation(*a, *b, axis, of_a, of_b)) return false;
            }
        return true;
    }
    bool proves_common(const FrameAnswer& answer) const {
        return answer.count == 4 && proves_framed_collision(a_, b_, answer.pairs, answer.frames);
    }

    Verdict test_full() {
        const FrameAnswer answer = solve(all_points(a_, points_a_), all_points(b_, points_b_));
        result_.rung = query_.pair.exactness == Exactness::fast ? 1 : 2;
        if (query_.pair.exactness == Exactness::fast && answer.verdict != Verdict::undecided)
            return answer.verdict;
        if (answer.verdict == Verdict::separated && proves_apart(answer.axis)) return Verdict::separated;
        if (answer.verdict == Verdict::colliding && proves_common(answer)) return Verdict::colliding;
        result_.rung = 3;
        const auto count = static_cast<std::size_t>(answer.count);
        const SolidDecision decision =
            decide_framed_exact(a_, b_, false, {answer.pairs, count}, {answer.frames, count});
        result_.counters[kExactIterations] += decision.iterations;
        return decision.colliding ? Verdict::colliding : Verdict::separated;
    }

    /// The hulls of the selected points. They are parts of the hulls of both frames, so a collision is one of
    /// those too.
    Verdict test_partial() {
        const auto points_a = front_points(query_.pair.a, a_, points_a_);
        const auto points_b = front_points(query_.pair.b, b_, points_b_);
        const FrameAnswer answer = solve(points_a, points_b);
        result_.rung = query_.pair.exactness == Exactness::fast ? 1 : 2;
        if (query_.pair.exactness == Exactness::fast && answer.verdict != Verdict::undecided)
            return answer.verdict;
        if (answer.verdict == Verdict::separated && proves_apart(answer.axis)) return Verdict::separated;
        if (answer.verdict == Verdict::colliding && proves_common(answer)) return Verdict::colliding;
        result_.rung = 3;
        const PartialHulls of_a(a_, points_a), of_b(b_, points_b);
        const SolidDecision decision = decide_framed_exact(of_a.sides(), of_b.sides(), false);
        result_.counters[kExactIterations] += decision.iterations;
        return decision.colliding ? Verdict::colliding : Verdict::separated;
    }

    /// Halves the interval: the hull of B's relative motion during its first half against A at the start
    /// decides which half has the first contact. For a translation that hull is all that B passes.
    void search_time() {
        const LinearPair pair(query_);
        LinearLadder ladder(query_, pair, result_, trace_);
        const std::uint8_t rung = result_.rung;
        CastClaim claim;
        double low = 0, high = 1;
        const FrameAnswer whole = relative(pair, 0, 1);
        if (whole.verdict == Verdict::separated) {
            claim = CastClaim::miss(whole.axis, {});
        } else {
            FrameAnswer last = whole;
            Vec3d axis;
            for (int i = query_.pair.parameters.integer(kBisections); i > 0; --i) {
                const double middle = 0.5 * (low + high);
                const FrameAnswer first = relative(pair, low, middle);
                if (first.verdict == Verdict::separated) {
                    axis = first.axis;
                    low = middle;
                } else {
                    last = first;
                    high = middle;
                }
            }
            if (low > 0) claim = best_claim(ladder, last, axis, 0.5 * (low + high));
        }
        if (result_.verdict == Verdict::undecided) ladder.finish(claim);
        result_.rung = std::max(result_.rung, rung);
        result_.counters[kExactIterations] += ladder.counts().exact_iterations;
    }
    /// The face of contact is among the last program's four pairs.
    static CastClaim best_claim(LinearLadder& ladder, const FrameAnswer& last, const Vec3d& axis,
                                double time) {
        CastClaim out;
        out.kind = CastClaim::Kind::hit;
        out.axis_w = axis;
        out.time = time;
        out.count = 3;
        for (int skip = last.count == 4 ? 0 : 3; skip < 4 && last.count >= 3; ++skip) {
            CastClaim candidate = out;
            for (int i = 0, to = 0; i < last.count && to < 3; ++i)
                if (i != skip) candidate.pairs[to++] = last.pairs[i];
            if (ladder.try_claim(candidate)) return candidate;
        }
        out.count = std::min(last.count, 3);
        std::copy_n(last.pairs, out.count, out.pairs);
        return out;
    }
    FrameAnswer relative(const LinearPair& pair, double from, double to) {
        const std::uint32_t n = b_.start.hull->vertex_count;
        for (std::uint32_t v = 0; v < a_.start.hull->vertex_count; ++v) points_a_[v] = point(a_.start, v, 0);
        for (std::uint32_t v = 0; v < n; ++v) {
            points_b_[v] = points_b_[n + v] = point(b_.start, v, 0);
            points_b_[v].at += from * pair.ray();
            points_b_[n + v].at += to * pair.ray();
            points_b_[n + v].frame = 1;
        }
        return solve(points_a_.first(a_.start.hull->vertex_count), points_b_.first(2 * std::size_t{n}));
    }

    const ContinuousQuery& query_;
    ContinuousResult& result_;
    Trace* trace_;
    const Matrix34f end_a_, end_b_;
    const FramedSide a_, b_;
    const Vec3d origin_;
    QueryBuffer buffer_;
    std::span<FramePoint> points_a_, points_b_;
};

void query_interframe(const ContinuousQuery& query, PairCache&, ContinuousResult& result, Trace* trace) {
    Interframe(query, result, trace).run();
}

std::shared_ptr<const Prepared> prepare(const Shape& shape, const Geometry&) {
    if (shape.hull() == nullptr) return nullptr;
    return std::make_shared<PreparedGroups>(make_groups(*shape.hull()));
}

/// Rotations only for the verdict about the hulls.
bool fits(const ContinuousQuery& query) {
    const bool turns =
        query.motion_a.kind == Motion::Kind::screw || query.motion_b.kind == Motion::Kind::screw;
    const ParameterValues& p = query.pair.parameters;
    return !turns || (!p.is_unset() && !p.on(kTime));
}

}  // namespace

const ContinuousAlgorithm& describe_interframe_lp() {
    static const ContinuousAlgorithm algorithm = [] {
        ContinuousAlgorithm a{};
        a.id = "interframe_lp";
        a.title = "Interframe LP";
        a.source = "IVRI-CD, section 5";
        a.summary =
            "The hulls of both frames' vertices by linear programming, then the time of contact by "
            "bisection.";
        a.motions = kAnyMotion;
        a.promise_otherwise = Promise::approximate;
        a.parameters = kParameters;
        a.counters = kCounters;
        a.prepare = prepare;
        a.needs_prepared = true;
        a.fits = fits;
        a.query = query_interframe;
        return a;
    }();
    return algorithm;
}

}  // namespace claybox::collision
