#pragma once

#include "app/session/session.hpp"

#include <filesystem>

namespace claybox::app {

/// Draws the session as it is, with panels, without a window, into a PNG. The scale follows the height: 1 up
/// to about 1000 rows, 2.5 at 2160.
collision::Status write_screenshot(Session& session, const std::filesystem::path& file, int width,
                                   int height);

}  // namespace claybox::app
