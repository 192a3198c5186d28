#pragma once
// Well-known solids for the mixed cage: few, large polygons that can be told apart at a glance.

#include "collision/geometry/shape.hpp"

namespace claybox::app {

enum class Solid : unsigned char {
    dodecahedron,
    truncated_octahedron,
    ball,  ///< hull of evenly spread points, as many as `corners`
    cube,
    rhombic_dodecahedron,
    icosahedron,
    hexagonal_rod,
    cuboctahedron,
    octahedron,
    octagonal_slab,
};
inline constexpr int kSolidCount = 10;

/// About the origin, within a ball of the radius; which is rounded so that flat faces stay exactly flat.
collision::Result<collision::ShapePtr> make_solid(Solid solid, int corners, float radius, std::uint64_t seed);

}  // namespace claybox::app
