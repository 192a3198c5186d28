#pragma once
// Random pairs of clean and dirty meshes near contact. A pair depends only on the seed and its number.

#include "collision/core/random.hpp"
#include "collision/geometry/shape.hpp"

#include <vector>

namespace claybox::test {

struct MeshShape {
    collision::ShapePtr shape;
    bool on_grid = false;  ///< coordinates are small multiples of 1/8
};

/// A random mesh of one of three kinds: a primitive; a primitive with missing, duplicate, flipped or bent
/// polygons; or a soup of triangles and larger polygons on few points, some without area, some duplicated.
/// Every other mesh is on a grid.
MeshShape random_mesh(collision::Random& random);

struct MeshPair {
    const MeshShape* a = nullptr;
    const MeshShape* b = nullptr;
    collision::Matrix34f world_from_a, world_from_b;
    collision::Matrix34f earlier_b;  ///< close to world_from_b, to warm the cache
    collision::Geometry deformed_a;  ///< if `touched` is not empty: A with some vertices moved
    std::vector<std::uint32_t> touched;
};

/// A pair in one of these placements: 10^-1 to 10^-8 of the size on either side of first contact; both on the
/// grid, with coinciding corners, edges and faces; B at the place of A; a small B inside A's box. Matrices
/// are rigid, scaled by up to 2^60 either way, sheared, mirrored or flat.
MeshPair random_mesh_pair(collision::Random& random, const std::vector<MeshShape>& shapes);

}  // namespace claybox::test
