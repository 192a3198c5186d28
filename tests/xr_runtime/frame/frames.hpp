#pragma once

#include "tests/xr_runtime/session/session.hpp"

namespace claybox::xr_runtime {

/// Checks a layer and describes it for the log.
XrResult check_layer(const XrCompositionLayerBaseHeader* layer, Json& entry);
/// Writes both eyes' images if the script requests this frame; the client's context must be current.
void write_pictures(const XrFrameEndInfo& info);

}  // namespace claybox::xr_runtime
