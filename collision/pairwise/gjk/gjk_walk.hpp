#pragma once
// The walk of Gilbert, Johnson and Keerthi over the difference of two hulls, in any floating-point type: a
// simplex of up to four points approaches the origin. Used by the algorithms and by the ladder's search for a
// proof.

#include "collision/core/trace.hpp"
#include "collision/exact/solid.hpp"
#include "collision/pairwise/gjk/simplex.hpp"
#include "collision/pairwise/gjk/simplex_johnson.hpp"
#include "collision/pairwise/gjk/simplex_signed_volumes.hpp"
#include "collision/pairwise/support/difference.hpp"
#include "collision/pairwise/support/quick_climb.hpp"
#include "collision/pairwise/support/support.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace claybox::collision {

/// What helps a support search in float. Each may be null.
struct SupportAids {
    const FarNeighbours* far = nullptr;
    const QuickClimb* quick = nullptr;  ///< if there is one, it does the search
};

/// The bodies of a walk and the method of their support searches.
template <class T>
struct WalkFrames : Difference<T> {
    SupportMethod method = SupportMethod::automatic;
    SupportAids aids_a{}, aids_b{};

    SimplexPoint<T> difference(std::uint32_t v, std::uint32_t w) const {
        return {this->point_a(v) - this->point_b(w), v, w};
    }
};

enum class WalkEnd : unsigned char {
    separated,   ///< no point of the difference passes the origin along `direction`
    surrounded,  ///< the four points of the simplex surround the origin
    touching,    ///< the distance is zero up to rounding
    unfinished,  ///< no answer: stopped by rounding or the iteration limit
};

/// The state of a walk.
template <class T>
struct Walk {
    Simplex<T> simplex;
    Vec3<T> nearest;             ///< the simplex's point nearest to the origin
    Vec3<T> direction;           ///< from A towards B
    std::uint32_t a = 0, b = 0;  ///< support vertices along `direction`
    std::uint32_t iterations = 0, supports = 0;
    WalkEnd end = WalkEnd::unfinished;
};

/// Method for the simplex's point nearest to the origin.
enum class SubAlgorithm : unsigned char { regions, johnson, signed_volumes };

struct WalkSettings {
    std::uint32_t limit;
    bool early_exit;  ///< true: stop at the first separating axis; false: walk on to the shortest distance
    Vec3d origin_w;   ///< A's translation, for the trace
    Trace* trace;
    std::uint32_t earlier = 0;  ///< iterations of previous walks; the trace continues their numbering
    SubAlgorithm sub_algorithm = SubAlgorithm::regions;
    bool momentum = false;  ///< Nesterov momentum: blend each direction with the previous ones
};

/// The direction scaled to largest component 1, so that squares neither overflow nor underflow.
template <class T>
Vec3<T> with_largest_one(const Vec3<T>& d) {
    const T largest = std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)});
    return largest > 0 && largest <= std::numeric_limits<T>::max() ? d / largest : Vec3<T>{1, 0, 0};
}

namespace walk_detail {

/// A walk has converged when the next point would shorten the distance by less than this fraction: the rest
/// is rounding.
template <class T>
constexpr T kConverged = std::numeric_limits<T>::epsilon() * T(64);
/// Below this fraction of the simplex's extent, direction and distance are only rounding.
template <class T>
constexpr T kZeroDistance = std::numeric_limits<T>::epsilon() * T(16);

inline std::uint32_t search(const ConvexHull& hull, const Vec3f& d, std::uint32_t start, SupportMethod method,
                            const SupportAids& aids) {
    if (aids.quick != nullptr) return aids.quick->furthest(d);
    return support_vertex(hull, d, start, method, aids.far);
}
inline std::uint32_t search(const ConvexHull& hull, const Vec3d& d, std::uint32_t start, SupportMethod,
                            const SupportAids&) {
    return support_vertex(hull, d, start);
}
inline std::uint32_t search(const ConvexHull& hull, const Vec3<long double>& d, std::uint32_t start,
                            SupportMethod, const SupportAids&) {
    return support_vertex(hull, cast<double>(d), start);
}

template <class T>
SimplexPoint<T> support(const WalkFrames<T>& f, Walk<T>& walk) {
    ++walk.supports;
    walk.a = search(*f.a, transpose_vector(f.about_a_from_a, walk.direction), walk.a, f.method, f.aids_a);
    walk.b = search(*f.b, transpose_vector(f.about_a_from_b, -walk.direction), walk.b, f.method, f.aids_b);
    return f.difference(walk.a, walk.b);
}

/// Traces the result of the last support search.
template <class T>
void trace_support(const WalkFrames<T>& f, const Walk<T>& walk, const WalkSettings& settings, T reach) {
    if (settings.trace == nullptr) return;
    const Vec3d support_a_w = cast<double>(f.point_a(walk.a)) + settings.origin_w;
    const Vec3d axis = cast<double>(walk.direction);
    settings.trace->point(support_a_w, "support of A");
    settings.trace->point(cast<double>(f.point_b(walk.b)) + settings.origin_w, "support of B");
    settings.trace->plane(axis, dot(axis, support_a_w), support_a_w, "supporting plane");
    settings.trace->value("gap along the axis (m)", -double(reach) / length(axis));
    settings.trace->space(TraceSpace::difference);
    const Vec3d w = cast<double>(f.difference(walk.a, walk.b).w);
    settings.trace->plane(axis, dot(axis, w), w, "supporting plane");
    settings.trace->segment({}, (0.5 * length(w) / length(axis)) * axis, "search direction");
    settings.trace->point(w, "support");
    settings.trace->space(TraceSpace::world);
}

}  // namespace walk_detail

/// Starts a new iteration of the trace and draws the current simplex.
template <class T>
void trace_simplex(const WalkFrames<T>& f, const Walk<T>& walk, const WalkSettings& settings) {
    if (settings.trace == nullptr) return;
    settings.trace->begin_iteration(static_cast<int>(settings.earlier + walk.iterations));
    for (int i = 0; i < walk.simplex.count; ++i) {
        const SimplexPoint<T>& p = walk.simplex.point[i];
        settings.trace->segment(cast<double>(f.point_a(p.a)) + settings.origin_w,
                                cast<double>(f.point_b(p.b)) + settings.origin_w, "simplex");
    }
    settings.trace->space(TraceSpace::difference);
    Vec3d corner[4];
    for (int i = 0; i < walk.simplex.count; ++i) corner[i] = cast<double>(walk.simplex.point[i].w);
    trace_simplex_of(*settings.trace, {corner, static_cast<std::size_t>(walk.simplex.count)}, "simplex");
    if (walk.simplex.count > 0 && walk.simplex.count < 4)
        settings.trace->segment({}, cast<double>(walk.nearest), "nearest point");
    settings.trace->space(TraceSpace::world);
}

/// One support search along the walk's direction. `reach` is negative if the direction separates.
template <class T>
SimplexPoint<T> walk_step(const WalkFrames<T>& f, Walk<T>& walk, const WalkSettings& settings, T& reach) {
    ++walk.iterations;
    walk.direction = with_largest_one(walk.direction);
    trace_simplex(f, walk, settings);
    const SimplexPoint<T> w = walk_detail::support(f, walk);
    reach = dot(walk.direction, w.w);
    walk_detail::trace_support(f, walk, settings, reach);
    return w;
}

/// Reduces the simplex to the part that contains its point nearest to the origin. Returns that point.
template <class T>
Vec3<T> reduce(Simplex<T>& simplex, SubAlgorithm by) {
    if (by == SubAlgorithm::johnson) return reduce_by_johnson(simplex);
    if (by == SubAlgorithm::signed_volumes) return reduce_by_signed_volumes(simplex);
    return reduce_to_nearest(simplex);
}

/// Nesterov momentum for GJK (Montaut and others, Collision detection accelerated, 2022, in the form for
/// bodies with faces). The direction blends the last direction, the direction to the origin and the last
/// support. It can overshoot and end a walk too early, so a step without gain switches it off for the rest of
/// the walk.
template <class T>
struct Momentum {
    bool on;

    Vec3<T> blend(const Vec3<T>& last, const Vec3<T>& nearest, const Vec3<T>& support,
                  std::uint32_t k) const {
        const T keep = T(k + 1) / T(k + 3);
        const auto unit = [](const Vec3<T>& v) {
            const Vec3<T> scaled = with_largest_one(v);
            return scaled / length(scaled);
        };
        const Vec3<T> towards = keep * unit(nearest) + (T(1) - keep) * unit(support);
        const Vec3<T> out = keep * unit(last) - (T(1) - keep) * unit(towards);
        return length_squared(out) > 0 ? out : -nearest;
    }
    /// Switches momentum off. True if it was on: the walk then retries straight towards the origin.
    bool switch_off() {
        const bool was = on;
        on = false;
        return was;
    }
};

/// Continues `walk` from its simplex, whose nearest point gives the direction; without a simplex, from the
/// direction. Terminates: each step along the nearest point comes nearer to the origin over finitely many
/// simplices, and the first step with momentum that does not is the last with momentum. Long because the
/// steps share all state.
template <class T>
WalkEnd walk_to_origin(const WalkFrames<T>& f, Walk<T>& walk, const WalkSettings& settings) {
    using walk_detail::kConverged;
    using walk_detail::kZeroDistance;
    const bool fresh = walk.simplex.count == 0;
    Momentum<T> momentum{settings.momentum};
    T last_norm = fresh ? std::numeric_limits<T>::infinity() : length_squared(walk.nearest);
    while (walk.iterations < settings.limit) {
        T reach;
        const SimplexPoint<T> w = walk_step(f, walk, settings, reach);
        const bool apart = reach < 0;
        if (apart && settings.early_exit) return WalkEnd::separated;
        const WalkEnd rounding = apart ? WalkEnd::separated : WalkEnd::unfinished;
        Simplex<T> next = walk.simplex;
        bool gains = true;
        if (walk.simplex.count > 0) {
            const T gain = last_norm - dot(walk.nearest, w.w);
            gains = !walk.simplex.contains(w) && gain > kConverged<T> * last_norm;
        }
        Vec3<T> nearest;
        if (gains) {
            next.add(w);
            nearest = reduce(next, settings.sub_algorithm);
            if (next.count == 4) {
                walk.simplex = next;
                return WalkEnd::surrounded;
            }
        }
        const T norm = length_squared(nearest);
        if (!gains || !(norm < last_norm)) {
            if (!momentum.switch_off() || walk.simplex.count == 0) return rounding;
            walk.direction = -walk.nearest;
            continue;
        }
        T extent = 0;
        for (int i = 0; i < next.count; ++i) extent = std::max(extent, length_squared(next.point[i].w));
        walk.simplex = next;
        walk.nearest = nearest;
        if (!(norm > kZeroDistance<T> * kZeroDistance<T> * extent)) return WalkEnd::touching;
        last_norm = norm;
        walk.direction =
            momentum.on ? momentum.blend(walk.direction, nearest, w.w, walk.iterations) : -nearest;
    }
    return WalkEnd::unfinished;
}

/// Adds the given vertex pairs, evaluated in T, to the simplex and points the direction to the origin. True
/// if the simplex surrounds the origin; walk.end is then `surrounded`.
template <class T>
bool resume_walk(const WalkFrames<T>& f, std::span<const VertexPair> pairs, Walk<T>& walk,
                 SubAlgorithm by = SubAlgorithm::regions) {
    for (const VertexPair& pair : pairs) {
        if (walk.simplex.count == 4) break;
        const SimplexPoint<T> p = f.difference(pair.a, pair.b);
        if (!walk.simplex.contains(p)) walk.simplex.add(p);
    }
    if (walk.simplex.count == 0) return false;
    walk.nearest = reduce(walk.simplex, by);
    if (walk.simplex.count == 4) {
        walk.end = WalkEnd::surrounded;
        return true;
    }
    if (length_squared(walk.nearest) > 0)
        walk.direction = -walk.nearest;
    else
        walk.simplex.count = 0;  // no direction to continue in
    return false;
}

/// The pairs of a simplex; returns their number.
template <class T>
std::size_t pairs_of(const Simplex<T>& simplex, VertexPair (&out)[4]) {
    for (int i = 0; i < simplex.count; ++i) out[i] = {simplex.point[i].a, simplex.point[i].b};
    return static_cast<std::size_t>(simplex.count);
}

/// Continues the walk `coarse` in a finer type. True if its simplex surrounds the origin.
template <class T, class U>
bool continue_walk(const WalkFrames<T>& f, const Walk<U>& coarse, Walk<T>& walk) {
    walk.a = coarse.a;
    walk.b = coarse.b;
    walk.direction = cast<T>(coarse.direction);
    VertexPair pairs[4];
    const std::size_t count = pairs_of(coarse.simplex, pairs);
    return resume_walk(f, {pairs, count}, walk);
}

}  // namespace claybox::collision
