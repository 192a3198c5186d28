#pragma once
/// \file
/// Measurements of polygons that may be bent, in double. Exact decisions are in classification.hpp.

#include "collision/core/vec.hpp"

#include <cstdint>
#include <span>

namespace claybox::collision {

/// The best-fit plane of a polygon; for a planar polygon, its plane.
struct PolygonPlane {
    Vec3d area;   ///< Newell's normal; its length is the polygon's area, zero for a polygon without area
    Vec3d point;  ///< the mean of the corners; it is in the plane
};

/// The best-fit plane of the polygon with the vertex indices `loop`. Source: Zachmann's thesis, 3.2, with
/// corrected signs and divisor (FIX-14): area = 1/2 sum of v_i x v_(i+1), outward for counter-clockwise
/// polygons; the mean divides by the number of corners.
PolygonPlane best_fit_plane(std::span<const Vec3f> positions, std::span<const std::uint32_t> loop);

/// The largest distance of a corner from the best-fit plane, metres. Zero for triangles and polygons without
/// area. Source: thesis, 4.2.2, second method.
double bend_of(std::span<const Vec3f> positions, std::span<const std::uint32_t> loop);

/// Whether every corner is within `tolerance` metres of the best-fit plane. The exact decision is
/// Classification::planar_polygons.
bool is_flat(std::span<const Vec3f> positions, std::span<const std::uint32_t> loop, double tolerance);

/// Whether a polygon is bent by more than rounding and imprecise modelling explain, so it was meant to be
/// bent: by more than 1/1024 of its size, plus 4 * 2^-23 of its largest coordinate.
bool is_bent_on_purpose(std::span<const Vec3f> positions, std::span<const std::uint32_t> loop);

/// The dihedral angle inside the solid at an edge, in (0, 2 pi) radians: below pi at a convex edge, above pi
/// at a reflex edge. The edge direction `along` is counter-clockwise in the polygon with outward normal n1
/// and clockwise in the polygon with outward normal n2. The normals need not be unit vectors. Replaces the
/// thesis' half cosine, see FIX-33.
double dihedral_angle(const Vec3d& along, const Vec3d& n1, const Vec3d& n2);

}  // namespace claybox::collision
