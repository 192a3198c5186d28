#pragma once
// Traces of a pair algorithm, as lines and points over the scene and as rows of the Inspect card.

#include "app/panels/model.hpp"
#include "app/scenes/view.hpp"
#include "collision/core/trace_record.hpp"

namespace claybox::app {

/// Draws one step of the trace, and with `before` also the earlier steps in thin lines. Planes are squares
/// with a side of 2 * half_side metres.
void view_trace(const collision::TraceRecord& trace, std::size_t step, bool before, double half_side,
                SceneView& out);

/// Adds the step's numbers and how many items it has of each kind.
void add_step_rows(const collision::TraceRecord& trace, std::size_t step, std::vector<Inspection::Row>& rows);

}  // namespace claybox::app
