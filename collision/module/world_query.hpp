#pragma once
// Questions to a world: what a ray, a point, a box or a shape meets, and what is closest. All answers are
// exact in the end; touching counts; a body with an inside (closed and manifold) is a solid, any other its
// surface.

#include "collision/core/ids.hpp"
#include "collision/geometry/ray.hpp"
#include "collision/geometry/shape.hpp"

#include <limits>
#include <variant>

namespace claybox::collision {

/// Which bodies are asked.
struct QueryFilter {
    std::uint64_t groups = ~std::uint64_t{0};  ///< bit g: bodies of group g
    BodyId excluded;                           ///< this one is not
};

/// Surfaces along a ray. Bodies without polygons have none.
struct RayQuery {
    enum class Want : unsigned char {
        first,  ///< the first hit; of bodies hit at exactly the same place the lowest slot
        any,    ///< whether there is one: a hit that names no body
        all,    ///< the first hit on every body, in exact order, then by slot
    };
    Ray ray;  ///< metres, in the world
    Want want = Want::first;
    double reach = std::numeric_limits<double>::infinity();  ///< hits with t <= reach, exactly
    bool from_inside = false;  ///< a body with an inside in which the ray starts is hit at t = 0
};

/// Bodies that hold a point: in their inside or on their surface. By slot.
struct PointQuery {
    Vec3d point_w;
};

/// Bodies that have a point in common with a box along the axes. By slot.
struct BoxQuery {
    Aabb box_w;
};

/// Bodies that have a point in common with a shape. By slot.
struct ShapeQuery {
    ShapePtr shape;
    Pose pose;
};

/// The body closest to a shape, or to the pose's translation where there is none; both are placed like
/// bodies, by the pose rounded to float32. The distance of bodies that overlap is 0. Of equal distances the
/// lowest slot. Distances are those of PairResult, doubles: bodies whose distances differ by less than their
/// rounding may change places.
struct ClosestQuery {
    ShapePtr shape;
    Pose pose;
    double reach = std::numeric_limits<double>::infinity();  ///< bodies not farther away
};

struct WorldQuery {
    std::variant<RayQuery, PointQuery, BoxQuery, ShapeQuery, ClosestQuery> what;
    QueryFilter filter;
};

/// Makes rotations of unit length. Refuses what check(Ray) refuses, numbers that are not finite or
/// beyond kMaxMagnitude, a negative reach, an empty box, and a missing shape.
Status make_good(WorldQuery& query);

struct QueryHit {
    BodyId body;             ///< as of the pass that answered; it may be gone since
    std::uint64_t data = 0;  ///< BodyDef::data
    // Of rays:
    double t = 0, t_error = 0;          ///< the exact parameter is within t_error of t
    std::uint32_t triangle = kNoIndex;  ///< of the topology: of equal ones the lowest; none for an inside
    Vec3d normal_w;                     ///< of its polygon, outward, unit length; zero where it has none
    // Of the closest body:
    double distance = 0;  ///< metres
    Vec3d from_w;         ///< the closest point of the shape
    // Of both:
    Vec3d point_w;  ///< on the body, rounded
    friend bool operator==(const QueryHit&, const QueryHit&) = default;
};

/// What became of a query that was asked for a pass.
struct Answer {
    std::uint64_t ticket = 0;
    std::uint64_t frame = 0;                     ///< the published frame that the pass took
    std::uint32_t first_hit = 0, hit_count = 0;  ///< in EventBatch::answer_hits
};

}  // namespace claybox::collision
