#pragma once
// The first intersection of a ray with the exact surface of a body: its float32 vertices under its float32
// matrix. Triangles are closed and two-sided. No ray slips through an edge or a vertex; touching counts.

#include "collision/geometry/ray.hpp"
#include "collision/geometry/shape.hpp"

namespace claybox::collision {

class MeshBvh;

struct RayBody {
    const Geometry* geometry = nullptr;
    const Matrix34f* world_from_body = nullptr;
    const MeshBvh* tree = nullptr;  ///< of this geometry; null: tests the boxes of all polygons
};

struct SurfaceHit {
    double t = 0, t_error = 0;  ///< the exact parameter is within t_error of t
    std::uint32_t triangle = kNoIndex;
};

struct RayCounts {
    std::uint64_t boxes = 0;      ///< tested; four at once count as four
    std::uint64_t triangles = 0;  ///< tested
    std::uint64_t exact = 0;      ///< triangles and comparisons decided by integers
};

enum class RayWant : unsigned char {
    first,  ///< of equal hits, the triangle with the lowest index
    any,    ///< any hit
};

/// Finds a hit with 0 <= t <= end, decided exactly; `end` may be infinite. False if there is none. The ray
/// must have passed check(). The answer does not depend on the order of the tests. Allocates only for
/// integers above 512 bits.
bool find_surface_hit(const Ray& ray, const RayBody& body, double end, RayWant want, SurfaceHit& out,
                      RayCounts& counts);

/// The sign of the difference of the exact ray parameters of two hits.
int compare_hits(const Ray& ray, const RayBody& body_a, const SurfaceHit& a, const RayBody& body_b,
                 const SurfaceHit& b);

}  // namespace claybox::collision
