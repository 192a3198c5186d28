#pragma once
// The state machine of V-Clip: steps from feature pair to feature pair until the pair is closest.
//
// Source: Mirtich, V-Clip: fast and robust polyhedral collision detection, 1998; Chong's notes on
// convexity-based methods, closest features. A pair is closest if each feature's closest point is in the
// other's Voronoi region. Otherwise a closer neighbour is found: from the plane of a region that a vertex
// violates, or from an edge clipped by the region and the derivative of the distance along the edge at the
// cut.
//
// Termination, whatever the rounding: a step to a feature of lower dimension keeps the distance, and at most
// four follow each other. A step to higher dimension must beat, as computed, the distance of the last such
// step (`record`). Each value belongs to one feature pair and one test, so none occurs twice. A tie that
// rounding turns into a step ends the walk. Leaving a local minimum resets the record; it happens at most
// kMaxEscapes times.

#include "collision/core/function_ref.hpp"
#include "collision/pairwise/v_clip/clip_bodies.hpp"

#include <algorithm>
#include <limits>

namespace claybox::collision {

/// Ordered by dimension.
enum class ClipFeatureKind : unsigned char { vertex, edge, face };

struct ClipFeature {
    ClipFeatureKind kind = ClipFeatureKind::vertex;
    std::uint32_t index = 0;
    friend bool operator==(const ClipFeature&, const ClipFeature&) = default;
};

/// The combinations of feature kinds that occur, in either order. Two faces are never tested.
enum class ClipTest : unsigned char { vertex_vertex, vertex_edge, vertex_face, edge_edge, edge_face };
inline constexpr std::size_t kClipTests = 5;

enum class ClipEnd : unsigned char {
    closest,     ///< the features contain the closest points
    pierced,     ///< the edge crosses the face: the bodies share a point
    contained,   ///< the vertex is below all faces of the other body
    touching,    ///< a point of one body is on the other, as computed
    settled,     ///< only rounding would continue the walk: closest as far as the numbers show
    unfinished,  ///< the limit was reached
};

struct ClipState {
    ClipFeature feature[2];  ///< of A and of B
    ClipEnd end = ClipEnd::unfinished;
    ClipTest test = ClipTest::vertex_vertex;  ///< the last test
    std::uint32_t iterations = 0, escapes = 0;
    std::uint32_t tests[kClipTests] = {};
    /// If contained: `ray_from` is a vertex of the other body. `ray_exit` is the face where the ray from it
    /// through the contained vertex leaves that body; kNoIndex if rounding hid it.
    std::uint32_t ray_from = kNoIndex, ray_exit = kNoIndex;
    double record = std::numeric_limits<double>::infinity();  ///< squared distance of the last ascent
};

/// From a local minimum a vertex moves on to the face that it is highest above. Usually there is one such
/// escape; faces tilted by rounding cause more. After sixteen the walk ends as unfinished.
inline constexpr std::uint32_t kMaxEscapes = 16;

/// Receives the state before each test.
using ClipWatch = FunctionRef<void(const ClipState&)>;

namespace clip_detail {

/// The part of an edge between planes, in parameters of the edge, and the neighbours behind the planes that
/// cut it.
template <class T>
struct Interval {
    static constexpr int kNone = -1, kTail = 0, kHead = 1, kFirstFace = 2;
    T low = 0, high = 1;
    int low_by = kNone, high_by = kNone;
    int all_by = kNone;  ///< a plane that cuts off the whole edge

    /// Keeps the part where a linear value from `at_tail` to `at_head` is not negative.
    void clip(T at_tail, T at_head, int by) {
        if (at_tail < 0 && at_head < 0) {
            all_by = by;
        } else if (at_tail < 0) {
            const T at = at_tail / (at_tail - at_head);
            if (at > low) {
                low = at;
                low_by = by;
            }
        } else if (at_head < 0) {
            const T at = at_tail / (at_tail - at_head);
            if (at < high) {
                high = at;
                high_by = by;
            }
        }
    }
};

template <class T>
T clamped(T t) {
    return t < 0 ? T(0) : t > 1 ? T(1) : t;
}

/// Squared distance from a point to the segment at + t along, t in [0, 1].
template <class T>
T point_to_segment(const Vec3<T>& p, const Vec3<T>& at, const Vec3<T>& along) {
    const Vec3<T> w = p - at;
    const T whole = dot(along, along);
    return length_squared(w - clamped(whole > 0 ? dot(along, w) / whole : T(0)) * along);
}

/// Squared distance between the segments p + s u and q + t v, s and t in [0, 1].
template <class T>
T segment_to_segment(const Vec3<T>& p, const Vec3<T>& u, const Vec3<T>& q, const Vec3<T>& v) {
    const Vec3<T> w = p - q;
    const T uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
    const T square = uu * vv - uv * uv;  // zero if parallel: then any s will do
    T s = square > 0 ? clamped((uv * vw - vv * uw) / square) : T(0);
    const T along = uv * s + vw, t = vv > 0 ? clamped(along / vv) : T(0);
    if (!(along >= 0 && along <= vv)) s = uu > 0 ? clamped((t * uv - uw) / uu) : T(0);
    return length_squared(w + s * u - t * v);
}

}  // namespace clip_detail

/// One walk over the features of two bodies. `Bodies` supplies frames and number type (StoredBodies,
/// MovedBodies).
template <class Bodies>
class VClip {
  public:
    VClip(const Bodies& bodies, ClipState& state) : bodies_(bodies), state_(state) {}

    /// Continues from the state's features, which must exist. Terminates for all numbers, including
    /// infinities.
    void run(std::uint32_t limit, const ClipWatch* watch = nullptr) {
        while (state_.iterations < limit) {
            ++state_.iterations;
            if (watch != nullptr) (*watch)(state_);
            if (!step()) return;
        }
        state_.end = ClipEnd::unfinished;
    }

  private:
    using T = typename Bodies::Scalar;
    using Vec = Vec3<T>;
    using Interval = clip_detail::Interval<T>;

    /// True if the features changed; otherwise `end` has the reason.
    bool step() {
        const ClipFeatureKind a = state_.feature[0].kind, b = state_.feature[1].kind;
        const int lower = a <= b ? 0 : 1;  // the side with the feature of lower dimension
        const ClipFeatureKind low = std::min(a, b), high = std::max(a, b);
        if (high == ClipFeatureKind::vertex) return count(ClipTest::vertex_vertex), vertex_vertex();
        if (low == ClipFeatureKind::vertex && high == ClipFeatureKind::edge)
            return count(ClipTest::vertex_edge), vertex_edge(lower);
        if (low == ClipFeatureKind::vertex) return count(ClipTest::vertex_face), vertex_face(lower);
        if (high == ClipFeatureKind::edge) return count(ClipTest::edge_edge), edge_edge();
        if (low == ClipFeatureKind::edge) return count(ClipTest::edge_face), edge_face(lower);
        return finish(ClipEnd::unfinished);  // two faces never occur
    }

    void count(ClipTest test) {
        state_.test = test;
        ++state_.tests[static_cast<std::size_t>(test)];
    }
    bool finish(ClipEnd end) {
        state_.end = end;
        return false;
    }
    std::uint32_t at(int side) const { return state_.feature[side].index; }

    /// Steps to a neighbour of lower dimension that contains all closest points: the distance stays.
    bool descend(int side, ClipFeatureKind kind, std::uint32_t index) {
        state_.feature[side] = {kind, index};
        return true;
    }
    /// Steps to a neighbour of higher dimension that is strictly closer than the pair's `distance_2`.
    bool ascend(int side, ClipFeatureKind kind, std::uint32_t index, T distance_2) {
        const auto distance = static_cast<double>(distance_2);
        if (!(distance > 0)) return finish(ClipEnd::touching);
        if (!(distance < state_.record)) return finish(ClipEnd::settled);
        state_.record = distance;
        state_.feature[side] = {kind, index};
        return true;
    }

    /// The spoke of a vertex with the largest component towards `q` (relative to the vertex). kNoIndex if all
    /// point away: then q is in the vertex's region. NaN counts as away.
    std::uint32_t steepest_spoke(int side, const Vec& q) const {
        std::uint32_t best = kNoIndex;
        T most = 0;
        const FeatureHull& hull = bodies_.features(side);
        const FeatureHull::Vertex& vertex = hull.vertices[at(side)];
        const std::uint32_t end = vertex.first_spoke + vertex.spoke_count;
        for (std::uint32_t k = vertex.first_spoke; k < end; ++k) {
            const T along = dot(bodies_.spoke(side, at(side), k), q);
            if (!(along > most)) continue;
            most = along;
            best = hull.spokes[k].edge;
        }
        return best;
    }

    bool vertex_vertex() {
        for (const int side : {0, 1}) {
            const Vec other = bodies_.to_other(1 - side, bodies_.vertex(1 - side, at(1 - side)));
            const Vec q = other - bodies_.vertex(side, at(side));
            const std::uint32_t edge = steepest_spoke(side, q);
            if (edge != kNoIndex) return ascend(side, ClipFeatureKind::edge, edge, length_squared(q));
            if (side == 1 && !(length_squared(q) > 0)) return finish(ClipEnd::touching);
        }
        return finish(ClipEnd::closest);
    }

    /// The face of an edge with point q (relative to the edge's tail) beyond the plane towards it; -1 if
    /// none. Of two faces, the one that q is higher above, which distinguishes the sides of a flat body.
    int face_towards(int side, std::uint32_t e, const Vec& q) const {
        const FeatureHull::Edge& edge = bodies_.features(side).edges[e];
        if (edge.face[0] == kNoIndex) return -1;
        const bool first = dot(bodies_.into(side, e, 0), q) > 0;
        const bool second = dot(bodies_.into(side, e, 1), q) > 0;
        if (first && second) return upper_face(side, e, q);
        return first ? 0 : second ? 1 : -1;
    }
    int upper_face(int side, std::uint32_t e, const Vec& q) const {
        const FeatureHull::Edge& edge = bodies_.features(side).edges[e];
        const T above_0 = dot(bodies_.normal(side, edge.face[0]), q);
        const T above_1 = dot(bodies_.normal(side, edge.face[1]), q);
        return above_1 > above_0 ? 1 : 0;
    }

    /// Tests the vertex against the edge's region. Then tests the edge against the vertex's region; the
    /// edge's closest point suffices, because the distance along the edge is convex.
    bool vertex_edge(int side) {
        const int other = 1 - side;
        const std::uint32_t e = at(other);
        const FeatureHull::Edge& edge = bodies_.features(other).edges[e];
        const Vec q = bodies_.to_other(side, bodies_.vertex(side, at(side))) - bodies_.tail(other, e);
        const Vec along = bodies_.along(other, e);
        const T t = dot(along, q), whole = dot(along, along);
        if (t < 0) return descend(other, ClipFeatureKind::vertex, edge.tail);
        if (t > whole) return descend(other, ClipFeatureKind::vertex, edge.head);
        const Vec from_edge = q - (t / whole) * along;
        const T distance_2 = length_squared(from_edge);
        const int face = face_towards(other, e, q);
        if (face >= 0) return ascend(other, ClipFeatureKind::face, edge.face[face], distance_2);
        const std::uint32_t spoke = steepest_spoke(side, bodies_.direction_to_other(other, -from_edge));
        if (spoke != kNoIndex) return ascend(side, ClipFeatureKind::edge, spoke, distance_2);
        return finish(distance_2 > 0 ? ClipEnd::closest : ClipEnd::touching);
    }

    bool vertex_face(int side) {
        const int other = 1 - side;
        const std::uint32_t f = at(other);
        const FeatureHull& hull = bodies_.features(other);
        const Vec p = bodies_.to_other(side, bodies_.vertex(side, at(side)));
        // If the point is beyond several planes, the nearest edge counts, not the nearest plane: only then
        // does the distance stay.
        std::uint32_t nearest = kNoIndex;
        T least = -1;  // not computed yet
        const auto distance_2 = [&](std::uint32_t e) {
            return clip_detail::point_to_segment(p, bodies_.tail(other, e), bodies_.along(other, e));
        };
        for (std::uint32_t k = hull.faces[f].first_side; k < hull.faces[f + 1].first_side; ++k) {
            if (!(dot(bodies_.side_into(other, f, k), p - bodies_.side_at(other, k)) < 0)) continue;
            const std::uint32_t e = hull.sides[k].edge;
            if (nearest == kNoIndex) {
                nearest = e;
                continue;
            }
            if (least < 0) least = distance_2(nearest);
            const T candidate = distance_2(e);
            if (!(candidate < least)) continue;
            nearest = e;
            least = candidate;
        }
        if (nearest != kNoIndex) return descend(other, ClipFeatureKind::edge, nearest);
        const Vec normal = bodies_.normal(other, f);
        const T height = dot(normal, p - bodies_.point(other, f));
        if (height == 0) return finish(ClipEnd::touching);
        const Vec towards = bodies_.direction_to_other(other, height > 0 ? -normal : normal);
        const std::uint32_t spoke = steepest_spoke(side, towards);
        if (spoke != kNoIndex) return ascend(side, ClipFeatureKind::edge, spoke, height * height);
        if (height > 0) return finish(ClipEnd::closest);
        return leave_local_minimum(side, p);
    }

    /// The vertex is below the face and none of its edges leads up. Continues with the face that it is
    /// highest above, or ends if it is below all faces.
    bool leave_local_minimum(int side, const Vec& p) {
        const int other = 1 - side;
        const auto [face, height] = bodies_.highest(other, p);
        if (face == kNoIndex || height <= 0) {
            state_.ray_from = bodies_.features(other).faces[at(other)].corner[0];
            state_.ray_exit = bodies_.exit_face(other, state_.ray_from, p);
            return finish(ClipEnd::contained);
        }
        if (face == at(other) || state_.escapes == kMaxEscapes) return finish(ClipEnd::unfinished);
        ++state_.escapes;
        state_.record = std::numeric_limits<double>::infinity();
        return descend(other, ClipFeatureKind::face, face);
    }

    /// An edge in the frame of the other side: its tail relative to an origin of that side, and its
    /// direction.
    struct EdgeInFrame {
        Vec tail, along;
    };

    /// Clips the other side's edge by the region of this side's edge: first by the planes through the ends,
    /// beyond which the distance to the edge's line is not valid, then by the planes towards the faces.
    enum class Clipped : unsigned char { inside, moved, ended };
    Clipped clip_by_edge(int side) {
        const int other = 1 - side;
        const std::uint32_t e = at(side);
        const FeatureHull::Edge& edge = bodies_.features(side).edges[e];
        const Vec along = bodies_.along(side, e);
        const EdgeInFrame seen{
            bodies_.to_other(other, bodies_.tail(other, at(other))) - bodies_.tail(side, e),
            bodies_.direction_to_other(other, bodies_.along(other, at(other)))};
        const T whole = dot(along, along);
        const T start = dot(along, seen.tail), run = dot(along, seen.along);
        Interval part;
        part.clip(start, start + run, Interval::kTail);
        part.clip(whole - start, whole - (start + run), Interval::kHead);
        // Half the derivative of the squared distance to the edge's line; linear in the parameter.
        const T slope_0 = dot(seen.along, seen.tail) - run * (start / whole);
        const T slope_rise = dot(seen.along, seen.along) - run * (run / whole);
        const auto slope = [&](T t) { return slope_0 + t * slope_rise; };
        int end = part.all_by;
        if (end == Interval::kNone && part.low_by >= 0 && slope(part.low) > 0) end = part.low_by;
        if (end == Interval::kNone && part.high_by >= 0 && slope(part.high) < 0) end = part.high_by;
        if (end != Interval::kNone) {
            descend(side, ClipFeatureKind::vertex, end == Interval::kTail ? edge.tail : edge.head);
            return Clipped::moved;
        }
        if (edge.face[0] == kNoIndex) return Clipped::inside;
        const T closest = std::clamp(slope_rise > 0 ? -slope_0 / slope_rise : T(0), part.low,
                                     std::max(part.low, part.high));
        const int face = clip_by_faces(side, seen, part, slope);
        if (face < 0) return Clipped::inside;
        const Vec q = seen.tail + closest * seen.along;
        const Vec across = q - (dot(along, q) / whole) * along;
        const int upper = bodies_.features(side).flat ? upper_face(side, e, q) : face;
        return ascend(side, ClipFeatureKind::face, edge.face[upper], length_squared(across)) ? Clipped::moved
                                                                                             : Clipped::ended;
    }

    /// Clips the remaining part by the planes towards both faces. Returns the face behind the plane where the
    /// distance still decreases, or -1.
    template <class Slope>
    int clip_by_faces(int side, const EdgeInFrame& seen, Interval part, const Slope& slope) const {
        for (int i = 0; i < 2; ++i) {
            const Vec into = bodies_.into(side, at(side), i);
            const T start = -dot(into, seen.tail);
            part.clip(start, start - dot(into, seen.along), Interval::kFirstFace + i);
            if (part.all_by >= 0) return i;
        }
        if (part.low_by >= Interval::kFirstFace && slope(part.low) > 0)
            return part.low_by - Interval::kFirstFace;
        if (part.high_by >= Interval::kFirstFace && slope(part.high) < 0)
            return part.high_by - Interval::kFirstFace;
        // Nothing remains and the distance is constant: any plane that cut will do.
        if (part.low > part.high && part.low_by >= Interval::kFirstFace)
            return part.low_by - Interval::kFirstFace;
        if (part.low > part.high && part.high_by >= Interval::kFirstFace)
            return part.high_by - Interval::kFirstFace;
        return -1;
    }

    bool edge_edge() {
        for (const int side : {0, 1}) {
            const Clipped clipped = clip_by_edge(side);
            if (clipped != Clipped::inside) return clipped == Clipped::moved;
        }
        return finish(ClipEnd::closest);
    }

    bool edge_face(int side) {
        const int other = 1 - side;
        const std::uint32_t f = at(other);
        const FeatureHull& hull = bodies_.features(other);
        const FeatureHull::Edge& edge = bodies_.features(side).edges[at(side)];
        const EdgeInFrame seen{bodies_.to_other(side, bodies_.tail(side, at(side))),
                               bodies_.direction_to_other(side, bodies_.along(side, at(side)))};
        Interval part;
        for (std::uint32_t k = hull.faces[f].first_side; k < hull.faces[f + 1].first_side; ++k) {
            const Vec into = bodies_.side_into(other, f, k);
            const T start = dot(into, seen.tail - bodies_.side_at(other, k));
            part.clip(start, start + dot(into, seen.along), static_cast<int>(k - hull.faces[f].first_side));
            if (part.all_by >= 0 || part.low > part.high) return descend_to_boundary(other, seen);
        }
        const Vec normal = bodies_.normal(other, f);
        const T at_tail = dot(normal, seen.tail - bodies_.point(other, f)), rise = dot(normal, seen.along);
        const T at_low = at_tail + part.low * rise, at_high = at_tail + part.high * rise;
        if (!((at_low > 0 && at_high > 0) || (at_low < 0 && at_high < 0))) return finish(ClipEnd::pierced);
        // whether the distance decreases from tail to head
        const bool falls = at_low > 0 ? rise < 0 : rise > 0;
        if ((falls ? part.high_by : part.low_by) != Interval::kNone) return descend_to_boundary(other, seen);
        return descend(side, ClipFeatureKind::vertex, falls ? edge.head : edge.tail);
    }

    /// Steps from a face to its bounding edge nearest to the other body's edge. All edges are tested: the
    /// edge behind the cutting plane may not be the nearest, and then the distance would grow.
    bool descend_to_boundary(int side, const EdgeInFrame& seen) {
        const FeatureHull& hull = bodies_.features(side);
        const std::uint32_t f = at(side);
        std::uint32_t nearest = hull.sides[hull.faces[f].first_side].edge;
        T least = std::numeric_limits<T>::infinity();
        for (std::uint32_t k = hull.faces[f].first_side; k < hull.faces[f + 1].first_side; ++k) {
            const std::uint32_t e = hull.sides[k].edge;
            const T distance_2 = clip_detail::segment_to_segment(
                bodies_.tail(side, e), bodies_.along(side, e), seen.tail, seen.along);
            if (!(distance_2 < least)) continue;
            nearest = e;
            least = distance_2;
        }
        return descend(side, ClipFeatureKind::edge, nearest);
    }

    const Bodies& bodies_;
    ClipState& state_;
};

}  // namespace claybox::collision
