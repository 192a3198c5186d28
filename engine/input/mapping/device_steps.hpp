#pragma once
// Modifiers of a device map: their effect on a reading, and the classes that they accept.

#include "engine/input/mapping/device_map.hpp"

namespace claybox::engine {

/// State of a modifier between frames.
struct StepState {
    bool fresh = true;  ///< a button that is down in its first frame does not count as pressed
    bool on = false, was_down = false;
    int choice = 0;
    double since = 0;  ///< seconds; when the button went down
};

/// Class of a reading after a modifier, on the way to a device of class `wanted`. Empty, with the expected
/// classes in `error`, when the modifier does not accept `before`.
std::optional<DeviceClass> class_after(const MapStep& step, DeviceClass before, DeviceClass wanted,
                                       std::string& error);
/// Whether a reading of one class can be used as another class without a modifier.
bool converts(DeviceClass from, DeviceClass to);
Reading converted(const Reading& reading, DeviceClass from, DeviceClass to);

/// Applies one modifier to a reading; an invalid reading is unchanged. `now` and `dt` in seconds.
void apply_step(const MapStep& step, DeviceClass before, DeviceClass after, double now, double dt,
                StepState& state, Reading& reading);

}  // namespace claybox::engine
