#pragma once
// State and requests of the Headset card.

#include <cstdint>
#include <string>

namespace claybox::app {

/// Resets the viewer to the scene's own camera: position, direction, or both.
enum class Recentre : unsigned char { both, position, direction };

/// The user's settings; kept between frames, owned by the panels.
struct HeadsetSettings {
    bool on = false;      ///< request a headset session
    bool seated = false;  ///< measure heights from the head instead of the floor
    bool haptics = true;  ///< controllers vibrate when their hands touch or press something
    double zoom = 1;      ///< size of the scene relative to its default
};

/// The current state, written by the main loop.
struct HeadsetFigures {
    bool running = false;  ///< the headset drives the frames
    std::string sentence;  ///< the runtime in use, or the reason why there is none
    double rate = 0;       ///< frames per second
    std::uint64_t frames = 0, missed = 0;
    double resolution = 1;  ///< relative to the resolution that the runtime requests
};

}  // namespace claybox::app
