#pragma once
// The perceptron rule for a plane between two point sets (Zachmann, 3.4.2), in a scalar type of choice.
//
// A plane is w = (normal, offset) in R^4, a vertex p of A is z = (p, -1), a vertex q of B is z = (-q, 1). The
// plane separates if w.z > 0 for all of them. Vertices are visited in order, repeatedly. A vertex on the
// wrong side pulls the plane towards itself: w += eta z. A sweep without a pull ends the search.

#include "collision/geometry/hull/hull.hpp"
#include "collision/geometry/transform.hpp"

#include <algorithm>
#include <limits>

namespace claybox::collision {

/// Vertices are read in groups of this many; arrays are padded to a multiple of it.
inline constexpr std::uint32_t kPlaneGroup = 16;

/// One of the two point sets. Borrows the arrays.
template <class T>
struct PlaneSide {
    const float *x = nullptr, *y = nullptr, *z = nullptr;  ///< in the set's own frame, padded
    std::uint32_t count = 0;
    Matrix34<T> frame_from_set;  ///< to the frame of the plane
    T sign = 1;                  ///< +1: z = (p, -1), the plane's positive side; -1: z = (-p, 1)

    Vec3<T> point(std::uint32_t i) const {
        return transform_point(frame_from_set, Vec3<T>{x[i], y[i], z[i]});
    }
};

template <class T>
struct HomogeneousPlane {
    Vec3<T> normal;
    T offset = 0;
    T size_squared() const { return length_squared(normal) + offset * offset; }
};

enum class PlaneStep : unsigned char {
    constant,  ///< eta
    adaptive,  ///< -w.z / (|w| |z|), at least eta: w.z alone would shrink towards 0 and never pass it
    weighted,  ///< eta times the vertex's distance behind the plane
};

template <class T>
struct PlaneRules {
    T eta = T(0.007);
    std::uint32_t max_updates = 1000;
    T relaxation = 1;  ///< factor on eta after each update
    PlaneStep step = PlaneStep::constant;
    bool unit_points = false;  ///< pull by z / |z|
    /// Stops by the bound (3.3): gives up if a plane could not be better than this. 0: never. Valid only with
    /// w = 0 at the start, unit points, a constant step and no relaxation.
    T min_goodness = 0;
};

/// The state of a search; `plane` is its start.
template <class T>
struct PlaneSearch {
    HomogeneousPlane<T> plane;
    std::uint32_t updates = 0, sweeps = 0;
    std::uint64_t tested = 0;  ///< vertices visited
    bool separated = false;
    bool stopped_by_bound = false;
    std::uint32_t last_a = 0, last_b = 0;  ///< the vertices that pulled last
};

/// w.z for the vertices of one set, as a function of the vertex in the set's own frame.
template <class T>
struct PlaneValue {
    Vec3<T> g;
    T constant;
    T at(const PlaneSide<T>& s, std::uint32_t i) const {
        return g.x * T(s.x[i]) + g.y * T(s.y[i]) + g.z * T(s.z[i]) + constant;
    }
};

template <class T>
PlaneValue<T> plane_value(const PlaneSide<T>& side, const HomogeneousPlane<T>& w) {
    const Vec3<T> n = w.normal * side.sign;
    return {transpose_vector(side.frame_from_set, n),
            dot(n, side.frame_from_set.translation()) - side.sign * w.offset};
}

/// The first vertex at or after `from` with w.z <= 0. Equality counts: otherwise w = 0 would never move.
/// Returns `side.count` if there is none.
template <class T>
std::uint32_t first_wrong(const PlaneSide<T>& side, const PlaneValue<T>& value, std::uint32_t from) {
    for (std::uint32_t group = from / kPlaneGroup * kPlaneGroup; group < side.count; group += kPlaneGroup) {
        T v[kPlaneGroup];
        bool wrong = false;
        for (std::uint32_t k = 0; k < kPlaneGroup; ++k) v[k] = value.at(side, group + k);
        for (std::uint32_t k = 0; k < kPlaneGroup; ++k) wrong |= !(v[k] > 0);
        if (!wrong) continue;
        for (std::uint32_t i = std::max(from, group); i < std::min(side.count, group + kPlaneGroup); ++i)
            if (!(v[i - group] > 0)) return i;
    }
    return side.count;
}

/// One pull by the vertex z = sign (p, -1), which is on the wrong side. FIX-23: the adaptive step is minus
/// w.z divided by both lengths. The printed plus makes it negative, because w.z is, and pushes the plane
/// further away.
template <class T>
void pull_towards(const Vec3<T>& p, T sign, const PlaneRules<T>& rules, T& eta, HomogeneousPlane<T>& w) {
    const auto size = [&] { return std::sqrt(length_squared(p) + 1); };
    const T behind = -sign * (dot(w.normal, p) - w.offset);  // 0 or more
    T step = eta;
    if (rules.step == PlaneStep::adaptive) {
        const T scale = std::sqrt(w.size_squared()) * size();
        step = std::max(eta, scale > 0 ? behind / scale : T(0));
    } else if (rules.step == PlaneStep::weighted) {
        const T scale = length(w.normal);
        // A vertex exactly in the plane has no depth but must still pull.
        if (scale > 0) step = eta * std::max(behind / scale, std::numeric_limits<T>::epsilon());
    }
    if (rules.unit_points) step /= size();
    w.normal += (sign * step) * p;
    w.offset -= sign * step;
    eta *= rules.relaxation;
}

/// One pass over a set. False if the limit of updates ends it.
template <class T>
bool sweep_side(const PlaneSide<T>& side, const PlaneRules<T>& rules, T& eta, PlaneSearch<T>& search,
                std::uint32_t& last) {
    PlaneValue<T> value = plane_value(side, search.plane);
    search.tested += side.count;
    for (std::uint32_t i = first_wrong(side, value, 0); i < side.count; i = first_wrong(side, value, i + 1)) {
        if (search.updates >= rules.max_updates) return false;
        pull_towards(side.point(i), side.sign, rules, eta, search.plane);
        value = plane_value(side, search.plane);
        ++search.updates;
        last = i;
    }
    return true;
}

/// Continues `search` until a sweep has no pull, the updates are used up or the bound stops it. Calls
/// `on_sweep` before each sweep. Terminates for every input: each sweep but the last updates.
///
/// The bound, for sets that a plane w* of size 1 separates with w*.z >= D > 0 for all unit z: every pull adds
/// at least eta D to w.w*, so |w| >= eta D l after l pulls (3.1). Every pull adds at most eta^2 to |w|^2,
/// because w.z was not positive (3.2; the factor 2 before w.z is missing there, without consequence). Hence l
/// < 1 / D^2 (3.3). The search uses the first inequality as its estimate: D is at most |w| / (eta l).
template <class T, class OnSweep>
void search_plane(const PlaneSide<T>& a, const PlaneSide<T>& b, const PlaneRules<T>& rules,
                  PlaneSearch<T>& search, OnSweep&& on_sweep) {
    T eta = rules.eta;
    for (;;) {
        if (!is_finite(search.plane.normal) || !std::isfinite(search.plane.offset)) return;
        ++search.sweeps;
        on_sweep(search);
        const std::uint32_t before = search.updates;
        if (!sweep_side(a, rules, eta, search, search.last_a)) return;
        if (!sweep_side(b, rules, eta, search, search.last_b)) return;
        if (search.updates == before) {
            search.separated = true;
            return;
        }
        const T travelled = rules.eta * T(search.updates);
        if (std::sqrt(search.plane.size_squared()) < rules.min_goodness * travelled) {
            search.stopped_by_bound = true;
            return;
        }
    }
}

/// Walks from vertex to neighbour until none is closer to the plane, or further behind it. The hull's
/// vertices must be those of the side. The hull is convex, so a vertex that no neighbour beats is the closest
/// of all.
template <class T>
T walk_to_plane(const ConvexHull& hull, const PlaneSide<T>& side, const PlaneValue<T>& value,
                std::uint32_t& vertex, std::uint64_t& tested) {
    T best = value.at(side, vertex);
    ++tested;
    for (;;) {
        const std::uint32_t here = vertex;
        for (std::uint32_t i = hull.neighbour_begin[here]; i < hull.neighbour_begin[here + 1]; ++i) {
            const T v = value.at(side, hull.neighbours[i]);
            ++tested;
            if (!(v < best)) continue;
            best = v;
            vertex = hull.neighbours[i];
        }
        if (vertex == here) return best;
    }
}

}  // namespace claybox::collision
