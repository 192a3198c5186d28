#pragma once
// The search for a separating vector, independent of the support search. A template on the scalar type and
// the space, so that float, double and the plane share one loop.
//
// Source: Chung and Wang, Quick collision detection of polytopes in virtual environments, 1996, sections 2 to
// 5 and appendix, with FIX-1 (the braces of the pseudo-code, its Lemmas 3 and 4, the first two w) and FIX-4.

#include "collision/core/assert.hpp"
#include "collision/exact/solid.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

namespace claybox::collision {

/// The result of one iteration: the search ends or continues with another S.
enum class VectorMove : unsigned char {
    separates,       ///< ends: S.(q - p) >= 0, so S separates (Lemma 1)
    repeats,         ///< ends: the same pair twice in a row; S separates up to rounding (Lemma 3)
    plane_holds,     ///< ends: S = w found an old pair; w separates up to rounding (Lemma 4)
    surrounded,      ///< ends: no plane has all r on one side; the bodies collide
    rays_full,       ///< ends: the storage for visited pairs is full; no answer
    reflected,       ///< continues: the next S is S reflected in the plane perpendicular to r
    restart_from_w,  ///< continues: the pair is old; the next S is w
};

/// A visited pair and the unit vector r along its m = q - p.
template <class T>
struct VisitedRay {
    Vec3<T> r;
    VertexPair pair;
};

/// Rays that together with the newest ray surround the origin.
struct RayRing {
    std::size_t ray[3] = {};  ///< indices of visited rays; the newest ray is an additional one
    int count = 0;
};

/// One iteration, as seen by a watcher.
template <class T>
struct VectorStep {
    std::uint32_t number = 0;  ///< from 1
    Vec3<T> s;                 ///< of length 1, from P towards Q
    VertexPair pair;           ///< p: vertex of P furthest along s; q: vertex of Q furthest against it
    Vec3<T> m;                 ///< q - p
    T gap = 0;                 ///< dot(s, m)
    Vec3<T> w;                 ///< all visited rays are on its side; zero before the first ray
    std::size_t rays = 0;      ///< visited pairs so far, including those that the search started with
    VectorMove move = VectorMove::reflected;
};

template <class T>
struct VectorAnswer {
    VectorStep<T> last;
    std::uint32_t reoccurrences = 0;  ///< visited pairs that came back, not counting repetitions in a row
    RayRing ring;                     ///< if surrounded
};

/// The unit vector along v; overflow-safe. Zero stays zero.
template <class T>
Vec3<T> unit(const Vec3<T>& v) {
    const T squared = length_squared(v);
    if (squared > T(0x1p-80) && squared < T(0x1p80)) return v * (T(1) / std::sqrt(squared));
    const T largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    if (!(largest > 0) || !(largest <= std::numeric_limits<T>::max())) return {};
    const Vec3<T> scaled = v / largest;
    return scaled / length(scaled);
}

/// S reflected in the plane through the origin perpendicular to r, equation (2). dot(r, s) changes its sign.
template <class T>
Vec3<T> reflected(const Vec3<T>& s, const Vec3<T>& r) {
    return s - T(2) * dot(r, s) * r;
}

/// Below this length, the sum or cross product of two unit vectors is mostly rounding.
template <class T>
constexpr T kRayRounding = std::numeric_limits<T>::epsilon() * T(8);

/// The fan of a set of rays projected along r onto the perpendicular plane H (section 4.2, figure 2). Grows
/// ray by ray in O(1). Works with cross products with r, i.e. with projections rotated by a quarter turn, so
/// neither projections nor a basis of H are computed.
template <class T>
class ProjectedFan {
  public:
    explicit ProjectedFan(const Vec3<T>& r) : r_(r) {}

    /// False if no line through the origin of H has all projections on one side. `ring` then holds three rays
    /// whose projections surround the origin.
    bool add(std::span<const VisitedRay<T>> rays, std::size_t i, RayRing& ring) {
        const Vec3<T> turned = cross(r_, rays[i].r);
        if (width_ == Width::none) {
            if (!(length_squared(turned) > kRayRounding<T> * kRayRounding<T>)) return true;  // parallel to r
            low_turned_ = high_turned_ = turned;
            low_ = high_ = i;
            width_ = Width::ray;
            return true;
        }
        const T above_low = dot(low_turned_, rays[i].r), below_high = -dot(high_turned_, rays[i].r);
        if (above_low >= 0 && below_high >= 0) {
            add_inside(turned, i, above_low);
        } else if (above_low >= 0) {
            if (above_low == 0) inner_ = high_;
            width_ = above_low == 0 ? Width::half : Width::wedge;
            high_turned_ = turned;
            high_ = i;
        } else if (below_high >= 0) {
            if (below_high == 0) inner_ = low_;
            width_ = below_high == 0 ? Width::half : Width::wedge;
            low_turned_ = turned;
            low_ = i;
        } else if (width_ == Width::line) {  // the fan is on the other side of the line
            std::swap(low_, high_);
            std::swap(low_turned_, high_turned_);
            inner_ = i;
            width_ = Width::half;
        } else {
            ring = ring_with(rays, i);
            return false;
        }
        return true;
    }

    /// The middle direction of the fan, of length 1. Perpendicular to a line with all projections on one
    /// side.
    Vec3<T> middle() const {
        if (width_ == Width::none) return any_perpendicular(r_);
        const Vec3<T> low = unit(low_turned_), high = unit(high_turned_);
        // Both vectors are rotated by a quarter turn. For narrow fans the sum is rotated back; for wide fans
        // the difference of low and high points to the middle.
        return unit(dot(low, high) >= 0 ? cross(low + high, r_) : low - high);
    }

    static Vec3<T> any_perpendicular(const Vec3<T>& r) {
        const T x = std::abs(r.x), y = std::abs(r.y), z = std::abs(r.z);
        const Vec3<T> least = x <= y && x <= z ? Vec3<T>{1, 0, 0}
                              : y <= z         ? Vec3<T>{0, 1, 0}
                                               : Vec3<T>{0, 0, 1};
        return unit(cross(r, least));
    }

  private:
    enum class Width : unsigned char {
        none,   ///< no projection yet
        ray,    ///< one direction only
        wedge,  ///< less than a half plane
        line,   ///< exactly two opposite directions; the fan may be on either side
        half,   ///< a half plane with `inner_` strictly inside
    };

    void add_inside(const Vec3<T>& turned, std::size_t i, T above_low) {
        if (width_ == Width::ray && dot(turned, low_turned_) < 0) {
            high_turned_ = turned;
            high_ = i;
            width_ = Width::line;
        } else if (width_ == Width::line && above_low > 0) {
            inner_ = i;
            width_ = Width::half;
        }
    }
    RayRing ring_with(std::span<const VisitedRay<T>> rays, std::size_t i) const {
        if (width_ != Width::half) return {{low_, high_, i}, 3};
        // Low and high are opposite. One of them surrounds the origin together with the inner ray and this
        // ray.
        const auto turn = [&](std::size_t u, std::size_t v) { return dot(r_, cross(rays[u].r, rays[v].r)); };
        const bool low = turn(low_, inner_) > 0 && turn(inner_, i) > 0 && turn(i, low_) > 0;
        return {{low ? low_ : high_, inner_, i}, 3};
    }

    Vec3<T> r_;
    Vec3<T> low_turned_, high_turned_;
    std::size_t low_ = 0, high_ = 0, inner_ = 0;
    Width width_ = Width::none;
};

/// Three-dimensional space.
struct SolidSpace {
    /// FindSeparatePlane: a w perpendicular to r with all rays on its side, or the rays that surround the
    /// origin together with r. O(rays). Why these three and r surround the origin if there is no w: the three
    /// sum up to a multiple of r. None of the three is behind the last w, but r is, so the multiple is not
    /// positive.
    template <class T>
    static bool find_plane(std::span<const VisitedRay<T>> rays, const Vec3<T>& r, Vec3<T>& w, RayRing& ring) {
        ProjectedFan<T> fan(r);
        for (std::size_t i = 0; i < rays.size(); ++i)
            if (!fan.add(rays, i, ring)) return false;
        w = fan.middle();
        return true;
    }
    template <class T>
    static Vec3<T> any_perpendicular(const Vec3<T>& r) {
        return ProjectedFan<T>::any_perpendicular(r);
    }
};

/// The plane z = 0, for polygons. H is a line.
struct PlaneSpace {
    template <class T>
    static bool find_plane(std::span<const VisitedRay<T>> rays, const Vec3<T>& r, Vec3<T>& w, RayRing& ring) {
        T lowest = 0, highest = 0;
        ring.count = 2;
        for (std::size_t i = 0; i < rays.size(); ++i) {
            const T side = r.x * rays[i].r.y - r.y * rays[i].r.x;
            if (side < lowest) {
                lowest = side;
                ring.ray[0] = i;
            }
            if (side > highest) {
                highest = side;
                ring.ray[1] = i;
            }
        }
        if (lowest < 0 && highest > 0) return false;
        w = highest > 0 ? any_perpendicular(r) : -any_perpendicular(r);
        return true;
    }
    template <class T>
    static Vec3<T> any_perpendicular(const Vec3<T>& r) {
        return {-r.y, r.x, 0};
    }
};

/// Section 4.2: updates w when r joins the rays, so that all rays are on its side. False if no such w exists.
template <class Space, class T>
bool keep_on_one_side(std::span<const VisitedRay<T>> rays, const Vec3<T>& r, Vec3<T>& w, RayRing& ring) {
    if (rays.empty()) {
        w = r;
        return true;
    }
    if (rays.size() == 1) {
        const Vec3<T> sum = rays[0].r + r, along = unit(r - rays[0].r);
        const Vec3<T> middle = sum - dot(sum, along) * along;  // no rounding for nearly opposite rays
        const bool opposite = !(length_squared(middle) > kRayRounding<T> * kRayRounding<T>);
        w = opposite ? Space::any_perpendicular(r) : unit(middle);
        return true;
    }
    return dot(w, r) > 0 || Space::find_plane(rays, r, w, ring);
}

/// The start of a search.
template <class T>
struct VectorStart {
    Vec3<T> s;             ///< of length 1; may equal w
    VertexPair pair;       ///< where the support searches start
    std::size_t rays = 0;  ///< rays already in `ray_storage` and entered as visited
    Vec3<T> w;             ///< all of these rays are on its side
};

/// Runs the search. `support(s, pair)` moves the pair to the supports along s and returns m = q - p.
/// `visited` has begin(), seen() and enter() (VisitedPairs). `watch(step)` is called once per iteration.
/// Terminates: every iteration ends the search, visits a new pair, or sets S = w, after which the next
/// iteration does one of the first two. So there are at most twice as many iterations as vertices of the
/// difference Q - P, whatever the rounding.
/// Long because every line concerns the state of one step.
template <class Space, class T, class Support, class Visited, class Watch>
VectorAnswer<T> search_separating_vector(const VectorStart<T>& start, std::span<VisitedRay<T>> ray_storage,
                                         Visited& visited, Support&& support, Watch&& watch) {
    VectorAnswer<T> out;
    VectorStep<T>& step = out.last;
    step.s = start.s;
    step.pair = start.pair;
    step.w = start.w;
    step.rays = start.rays;
    VectorMove previous_move =
        start.rays > 0 && start.s == start.w ? VectorMove::restart_from_w : VectorMove::separates;
    for (;;) {
        const VertexPair last = step.pair;
        ++step.number;
        CLAYBOX_ASSERT(step.number <= 2 * (step.rays - start.rays) + 2);  // section 4.3: no cap is needed
        step.m = support(step.s, step.pair);
        step.gap = dot(step.s, step.m);
        const bool same = step.pair.a == last.a && step.pair.b == last.b;
        Vec3<T> r;
        if (step.gap >= 0) {  // includes p = q; FIX-4: the sign
            step.move = VectorMove::separates;
        } else if (previous_move == VectorMove::reflected && same) {
            step.move = VectorMove::repeats;
        } else if (step.rays > 0 &&
                   visited.seen(step.pair, step.rays, [&](std::size_t i) { return ray_storage[i].pair; })) {
            step.move = previous_move == VectorMove::restart_from_w ? VectorMove::plane_holds
                                                                    : VectorMove::restart_from_w;
        } else if (step.rays == ray_storage.size()) {
            step.move = VectorMove::rays_full;
        } else {
            if (step.rays == 0) visited.begin();
            r = unit(step.m);
            const std::span<const VisitedRay<T>> rays = ray_storage.first(step.rays);
            const bool one_side = keep_on_one_side<Space>(rays, r, step.w, out.ring);
            step.move = one_side ? VectorMove::reflected : VectorMove::surrounded;
            visited.enter(step.pair, step.rays);
            ray_storage[step.rays++] = {r, step.pair};
        }
        watch(static_cast<const VectorStep<T>&>(step));
        if (step.move != VectorMove::restart_from_w && step.move != VectorMove::reflected) return out;
        previous_move = step.move;
        if (previous_move == VectorMove::restart_from_w) ++out.reoccurrences;
        step.s = previous_move == VectorMove::restart_from_w ? step.w : reflected(step.s, r);
    }
}

}  // namespace claybox::collision
