#pragma once
// The feature of a convex body that a contact lies in.

#include "collision/continuous/query.hpp"

#include <span>

namespace claybox::collision {

/// The vertex, edge or polygon of the body's topology that contains these hull vertices (one to five; equal
/// ones may repeat). If no edge and no polygon has them all, the polygon around one of them that faces
/// `outward_w` most.
Feature feature_of(const PairBody& body, std::span<const std::uint32_t> hull_vertices,
                   const Vec3d& outward_w);

}  // namespace claybox::collision
