#pragma once

#include "tests/xr_runtime/session.hpp"

namespace claybox::xr_runtime {

/// Whether a layer can be shown, and what the log says of it.
XrResult check_layer(const XrCompositionLayerBaseHeader* layer, Json& words);
/// Both eyes' images, where the script asks for them at this frame; the client's context is current.
void write_pictures(const XrFrameEndInfo& info);

}  // namespace claybox::xr_runtime
