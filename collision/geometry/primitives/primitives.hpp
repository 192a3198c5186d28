#pragma once
/// \file
/// Generated shapes: boxes, spheres, hulls of random points and others.

#include "collision/geometry/shape.hpp"

namespace claybox::collision {

/// The kinds of generated shapes.
enum class Primitive : unsigned char {
    box,             ///< a cube with divided faces
    tetrahedron,     ///< regular, with divided faces
    uv_sphere,       ///< rings of quadrangles between two poles
    ellipsoid_hull,  ///< hull of random points on an ellipsoid (a shape of Chung and Wang)
    rod_hull,        ///< hull of random points on a long thin ellipsoid
    plate_hull,      ///< hull of random points on a flat ellipsoid
    cylinder,        ///< around the axis y, with flat caps
    cone,            ///< around the axis y, tip upwards
    torus,           ///< around the axis y; the tube is 0.3 of the ball's radius
    hyperboloid,     ///< of one sheet around the axis y, with flat caps: a waist
    tetra_flake,     ///< a fractal of tetrahedra that touch at corners
};
/// Number of kinds.
inline constexpr int kPrimitiveCount = 11;

/// The names of a primitive.
struct PrimitiveInfo {
    const char* id;     ///< name on the command line, e.g. "uv_sphere"
    const char* title;  ///< label in panels, e.g. "Sphere"
    bool convex;        ///< whether the shape is convex at every size
};
/// The names of `primitive`.
const PrimitiveInfo& info(Primitive primitive);

/// The polygons of a primitive that fits a ball of radius 1 around the origin.
///
/// The mesh has the reachable polygon count nearest to `target_count`, which is clamped to 10 .. 1,000,000.
/// For the hull shapes, `target_count` is the number of vertices and `seed` selects the random samples;
/// others ignore `seed`.
PolygonList make_primitive(Primitive primitive, std::uint32_t target_count, std::uint64_t seed);

/// The same as a shape that fits a ball of `radius` metres. Error: a radius outside 1e-6 .. 1e6 m.
Result<ShapePtr> make_primitive_shape(Primitive primitive, std::uint32_t target_count, float radius,
                                      std::uint64_t seed);

}  // namespace claybox::collision
