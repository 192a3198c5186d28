#pragma once
// What a pair algorithm told about itself, as lines and points over the scene and as rows of the Inspect
// card.

#include "app/panels/model.hpp"
#include "app/scenes/view.hpp"
#include "collision/core/trace_record.hpp"

namespace claybox::app {

/// Draws one step of the trace, and with `before` what led to it, thinner. Planes are drawn as squares of
/// twice `half_side` metres.
void view_trace(const collision::TraceRecord& trace, std::size_t step, bool before, double half_side,
                SceneView& out);

/// What the step has of each kind, and its numbers.
void tell_step(const collision::TraceRecord& trace, std::size_t step, std::vector<Inspection::Row>& rows);

}  // namespace claybox::app
