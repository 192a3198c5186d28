#pragma once
// Start positions, shapes and colours of the bodies in the cage.

#include "collision/core/random.hpp"
#include "collision/geometry/shape.hpp"

#include <span>
#include <vector>

namespace claybox::app {

/// A shape shared by several bodies, with the radius of its bounding sphere about the origin.
struct CageKind {
    collision::ShapePtr shape;
    float radius = 0;
    double volume = 0;  ///< cubic metres
};

struct CageMix {
    int bodies = 40;
    int choice = 0;  ///< 0 mixed, else primitive number choice - 1
    int detail = 24;
    double fill = 0.05;   ///< share of the cage volume that the bodies fill
    double spread = 0.4;  ///< sizes vary by this share up and down
    /// The user's meshes; if there are any, bodies use these, scaled, instead of `choice`.
    std::span<const collision::ShapePtr> meshes = {};
};

/// Shapes, and the shape of each body. Sized so that the bodies fill the requested share of `box`, as long as
/// the largest one has room to move.
struct CageShapes {
    std::vector<CageKind> kinds;
    std::vector<std::uint32_t> kind_of_body;  ///< ascending
};
collision::Result<CageShapes> make_cage_shapes(const CageMix& mix, const collision::Aabb& box,
                                               std::uint64_t seed);

/// Centres of balls inside the box, without overlap if possible. In a full box, a ball gets the try with the
/// least overlap.
std::vector<collision::Vec3d> place_balls(std::span<const float> radii, const collision::Aabb& box,
                                          std::uint64_t seed);

/// A palette step per point. A point and its four nearest neighbours all get different colours, as far as
/// eight colours allow.
std::vector<std::uint8_t> colour_apart(std::span<const collision::Vec3d> points, std::uint64_t seed);

}  // namespace claybox::app
