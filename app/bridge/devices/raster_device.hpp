#pragma once

#include "collision/pairwise/raster/raster_device.hpp"

#include <memory>
#include <string>

namespace claybox::app {

/// Creates a raster device on the graphics card, for the thread whose context is current. A self-test
/// compares pictures of every kind bit for bit with the software device. Null with a sentence in `error` if
/// they differ or the driver lacks a feature.
std::unique_ptr<collision::RasterDevice> make_gl_raster_device(std::string& error);

}  // namespace claybox::app
