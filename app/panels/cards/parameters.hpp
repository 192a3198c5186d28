#pragma once

#include "collision/core/parameter.hpp"
#include "engine/ui/widgets/widgets.hpp"

namespace claybox::app {

/// Display of a parameter: metres up to 2 as millimetres, radians as degrees, seconds up to 1 as
/// milliseconds.
engine::SliderSpec slider_spec(const collision::Parameter& parameter);

/// Draws a row for each of the parameters [first, end) of a table. True when a value changed.
bool parameter_rows(engine::Ui& ui, std::span<const collision::Parameter> table,
                    collision::ParameterValues& values, std::size_t first, std::size_t end);

}  // namespace claybox::app
