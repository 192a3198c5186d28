#pragma once
// The scripted behaviour of the runtime, frame by frame. README.md describes the format.

#include "tests/xr_runtime/pose.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace claybox::xr_runtime {

inline constexpr XrSpaceLocationFlags kValid =
    XR_SPACE_LOCATION_ORIENTATION_VALID_BIT | XR_SPACE_LOCATION_POSITION_VALID_BIT;
inline constexpr XrSpaceLocationFlags kTracked =
    kValid | XR_SPACE_LOCATION_ORIENTATION_TRACKED_BIT | XR_SPACE_LOCATION_POSITION_TRACKED_BIT;

/// Frames count display periods from 0. The keys of a track are in increasing order.
struct HeadKey {
    std::int64_t frame = 0;
    Pose pose{{0, 1.6, 0}, {1, 0, 0, 0}};
    XrSpaceLocationFlags flags = kTracked;
};

struct ViewKey {
    std::int64_t frame = 0;
    double ipd = 0.064;  ///< metres
    std::array<XrFovf, 2> fov{{{-0.9f, 0.75f, 0.8f, -0.85f}, {-0.75f, 0.9f, 0.8f, -0.85f}}};
};

struct Joint {
    Pose pose;
    double radius = 0;
    XrSpaceLocationFlags flags = kTracked;
};

struct HandKey {
    std::int64_t frame = 0;
    bool active = false;
    std::array<Joint, XR_HAND_JOINT_COUNT_EXT> joints;
};

struct ControllerKey {
    std::int64_t frame = 0;
    bool active = false;
    std::string profile;
    std::map<std::string, Pose> poses;     ///< "grip/pose", "aim/pose", ...
    std::map<std::string, double> values;  ///< "trigger/value", "a/click", "thumbstick/x", ...
};

/// The pose of a reference space in the script's space, from this frame on.
struct OriginKey {
    std::int64_t frame = 0;
    Pose pose;
};

enum class EventKind : unsigned char { goal, pause, exit, loss_pending, user, instance_loss_pending };

struct ScriptEvent {
    std::int64_t frame = 0;
    EventKind kind = EventKind::goal;
    XrSessionState goal = XR_SESSION_STATE_FOCUSED;
    int polls = 0;      ///< for a pause: READY follows after this many polls without an event
    bool user = false;  ///< whether the headset is worn
};

enum class FaultKind : unsigned char { session_lost, instance_lost, fails, stall };

struct Fault {
    std::int64_t frame = 0;
    FaultKind kind = FaultKind::fails;
    std::string call;  ///< the affected function; empty: the first one called
    XrResult result = XR_SUCCESS;
    int calls = 1;  ///< how many calls fail
    int after = 0;  ///< how many calls succeed before
    int periods = 0, milliseconds = 0;
};

struct Script {
    std::string name = "Claybox test runtime";
    std::vector<double> rates{90, 72, 120};  ///< Hz; starts with the first one
    std::uint32_t width = 256, height = 256;
    std::vector<std::int64_t> formats;
    std::set<std::string> without;  ///< extensions not offered
    bool hand_tracking = true, real_time = false, steals_context = false, unseen = false;

    std::vector<HeadKey> head;
    std::vector<ViewKey> views;
    std::array<std::vector<HandKey>, 2> hands;
    std::array<std::vector<ControllerKey>, 2> controllers;
    std::map<XrReferenceSpaceType, std::vector<OriginKey>> origins;
    std::vector<ScriptEvent> events;
    std::vector<Fault> faults;
    std::set<std::int64_t> pictures;
    std::string picture_folder;

    /// State at a time, also between frames. Before their first key, hands and controllers are inactive.
    HeadKey head_at(double frame) const;
    ViewKey view_at(double frame) const;
    HandKey hand_at(int side, double frame) const;
    ControllerKey controller_at(int side, double frame) const;
    Pose origin_at(XrReferenceSpaceType type, double frame) const;
};

/// Loads a script; an empty path means a motionless headset. On error returns false with "file:line: error"
/// in `error`.
bool load_script(const std::string& path, Script& script, std::string& error);

}  // namespace claybox::xr_runtime
