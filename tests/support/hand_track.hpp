#pragma once
// Tracks for programs that play them.

#include "engine/input/track.hpp"

#include <string>

namespace claybox::engine {

/// A right hand that rests in the room's origin from the start to `end` seconds, and is gone then.
inline std::string track_of_resting_hand(double end) {
    TrackRecorder recorder;
    const HandJoints hand = joints_from_pose({});
    Reading reading;
    reading.valid = true;
    reading.hand = &hand;
    recorder.begin(0);
    recorder.add("right", DeviceClass::hand, reading);
    recorder.end();
    recorder.begin(end);
    recorder.add("right", DeviceClass::hand, {});
    recorder.end();
    return recorder.text();
}

}  // namespace claybox::engine
