#pragma once

#include <string>

namespace claybox::engine {

struct XrProbe {
    bool runtime = false;  ///< an OpenXR runtime answered
    bool headset = false;  ///< and it has a head-mounted display that OpenGL can draw for
    std::string sentence;  ///< what was found, or what is missing and where to set it
};

/// Asks the OpenXR loader once, quietly. Safe to call without a headset, a runtime or a window; not for every
/// frame, because a runtime may start a service to answer.
XrProbe probe_xr_runtime();

}  // namespace claybox::engine
