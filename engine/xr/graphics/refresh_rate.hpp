#pragma once
// The display's refresh rate, where the runtime lets a program choose it.

#include "engine/xr/runtime.hpp"

#include <span>

namespace claybox::engine {

/// The highest offered rate up to 90 Hz, the rate that everything is measured for; the lowest when all are
/// above; 0 when none is offered.
float preferred_rate(std::span<const float> offered);

/// Requests that rate if the runtime lists XR_FB_display_refresh_rate. A refusal changes nothing.
void request_rate(const XrRuntime& runtime, ::XrSession session, CallWatch& watch);

}  // namespace claybox::engine
