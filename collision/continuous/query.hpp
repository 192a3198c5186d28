#pragma once
/// \file
/// The interface of all continuous algorithms: two bodies move during t in [0, 1], and the answer says
/// whether and when they touch. An algorithm is a pure function of a query, a cache owned by the caller, a
/// result and an optional trace.

#include "collision/pairwise/query.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace claybox::collision {

/// The motion of one body during t in [0, 1]. It starts at the body's matrix, PairBody::world_from_body.
struct Motion {
    /// How the body moves.
    enum class Kind : unsigned char {
        fixed,  ///< not at all
        /// The matrix at t is m0 + t (m1 - m0) in rationals, where m0 and m1 are float32 matrices with equal
        /// 3x3 parts. m0 is PairBody::world_from_body; `end_w` is the translation of m1. So the displacement
        /// is the exact difference of two floats.
        linear,
        /// A world point x moves to point + R(axis, angle t) (x - point) + t travel. If `travel` is parallel
        /// to `axis` this is a screw motion. Otherwise it is a rigid body that turns at constant angular
        /// velocity while the point of its axis flies straight.
        screw,
    };

    Kind kind = Kind::fixed;  ///< which of the fields below are used
    Vec3f end_w;              ///< linear: translation of the matrix at t = 1
    Vec3d point_w;            ///< screw: a point of the axis at t = 0, metres
    Vec3d axis_w{0, 1, 0};    ///< screw: unit vector
    double angle = 0;         ///< screw: total angle in radians, any size
    Vec3d travel_w;           ///< screw: total translation, metres

    /// From one float32 matrix to another with an equal 3x3 part.
    static Motion linear(const Vec3f& end_w);
    /// `screw` is the total motion, applied to world points.
    static Motion along(const Screw& screw);
    /// Whether all fields are equal, used or not.
    friend bool operator==(const Motion&, const Motion&) = default;
};

/// The motion from one pose to another: fixed, linear if the rotations are equal, else the screw motion. Its
/// end differs from to_matrix(to) by rounding.
Motion motion_between(const Pose& from, const Pose& to);
/// The exact displacement of a linear motion that starts at `world_from_body`, as a double with an error of
/// one rounding; zero for a fixed body.
Vec3d displacement(const Matrix34f& world_from_body, const Motion& motion);
/// The placement at t, rounded. At t = 0 it is `world_from_body`.
Matrix34d placement_at(const Matrix34f& world_from_body, const Motion& motion, double t);
/// A box that contains all points of `local` (body frame) at all t in [from, to], rounded outward.
Aabb swept_box(const Aabb& local, const Matrix34f& world_from_body, const Motion& motion, double from = 0,
               double to = 1);
/// Validates a motion. Errors: a number that is not finite or above kMaxMagnitude, or an axis whose length is
/// not 1 within 1e-6.
Status check(const Motion& motion);

/// What a Feature is.
enum class FeatureKind : unsigned char {
    none,    ///< no single part, as when the bodies start inside each other
    vertex,  ///< a corner
    edge,    ///< an edge between two polygons
    face,    ///< a polygon
};
/// The name of the kind, in lower case.
const char* to_string(FeatureKind kind);

/// A part of a body's boundary. The index is that of its topology: a vertex, an edge or a polygon.
struct Feature {
    FeatureKind kind = FeatureKind::none;  ///< which array `index` belongs to
    std::uint32_t index = kNoIndex;        ///< kNoIndex for the kind none
    /// Whether both name the same part.
    friend bool operator==(const Feature&, const Feature&) = default;
};

/// One contact during the motion: the first one of a pair of features.
struct MotionHit {
    double time = 0;  ///< in [0, 1]
    Vec3d point_w;    ///< at that time, metres
    Vec3d normal_w;   ///< unit, from A to B
    Feature a;        ///< the part of A that touches
    Feature b;        ///< the part of B that touches
    /// How directly the features approach each other, from -1 to 1; negative: improper (Buss 5). 1 if the
    /// algorithm does not compute it.
    double properness = 1;
    /// Whether all fields are equal.
    friend bool operator==(const MotionHit&, const MotionHit&) = default;
};

/// A fixed block of contacts, owned by the caller. A query that fills it returns hits_full; the caller then
/// repeats the query with a larger block.
class MotionHitSink {
  public:
    /// Without room for hits.
    MotionHitSink() = default;
    /// Writes into `storage`, which must outlive the sink.
    explicit MotionHitSink(std::span<MotionHit> storage) : storage_(storage) {}
    /// Appends a hit. False if there is no room: the hit is lost.
    bool push(const MotionHit& hit) {
        if (count_ == storage_.size()) return false;
        storage_[count_++] = hit;
        return true;
    }
    /// The hits so far.
    std::span<const MotionHit> hits() const { return storage_.first(count_); }
    /// The hits so far, to sort them.
    std::span<MotionHit> written() { return storage_.first(count_); }
    /// The most hits that fit.
    std::size_t capacity() const { return storage_.size(); }
    /// Forgets all hits.
    void clear() { count_ = 0; }

  private:
    std::span<MotionHit> storage_;
    std::size_t count_ = 0;
};

/// A pair query with motions. Of `pair`, the matrices are those at t = 0, and these fields matter: a, b,
/// exactness, seed, parameters (of the continuous algorithm), scratch, stop. Create it with
/// make_continuous_query.
struct ContinuousQuery {
    PairQuery pair;   ///< the bodies, and how to answer
    Motion motion_a;  ///< of A
    Motion motion_b;  ///< of B
    /// Metres. An algorithm that is exact up to the tolerance reports every contact, and reports none where
    /// the bodies stay farther apart than the tolerance at all times. Algorithms that decide exactly ignore
    /// it.
    double tolerance = 1e-6;
    MotionHitSink* hits = nullptr;  ///< if not null: all contacts, where the algorithm finds them all
};

/// The answer to a continuous query. Points and directions are in the world frame, lengths in metres.
struct ContinuousResult {
    Verdict verdict = Verdict::undecided;    ///< colliding if there is contact at any t in [0, 1]
    Meaning meaning = Meaning::solid;        ///< what the verdict is about
    QueryStatus status = QueryStatus::done;  ///< whether the query ran to its end
    std::uint8_t rung = 1;         ///< 1 float or double without proof, 2 double with proven bounds, 3 exact
    std::uint32_t iterations = 0;  ///< of the main loop
    /// If colliding: there is no contact before time_low, and at time_high the bodies touch, or are closer
    /// than the tolerance for algorithms with one. Equal if the time is known to rounding. If separated: 1.
    double time_low = 0;
    double time_high = 1;   ///< see time_low
    bool at_start = false;  ///< colliding already at t = 0; then time_low = time_high = 0
    Vec3d point_w;          ///< place of the first contact, at time_high; not defined if at_start
    /// Unit, from A to B, at the contact. Zero if the contact defines none, such as deep overlap at t = 0.
    Vec3d normal_w;
    Feature feature_a;  ///< the part of A that touches first; of kind none at a start inside each other
    Feature feature_b;  ///< the part of B that touches first
    /// Whether the hulls of both frames' vertices of the two bodies intersect (IVRI-CD 5), if the algorithm
    /// decides this; else undecided.
    Verdict swept_hulls = Verdict::undecided;
    std::array<std::uint32_t, kMaxCounters> counters{};  ///< named by the descriptor
};

/// A query about two shapes that start at two matrices.
ContinuousQuery make_continuous_query(const Shape& a, const Matrix34f& world_from_a, const Motion& motion_a,
                                      const Shape& b, const Matrix34f& world_from_b, const Motion& motion_b,
                                      Scratch& scratch);

}  // namespace claybox::collision
