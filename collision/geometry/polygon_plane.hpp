#pragma once
// Measures of polygons that need not be planar. Decisions are made elsewhere, exactly: these are numbers in
// double.

#include "collision/core/vec.hpp"

#include <cstdint>
#include <span>

namespace claybox::collision {

/// The plane that fits a polygon best. For a planar one: its plane.
struct PolygonPlane {
    Vec3d area;   ///< Newell's normal, as long as the polygon's area; zero when it has none
    Vec3d point;  ///< the mean of its corners, which lies in the plane
};

/// Source: Zachmann's thesis, 3.2, with the signs and the divisor put right (FIX-14): area = 1/2 sum of
/// v_i x v_(i+1), counter-clockwise outward; the mean divides by the number of corners.
PolygonPlane best_fit_plane(std::span<const Vec3f> positions, std::span<const std::uint32_t> loop);

/// The largest distance of a corner from the best-fit plane, metres; 0 for triangles and without area.
/// Source: thesis, 4.2.2, second method.
double bend_of(std::span<const Vec3f> positions, std::span<const std::uint32_t> loop);

/// Whether every corner is within `tolerance` metres of the best-fit plane. The exact decision is
/// Classification::planar_polygons.
bool is_flat(std::span<const Vec3f> positions, std::span<const std::uint32_t> loop, double tolerance);

/// Whether a polygon is bent by more than rounding, or careless computing, explains: it was meant to be bent.
bool is_bent_on_purpose(std::span<const Vec3f> positions, std::span<const std::uint32_t> loop);

/// The angle inside the solid, in (0, 2 pi) radians, at an edge `along` which runs counter-clockwise in the
/// polygon of outward normal n1 and clockwise in that of n2: below pi at a ridge, above it in a valley. The
/// normals need not be unit vectors. Replaces the thesis' half cosine, see FIX-33.
double dihedral_angle(const Vec3d& along, const Vec3d& n1, const Vec3d& n2);

}  // namespace claybox::collision
