#pragma once
// Whether a point lies in a closed mesh, decided exactly by the parity of crossings of a ray from it. What is
// inside: the surface itself, and every point that an odd number of its sheets separates from infinity. The
// orientation of polygons does not matter; of meshes that cut themselves, what is covered twice is outside.

#include "collision/geometry/shape.hpp"

namespace claybox::collision {

/// A point of the world, exactly: `point` under a matrix, then of float32 coordinates; or as it stands.
struct ExactPlace {
    const Matrix34f* world_from_local = nullptr;
    Vec3d point;
};

struct Located {
    bool inside = false;
    Vec3d direction_w;        ///< of the ray
    std::uint32_t exact = 0;  ///< triangles that double arithmetic could not tell about
};

/// Tells about points against one closed mesh under one matrix. The ray runs along an axis of the mesh's own
/// frame, so that the boxes of polygons, as they are, leave out nearly all: O(polygons / kBoxRun) where they
/// are spread. A ray that meets an edge or a vertex counts as moved by an infinitesimal amount, the same for
/// all triangles. Allocates nothing but for integers above 512 bits.
class SolidLocator {
  public:
    /// Both must live as long. The mesh must be closed: every edge has two polygons.
    SolidLocator(const Geometry& geometry, const Matrix34f& world_from_local);

    Located locate(const ExactPlace& place) const;

    /// Coordinates in the mesh's frame, each off by at most `error`. Only where tame().
    struct Near {
        Vec3d q, error;
    };
    Near in_local(const ExactPlace& place) const;
    Near direction_in_local(const Vec3d& direction_w) const;
    /// Whether the matrix has an inverse that double can compute.
    bool tame() const { return tame_; }

  private:
    /// The inverse of the linear part on a vector that is off by at most `error`.
    Near undone(const Vec3d& y, double error) const;
    bool may_hold(const ExactPlace& place) const;

    const Geometry* geometry_;
    const Matrix34f* world_from_local_;
    Vec3d inverse_[3];   ///< rows of the inverse of the linear part, as good as double makes it
    Vec3d residual_[3];  ///< bounds of |inverse * linear - 1|
    bool tame_ = false;  ///< the residual is below 1/2, so that the linear part has an inverse
};

/// The same by all triangles in exact arithmetic, with a ray along `direction_w`, which must not be zero: for
/// checking.
bool contains(const Geometry& container, const Matrix34f& world_from_container, const ExactPlace& place,
              const Vec3d& direction_w);

/// A ray from q along an axis of the frame or against it.
struct AxisRay {
    Vec3d q;
    double error = 0;  ///< of the coordinates of q
    std::size_t axis = 0;
    bool backward = false;
};
enum class Crossing : unsigned char { none, one, on_surface, unknown };
/// Whether the ray crosses the inside of a triangle, where double arithmetic proves it; else unknown.
Crossing cross_near(const AxisRay& ray, const Vec3f& a, const Vec3f& b, const Vec3f& c);

/// Whether a surface has an inside: closed, and every edge in two polygons.
inline bool has_inside(const Classification& c) {
    return c.closed && c.manifold && c.polygons > 0;
}

}  // namespace claybox::collision
