#pragma once

#include "collision/parts/raster_device.hpp"

#include <memory>
#include <string>

namespace claybox::app {

/// The graphics card as a raster device, for the thread whose context is current. It has drawn pictures of
/// every kind and they were those of the software twin, bit for bit; null with a sentence in `error` where
/// they were not, or where the driver lacks something.
std::unique_ptr<collision::RasterDevice> make_gl_raster_device(std::string& error);

}  // namespace claybox::app
