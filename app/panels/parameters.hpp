#pragma once

#include "collision/core/parameter.hpp"
#include "engine/ui/widgets.hpp"

namespace claybox::app {

/// How a parameter is shown: metres below two as millimetres, radians as degrees, short seconds as
/// milliseconds.
engine::SliderSpec slider_spec(const collision::Parameter& parameter);

/// Draws a row for each parameter of a table. Returns the index of the one that changed, or table.size().
std::size_t parameter_rows(engine::Ui& ui, std::span<const collision::Parameter> table,
                           collision::ParameterValues& values);

}  // namespace claybox::app
