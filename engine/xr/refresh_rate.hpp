#pragma once
// How often the display shows a picture, where the runtime lets a program choose.

#include "engine/xr/instance.hpp"

#include <span>

namespace claybox::engine {

/// The highest of those offered that is not above 90 Hz, the rate that everything is measured for; when all
/// are above it the lowest. 0 when none is offered.
float preferred_rate(std::span<const float> offered);

/// Asks for that rate where the runtime lists XR_FB_display_refresh_rate. One that refuses keeps its own.
void request_rate(const Instance& instance, ::XrSession session, CallWatch& watch);

}  // namespace claybox::engine
