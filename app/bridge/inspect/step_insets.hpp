#pragma once
// What an algorithm's step looks like elsewhere than in the scene: in the difference A - B, on the sphere of
// directions, in its own picture, and as counts per level.

#include "app/bridge/inspect/difference_body.hpp"
#include "app/scenes/view.hpp"
#include "collision/core/trace_record.hpp"

namespace claybox::app {

/// How to look at a space: unit vectors to the right, up and towards the eye. The same as the scene's camera,
/// so both pictures agree.
struct ViewAxes {
    collision::Vec3d right{1, 0, 0}, up{0, 1, 0}, towards{0, 0, 1};
};

/// Whether a step of the trace has items in this space.
bool has_space(const collision::TraceRecord& trace, collision::TraceSpace space);

/// The difference with the items of a step, and with `before` also those of the earlier steps.
ViewInset difference_inset(const collision::TraceRecord& trace, std::size_t step, bool before,
                           const DifferenceBody& body, const ViewAxes& axes);
/// The unit sphere with the directions of a step.
ViewInset directions_inset(const collision::TraceRecord& trace, std::size_t step, const ViewAxes& axes);

/// Appends the insets that the trace of a pair algorithm has at this step. `body` must be up to date if the
/// trace has items in the difference.
void add_step_insets(const collision::TraceRecord& trace, std::size_t step, bool before,
                     const DifferenceBody& body, const ViewAxes& axes, std::vector<ViewInset>& out);

/// The time of a step, a share of the motion: of its own or of the last step before that has one; else 0.
double time_of_step(const collision::TraceRecord& trace, std::size_t step);

}  // namespace claybox::app
