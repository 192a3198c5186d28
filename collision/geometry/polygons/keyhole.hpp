#pragma once

#include "collision/geometry/polyhedron.hpp"

namespace claybox::collision {

/// Computes topology.outlines: the simple loops of polygons whose boundary visits a vertex twice. Drops
/// bridges. Linear in the number of corners.
void find_outlines(Topology& topology, std::span<const Vec3f> positions);

}  // namespace claybox::collision
