#include "app/bridge/devices/raster_device.hpp"

namespace claybox::app {

std::unique_ptr<collision::RasterDevice> make_gl_raster_device(std::string& error) {
    error = "WebGL cannot read depths back";
    return nullptr;
}

}  // namespace claybox::app
