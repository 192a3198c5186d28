#pragma once
// The library of 20 convex objects of IVRI-CD, section 6: from a tetrahedron of 4 vertices to a sphere of
// 264, with random segments that are revolved about an axis.

#include "collision/geometry/shape.hpp"

#include <cstdint>
#include <vector>

namespace claybox::bench {

struct LibraryObject {
    const char* name;
    collision::ShapePtr shape;  ///< bounding ball of radius 0.5 around the origin
};

/// 20 objects by growing number of vertices. Equal seeds give equal objects on every machine with the same
/// sine and cosine.
collision::Result<std::vector<LibraryObject>> make_library(std::uint64_t seed);

}  // namespace claybox::bench
