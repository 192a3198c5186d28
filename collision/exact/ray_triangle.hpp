#pragma once
// Where a ray first meets a closed triangle: in double with a proven bound where that decides, else in
// integers. A triangle of zero area is the segment or point that it spans. Both sides count, and so do edges
// and corners: nothing slips through where triangles share them.

#include "collision/exact/edge_triangle.hpp"
#include "collision/exact/number.hpp"
#include "collision/geometry/ray.hpp"

namespace claybox::collision {

/// A ray in some frame: its coordinates are off by these at most, and t is the same in every frame.
struct NearRay {
    Ray ray;
    double origin_error = 0, direction_error = 0;
};

struct RayTriangleFilter {
    EdgeTriangleSign sign = EdgeTriangleSign::unknown;
    double t = 0, t_error = 0;  ///< of a hit: |exact - t| <= t_error
};

/// Corners as they are in the ray's frame.
RayTriangleFilter filter_ray_triangle(const NearRay& ray, const Vec3f& a, const Vec3f& b, const Vec3f& c);

/// The first common point, at t = part / whole with part >= 0 and whole > 0.
struct RayMeeting {
    bool hit = false;
    Integer part = 0, whole = 1;
};

/// Always right; for rays that check() lets pass.
RayMeeting meet_exact(const Ray& ray, const ExactTriangle& triangle);

/// A number t >= 0 as it stands.
RayMeeting meeting_at(double t);
/// The sign of a.t - b.t.
int compare(const RayMeeting& a, const RayMeeting& b);
/// t with a relative error below kMeetingError.
double to_double(const RayMeeting& meeting);
inline constexpr double kMeetingError = 0x1p-48;

}  // namespace claybox::collision
