#include "engine/input/sources/space_mouse.hpp"

#include <algorithm>
#include <cstdlib>

#if defined(CLAYBOX_SPNAV)
#include <cerrno>
#include <filesystem>
#include <spnav.h>
#include <sys/socket.h>
#endif

namespace claybox::engine {

namespace {

constexpr std::size_t kPose = 6, kSpaceMouseButtons = 7, kButtonCount = 16;
constexpr double kFullPush = 350;          // the daemon's value at the cap's stop
constexpr double kMetresPerSecond = 0.25;  // at full push
constexpr double kRadiansPerSecond = 1.5707963267948966;

}  // namespace

SpaceMouseSource::SpaceMouseSource() : InputSource("spacemouse") {
    for (const char* axis : {"x", "y", "z", "rx", "ry", "rz"}) add(axis, DeviceClass::value, true);
    add("pose", DeviceClass::space);
    for (std::size_t b = 0; b < kButtonCount; ++b) add("button" + std::to_string(b), DeviceClass::button);
}

void SpaceMouseSource::update(double now) {
    const double seconds = std::clamp(now - last_, 0.0, 0.1);
    last_ = now;
    if (!connected_) try_connection(now);
    if (connected_) read_events();
    if (!connected_) {
        push_ = {};
        return invalidate_all();
    }
    for (std::size_t i = 0; i < push_.size(); ++i) set_value(i, push_[i]);
    for (std::size_t b = 0; b < kButtonCount; ++b) channels_[kSpaceMouseButtons + b].now.valid = true;
    move_pose(seconds);
}

void SpaceMouseSource::move_pose(double seconds) {
    const Reading& at = channels_[kPose].now;
    const glm::dvec3 step = glm::dvec3(push_[0], push_[1], push_[2]) * (kMetresPerSecond * seconds);
    const glm::dvec3 turn = glm::dvec3(push_[3], push_[4], push_[5]) * (kRadiansPerSecond * seconds);
    const double angle = glm::length(turn);
    const glm::dquat rotation = angle > 1e-12 ? glm::angleAxis(angle, turn / angle) : glm::dquat(1, 0, 0, 0);
    set_pose(kPose, at.position + step, rotation * at.rotation);
}

#if defined(CLAYBOX_SPNAV)

namespace {

constexpr double kRetrySeconds = 3;      // seconds
constexpr int kMaxEventsPerFrame = 256;  // the daemon sends about 200 per second

/// Checks for the daemon's socket first; calling the library is then cheap, because it searches no further.
bool daemon_is_running() {
    const char* named = std::getenv("SPNAV_SOCKET");
    std::error_code code;
    return std::filesystem::exists(named != nullptr ? named : "/var/run/spnav.sock", code);
}

/// Detects a stopped daemon; the library would only report no events.
bool connection_ended() {
    char byte = 0;
    const ssize_t size = recv(spnav_fd(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR);
}

}  // namespace

SpaceMouseSource::~SpaceMouseSource() {
    if (connected_) spnav_close();
}

void SpaceMouseSource::try_connection(double now) {
    if (now < next_try_) return;
    next_try_ = now + kRetrySeconds;
    connected_ = daemon_is_running() && spnav_open() != -1;
}

void SpaceMouseSource::read_events() {
    if (connection_ended()) {
        spnav_close();
        connected_ = false;
        return;
    }
    spnav_event event;
    for (int i = 0; i < kMaxEventsPerFrame && spnav_poll_event(&event) != 0; ++i) {
        if (event.type == SPNAV_EVENT_MOTION) {
            // The library's frame is left-handed with z away from the user; flipping z also flips two
            // rotations.
            const int raw[6] = {event.motion.x,   event.motion.y,   -event.motion.z,
                                -event.motion.rx, -event.motion.ry, event.motion.rz};
            for (std::size_t a = 0; a < 6; ++a)
                push_[a] = std::clamp(static_cast<double>(raw[a]) / kFullPush, -1.0, 1.0);
        }
        if (event.type != SPNAV_EVENT_BUTTON || event.button.bnum < 0) continue;
        const auto button = static_cast<std::size_t>(event.button.bnum);
        if (button < kButtonCount) set_button(kSpaceMouseButtons + button, event.button.press != 0);
    }
}

std::string SpaceMouseSource::state() const {
    return connected_ ? "connected" : "no spacenavd is running";
}

#else

SpaceMouseSource::~SpaceMouseSource() = default;

void SpaceMouseSource::try_connection(double) {}

void SpaceMouseSource::read_events() {}

std::string SpaceMouseSource::state() const {
    return "this build has no libspnav";
}

#endif

}  // namespace claybox::engine
