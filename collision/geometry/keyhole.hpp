#pragma once

#include "collision/geometry/polyhedron.hpp"

namespace claybox::collision {

/// Fills topology.outlines: the simple loops of polygons whose boundary comes back to a vertex. Bridges that
/// are walked there and back fall away. Linear in the number of corners.
void find_outlines(Topology& topology, std::span<const Vec3f> positions);

}  // namespace claybox::collision
