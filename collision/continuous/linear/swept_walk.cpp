#include "collision/continuous/linear/swept_walk.hpp"

#include "collision/pairwise/gjk/simplex.hpp"

#include <limits>

namespace claybox::collision {

namespace {

constexpr std::uint32_t kLimit = 64;
/// Marks a simplex point at t = 1, in the index of its vertex of A.
constexpr std::uint32_t kEndBit = 0x80000000u;
/// A gap above this fraction of the sizes is proven with ease, so the walk need not find the best axis.
constexpr double kClearGap = 0x1p-30;
/// The rest of the distance is rounding.
constexpr double kConverged = 64 * std::numeric_limits<double>::epsilon();

Vec3d with_largest_one(const Vec3d& v) {
    const double largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    return largest > 0 && largest <= std::numeric_limits<double>::max() ? v / largest : Vec3d{1, 0, 0};
}

void write_simplex(const Simplex<double>& simplex, SweptWalk& out) {
    out.count = simplex.count;
    out.ends = 0;
    for (int i = 0; i < simplex.count; ++i) {
        out.pairs[i] = {simplex.point[i].a & ~kEndBit, simplex.point[i].b};
        if ((simplex.point[i].a & kEndBit) != 0) out.ends |= 1u << i;
    }
}

}  // namespace

SweptWalk walk_swept(const LinearPair& pair, bool swept, const Vec3d& axis_w, Trace* trace) {
    SweptWalk out;
    Vec3d nearest = axis_w == Vec3d{} ? pair.middle() : -axis_w;
    Simplex<double> simplex;
    double last = std::numeric_limits<double>::infinity();
    while (out.iterations < kLimit) {
        ++out.iterations;
        const Vec3d n = with_largest_one(nearest);
        CastPoint w = pair.lowest(n, out.support);
        w = pair.lowest_in_double(n, w.pair);
        out.support = w.pair;
        const bool at_end = swept && dot(n, pair.ray()) > 0;
        if (at_end) w.c -= pair.ray();
        out.axis_w = -n;
        if (trace != nullptr) {
            trace->begin_iteration(static_cast<int>(out.iterations));
            trace->value("gap along the axis (m)", dot(n, w.c) / length(n));
            trace->space(TraceSpace::difference);
            Vec3d corner[4];
            for (int i = 0; i < simplex.count; ++i) corner[i] = simplex.point[i].w;
            trace_simplex_of(*trace, {corner, static_cast<std::size_t>(simplex.count)},
                             "simplex of both ends");
            trace->segment({}, pair.ray(), "relative motion");
            trace->plane(n, dot(n, w.c), w.c, "supporting plane");
            trace->point(w.c, "support");
            trace->space(TraceSpace::world);
        }
        const double height = dot(n, w.c);
        if (height > kClearGap * pair.size()) {
            out.verdict = Verdict::separated;
            break;
        }
        const SimplexPoint<double> point{w.c, w.pair.a | (at_end ? kEndBit : 0), w.pair.b};
        const bool gains =
            simplex.count == 0 || (!simplex.contains(point) && last - dot(nearest, w.c) > kConverged * last);
        if (!gains) {
            if (height > 0) out.verdict = Verdict::separated;
            break;
        }
        simplex.add(point);
        nearest = reduce_to_nearest(simplex);
        if (simplex.count == 4) {
            out.verdict = Verdict::colliding;
            break;
        }
        const double norm = length_squared(nearest);
        if (!(norm < last) || norm == 0) break;
        last = norm;
    }
    write_simplex(simplex, out);
    return out;
}

}  // namespace claybox::collision
