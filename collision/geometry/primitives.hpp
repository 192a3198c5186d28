#pragma once
// The start shapes. Each function takes a wish for the polygon count and returns the nearest reachable count.

#include "collision/geometry/shape.hpp"

namespace claybox::collision {

enum class Primitive : unsigned char {
    box,
    tetrahedron,
    uv_sphere,
    ellipsoid_hull,  ///< hull of random points on an ellipsoid (Chung and Wang's shape)
    rod_hull,        ///< thin rod, likewise
    plate_hull,      ///< flat plate, likewise
    cylinder,
    cone,
    torus,
    hyperboloid,
    tetra_flake,
};
inline constexpr int kPrimitiveCount = 11;

struct PrimitiveInfo {
    const char* id;     ///< "uv_sphere"
    const char* title;  ///< "Sphere"
    bool convex;
};
const PrimitiveInfo& info(Primitive primitive);

/// Polygons of a primitive that fits a ball of radius 1 about the origin, at the reachable polygon count
/// nearest to `wish` (10 to 1,000,000; a box always has 6 or subdivides its faces, and so on). Hull shapes
/// read `wish` as the vertex count of the hull and draw samples from `seed`.
PolygonList make_primitive(Primitive primitive, std::uint32_t wish, std::uint64_t seed);

/// The same as a shape, scaled by `radius` metres.
Result<ShapePtr> make_primitive_shape(Primitive primitive, std::uint32_t wish, float radius,
                                      std::uint64_t seed);

}  // namespace claybox::collision
