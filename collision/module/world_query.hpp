#pragma once
/// \file
/// Queries to a world: intersection with a ray, a point, a box or a shape, and the closest body. Answers are
/// exact; touching counts. A body with an inside (closed and manifold) is a solid, any other is its surface.
/// Details: docs/reference/queries.md.

#include "collision/core/ids.hpp"
#include "collision/geometry/ray.hpp"
#include "collision/geometry/shape.hpp"

#include <limits>
#include <variant>

namespace claybox::collision {

/// Which bodies a query considers.
struct QueryFilter {
    std::uint64_t groups = ~std::uint64_t{0};  ///< bit g selects the bodies of group g
    BodyId excluded;                           ///< one body to ignore
};

/// Hits surfaces along a ray; a point or a segment if the ray passes exactly through it.
struct RayQuery {
    /// How much the query reports.
    enum class Want : unsigned char {
        first,  ///< the first hit; the lowest slot when several bodies are hit at exactly the same place
        any,    ///< whether a hit exists: one QueryHit that names no body
        all,    ///< the first hit on every body, in exact order, then by slot
    };
    Ray ray;                                                 ///< metres, in the world
    Want want = Want::first;                                 ///< how much to report
    double reach = std::numeric_limits<double>::infinity();  ///< hits with t <= reach, exactly
    bool from_inside = false;  ///< a solid that contains the ray's origin is hit at t = 0
};

/// Bodies that contain a point, inside or on the surface. Ordered by slot.
struct PointQuery {
    Vec3d point_w;  ///< metres
};

/// Bodies that intersect an axis-aligned box. Ordered by slot.
struct BoxQuery {
    Aabb box_w;  ///< metres; not empty
};

/// Bodies that intersect a shape. Ordered by slot.
struct ShapeQuery {
    ShapePtr shape;  ///< never null
    Pose pose;       ///< of the shape in the world, rounded to float32 as for bodies
};

/// The body closest to a shape, or to the pose's translation when `shape` is null. The pose is rounded to
/// float32 as for bodies. Overlapping bodies have distance 0; of equal distances the lowest slot wins.
/// Distances are the doubles of PairResult: bodies whose distances differ by less than the rounding error may
/// swap places.
struct ClosestQuery {
    ShapePtr shape;                                          ///< null: a point
    Pose pose;                                               ///< of the shape in the world
    double reach = std::numeric_limits<double>::infinity();  ///< maximum distance, metres
};

/// A question about the bodies of a world.
struct WorldQuery {
    std::variant<RayQuery, PointQuery, BoxQuery, ShapeQuery, ClosestQuery> spec;  ///< the question
    QueryFilter filter;                                                           ///< about which bodies
};

/// Validates a query, and normalises its rotation. Errors: an invalid ray (check(Ray)), numbers that are not
/// finite or exceed kMaxMagnitude, a negative reach, an empty box, a missing shape.
Status validate(WorldQuery& query);

/// One body that answers a query.
struct QueryHit {
    BodyId body;             ///< as of the answering pass; it may have been removed since
    std::uint64_t data = 0;  ///< BodyDef::data
    // Ray queries:
    double t = 0;                       ///< ray parameter of the hit, rounded
    double t_error = 0;                 ///< the exact ray parameter is within t_error of t
    std::uint32_t triangle = kNoIndex;  ///< of the topology, the lowest of equal ones; kNoIndex for an inside
    Vec3d normal_w;                     ///< of the polygon: outward, unit length; zero if undefined
    // Closest-body queries:
    double distance = 0;  ///< metres
    Vec3d from_w;         ///< closest point on the query shape
    // Both:
    Vec3d point_w;  ///< point on the body, rounded
    /// Whether all fields are equal.
    friend bool operator==(const QueryHit&, const QueryHit&) = default;
};

/// The answer to a query that was submitted for a pass.
struct Answer {
    std::uint64_t ticket = 0;     ///< as World::submit_query returned it
    std::uint64_t frame = 0;      ///< the published frame that the pass processed
    std::uint32_t first_hit = 0;  ///< start of a range in EventBatch::answer_hits
    std::uint32_t hit_count = 0;  ///< length of that range
};

}  // namespace claybox::collision
