#pragma once
// What modifiers of a map do to a reading, and to which classes they belong.

#include "engine/input/device_map.hpp"

namespace claybox::engine {

/// What a modifier remembers from frame to frame.
struct StepState {
    bool fresh = true;  ///< a button that is down when it is first seen was not pressed
    bool on = false, was_down = false;
    int choice = 0;
    double since = 0;  ///< seconds: when the button went down
};

/// The class of a reading after a modifier, on its way to a device of class `wanted`; nothing, with what was
/// expected in `error`, when the modifier is not for that class.
std::optional<DeviceClass> class_after(const MapStep& step, DeviceClass before, DeviceClass wanted,
                                       std::string& error);
/// Whether a reading of one class is, or becomes without more ado, one of another.
bool converts(DeviceClass from, DeviceClass to);
Reading converted(const Reading& reading, DeviceClass from, DeviceClass to);

/// One modifier of one reading. A reading that is not valid stays as it is. `now`, `dt`: seconds, of the
/// frame.
void apply_step(const MapStep& step, DeviceClass before, DeviceClass after, double now, double dt,
                StepState& state, Reading& reading);

}  // namespace claybox::engine
