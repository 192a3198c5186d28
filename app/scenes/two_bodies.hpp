#pragma once
// What scenes about one pair of bodies share: they show how an algorithm sees the two.

#include "app/scenes/step.hpp"
#include "app/scenes/view.hpp"
#include "collision/module/world.hpp"

namespace claybox::app {

/// One of the two: where it is in the world and what it looks like.
struct OneOfTwo {
    collision::BodyId id;
    collision::Pose pose;
    std::uint64_t mesh = 0;
};

/// Moves both to their poses, ends the frame and tells when they begin or end to collide; `who` names the
/// pair.
void step_two(collision::World& world, std::uint64_t frame, const OneOfTwo& first, const OneOfTwo& second,
              collision::EventBatch& batch, const char* who, StepOutput& output);

/// Draws both; what picks them is 0 and 1.
void view_two(const OneOfTwo& first, const OneOfTwo& second, bool colliding, float tint, SceneView& out);

}  // namespace claybox::app
