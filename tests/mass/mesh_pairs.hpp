#pragma once
// Random pairs of meshes near contact, clean and dirty, the same for the same seed and number.

#include "collision/core/random.hpp"
#include "collision/geometry/shape.hpp"

#include <vector>

namespace claybox::test {

struct MeshShape {
    collision::ShapePtr shape;
    bool on_grid = false;  ///< coordinates are small multiples of 1/8
};

/// A primitive, one that lost, repeated, turned or bent polygons, or a soup: triangles and larger polygons on
/// few points, some without area, some twice. Every other one on a grid.
MeshShape random_mesh(collision::Random& random);

struct MeshPair {
    const MeshShape* a = nullptr;
    const MeshShape* b = nullptr;
    collision::Matrix34f world_from_a, world_from_b;
    collision::Matrix34f earlier_b;  ///< near the other, for a cache that is warm from another placement
    collision::Geometry deformed_a;  ///< of A with some vertices moved, when `touched` is not empty
    std::vector<std::uint32_t> touched;
};

/// One of: 10^-1 to 10^-8 of the size on either side of first contact; both upright on the grid with corners,
/// edges and faces together; B in the place of A; B small and somewhere in A's box. Matrices are rigid,
/// scaled by up to 2^60 either way, sheared, mirrored or flat.
MeshPair random_mesh_pair(collision::Random& random, const std::vector<MeshShape>& shapes);

}  // namespace claybox::test
