#pragma once

#include "collision/core/vec.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace claybox::collision {

/// A triangle of a hull, counter-clockwise seen from outside. Its neighbours are across (0,1), (1,2), (2,0).
struct HullFacet {
    std::array<std::uint32_t, 3> vertices;
    std::array<std::uint32_t, 3> neighbours;
};

/// The triangulated hull of distinct points. `start` holds the indices of four points that are not coplanar.
/// Quickhull with exact decisions: every point is on or behind the plane of every facet. Neighbouring facets
/// may be coplanar, and points inside a flat face may or may not be vertices. Source: Barber, Dobkin,
/// Huhdanpaa, The quickhull algorithm, 1996. Our decisions are exact, so it needs none of their facet merging
/// against rounding.
std::vector<HullFacet> quickhull(std::span<const Vec3f> points, const std::array<std::uint32_t, 4>& start);

}  // namespace claybox::collision
