#pragma once
// Common parts of the scenes that show how an algorithm works on one pair of bodies.

#include "app/scenes/step.hpp"
#include "app/scenes/view.hpp"
#include "collision/module/world.hpp"

namespace claybox::app {

struct PairBody {
    collision::BodyId id;
    collision::Pose pose;
    std::uint64_t mesh = 0;
};

/// Moves both bodies to their poses, runs the frame and reports when a collision begins or ends. `who` names
/// the pair.
void step_pair(collision::World& world, std::uint64_t frame, const PairBody& first, const PairBody& second,
               collision::EventBatch& batch, const char* who, StepOutput& output);

/// Draws both bodies with picks 0 and 1.
void view_pair(const PairBody& first, const PairBody& second, bool colliding, float tint, SceneView& out);

}  // namespace claybox::app
