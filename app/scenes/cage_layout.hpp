#pragma once
// Where the cage's bodies start, which shapes they take and how they are coloured.

#include "collision/core/random.hpp"
#include "collision/geometry/shape.hpp"

#include <span>
#include <vector>

namespace claybox::app {

inline constexpr int kPaletteSize = 8;

/// A shape that several bodies share, with the radius of the ball about the origin that holds it.
struct CageKind {
    collision::ShapePtr shape;
    float radius = 0;
    double volume = 0;  ///< cubic metres
};

struct CageMix {
    int bodies = 40;
    int choice = 0;  ///< 0 mixed, else primitive number choice - 1
    int detail = 24;
    double fill = 0.05;   ///< share of the cage's volume that the bodies take
    double spread = 0.4;  ///< sizes vary by this share to both sides
    /// People's own; where there are any, bodies take these, scaled, instead of `choice`.
    std::span<const collision::ShapePtr> meshes = {};
};

/// Shapes for the bodies, and for each body which one; sized so that the bodies fill the wished share of
/// `box` where the largest still fits with room to move.
struct CageShapes {
    std::vector<CageKind> kinds;
    std::vector<std::uint32_t> kind_of_body;
};
collision::Result<CageShapes> make_cage_shapes(const CageMix& mix, const collision::Aabb& box,
                                               std::uint64_t seed);

/// Centres of balls inside the box that do not overlap where they fit; when the box is too full a ball goes
/// where it overlaps least among its tries.
std::vector<collision::Vec3d> place_balls(std::span<const float> radii, const collision::Aabb& box,
                                          std::uint64_t seed);

/// A palette step per point: a point and its four nearest take different steps, and those four differ from
/// each other, as far as eight colours allow.
std::vector<std::uint8_t> colour_apart(std::span<const collision::Vec3d> points, std::uint64_t seed);

}  // namespace claybox::app
