#pragma once
// Well-known solids with few, large polygons that are easy to tell apart.

#include "collision/geometry/shape.hpp"

namespace claybox::app {

enum class Solid : unsigned char {
    dodecahedron,
    truncated_octahedron,
    ball,  ///< hull of `corners` evenly distributed points
    cube,
    rhombic_dodecahedron,
    icosahedron,
    hexagonal_rod,
    cuboctahedron,
    octahedron,
    octagonal_slab,
};
inline constexpr int kSolidCount = 10;

/// A solid about the origin, within a ball of about this radius. The radius is rounded down so that all faces
/// stay exactly flat. `corners` and `seed` matter only for Solid::ball.
collision::Result<collision::ShapePtr> make_solid(Solid solid, int corners, float radius, std::uint64_t seed);

}  // namespace claybox::app
