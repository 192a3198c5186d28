#pragma once

#include "collision/core/parameter.hpp"
#include "engine/ui/widgets.hpp"

namespace claybox::app {

/// How a parameter is shown: metres below two as millimetres, radians as degrees, short seconds as
/// milliseconds.
engine::SliderSpec slider_spec(const collision::Parameter& parameter);

/// Draws a row for each of the parameters first .. end of a table. True when a value changed.
bool parameter_rows(engine::Ui& ui, std::span<const collision::Parameter> table,
                    collision::ParameterValues& values, std::size_t first, std::size_t end);

}  // namespace claybox::app
