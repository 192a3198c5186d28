#pragma once
// What a touch does to the clay around it, apart from pushing.

#include "app/potter/clay_surface.hpp"
#include "app/potter/touch/falloff.hpp"
#include "collision/core/function_ref.hpp"

namespace claybox::app {

/// Clay around one touch.
struct EffectArea {
    const ClaySurface& surface;
    collision::Vec3f centre;
    float radius = 0;    ///< metres
    float strength = 0;  ///< 0 .. 1 per frame
    Falloff falloff = Falloff::smooth;
    /// Moves a vertex; the positions of `surface` change at once, its normals do not.
    collision::FunctionRef<void(std::uint32_t vertex, const collision::Vec3f& to)> move;
};

/// Each effect fades to nothing at the radius, and changes the touched side of a wall only. One frame moves
/// the clay so little that nothing folds. Effects that move clay inward leave a thin wall, so that no side of
/// it passes through the other.
void inflate(const EffectArea& area);  ///< outward along the normals
void deflate(const EffectArea& area);  ///< inward along the mean normal
/// Bumps and grooves up to half of the radius become weaker; neither a sphere nor the volume shrinks.
void smooth(const EffectArea& area);
void flatten(const EffectArea& area);  ///< towards the mean plane of the clay
void pinch(const EffectArea& area);    ///< towards the line through the centre along the mean normal
void crease(const EffectArea& area);   ///< the same, and inward: a sharp groove
/// Clay is added up to a layer above the mean plane, so that a stroke fills hollows and then builds up.
void add(const EffectArea& area);
void carve(const EffectArea& area);  ///< the opposite of add()

}  // namespace claybox::app
