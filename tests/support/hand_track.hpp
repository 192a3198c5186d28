#pragma once
// Recorded hand tracks as test input.

#include "engine/input/sources/track.hpp"

#include <string>

namespace claybox::engine {

/// The text of a track with a right hand that rests at the room's origin until `end` seconds and then
/// disappears.
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
