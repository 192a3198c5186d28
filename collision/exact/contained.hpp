#pragma once
// Decides exactly whether a point is inside a closed mesh, by the parity of the crossings of a ray from the
// point. Points on the surface are inside. Other points are inside if a ray to infinity crosses the surface
// an odd number of times. So the orientation of polygons does not matter, and regions that a
// self-intersecting mesh covers twice are outside.

#include "collision/geometry/shape.hpp"

namespace claybox::collision {

/// An exact point in the world. With a matrix: float32 coordinates under that matrix. Without: world
/// coordinates.
struct ExactPoint {
    const Matrix34f* world_from_local = nullptr;
    Vec3d coordinates;
};

struct PointLocation {
    bool inside = false;
    Vec3d direction_w;        ///< direction of the ray
    std::uint32_t exact = 0;  ///< number of triangles that needed exact arithmetic
};

/// Locates points relative to one closed mesh under one matrix.
///
/// The ray is parallel to an axis of the mesh's frame, so the unrotated boxes of the polygons exclude nearly
/// all of them: O(polygons / kBoxRun) if the polygons are spread out. If the ray hits an edge or a vertex, it
/// is moved symbolically by an infinitesimal amount, the same for all triangles. Allocates only for integers
/// above 512 bits.
class SolidLocator {
  public:
    /// Both arguments must outlive the locator. The mesh must be closed: every edge has two polygons.
    SolidLocator(const Geometry& geometry, const Matrix34f& world_from_local);

    PointLocation locate(const ExactPoint& point) const;

    /// Coordinates in the mesh's frame; each is within `error` of the exact one.
    struct LocalPoint {
        Vec3d q, error;
    };
    /// Both conversions require is_invertible().
    LocalPoint to_local(const ExactPoint& point) const;
    LocalPoint direction_to_local(const Vec3d& direction_w) const;
    /// Whether the matrix has an inverse that double arithmetic can compute.
    bool is_invertible() const { return invertible_; }

  private:
    /// Multiplies a vector, whose coordinates are within `error` of the exact ones, by the inverse linear
    /// part.
    LocalPoint apply_inverse(const Vec3d& y, double error) const;
    bool may_contain(const ExactPoint& point) const;

    const Geometry* geometry_;
    const Matrix34f* world_from_local_;
    Vec3d inverse_[3];         ///< rows of the inverse of the linear part, rounded
    Vec3d residual_[3];        ///< bounds of |inverse * linear - 1|
    bool invertible_ = false;  ///< true if the residual is at most 1/2, which proves that an inverse exists
};

/// The same, tested against all triangles in exact arithmetic, with a ray along `direction_w` (not zero). For
/// checking certificates.
bool contains(const Geometry& container, const Matrix34f& world_from_container, const ExactPoint& point,
              const Vec3d& direction_w);

/// A ray from q along an axis of the frame, in positive or negative direction.
struct AxisRay {
    Vec3d q;
    double error = 0;  ///< bound on the error of q's coordinates
    std::size_t axis = 0;
    bool backward = false;
};
enum class Crossing : unsigned char { none, one, on_surface, unknown };
/// Whether the ray crosses the interior of a triangle. Returns `unknown` if double arithmetic proves neither.
Crossing filter_crossing(const AxisRay& ray, const Vec3f& a, const Vec3f& b, const Vec3f& c);

/// Whether a surface has an inside: it is closed and every edge has two polygons.
inline bool has_inside(const Classification& c) {
    return c.closed && c.manifold && c.polygons > 0;
}

}  // namespace claybox::collision
