#include "collision/pairwise/raster/raster_device.hpp"

namespace claybox::collision {

namespace {

thread_local RasterDevice* device_of_this_thread = nullptr;

}  // namespace

RasterDevice* raster_device_of_this_thread() {
    return device_of_this_thread;
}

RasterDeviceScope::RasterDeviceScope(RasterDevice& device) : before_(device_of_this_thread) {
    device_of_this_thread = &device;
}

RasterDeviceScope::~RasterDeviceScope() {
    device_of_this_thread = before_;
}

}  // namespace claybox::collision
