#pragma once

#include "collision/core/vec.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace claybox::collision {

/// A triangle of a hull: outward, with the neighbours across (0,1), (1,2), (2,0).
struct HullFacet {
    std::array<std::uint32_t, 3> vertices;
    std::array<std::uint32_t, 3> neighbours;
};

/// The triangulated hull of different points, `start` naming four that are not in one plane. Quickhull with
/// exact decisions: every facet has every point on or behind its plane. Neighbouring facets may be coplanar,
/// and points in the middle of a flat side may or may not be vertices. Source: Barber, Dobkin, Huhdanpaa, The
/// quickhull algorithm, 1996; ours is exact, so it needs none of their merging against rounding.
std::vector<HullFacet> quickhull(std::span<const Vec3f> points, const std::array<std::uint32_t, 4>& start);

}  // namespace claybox::collision
