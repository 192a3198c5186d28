#pragma once
// The search for a separating vector, without any way of finding supports: a template on the scalar type and
// on the space, so that float, double and the plane share one loop.
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

/// What ended or followed an iteration.
enum class VectorMove : unsigned char {
    separates,    ///< S.(q - p) >= 0: S separates (Lemma 1)
    repeats,      ///< the same pair twice in a row: S separates but for rounding (Lemma 3)
    plane_holds,  ///< an old pair for S = w: w separates but for rounding (Lemma 4)
    surrounded,   ///< no plane has all r on one side: collision
    no_room,      ///< more visited pairs than there is room for: no answer
    reflected,    ///< the next S is S reflected at the plane across r
    took_plane,   ///< the pair was old: the next S is w
};

/// A visited pair and the unit vector r along its m = q - p.
template <class T>
struct VisitedRay {
    Vec3<T> r;
    VertexPair pair;
};

/// Rays around the origin: with them, what was to be on one side surrounds it.
struct RayRing {
    std::size_t ray[3] = {};  ///< of the visited ones; the newest is one more
    int count = 0;
};

/// One iteration, for whoever watches.
template <class T>
struct VectorStep {
    std::uint32_t number = 0;  ///< 1-based
    Vec3<T> s;                 ///< of length 1, from P towards Q
    VertexPair pair;           ///< p of P furthest along s, q of Q furthest against it
    Vec3<T> m;                 ///< q - p
    T gap = 0;                 ///< dot(s, m)
    Vec3<T> w;                 ///< no visited ray is behind it; zero before there is one
    std::size_t rays = 0;      ///< visited pairs so far, those that the search began with included
    VectorMove move = VectorMove::reflected;
};

template <class T>
struct VectorAnswer {
    VectorStep<T> last;
    std::uint32_t reoccurrences = 0;  ///< of pairs, not in a row
    RayRing ring;                     ///< when surrounded
};

/// The vector of length 1, whatever its length was; zero stays zero.
template <class T>
Vec3<T> unit(const Vec3<T>& v) {
    const T squared = length_squared(v);
    if (squared > T(0x1p-80) && squared < T(0x1p80)) return v * (T(1) / std::sqrt(squared));
    const T largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    if (!(largest > 0) || !(largest <= std::numeric_limits<T>::max())) return {};
    const Vec3<T> scaled = v / largest;
    return scaled / length(scaled);
}

/// S reflected at the plane through the origin across r, equation (2); dot(r, s) < 0 becomes as much > 0.
template <class T>
Vec3<T> reflected(const Vec3<T>& s, const Vec3<T>& r) {
    return s - T(2) * dot(r, s) * r;
}

/// Below this, what is left of two unit vectors' sum or cross product is mostly rounding.
template <class T>
constexpr T kRayRounding = std::numeric_limits<T>::epsilon() * T(8);

/// The fan of vectors that a set of rays leaves when it is projected along r onto the plane H across r
/// (section 4.2, figure 2). Grows vector by vector; O(1) each. All are cross products with r, which turn a
/// projection by a quarter, so that neither projections nor a basis of H are needed.
template <class T>
class ProjectedFan {
  public:
    explicit ProjectedFan(const Vec3<T>& r) : r_(r) {}

    /// False when no line through the origin of H has all projections so far on one side; `ring` then says
    /// which three are around it.
    bool add(std::span<const VisitedRay<T>> rays, std::size_t i, RayRing& ring) {
        const Vec3<T> turned = cross(r_, rays[i].r);
        if (width_ == Width::none) {
            if (!(length_squared(turned) > kRayRounding<T> * kRayRounding<T>)) return true;  // r or -r
            low_turned_ = high_turned_ = turned;
            low_ = high_ = i;
            width_ = Width::ray;
            return true;
        }
        const T above_low = dot(low_turned_, rays[i].r), below_high = -dot(high_turned_, rays[i].r);
        if (above_low >= 0 && below_high >= 0) {
            inside(turned, i, above_low);
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
        } else if (width_ == Width::line) {  // the fan is on the other side of the line than thought
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

    /// The middle of the fan, of length 1: across a line that has all projections on one side.
    Vec3<T> middle() const {
        if (width_ == Width::none) return any_across(r_);
        const Vec3<T> low = unit(low_turned_), high = unit(high_turned_);
        // Both are turned by a quarter: of narrow fans the sum is turned back, of wide ones the difference
        // of low and high points to the middle.
        return unit(dot(low, high) >= 0 ? cross(low + high, r_) : low - high);
    }

    static Vec3<T> any_across(const Vec3<T>& r) {
        const T x = std::abs(r.x), y = std::abs(r.y), z = std::abs(r.z);
        const Vec3<T> least = x <= y && x <= z ? Vec3<T>{1, 0, 0}
                              : y <= z         ? Vec3<T>{0, 1, 0}
                                               : Vec3<T>{0, 0, 1};
        return unit(cross(r, least));
    }

  private:
    enum class Width : unsigned char {
        none,   ///< no projection yet
        ray,    ///< all in one direction
        wedge,  ///< less than a half plane
        line,   ///< two opposite directions and nothing beside them: either side
        half,   ///< a half plane, with `inner_` inside
    };

    void inside(const Vec3<T>& turned, std::size_t i, T above_low) {
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
        // Low and high are opposite: with the inner one and this, one of them goes around.
        const auto turn = [&](std::size_t u, std::size_t v) { return dot(r_, cross(rays[u].r, rays[v].r)); };
        const bool low = turn(low_, inner_) > 0 && turn(inner_, i) > 0 && turn(i, low_) > 0;
        return {{low ? low_ : high_, inner_, i}, 3};
    }

    Vec3<T> r_;
    Vec3<T> low_turned_, high_turned_;
    std::size_t low_ = 0, high_ = 0, inner_ = 0;
    Width width_ = Width::none;
};

/// Space of three dimensions.
struct SolidSpace {
    /// FindSeparatePlane: a w across r that no ray is behind, or the rays that surround the origin with r.
    /// O(rays). When there is none, these three and r do surround it: the three sum up to a multiple of r,
    /// and since none of them is behind the last w, which r is behind, the multiple is not positive.
    template <class T>
    static bool find_plane(std::span<const VisitedRay<T>> rays, const Vec3<T>& r, Vec3<T>& w, RayRing& ring) {
        ProjectedFan<T> fan(r);
        for (std::size_t i = 0; i < rays.size(); ++i)
            if (!fan.add(rays, i, ring)) return false;
        w = fan.middle();
        return true;
    }
    template <class T>
    static Vec3<T> any_across(const Vec3<T>& r) {
        return ProjectedFan<T>::any_across(r);
    }
};

/// The plane z = 0: polygons, whose H is a line.
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
        w = highest > 0 ? any_across(r) : -any_across(r);
        return true;
    }
    template <class T>
    static Vec3<T> any_across(const Vec3<T>& r) {
        return {-r.y, r.x, 0};
    }
};

/// Section 4.2: follows with a w that no ray is behind when r comes to the rays. False when there is none.
template <class Space, class T>
bool keep_on_one_side(std::span<const VisitedRay<T>> rays, const Vec3<T>& r, Vec3<T>& w, RayRing& ring) {
    if (rays.empty()) {
        w = r;
        return true;
    }
    if (rays.size() == 1) {
        const Vec3<T> sum = rays[0].r + r, along = unit(r - rays[0].r);
        const Vec3<T> middle = sum - dot(sum, along) * along;  // of nearly opposite ones without rounding
        const bool opposite = !(length_squared(middle) > kRayRounding<T> * kRayRounding<T>);
        w = opposite ? Space::any_across(r) : unit(middle);
        return true;
    }
    return dot(w, r) > 0 || Space::find_plane(rays, r, w, ring);
}

/// Where a search starts.
template <class T>
struct VectorStart {
    Vec3<T> s;             ///< of length 1; may be w
    VertexPair pair;       ///< where the support searches start
    std::size_t rays = 0;  ///< of `room`, already there and entered as visited
    Vec3<T> w;             ///< that none of them is behind
};

/// The search. `support(s, pair)` moves the pair to the supports along s and returns m = q - p; `visited` has
/// begin(), seen() and enter() (VisitedPairs); `watch(step)` is called once an iteration. Every iteration
/// ends the search, visits a new pair, or sets S = w, after which the next iteration does one of the first
/// two: at most twice as many iterations as there are vertices of the difference Q - P, whatever rounding
/// does.
/// Long because every line is about the state of one step.
template <class Space, class T, class Support, class Visited, class Watch>
VectorAnswer<T> search_separating_vector(const VectorStart<T>& start, std::span<VisitedRay<T>> room,
                                         Visited& visited, Support&& support, Watch&& watch) {
    VectorAnswer<T> out;
    VectorStep<T>& step = out.last;
    step.s = start.s;
    step.pair = start.pair;
    step.w = start.w;
    step.rays = start.rays;
    VectorMove before = start.rays > 0 && start.s == start.w ? VectorMove::took_plane : VectorMove::separates;
    for (;;) {
        const VertexPair last = step.pair;
        ++step.number;
        CLAYBOX_ASSERT(step.number <= 2 * (step.rays - start.rays) + 2);  // section 4.3: no cap is needed
        step.m = support(step.s, step.pair);
        step.gap = dot(step.s, step.m);
        const bool same = step.pair.a == last.a && step.pair.b == last.b;
        Vec3<T> r;
        if (step.gap >= 0) {  // also when p and q are one point; FIX-4: the sign
            step.move = VectorMove::separates;
        } else if (before == VectorMove::reflected && same) {
            step.move = VectorMove::repeats;
        } else if (step.rays > 0 &&
                   visited.seen(step.pair, step.rays, [&](std::size_t i) { return room[i].pair; })) {
            step.move = before == VectorMove::took_plane ? VectorMove::plane_holds : VectorMove::took_plane;
        } else if (step.rays == room.size()) {
            step.move = VectorMove::no_room;
        } else {
            if (step.rays == 0) visited.begin();
            r = unit(step.m);
            const std::span<const VisitedRay<T>> rays = room.first(step.rays);
            const bool one_side = keep_on_one_side<Space>(rays, r, step.w, out.ring);
            step.move = one_side ? VectorMove::reflected : VectorMove::surrounded;
            visited.enter(step.pair, step.rays);
            room[step.rays++] = {r, step.pair};
        }
        watch(static_cast<const VectorStep<T>&>(step));
        if (step.move != VectorMove::took_plane && step.move != VectorMove::reflected) return out;
        before = step.move;
        if (before == VectorMove::took_plane) ++out.reoccurrences;
        step.s = before == VectorMove::took_plane ? step.w : reflected(step.s, r);
    }
}

}  // namespace claybox::collision
