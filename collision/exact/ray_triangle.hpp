#pragma once
// Finds the first common point of a ray and a closed triangle: in double with a proven error bound if that
// suffices, else in integers. A triangle of zero area is the segment or point that it spans. Both sides
// count, and edges and corners belong to the triangle, so no ray slips through between adjacent triangles.

#include "collision/exact/edge_triangle.hpp"
#include "collision/exact/number.hpp"
#include "collision/geometry/ray.hpp"

namespace claybox::collision {

/// A ray in any frame, with bounds on the errors of its coordinates. t is the same in every frame.
struct NearRay {
    Ray ray;
    double origin_error = 0, direction_error = 0;
};

struct RayTriangleFilter {
    EdgeTriangleSign sign = EdgeTriangleSign::unknown;
    double t = 0, t_error = 0;  ///< of a hit: |exact - t| <= t_error
};

/// Tests in double. The corners are exact, in the ray's frame.
RayTriangleFilter filter_ray_triangle(const NearRay& ray, const Vec3f& a, const Vec3f& b, const Vec3f& c);

/// The first common point, at t = part / whole with part >= 0 and whole > 0.
struct RayIntersection {
    bool hit = false;
    Integer part = 0, whole = 1;
};

/// Decides in integers; always right. The ray must be valid according to check().
RayIntersection intersect_exact(const Ray& ray, const ExactTriangle& triangle);

/// The intersection at exactly t >= 0.
RayIntersection ray_intersection_at(double t);
/// The sign of a.t - b.t.
int compare(const RayIntersection& a, const RayIntersection& b);
/// t in double, with a relative error below kRayIntersectionError.
double to_double(const RayIntersection& at);
inline constexpr double kRayIntersectionError = 0x1p-48;

}  // namespace claybox::collision
