#pragma once

#include "app/session/session.hpp"

#include <filesystem>

namespace claybox::app {

/// Draws the session and its panels into a PNG, without a window. The scale of the panels follows the height:
/// 1 up to 1100 rows, 2.5 at 2160.
collision::Status write_screenshot(Session& session, const std::filesystem::path& file, int width,
                                   int height);

}  // namespace claybox::app
