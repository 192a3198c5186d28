#pragma once
// What the Headset card shows and asks for.

#include <cstdint>
#include <string>

namespace claybox::app {

/// The viewer comes back to where the scene's own camera is: in place, in the direction that they look, or in
/// both.
enum class Recentre : unsigned char { both, position, direction };

/// Kept between frames; of the panels.
struct HeadsetWish {
    bool on = false;      ///< a session is wanted
    bool seated = false;  ///< heights count from the head and not from the floor
    bool haptics = true;  ///< controllers buzz at what their hands touch and press
    double zoom = 1;      ///< how much larger than at first the scene is
};

/// What is true now; of the loop.
struct HeadsetFigures {
    bool running = false;  ///< frames come from it
    std::string sentence;  ///< what is there, or what is missing
    double rate = 0;       ///< pictures a second
    std::uint64_t frames = 0, missed = 0;
    double resolution = 1;  ///< of the pictures, against what the runtime asks for
};

}  // namespace claybox::app
